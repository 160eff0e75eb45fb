// SPDX-License-Identifier: MIT
// Explicit vectors: what the loops of direct_simd.cpp need around them.
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/direct/rung.hpp>

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

namespace apsis::direct {
namespace {

// Bodies in the pairs' type, coordinates in two floats each: what mixed precision computes with.
struct SplitBodies {
  std::vector<float> x, y, z, low_x, low_y, low_z, strength;

  void take(const BodiesView<Host<double>>& v) {
    split(v.count, v.x, x, low_x);
    split(v.count, v.y, y, low_y);
    split(v.count, v.z, z, low_z);
    strength.resize(v.strength == nullptr ? 0 : v.count);
    std::transform(v.strength, v.strength + strength.size(), strength.begin(),
                   [](double s) { return static_cast<float>(s); });
  }

 private:
  static void split(std::size_t n, const double* from, std::vector<float>& high,
                    std::vector<float>& low) {
    high.resize(n), low.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      high[i] = static_cast<float>(from[i]);
      low[i] = static_cast<float>(from[i] - static_cast<double>(high[i]));
    }
  }
};

// Sums of one tile, where they are in double, on their way to the field.
template <class State>
class TileSumsInDouble {
 public:
  explicit TileSumsInDouble(const Field<Host<State>>& field) : field_(field) {}

  SimdSums view() {
    return {x_.data(), y_.data(), z_.data(),
            field_.potential == nullptr ? nullptr : potential_.data()};
  }
  void add_to_field_at(std::size_t first, std::size_t count) const {
    for (std::size_t k = 0; k < count; ++k) {
      add_to_field(field_, first + k, x_[k], y_[k], z_[k], potential_[k]);
    }
  }

  static constexpr std::size_t most = 64;

 private:
  const Field<Host<State>>& field_;
  std::array<double, most> x_{}, y_{}, z_{}, potential_{};
};

template <class State>
class SimdRung final : public Rung<State> {
 public:
  explicit SimdRung(Precision precision) : mixed_(precision == Precision::mixed) {}

  void prepare(const Task<State>& task) override {
    if constexpr (std::is_same_v<State, double>) {
      if (!mixed_) return;
      sources_.take(task.sources);
      if (!task.same) targets_.take(task.targets);
    }
  }

  void add(const Task<State>& task, std::size_t begin, std::size_t end) const override {
    constexpr std::size_t tile = TileSumsInDouble<State>::most;
    for (std::size_t first = begin; first < end; first += tile) {
      const std::size_t stop = std::min(end, first + tile);
      TileSumsInDouble<State> sums(task.field);
      add_tile(task, first, stop, sums.view());
      sums.add_to_field_at(first, stop - first);
    }
  }

 private:
  void add_tile(const Task<State>& task, std::size_t begin, std::size_t end,
                const SimdSums& sums) const {
    const std::size_t own = task.same ? 0 : task.sources.count;
    if constexpr (std::is_same_v<State, double>) {
      if (mixed_) {
        const SplitBodies& t = task.same ? sources_ : targets_;
        add_simd_mixed({task.sources.count, sources_.x.data(), sources_.y.data(), sources_.z.data(),
                        sources_.strength.data(), sources_.low_x.data(), sources_.low_y.data(),
                        sources_.low_z.data()},
                       {t.x.data(), t.y.data(), t.z.data(), t.low_x.data(), t.low_y.data(),
                        t.low_z.data(), begin, end, own},
                       task.softening, sums);
        return;
      }
    }
    const auto& s = task.sources;
    const auto& t = task.targets;
    const SimdSources<State> sources{s.count, s.x, s.y, s.z, s.strength};
    const SimdTargets<State> targets{t.x, t.y, t.z, nullptr, nullptr, nullptr, begin, end, own};
    if constexpr (std::is_same_v<State, float>) {
      add_simd_f32(sources, targets, task.softening, sums);
    } else {
      add_simd_f64(sources, targets, task.softening, sums);
    }
  }

