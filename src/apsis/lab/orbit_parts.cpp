// SPDX-License-Identifier: MIT
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/orbit_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

namespace apsis::lab {
namespace {

constexpr double eccentricity = 0.5, period = 2 * std::numbers::pi;
// What is smaller is rounding, which falls with no power of the step.
constexpr double rounding = 1e-13;
// A power is promised when it is seen this well.
constexpr double same_power = 0.3;

std::vector<double> errors_of_orbit(const LabOptions& options, const Bodies& bodies,
                                    const Integrator& integrator, int steps) {
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, 0}, "direct");
  settings.device.name = "cpu";
  settings.device.precision = Precision::f64;
  settings.device.threads = options.threads;
  const auto engine = make_engine(settings);
  engine->load(bodies);
  const Energies start = engine->energies(0);
  const double scale = std::max(std::abs(start.total()), start.kinetic + std::abs(start.potential));
  const double dt = period / steps;
  std::vector<double> errors{0};
  std::vector<Operation> operations;
  for (int step = 0; step < steps; ++step) {
    operations.clear();
    integrator.add_step(step * dt, dt, operations);
    engine->apply(operations);
    errors.push_back((engine->energies((step + 1) * dt).total() - start.total()) / scale);
  }
  return errors;
}

std::vector<Row> rows_of_integrator(const ResultTable& table, const std::string& integrator) {
  std::vector<Row> rows;
  for (const Row& row : table.rows()) {
    if (row.text("integrator") == integrator && row.value("steps") > 0) rows.push_back(row);
  }
  return rows;
}

// Of two values with their numbers of steps.
double power_between(double fewer_steps, double before, double more_steps, double after) {
  return std::log(before / after) / std::log(more_steps / fewer_steps);
}

double two_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return unit * std::rint(value / unit);
}

struct Fitted {
  double steps = 0, value = 0, power = 0;
  double at(double other_steps) const { return value * std::pow(steps / other_steps, power); }
};

std::optional<Fitted> fitted(const ResultTable& table, const std::string& integrator,
                             const char* part) {
  std::vector<Row> rows = rows_of_integrator(table, integrator);
  std::erase_if(rows, [&](const Row& row) { return !(std::abs(row.value(part)) > rounding); });
  if (rows.size() < 2) return std::nullopt;
  const Row &before = rows[rows.size() - 2], &last = rows.back();
  const double old_value = std::abs(before.value(part)), new_value = std::abs(last.value(part));
  return Fitted{last.value("steps"), new_value,
                power_between(before.value("steps"), old_value, last.value("steps"), new_value)};
}

}  // namespace

ResultTable orbit_table() {
  return {"orbit",
          "Energy errors over one Kepler orbit: what stays, and what swings and is gone at its end",
          {{"integrator", "integrator", "scheme", Look::text},
           {"order", "order", "of its error", Look::whole},
           {"steps", "steps", "an orbit", Look::whole},
           {"evaluations", "forces", "force evaluations an orbit", Look::whole},
           {"stays", "stays", "relative change of the energy after the orbit, with its sign",
            Look::error},
           {"swings", "swings",
            "largest relative change on the way that is the same out and back, and gone at the end",
            Look::error}}};
}

OrbitParts parts_of(const std::vector<double>& errors) {
  if (errors.empty()) return {};
  OrbitParts parts{.stays = errors.back()};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double both_ways = errors[i] + errors[errors.size() - 1 - i];
    parts.swings = std::max(parts.swings, std::abs(both_ways - parts.stays) / 2);
  }
  return parts;
}

void measure_orbits(const LabOptions& options, Recorder& recorder, std::size_t table) {
  ModelRequest request{.model = "kepler"};
  request.options["eccentricity"].value = eccentricity;
  const InitialState state = make_model(request);
  const int most_doublings = options.quick ? 3 : 4;
  for (const Integrator& integrator : integrator_table()) {
    recorder.measuring(fmt::format("{} over one orbit", integrator.name));
    for (int doubling = 0; doubling < most_doublings; ++doubling) {
      const int steps = std::max(4, (400 << doubling) / integrator.force_evaluations);
      const OrbitParts parts = parts_of(errors_of_orbit(options, state.bodies, integrator, steps));
      const bool finite = std::isfinite(parts.stays) && std::isfinite(parts.swings);
      recorder.add(table,
                   {{"integrator", integrator.name},
                    {"order", static_cast<double>(integrator.order)},
                    {"steps", static_cast<double>(steps)},
                    {"evaluations", static_cast<double>(steps) * integrator.force_evaluations},
                    {"stays", finite ? Cell(parts.stays) : Cell()},
                    {"swings", finite ? Cell(parts.swings) : Cell()}});
    }
  }
}

