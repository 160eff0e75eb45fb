// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_check.hpp>
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>

#include <algorithm>
#include <cmath>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;

constexpr std::size_t most_samples = 1000;
// The 99th percentile of 1000 bodies rests on ten of them: 20 to 30 % uncertain.
struct Goal {
  double aim, lowest, highest;  // of the error in units of the wish
  double most;                  // at which it serves, if nothing better was found
};
constexpr Goal usual_goal{.aim = 0.7, .lowest = 0.6, .highest = 0.85, .most = 1};
// Of charges the error is that of accelerations over their mean square, and the solver knows no
// masses: where they differ by a factor of 3, errors of accelerations are up to 1.7 times larger.
constexpr Goal goal_for_charges{.aim = 0.45, .lowest = 0.35, .highest = 0.56, .most = 0.59};
constexpr double largest_step_up = 4, largest_step_down = 16;
// Of the typical force: where forces of that size cancel, float leaves about as much.
constexpr double rounding = 2e-6;

double length(const std::array<double, 4>& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double at_99_percent(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  return errors[(errors.size() * 99 + 99) / 100 - 1];
}

template <class Real>
std::vector<std::array<double, 4>> read_fours(const Buffer& buffer, std::size_t count) {
  std::vector<std::array<Real, 4>> narrow(count);
  buffer.read(std::span(narrow));
  std::vector<std::array<double, 4>> wide(count);
  for (std::size_t k = 0; k < count; ++k) {
    std::copy(narrow[k].begin(), narrow[k].end(), wide[k].begin());
  }
  return wide;
}

}  // namespace

SampledCheck::SampledCheck(const PassSettings& settings) : settings_(settings) {
  device::Context& context = *settings.context;
  sample_ = context.program("fmm_sample.cl", settings.defines())
                .kernel<Buffer, int, int, Buffer>("fmm_sample");
  direct_ = make_direct_opencl(context, {.softening = settings.softening,
                                         .precision = settings.precision,
                                         .variant = "rows",
                                         .bodies = most_samples});
  samples_ = context.buffer(padded_count(most_samples) * 4 * state_bytes(settings.precision),
                            "sampled bodies");
}

std::vector<SampledCheck::Four> SampledCheck::sampled(const Buffer& from, std::size_t count,
                                                      std::size_t samples) {
  sample_(items(static_cast<int>(padded_count(samples))), from, static_cast<int>(count),
          static_cast<int>(samples), samples_);
  return settings_.precision == Precision::f32 ? read_fours<float>(samples_, samples)
                                               : read_fours<double>(samples_, samples);
}

SampledError SampledCheck::error(const BodiesView<Device>& bodies, const PartialSums& field) {
  const std::size_t samples = std::min(most_samples, bodies.count);
  if (samples == 0) return {};
  const auto got = sampled(field.sums, bodies.count, samples);
  sampled(*bodies.place, bodies.count, samples);
  PartialSums exact;
  exact.padded = padded_count(samples);
  direct_->add_field(bodies, {samples, exact.padded, &samples_, nullptr},
                     {.field = &exact, .wanted = {}});
  std::vector<Four> expected(samples);
  const std::size_t all = exact.padded * static_cast<std::size_t>(exact.used);
  const auto parts = settings_.precision == Precision::f32 ? read_fours<float>(exact.sums, all)
                                                           : read_fours<double>(exact.sums, all);
  double squares = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    for (std::size_t part = k; part < all; part += exact.padded) {
      for (std::size_t c = 0; c < 3; ++c) expected[k][c] += parts[part][c];
    }
    squares += length(expected[k]) * length(expected[k]);
  }
  const double typical = std::sqrt(squares / static_cast<double>(samples));
  std::vector<double> errors(samples), beyond_rounding(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    const double size = length(expected[k]);
    const double scale = settings_.signed_strengths ? std::max(size, typical) : size;
    for (std::size_t c = 0; c < 3; ++c) expected[k][c] -= got[k][c];
    const double difference = length(expected[k]);
    errors[k] = difference == 0 ? 0 : difference / std::max(scale, 1e-12 * typical);
    beyond_rounding[k] = difference <= rounding * typical ? 0 : errors[k];
  }
  return {.p99 = at_99_percent(errors), .beyond_rounding = at_99_percent(beyond_rounding)};
}

double SampledCheck::promise(double error) const {
  return error / (settings_.signed_strengths ? goal_for_charges : usual_goal).most;
}

std::optional<double> SampledCheck::next_tolerance(double tolerance, double error,
                                                   double wish) const {
  const Goal goal = settings_.signed_strengths ? goal_for_charges : usual_goal;
  if (!std::isfinite(error)) return std::nullopt;
  if (error >= goal.lowest * wish && error <= goal.highest * wish) return std::nullopt;
  const double factor = error > 0 ? goal.aim * wish / error : largest_step_up;
  return tolerance * std::clamp(factor, 1 / largest_step_down, largest_step_up);
}

}  // namespace apsis::fmm_opencl
