// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_reproducible.hpp>
#include <apsis/solvers/direct/rung.hpp>

#include <algorithm>

namespace apsis::direct {
namespace {

class ReproducibleRung final : public Rung<double> {
 public:
  explicit ReproducibleRung(const RadialLaw& radial) : radial_(radial) {}

  bool potential_keeps_field() const override { return true; }

  void add(const Task<double>& task, std::size_t begin, std::size_t end) const override {
    const auto& s = task.sources;
    const ReproducibleSources sources{s.count, s.x, s.y, s.z, s.strength};
    for (std::size_t first = begin; first < end; first += lanes) {
      const std::size_t count = std::min(lanes, end - first);
      LaneTargets targets{};
      for (std::size_t k = 0; k < lanes; ++k) {
        const std::size_t i = first + std::min(k, count - 1);
        targets.x[k] = task.targets.x[i];
        targets.y[k] = task.targets.y[i];
        targets.z[k] = task.targets.z[i];
      }
      targets.first = task.same ? task.first + first : s.count;
      LaneSums sums{};
      reproducible_sums(sources, targets, task.softening, radial_, sums);
      for (std::size_t k = 0; k < count; ++k) {
        add_to_field(task.field, first + k, sums.x[k], sums.y[k], sums.z[k], sums.potential[k]);
      }
    }
  }

 private:
  RadialLaw radial_;
};

}  // namespace

std::unique_ptr<Rung<double>> make_reproducible_rung(const RadialLaw& radial) {
  return std::make_unique<ReproducibleRung>(radial);
}

}  // namespace apsis::direct
