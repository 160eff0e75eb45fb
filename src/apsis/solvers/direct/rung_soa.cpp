// SPDX-License-Identifier: MIT
// The compiler's vectors: over sources, one target at a time, and over tiles of 16 targets.
#include <apsis/solvers/direct/direct_kernels.hpp>
#include <apsis/solvers/direct/rung.hpp>

#include <algorithm>

namespace apsis::direct {
namespace {

template <class State>
Sources<State> sources_of(const BodiesView<Host<State>>& v) {
  return {v.x, v.y, v.z, v.strength, v.vx, v.vy, v.vz};
}

template <class State, class Pair>
class SoaRung final : public Rung<State> {
 public:
  explicit SoaRung(const RadialLaw& radial) : radial_(radial) {}

  void add(const Task<State>& task, std::size_t begin, std::size_t end) const override {
    const Wants wants = task.field.wants();
    if (wants.jerk) {
      run<Pass::field_and_jerk>(task, begin, end);
    } else if (wants.acceleration) {
      run<Pass::field>(task, begin, end);
    }
    if (wants.potential) run<Pass::potential>(task, begin, end);
  }

 private:
  template <Pass pass>
  void run(const Task<State>& task, std::size_t begin, std::size_t end) const {
    const auto add_range = range_loop<State, Pair, pass>(radial_.radial, task.softening > 0);
    const Lengths lengths{task.softening, radial_.range};
    const Sources<State> sources = sources_of(task.sources);
    // a body's own potential is left out by cutting the range; its own force is zero anyway
    const bool skip_self = pass == Pass::potential && task.same;
    for (std::size_t i = begin; i < end; ++i) {
      const Target<State> target = target_of(task.targets, i);
      Sums sums;
      const std::size_t self = task.first + i;
      add_range(sources, 0, skip_self ? self : task.sources.count, target, lengths, sums);
      if (skip_self) {
        add_range(sources, self + 1, task.sources.count, target, lengths, sums);
      }
      add_to_field(task.field, i, sums.x, sums.y, sums.z, sums.potential);
      if constexpr (pass == Pass::field_and_jerk) {
        task.field.jerk_x[i] += static_cast<State>(sums.jerk_x);
        task.field.jerk_y[i] += static_cast<State>(sums.jerk_y);
        task.field.jerk_z[i] += static_cast<State>(sums.jerk_z);
      }
    }
  }

  static Target<State> target_of(const BodiesView<Host<State>>& v, std::size_t i) {
    if (v.vx == nullptr) return {v.x[i], v.y[i], v.z[i], 0, 0, 0};
    return {v.x[i], v.y[i], v.z[i], v.vx[i], v.vy[i], v.vz[i]};
  }

  RadialLaw radial_;
};

template <class State, class Pair>
class TiledRung final : public Rung<State> {
 public:
  explicit TiledRung(const RadialLaw& radial) : radial_(radial) {}

  void add(const Task<State>& task, std::size_t begin, std::size_t end) const override {
    const auto add_tile =
        tile_loop<State, Pair>(radial_.radial, task.softening > 0, task.field.potential != nullptr);
    const Lengths lengths{task.softening, radial_.range};
    const Sources<State> sources = sources_of(task.sources);
    for (std::size_t first = begin; first < end; first += tile_size) {
      const std::size_t count = std::min(tile_size, end - first);
      TileTargets<State> tile;
      for (std::size_t k = 0; k < tile_size; ++k) {
        const std::size_t i = first + std::min(k, count - 1);
        tile.x[k] = task.targets.x[i], tile.y[k] = task.targets.y[i], tile.z[k] = task.targets.z[i];
      }
      tile.own = task.same ? task.first + first : task.sources.count;
      TileSums sums;
      add_tile(sources, task.sources.count, tile, lengths, sums);
      for (std::size_t k = 0; k < count; ++k) {
        add_to_field(task.field, first + k, sums.x[k], sums.y[k], sums.z[k], sums.potential[k]);
      }
    }
  }

 private:
  RadialLaw radial_;
};

}  // namespace

template <>
std::unique_ptr<Rung<float>> make_soa_rung(Precision /*f32*/, const RadialLaw& radial) {
  return std::make_unique<SoaRung<float, float>>(radial);
}
template <>
std::unique_ptr<Rung<double>> make_soa_rung(Precision precision, const RadialLaw& radial) {
  if (precision == Precision::f64) return std::make_unique<SoaRung<double, double>>(radial);
  return std::make_unique<SoaRung<double, float>>(radial);
}
template <>
std::unique_ptr<Rung<float>> make_tiled_rung(Precision /*f32*/, const RadialLaw& radial) {
  return std::make_unique<TiledRung<float, float>>(radial);
}
template <>
std::unique_ptr<Rung<double>> make_tiled_rung(Precision precision, const RadialLaw& radial) {
  if (precision == Precision::f64) return std::make_unique<TiledRung<double, double>>(radial);
  return std::make_unique<TiledRung<double, float>>(radial);
}

}  // namespace apsis::direct
