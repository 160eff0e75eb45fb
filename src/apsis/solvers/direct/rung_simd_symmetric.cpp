// SPDX-License-Identifier: MIT
// Explicit vectors, each pair once. Blocks lie on a circle: in hop h block b meets block b+h, so
// that no two units of a hop add to the same sums, which are kept apart for the two sides. Same
// bits for any number of threads, and as many threads as blocks find work.
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/direct/rung.hpp>
#include <apsis/solvers/direct/simd_bodies.hpp>

#include <algorithm>
#include <vector>

namespace apsis::direct {
namespace {

// Small blocks give many threads work, large ones spread the cost of a meeting over more pairs.
std::size_t block_for(std::size_t bodies) {
  constexpr std::size_t smallest = 256, largest = 1024, blocks = 16;
  const std::size_t wished = bodies / blocks / smallest * smallest;
  return std::clamp(wished, smallest, largest);
}

// Below this many bodies the meetings' own cost is more than they save.
constexpr std::size_t one_sided_below = 1024;
// Two sets pay from this size of the smaller one on, which is padded to whole blocks.
constexpr std::size_t mutual_from = 192;

// In double, one per body; potential only where it is wanted.
struct Sums {
  std::vector<double> x, y, z, potential;

  void clear(std::size_t n, bool with_potential) {
    x.assign(n, 0), y.assign(n, 0), z.assign(n, 0);
    potential.assign(with_potential ? n : 0, 0);
  }
  SimdSums from(std::size_t begin) {
    return {&x[begin], &y[begin], &z[begin], potential.empty() ? nullptr : &potential[begin]};
  }
};

template <class State, class Pair>
class SimdSymmetricRung final : public Rung<State> {
 public:
  explicit SimdSymmetricRung(Precision precision)
      : mixed_(precision == Precision::mixed), one_sided_(make_simd_rung<State>(precision)) {}

  bool potential_keeps_field() const override { return true; }

  void add(const Task<State>& task, std::size_t begin, std::size_t end) const override {
    one_sided_->add(task, begin, end);
  }

  void add_all(const Task<State>& task, int threads) override {
    const std::size_t bodies = task.sources.count;
    if (!task.all_of_one_set() || bodies < one_sided_below)
      return one_sided_->add_all(task, threads);
    block_ = block_for(bodies);
    blocks_ = (bodies + block_ - 1) / block_;
    softening_ = task.softening;
    copies_.take(task.sources, mixed_, blocks_ * block_, threads);
    const bool potential = task.field.wants().potential;
    own_.clear(blocks_ * block_, potential), met_.clear(blocks_ * block_, potential);
    for (std::size_t hop = 0; 2 * hop <= blocks_; ++hop) {
      parallel_pieces(blocks_, 1, threads,
                      [&](std::size_t b, std::size_t, int) { meet_block(b, hop); });
    }
    parallel_for(bodies, threads, [&](std::size_t i) {
      add_to_field(task.field, i, own_.x[i] + met_.x[i], own_.y[i] + met_.y[i],
                   own_.z[i] + met_.z[i], potential ? own_.potential[i] + met_.potential[i] : 0.0);
    });
  }

  // Blocks of the smaller set on blocks of the larger: in hop h block i meets block i+h, so that
  // each block of either set is met by one thread at a time.
  bool add_mutual(const MutualTask<State>& task, int threads) override {
    if (task.a.count > task.b.count) {
      return add_mutual({task.b, task.a, task.field_b, task.field_a, task.softening}, threads);
    }
    const bool potential = task.field_a.wants().potential;
    if (task.a.count < mutual_from || task.field_b.wants().potential != potential) return false;
    block_ = block_for(task.a.count);
    softening_ = task.softening;
    const std::size_t blocks_a = (task.a.count + block_ - 1) / block_;
    const std::size_t blocks_b = (task.b.count + block_ - 1) / block_;
    const std::size_t start_b = blocks_a * block_, all = start_b + blocks_b * block_;
    copies_.take(task.a, task.b, mixed_, start_b, blocks_b * block_, threads);
    own_.clear(all, potential);
    for (std::size_t hop = 0; hop < blocks_b; ++hop) {
      parallel_pieces(blocks_a, 1, threads, [&](std::size_t i, std::size_t, int) {
        const SimdRange a{i * block_, (i + 1) * block_};
        const std::size_t j = start_b + (i + hop) % blocks_b * block_;
        const SimdRange b{j, j + block_};
        meet_simd(copies_.view(), a, b, softening_, own_.from(a.begin), own_.from(b.begin));
      });
    }
    give(task.field_a, 0, task.a.count, threads);
    give(task.field_b, start_b, task.b.count, threads);
    return true;
  }

 private:
  void give(const Field<Host<State>>& field, std::size_t from, std::size_t count, int threads) {
    const bool potential = field.wants().potential;
    parallel_for(count, threads, [&](std::size_t i) {
      add_to_field(field, i, own_.x[from + i], own_.y[from + i], own_.z[from + i],
                   potential ? own_.potential[from + i] : 0.0);
    });
  }

  void meet_block(std::size_t b, std::size_t hop) {
    const std::size_t other = (b + hop) % blocks_;
    // opposite blocks of an even circle would meet twice
    if (2 * hop == blocks_ && b > other) return;
    const SimdRange own{b * block_, (b + 1) * block_};
    if (hop == 0) return meet_inside(own);
    meet(own, {other * block_, (other + 1) * block_});
  }

  // Halves meet; what is left of them is small enough to go over all pairs twice.
  void meet_inside(const SimdRange& range) {
    constexpr std::size_t small = 128;
    const std::size_t size = range.end - range.begin, half = size / 2;
    if (size <= small || half % meeting_multiple != 0) return add_inside(range);
    meet_inside({range.begin, range.begin + half});
    meet_inside({range.begin + half, range.end});
    meet({range.begin, range.begin + half}, {range.begin + half, range.end});
  }

  void meet(const SimdRange& own, const SimdRange& met) {
    meet_simd(copies_.view(), own, met, softening_, own_.from(own.begin), met_.from(met.begin));
  }

  void add_inside(const SimdRange& range) {
    SimdBodies<Pair> inside = copies_.view();
    inside.count = range.end - range.begin;
    for (auto column : {&SimdBodies<Pair>::x, &SimdBodies<Pair>::y, &SimdBodies<Pair>::z,
                        &SimdBodies<Pair>::strength, &SimdBodies<Pair>::low_x,
                        &SimdBodies<Pair>::low_y, &SimdBodies<Pair>::low_z}) {
      if (inside.*column != nullptr) inside.*column += range.begin;
    }
    add_simd(inside, inside, {0, inside.count}, 0, softening_, own_.from(range.begin));
  }

  bool mixed_;
  std::unique_ptr<Rung<State>> one_sided_;
  SimdCopies<Pair> copies_;
  std::size_t block_ = 0, blocks_ = 0;
  double softening_ = 0;
  Sums own_, met_;
};

}  // namespace

template <>
std::unique_ptr<Rung<float>> make_simd_symmetric_rung(Precision precision) {
  return std::make_unique<SimdSymmetricRung<float, float>>(precision);
}
template <>
std::unique_ptr<Rung<double>> make_simd_symmetric_rung(Precision precision) {
  if (precision == Precision::f64) {
    return std::make_unique<SimdSymmetricRung<double, double>>(precision);
  }
  return std::make_unique<SimdSymmetricRung<double, float>>(precision);
}

}  // namespace apsis::direct
