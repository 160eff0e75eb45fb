// SPDX-License-Identifier: MIT
#include <apsis/measure/scaling_model.hpp>
#include <apsis/measure/scaling_squares.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace apsis {
namespace {

constexpr std::size_t fewest_numbers = 3;
constexpr double worth_doubling = 1.2, most_workers = 1e6;

double rounds(double workers) { return std::log2(std::max(1.0, workers)); }
// Deviations by which the longest of r is above their mean.
double longest_of(double workers) { return std::sqrt(2 * std::log(std::max(1.0, workers))); }

double all_bodies(double bodies, double workers) { return bodies * (1 - 1 / workers); }
double surface(double bodies, double workers) {
  return workers > 1 ? std::pow(bodies / workers, 2.0 / 3.0) : 0;
}

using Points = std::vector<ScalingPoint>;

bool have_parts(const Points& points) {
  return std::all_of(points.begin(), points.end(),
                     [](const ScalingPoint& point) { return point.parts.has_value(); });
}

void fit_compute(ScalingModel& model, const Points& points) {
  const bool parts = have_parts(points);
  const std::size_t columns = parts ? 2 : 3;
  std::vector<Equation> equations;
  for (const ScalingPoint& p : points) {
    equations.push_back(
        {.columns = {work(model.law, p.bodies) / p.workers, p.bodies, rounds(p.workers)},
         .value = parts ? p.parts->compute : p.seconds,
         .weight = 1 / p.seconds});
  }
  const auto found = nonnegative_least_squares(equations, columns);
  model.per_work = found[0], model.per_body = found[1];
  if (!parts) model.per_meeting = found[2];
}

void fit_spread(ScalingModel& model, const Points& points) {
  std::vector<Equation> equations;
  for (const ScalingPoint& p : points) {
    equations.push_back({{longest_of(p.workers)}, p.parts->imbalance - 1, 1});
  }
  model.spread = nonnegative_least_squares(equations, 1)[0];
}

// The first of two forms, which is the one that grows, unless the second or both are clearly
// better: what differs between odd and even numbers of workers must not become a law that promises
// more.
std::pair<double, double> cautious(const std::vector<Equation>& equations) {
  constexpr double clearly_better = 0.25;
  const auto error = [&](double first, double second) {
    double sum = 0;
    for (const Equation& e : equations) {
      const double miss = e.weight * (first * e.columns[0] + second * e.columns[1] - e.value);
      sum += miss * miss;
    }
    return sum;
  };
  std::vector<Equation> swapped = equations;
  for (Equation& e : swapped) std::swap(e.columns[0], e.columns[1]);
  const auto both = nonnegative_least_squares(equations, 2);
  const double first = nonnegative_least_squares(equations, 1)[0];
  const double second = nonnegative_least_squares(swapped, 1)[0];
  const double enough = clearly_better * error(first, 0);
  if (error(0, second) < enough && error(both[0], both[1]) > clearly_better * error(0, second)) {
    return {0, second};
  }
  return error(both[0], both[1]) < enough ? std::pair{both[0], both[1]} : std::pair{first, 0.0};
}

double messages_of(const ScalingPoint& p) {
  return p.parts->messages + p.parts->meetings * rounds(p.workers);
}

// What is sent is counted, not timed, so its laws come out sharp.
void fit_traffic(ScalingModel& model, const Points& points) {
  std::vector<Equation> messages, bytes;
  double meetings = 0, of = 0;
  for (const ScalingPoint& p : points) {
    if (p.workers <= 1) continue;
    const double sent = p.parts->messages, size = p.parts->bytes;
    meetings += p.parts->meetings, ++of;
    if (sent > 0) messages.push_back({{p.workers - 1, 1}, sent, 1 / sent});
    if (size > 0) {
      bytes.push_back(
          {{all_bodies(p.bodies, p.workers), surface(p.bodies, p.workers)}, size, 1 / size});
    }
  }
  model.meetings = of > 0 ? meetings / of : 0;
  std::tie(model.messages_all, model.messages_near) = cautious(messages);
  std::tie(model.bytes_all, model.bytes_near) = cautious(bytes);
}

void fit_network(ScalingModel& model, const Points& points) {
  std::vector<Equation> equations;
  for (const ScalingPoint& p : points) {
    if (p.workers <= 1) continue;
    equations.push_back({{messages_of(p), p.parts->bytes}, p.parts->exchange, 1 / p.seconds});
  }
  const auto found = nonnegative_least_squares(equations, 2);
  model.latency = found[0], model.seconds_a_byte = found[1];
}

ScalingModel model_of(const Points& points, WorkLaw law) {
  ScalingModel model{.law = law};
  fit_compute(model, points);
  if (!have_parts(points)) return model;
  fit_spread(model, points);
  fit_traffic(model, points);
  fit_network(model, points);
  return model;
}

double relative_error(const ScalingModel& model, const ScalingPoint& point) {
  return std::abs(model.seconds(point.bodies, point.workers) / point.seconds - 1);
}

double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

std::string refusal_of(const Points& points, std::size_t parameters) {
  std::set<double> numbers;
  for (const ScalingPoint& point : points) numbers.insert(point.workers);
  if (numbers.size() < fewest_numbers) {
    return fmt::format("no fit: it takes {} different numbers of workers that count, here are {}",
                       fewest_numbers, numbers.size());
  }
  if (points.size() < parameters) {
    return fmt::format("no fit: it takes {} points that count, one for each parameter, here are {}",
                       parameters, points.size());
  }
  return {};
}

double speedup_by(const ScalingModel& model, double bodies, double workers) {
  return model.seconds(bodies, 1) / model.seconds(bodies, workers);
}

double two_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return unit < 1 ? value : std::round(value / unit) * unit;
}

}  // namespace

