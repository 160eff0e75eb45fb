// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_check.hpp>
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>
#include <apsis/solvers/sampled_quantile.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;

constexpr std::size_t most_samples = 1000, most_others = 4000;
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

std::vector<std::int32_t> chosen_on(std::size_t n) {
  const std::size_t count = std::min(n, most_samples);
  std::vector<std::int32_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = static_cast<std::int32_t>(k * n / count);
  return numbers;
}
// Those that confirm lie between those that a choice is made on, four for each; where there are too
// few, they are all, and where it is made on all, none.
bool are_between(std::size_t n) { return n >= 2 * most_others; }
std::vector<std::int32_t> others(std::size_t n) {
  if (n <= most_samples) return {};
  const std::size_t count = are_between(n) ? most_others : n;
  std::vector<std::int32_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) {
    numbers[k] = static_cast<std::int32_t>(are_between(n) ? (2 * k + 1) * n / (2 * count) : k);
  }
  return numbers;
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

SampledCheck::SampledCheck(const PassSettings& settings, const BodiesView<Device>& bodies)
    : settings_(settings) {
  device::Context& context = *settings.context;
  sample_ = context.program("fmm_sample.cl", settings.defines())
                .kernel<Buffer, Buffer, int, Buffer>("fmm_sample");
  direct_ = make_direct_opencl(context, {.softening = settings.softening,
                                         .precision = settings.precision,
                                         .variant = "rows",
                                         .bodies = most_samples});
  const std::size_t room = padded_count(2 * most_others);
  numbers_ = context.buffer(room * sizeof(std::int32_t), "numbers of sampled bodies");
  samples_ = context.buffer(room * 4 * state_bytes(settings.precision), "sampled bodies");
  chosen_on_ = sample(bodies, chosen_on(bodies.count));
  others_ = sample(bodies, others(bodies.count));
  others_.confident = are_between(bodies.count);
}

std::vector<SampledCheck::Four> SampledCheck::sampled(const Buffer& from,
                                                      const std::vector<std::int32_t>& numbers) {
  numbers_.write(std::span<const std::int32_t>(numbers));
  sample_(items(static_cast<int>(padded_count(numbers.size()))), from, numbers_,
          static_cast<int>(numbers.size()), samples_);
  return settings_.precision == Precision::f32 ? read_fours<float>(samples_, numbers.size())
                                               : read_fours<double>(samples_, numbers.size());
}

FieldSample SampledCheck::sample(const BodiesView<Device>& bodies,
                                 std::vector<std::int32_t> numbers) {
  FieldSample out{.numbers = std::move(numbers), .expected = {}};
  const std::size_t samples = out.numbers.size();
  if (samples == 0) return out;
  sampled(*bodies.place, out.numbers);
  PartialSums exact;
  exact.padded = padded_count(samples);
  direct_->add_field(bodies, {samples, exact.padded, &samples_, nullptr},
                     {.field = &exact, .wanted = {}});
  out.expected.resize(samples);
  const std::size_t all = exact.padded * static_cast<std::size_t>(exact.used);
  const auto parts = settings_.precision == Precision::f32 ? read_fours<float>(exact.sums, all)
                                                           : read_fours<double>(exact.sums, all);
  double squares = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    for (std::size_t part = k; part < all; part += exact.padded) {
      for (std::size_t c = 0; c < 3; ++c) out.expected[k][c] += parts[part][c];
    }
    squares += length(out.expected[k]) * length(out.expected[k]);
  }
  out.typical = std::sqrt(squares / static_cast<double>(samples));
  return out;
}

SampledError SampledCheck::error(const PartialSums& field, const FieldSample& sample) {
  const std::size_t samples = sample.numbers.size();
  if (samples == 0) return {};
  const auto got = sampled(field.sums, sample.numbers);
  std::vector<double> errors(samples), beyond_rounding(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    const double size = length(sample.expected[k]);
    const double scale = settings_.signed_strengths ? std::max(size, sample.typical) : size;
    Four off{};
    for (std::size_t c = 0; c < 3; ++c) off[c] = sample.expected[k][c] - got[k][c];
    const double difference = length(off);
    errors[k] = difference == 0 ? 0 : difference / std::max(scale, 1e-12 * sample.typical);
    beyond_rounding[k] = difference <= rounding * sample.typical ? 0 : errors[k];
  }
  const auto at_99_percent = sample.confident ? confident_error_at_99_percent : error_at_99_percent;
  return {.p99 = at_99_percent(errors), .beyond_rounding = at_99_percent(beyond_rounding)};
}

SampledError SampledCheck::error(const PartialSums& field, double wish) {
  const SampledError chosen = error(field, chosen_on_), other = error(field, others_);
  return serves(chosen.p99, wish) && !serves(other.p99, wish) ? other : chosen;
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