OrbitPowers powers_of(const ResultTable& table, const std::string& integrator) {
  const auto stays = fitted(table, integrator, "stays"),
             swings = fitted(table, integrator, "swings");
  return {stays ? std::optional(stays->power) : std::nullopt,
          swings ? std::optional(swings->power) : std::nullopt};
}

std::optional<double> power_from_parts(const ResultTable& table, const std::string& integrator,
                                       double orbits, double fewer_steps, double more_steps) {
  const auto stays = fitted(table, integrator, "stays"),
             swings = fitted(table, integrator, "swings");
  if (!stays || !swings || !(orbits > 0) || !(fewer_steps > 0) || !(more_steps > fewer_steps)) {
    return std::nullopt;
  }
  const auto error = [&](double steps) { return orbits * stays->at(steps) + swings->at(steps); };
  return power_between(fewer_steps, error(fewer_steps), more_steps, error(more_steps));
}

std::string reason_for(const SteepOrder& steep, const ResultTable& table) {
  const std::string& name = steep.integrator;
  const auto stays = fitted(table, name, "stays"), swings = fitted(table, name, "swings");
  const auto power =
      power_from_parts(table, name, steep.orbits, steep.fewer_steps, steep.more_steps);
  if (!stays || !swings || !power) return {};
  const std::string parts = fmt::format(
      "over one orbit, what swings and is gone at its end falls to the power of {:.1f} with the "
      "step, and what stays, {} of {:.1e} of the energy with {} steps an orbit, to the power of "
      "{:.1f}",
      swings->power,
      rows_of_integrator(table, name).back().value("stays") < 0 ? "a loss" : "a gain", stays->value,
      with_commas(stays->steps), stays->power);
  const double share = steep.orbits * stays->at(steep.more_steps) / swings->at(steep.more_steps);
  if (std::abs(*power - steep.seen) > same_power || stays->power < swings->power + same_power) {
    return fmt::format(
        "{} falls to the power of {:.1f} instead of {:.0f}, and its parts do not say why: {}, from "
        "which {:.1f} would follow.",
        name, steep.seen, steep.order, parts, *power);
  }
  std::string text = fmt::format(
      "{} shows {:.1f} instead of its order {:.0f} because it shows two errors at once: {}. After "
      "{:.0f} orbits {:.0f} times what stays is {:.2g} times what swings in the last row, and the "
      "sum "
      "of both falls to the power of {:.1f}.",
      name, steep.seen, steep.order, parts, steep.orbits, steep.orbits, share, *power);
  const double gap = stays->power - swings->power;
  const double equal = steep.more_steps * std::pow(share, 1 / gap);
  if (share > 1 && equal < 1e9) {
    text += fmt::format(
        " From about {} steps an orbit on what swings would be the larger one, and "
        "its order be seen.",
        with_commas(two_digits(equal)));
  }
  return text;
}

Chart orbit_chart(const ResultTable& table) {
  std::vector<Series> all;
  std::size_t colour = 0;  // one a scheme
  for (const char* name : {"leapfrog", "rk4", "hermite4"}) {
    for (const char* part : {"stays", "swings"}) {
      Series series{.name = fmt::format("{}: {}", name, part), .x = {}, .y = {}};
      for (const Row& row : rows_of_integrator(table, name)) {
        const double value = std::abs(row.value(part));
        if (!(value > rounding)) continue;
        series.x.push_back(row.value("steps")), series.y.push_back(value);
      }
      series.dashed = part == std::string("swings");
      series.colour = colour;
      if (!series.x.empty()) all.push_back(std::move(series));
    }
    ++colour;
  }
  Chart chart{.title = "What stays of an orbit's energy error, and what only swings", .panels = {}};
  chart.panels.push_back({logarithmic_axis("steps an orbit", all, &Series::x),
                          logarithmic_axis("relative energy error of one orbit", all), all});
  return chart;
}

}  // namespace apsis::lab