  bool mixed_;
  SplitBodies sources_, targets_;
};

// Blocks on a circle: in hop h block b meets block b+h, so that no two units of a hop add to the
// same sums, which are kept apart for the two sides. Same bits for any number of threads, and as
// many threads as blocks find work.
class SimdSymmetricRung final : public Rung<float> {
 public:
  void prepare(const Task<float>& task) override { simd_.prepare(task); }
  void add(const Task<float>& task, std::size_t begin, std::size_t end) const override {
    simd_.add(task, begin, end);
  }

  void add_all(const Task<float>& task, int threads) override {
    const Wants wants = task.field.wants();
    const bool meets = task.same && task.softening > 0 && wants.acceleration && !wants.potential;
    if (!meets || task.sources.count < 2 * block) return simd_.add_all(task, threads);
    take(task.sources);
    const std::size_t blocks = x_.size() / block;
    for (std::size_t hop = 0; 2 * hop <= blocks; ++hop) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
      for (std::size_t b = 0; b < blocks; ++b) meet(b, hop, blocks, task.softening);
    }
    for (std::size_t i = 0; i < task.sources.count; ++i) {
      add_to_field(task.field, i, own_.x[i] + met_.x[i], own_.y[i] + met_.y[i],
                   own_.z[i] + met_.z[i], 0);
    }
  }

 private:
  static constexpr std::size_t block = most_block;
  struct Sums {
    std::vector<double> x, y, z;
    void clear(std::size_t n) { x.assign(n, 0), y.assign(n, 0), z.assign(n, 0); }
    SimdSums from(std::size_t begin) { return {&x[begin], &y[begin], &z[begin]}; }
  };

  void take(const BodiesView<Host<float>>& v) {
    const std::size_t padded = (v.count + block - 1) / block * block;
    // so far away that a pair with it underflows to nothing
    constexpr float far_away = 1e18F;
    x_.assign(padded, far_away), y_.assign(padded, 0), z_.assign(padded, 0);
    strength_.assign(padded, 0);
    std::copy_n(v.x, v.count, x_.begin()), std::copy_n(v.y, v.count, y_.begin());
    std::copy_n(v.z, v.count, z_.begin()), std::copy_n(v.strength, v.count, strength_.begin());
    own_.clear(padded), met_.clear(padded);
  }

  void meet(std::size_t b, std::size_t hop, std::size_t blocks, double softening) {
    const std::size_t other = (b + hop) % blocks, own = b * block, met = other * block;
    // opposite blocks of an even circle would meet twice
    if (2 * hop == blocks && b > other) return;
    if (hop == 0) {
      const SimdSources<float> inside{block, &x_[own], &y_[own], &z_[own], &strength_[own]};
      const SimdTargets<float> targets{&x_[own], &y_[own], &z_[own], nullptr, nullptr,
                                       nullptr,  0,        block,    0};
      add_simd_f32(inside, targets, softening, own_.from(own));
      return;
    }
    const SimdSources<float> all{x_.size(), x_.data(), y_.data(), z_.data(), strength_.data()};
    meet_simd_f32(all, {own, own + block, met, met + block}, softening, own_.from(own),
                  met_.from(met));
  }

  SimdRung<float> simd_{Precision::f32};
  std::vector<float> x_, y_, z_, strength_;
  Sums own_, met_;
};

}  // namespace

std::unique_ptr<Rung<float>> make_simd_symmetric_rung() {
  return std::make_unique<SimdSymmetricRung>();
}

template <>
std::unique_ptr<Rung<float>> make_simd_rung(Precision precision) {
  return std::make_unique<SimdRung<float>>(precision);
}
template <>
std::unique_ptr<Rung<double>> make_simd_rung(Precision precision) {
  return std::make_unique<SimdRung<double>>(precision);
}

}  // namespace apsis::direct