double work(WorkLaw law, double bodies) {
  switch (law) {
    case WorkLaw::pairs:
      return bodies * bodies;
    case WorkLaw::bodies_log_bodies:
      return bodies * std::log2(std::max(2.0, bodies));
    case WorkLaw::bodies:
      break;
  }
  return bodies;
}

double weak_bodies(WorkLaw law, double bodies, double workers) {
  return std::round(bodies * (law == WorkLaw::pairs ? std::sqrt(workers) : workers));
}

double ScalingModel::messages(double workers) const {
  if (workers <= 1) return 0;
  return meetings * rounds(workers) + messages_all * (workers - 1) + messages_near;
}

double ScalingModel::bytes(double bodies, double workers) const {
  return bytes_all * all_bodies(bodies, workers) + bytes_near * surface(bodies, workers);
}

StepCost ScalingModel::at(double bodies, double workers) const {
  StepCost cost;
  cost.shared = per_work * work(law, bodies) / workers;
  cost.serial = per_body * bodies;
  cost.imbalance = (cost.shared + cost.serial) * spread * longest_of(workers);
  cost.exchange = per_meeting * rounds(workers) + latency * messages(workers) +
                  seconds_a_byte * bytes(bodies, workers);
  return cost;
}

FitOutcome fit_scaling(std::span<const ScalingPoint> measured, WorkLaw law) {
  Points points(measured.begin(), measured.end());
  std::erase_if(points, [](const ScalingPoint& p) { return !(p.seconds > 0) || !(p.bodies > 0); });
  ScalingFit fit;
  fit.points = points.size();
  fit.parameters = have_parts(points) ? 5 : 3;
  if (std::string refusal = refusal_of(points, fit.parameters); !refusal.empty()) {
    return {std::nullopt, std::move(refusal)};
  }
  fit.model = model_of(points, law);
  std::vector<double> errors, without;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Points others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    fit.left_out.push_back(model_of(others, law));
    errors.push_back(relative_error(fit.model, points[i]));
    without.push_back(relative_error(fit.left_out.back(), points[i]));
  }
  fit.error_rms = rms(errors), fit.error_left_out = rms(without);
  fit.error_max = *std::max_element(errors.begin(), errors.end());
  return {std::move(fit), {}};
}

ScalingFit with_network(ScalingFit fit, std::optional<double> latency,
                        std::optional<double> bandwidth) {
  const auto change = [&](ScalingModel& model) {
    if (latency) model.latency = *latency;
    if (bandwidth) model.seconds_a_byte = 1 / *bandwidth;
  };
  change(fit.model);
  for (ScalingModel& model : fit.left_out) change(model);
  return fit;
}

Prediction predict(const ScalingFit& fit, double bodies, double workers) {
  Prediction out{.workers = workers, .bodies = bodies};
  out.seconds = fit.model.seconds(bodies, workers);
  out.speedup = speedup_by(fit.model, bodies, workers);
  out.efficiency = out.speedup / workers;
  out.speedup_low = out.speedup_high = out.speedup;
  for (const ScalingModel& model : fit.left_out) {
    const double speedup = speedup_by(model, bodies, workers);
    out.speedup_low = std::min(out.speedup_low, speedup);
    out.speedup_high = std::max(out.speedup_high, speedup);
  }
  out.weak_bodies = weak_bodies(fit.model.law, bodies, workers);
  out.weak_efficiency = fit.model.seconds(bodies, 1) / fit.model.seconds(out.weak_bodies, workers);
  return out;
}

std::optional<ScalingEnd> scaling_end(const ScalingModel& model, double bodies) {
  for (double r = 1; r <= most_workers; r = std::max(r + 1, std::floor(r * 1.02))) {
    if (model.seconds(bodies, r) >= worth_doubling * model.seconds(bodies, 2 * r)) continue;
    const StepCost cost = model.at(bodies, 2 * r);
    std::string because = "work that every one of them does for all bodies";
    if (cost.exchange > cost.serial) because = "the exchange";
    if (cost.imbalance > std::max(cost.serial, cost.exchange)) because = "waiting for the slowest";
    return ScalingEnd{two_digits(r), std::move(because)};
  }
  return std::nullopt;
}

}  // namespace apsis
