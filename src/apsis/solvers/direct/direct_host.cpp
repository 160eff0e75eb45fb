// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_kernels.hpp>
#include <apsis/solvers/direct/direct_reproducible.hpp>

#include <algorithm>
#include <type_traits>

namespace apsis {
namespace {

// Fewer pairs than this are done by the calling thread: waking a team costs 5-20 µs, and one
// thread does this many in about as long.
constexpr std::size_t serial_below_pairs = 40'000;

template <class State, class Pair>
class DirectHost : public Solver<Host<State>> {
 public:
  using View = BodiesView<Host<State>>;
  using FieldView = Field<Host<State>>;

  explicit DirectHost(const DirectHostSettings& settings)
      : softening_(settings.softening), threads_(thread_count(settings.threads)) {
    // A softening this far below float's resolution of the positions acts on no pair but that of
    // a body with itself, whose 1/ε³ would overflow.
    constexpr double smallest = std::is_same_v<Pair, float> ? 0x1p-40 : 0x1p-300;
    if (softening_ < smallest) softening_ = 0;
  }

  void add_field(const View& sources, const View& targets, const FieldView& field) override {
    add(sources, targets, field, false);
  }
  void add_self_field(const View& bodies, const FieldView& field) override {
    add(bodies, bodies, field, true);
  }
  bool gives_jerk() const override { return true; }
  std::string name() const override { return "direct"; }
  std::string variant() const override { return direct_host_variants().front(); }

 protected:
  double softening() const { return softening_; }
  int threads() const { return threads_; }

 private:
  using Kernel = void (*)(const direct::Sources<State>&, std::size_t, std::size_t,
                          const direct::Target<State>&, double, direct::Sums&);

  template <direct::Pass pass>
  Kernel kernel() const {
    return softening_ > 0 ? &direct::add_range<State, Pair, pass, true>
                          : &direct::add_range<State, Pair, pass, false>;
  }

  void add(const View& sources, const View& targets, const FieldView& field, bool same) const {
    using direct::Pass;
    const Wants wants = field.wants();
    // A body's own potential is left out by cutting the range; its own force is zero anyway.
    if (wants.jerk) {
      run(kernel<Pass::field_and_jerk>(), sources, targets, field, false);
    } else if (wants.acceleration) {
      run(kernel<Pass::field>(), sources, targets, field, false);
    }
    if (wants.potential) run(kernel<Pass::potential>(), sources, targets, field, same);
  }

  void run(Kernel add_range, const View& sources, const View& targets, const FieldView& field,
           bool skip_self) const {
    const direct::Sources<State> from{sources.x,  sources.y,  sources.z, sources.strength,
                                      sources.vx, sources.vy, sources.vz};
    const auto one = [&](std::size_t i) {
      const direct::Target<State> target = target_of(targets, i);
      direct::Sums sums;
      const std::size_t hole = skip_self ? i : sources.count;
      add_range(from, 0, hole, target, softening_, sums);
      if (skip_self) add_range(from, i + 1, sources.count, target, softening_, sums);
      add_sums(field, i, sums);
    };
    if (threads_ == 1 || sources.count * targets.count < serial_below_pairs) {
      for (std::size_t i = 0; i < targets.count; ++i) one(i);
      return;
    }
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < targets.count; ++i) one(i);
  }

  static direct::Target<State> target_of(const View& v, std::size_t i) {
    if (v.vx == nullptr) return {v.x[i], v.y[i], v.z[i], 0, 0, 0};
    return {v.x[i], v.y[i], v.z[i], v.vx[i], v.vy[i], v.vz[i]};
  }

  static void add_sums(const FieldView& field, std::size_t i, const direct::Sums& sums) {
    const auto add_to = [i](State* to, double value) {
      if (to != nullptr) to[i] += static_cast<State>(value);
    };
    add_to(field.x, sums.x), add_to(field.y, sums.y), add_to(field.z, sums.z);
    add_to(field.potential, sums.potential);
    add_to(field.jerk_x, sums.jerk_x), add_to(field.jerk_y, sums.jerk_y);
    add_to(field.jerk_z, sums.jerk_z);
  }

  double softening_;
  int threads_;
};

// The same bits as every OpenCL device. Jerks, which promise no such thing, stay with the base.
class ReproducibleDirectHost final : public DirectHost<double, double> {
 public:
  using DirectHost::DirectHost;

  void add_field(const View& sources, const View& targets, const FieldView& field) override {
    if (field.wants().jerk) return DirectHost::add_field(sources, targets, field);
    add(sources, targets, field, sources.count);
  }
  void add_self_field(const View& bodies, const FieldView& field) override {
    if (field.wants().jerk) return DirectHost::add_self_field(bodies, field);
    add(bodies, bodies, field, 0);
  }
  std::string variant() const override { return "reproducible"; }

 private:
  void add(const View& sources, const View& targets, const FieldView& field,
           std::size_t own_offset) const {
    const direct::ReproducibleSources from{sources.count, sources.x, sources.y, sources.z,
                                           sources.strength};
    const std::size_t blocks = (targets.count + direct::lanes - 1) / direct::lanes;
#pragma omp parallel for schedule(static) num_threads(threads()) if (blocks > 8)
    for (std::size_t b = 0; b < blocks; ++b) add_block(from, targets, b, own_offset, field);
  }

  void add_block(const direct::ReproducibleSources& sources, const View& targets, std::size_t block,
                 std::size_t own_offset, const FieldView& field) const {
    direct::LaneTargets lanes{};
    const std::size_t begin = block * direct::lanes;
    const std::size_t count = std::min(direct::lanes, targets.count - begin);
    for (std::size_t k = 0; k < direct::lanes; ++k) {
      const std::size_t i = begin + std::min(k, count - 1);
      lanes.x[k] = targets.x[i], lanes.y[k] = targets.y[i], lanes.z[k] = targets.z[i];
    }
    lanes.first = begin + own_offset;
    direct::LaneSums sums{};
    direct::reproducible_sums(sources, lanes, softening(), sums);
    for (std::size_t k = 0; k < count; ++k) {
      const auto add_to = [&](double* to, double value) {
        if (to != nullptr) to[begin + k] += value;
      };
      add_to(field.x, sums.x[k]), add_to(field.y, sums.y[k]), add_to(field.z, sums.z[k]);
      add_to(field.potential, sums.potential[k]);
    }
  }
};

}  // namespace

template <>
std::unique_ptr<Solver<Host<float>>> make_direct_host(const DirectHostSettings& settings) {
  return std::make_unique<DirectHost<float, float>>(settings);
}

template <>
std::unique_ptr<Solver<Host<double>>> make_direct_host(const DirectHostSettings& settings) {
  if (settings.precision == Precision::f64) {
    if (settings.reproducible) return std::make_unique<ReproducibleDirectHost>(settings);
    return std::make_unique<DirectHost<double, double>>(settings);
  }
  return std::make_unique<DirectHost<double, float>>(settings);
}

std::vector<std::string> direct_host_variants() { return {"soa", "reproducible"}; }

std::string direct_host_instruction_set() { return direct::instruction_set(); }

}  // namespace apsis
