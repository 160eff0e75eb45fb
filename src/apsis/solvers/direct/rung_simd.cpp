// SPDX-License-Identifier: MIT
// Explicit vectors: what the loops of direct_simd.cpp need around them.
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/direct/rung.hpp>
#include <apsis/solvers/direct/simd_bodies.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace apsis::direct {
namespace {

// Sums of one share of targets in double, on their way to the field.
template <class State>
class ShareOfSums {
 public:
  explicit ShareOfSums(const Field<Host<State>>& field) : field_(field) {}

  SimdSums view() {
    return {x_.data(), y_.data(), z_.data(),
            field_.potential == nullptr ? nullptr : potential_.data()};
  }
  void add_to_field_at(const SimdRange& range) const {
    for (std::size_t k = 0; k < range.end - range.begin; ++k) {
      add_to_field(field_, range.begin + k, x_[k], y_[k], z_[k], potential_[k]);
    }
  }

 private:
  const Field<Host<State>>& field_;
  std::array<double, share> x_{}, y_{}, z_{}, potential_{};
};

template <class State>
class SimdRung final : public Rung<State> {
 public:
  explicit SimdRung(Precision precision) : mixed_(precision == Precision::mixed) {}

  void prepare(const Task<State>& task, int threads) override {
    if (!mixed_) return;
    sources_.take(task.sources, true, task.sources.count, threads);
    if (!task.all_of_one_set()) targets_.take(task.targets, true, task.targets.count, threads);
  }

  bool potential_keeps_field() const override { return true; }

  void add(const Task<State>& task, std::size_t begin, std::size_t end) const override {
    const std::size_t own_offset = task.same ? task.first : task.sources.count;
    for (std::size_t first = begin; first < end; first += share) {
      const SimdRange range{first, std::min(end, first + share)};
      ShareOfSums<State> sums(task.field);
      if (mixed_) {
        const auto& targets = task.all_of_one_set() ? sources_ : targets_;
        add_simd(sources_.view(), targets.view(), range, own_offset, task.softening, sums.view());
      } else {
        add_simd(columns(task.sources), columns(task.targets), range, own_offset, task.softening,
                 sums.view());
      }
      sums.add_to_field_at(range);
    }
  }

 private:
  static SimdBodies<State> columns(const BodiesView<Host<State>>& v) {
    return {v.count, v.x, v.y, v.z, v.strength};
  }

  bool mixed_;
  SimdCopies<float> sources_, targets_;  // of mixed precision
};

}  // namespace

template <class State>
std::unique_ptr<Rung<State>> make_simd_rung(Precision precision) {
  return std::make_unique<SimdRung<State>>(precision);
}
template std::unique_ptr<Rung<float>> make_simd_rung(Precision);
template std::unique_ptr<Rung<double>> make_simd_rung(Precision);

}  // namespace apsis::direct
