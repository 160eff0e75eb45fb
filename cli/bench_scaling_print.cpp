// SPDX-License-Identifier: MIT
#include "bench_scaling.hpp"
#include "table.hpp"
#include <apsis/core/counted.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace apsis::cli {
namespace {

std::string number(double value, const char* unit = "") {
  return fmt::format("{:.3g}{}", value, unit);
}

std::string per_cent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string seconds(double value) {
  if (value >= 1) return fmt::format("{:.4g} s", value);
  if (value >= 1e-3) return fmt::format("{:.4g} ms", 1e3 * value);
  return fmt::format("{:.4g} µs", 1e6 * value);
}

std::string law_text(WorkLaw law) {
  switch (law) {
    case WorkLaw::pairs:
      return "N²";
    case WorkLaw::bodies_log_bodies:
      return "N log2 N";
    case WorkLaw::bodies:
      break;
  }
  return "N";
}

std::vector<std::string> row_of(const ScalingResult& result, const ScalingRow& row, bool weak) {
  const double speedup = result.speedup(row, weak);
  const std::string mark = row.crowded ? "*" : row.working < row.workers ? "+" : " ";
  std::vector<std::string> cells{
      fmt::format("{}{}", row.workers, mark),   fmt::format("{}", row.bodies),
      fmt::format("{:.6f}", row.step.median()), fmt::format("{:.6f}", row.step.deviation()),
      fmt::format("{:.2f}", speedup),           per_cent(speedup / row.workers)};
  if (row.parts) {
    cells.push_back(fmt::format("{:.6f}", row.parts->compute));
    cells.push_back(fmt::format("{:.6f}", row.parts->exchange));
    cells.push_back(fmt::format("{:.3f}", row.parts->imbalance));
  }
  return cells;
}

void print_rows(const ScalingResult& result, const std::vector<const ScalingRow*>& rows,
                bool weak) {
  Table table{
      {std::string(name_of(result.kind)), "bodies", "seconds", "±", "speed-up", "efficiency"}, {}};
  if (result.one().parts) {
    for (const char* part : {"compute", "exchange", "imbalance"}) table.header.push_back(part);
  }
  for (const ScalingRow* row : rows) table.rows.push_back(row_of(result, *row, weak));
  fmt::print("{}", aligned(table));
}

void print_marks(const ScalingResult& result) {
  const auto any = [&](auto&& has) {
    return std::any_of(result.rows.begin(), result.rows.end(), has);
  };
  if (any([](const ScalingRow& row) { return row.crowded; })) {
    fmt::print("* warning: more {} than cores; they take turns, and are not in the fit\n",
               result.kind == WorkerKind::threads || result.threads == 1 ? name_of(result.kind)
                                                                         : "threads of ranks");
  }
  if (any([](const ScalingRow& row) { return row.working < row.workers; })) {
    fmt::print("+ not all devices work, because that is as fast; not in the fit\n");
  }
}

std::string term(double coefficient, const std::string& text) {
  return coefficient > 0 ? fmt::format("{}·{}", number(coefficient), text) : std::string{};
}

// "3 a + 2 b", without what is zero.
std::string sum_of(std::initializer_list<std::string> terms) {
  std::string text;
  for (const auto& one : terms) {
    if (!one.empty()) text += (text.empty() ? "" : " + ") + one;
  }
  return text.empty() ? "0" : text;
}

void print_network(const ScalingModel& model) {
  const std::string bandwidth =
      model.seconds_a_byte > 0 ? number(1e-9 / model.seconds_a_byte, " GB/s") : "no time a byte";
  fmt::print("  exchange:  {} a message, {}; messages {}, bytes {}\n", seconds(model.latency),
             bandwidth,
             sum_of({term(model.meetings, "log2 r"), term(model.messages_all, "(r−1)"),
                     model.messages_near > 0 ? number(model.messages_near) : ""}),
             sum_of({term(model.bytes_all, "N(1−1/r)"), term(model.bytes_near, "(N/r)^⅔")}));
}

void print_fit(const ScalingStudy& study) {
  const ScalingFit& fit = *study.measured.fit;
  const ScalingModel& model = fit.model;
  fmt::print(
      "\nmodel with {} parameters of {} points: seconds are off by {} (rms), {} at the most,\n"
      "and by {} (rms) for a point that the fit was not told\n",
      fit.parameters, fit.points, per_cent(fit.error_rms), per_cent(fit.error_max),
      per_cent(fit.error_left_out));
  fmt::print("  compute:   {} seconds\n",
             sum_of({term(model.per_work, law_text(model.law) + "/r"), term(model.per_body, "N")}));
  if (!study.result.one().parts) {
    fmt::print("  meetings:  {} · log2 r\n", seconds(model.per_meeting));
    return;
  }
  fmt::print("  imbalance: 1 + {:.3g}·√(2 ln r)\n", model.spread);
  print_network(model);
}

std::string one_worker(const ScalingResult& result) {
  if (result.kind == WorkerKind::ranks) return "nodes";
  return std::string(name_of(result.kind));
}

void print_predictions(const ScalingStudy& study) {
  const std::string workers = one_worker(study.result);
  fmt::print("\nprediction for {:.0f} bodies{}\n", study.bodies,
             study.network.given() ? ", with the network that was given" : "");
  Table table{
      {workers, "seconds", "speed-up", "from", "to", "efficiency", "weak: bodies", "efficiency"},
      {}};
  for (const Prediction& p : study.predictions) {
    table.rows.push_back({fmt::format("{:.0f}", p.workers), number(p.seconds), number(p.speedup),
                          number(p.speedup_low), number(p.speedup_high), per_cent(p.efficiency),
                          fmt::format("{:.0f}", p.weak_bodies), per_cent(p.weak_efficiency)});
  }
  fmt::print("{}from, to: by fits without one of the points\n", aligned(table));
  if (study.end && study.end->workers <= 1) {
    fmt::print(
        "{} does not scale: even two {} are less than 1.2 times as fast as one; {} holds them up\n",
        study.result.solver, workers, study.end->because);
  } else if (!study.end) {
    fmt::print("{} stops scaling beyond a million {}\n", study.result.solver, workers);
  } else {
    fmt::print(
        "{} stops scaling at about {:.0f} {}, where twice as many are less than 1.2 times as "
        "fast: {} holds them up\n",
        study.result.solver, study.end->workers, workers, study.end->because);
  }
}

// What the figures are not.
void print_caveats(const ScalingStudy& study) {
  const ScalingResult& result = study.result;
  const int most = result.points().empty() ? 0 : static_cast<int>(result.points().back().workers);
  fmt::print("Measured were at most {} {}", most, name_of(result.kind));
  if (result.kind != WorkerKind::ranks) {
    fmt::print(" of this machine; all beyond is extrapolated.\n");
    return;
  }
  fmt::print(", each standing for a node with {}; all beyond is extrapolated.\n",
             counted(result.threads, "thread"));
  if (!study.network.given()) {
    fmt::print(
        "The network of a cluster was not measured: messages went as fast as between these ranks. "
        "--latency-us and --bandwidth-gbs put in\nits figures, and take nothing of the "
        "exchange to be hidden behind computing.\n");
  }
}

std::string heading(const ScalingResult& result) {
  const Resolution& engine = result.rows.back().engine;
  const std::string each =
      result.kind == WorkerKind::ranks ? " of " + counted(result.threads, "thread") : "";
  return fmt::format("{} on 1 to {} {}{}; {} {} on {} ({}), {}, masses {}, softening {:g}{}",
                     result.solver, result.rows.back().workers, name_of(result.kind), each,
                     engine.variant(), name_of(engine.precision), engine.device(), engine.driver(),
                     result.model, result.masses, result.softening,
                     result.accuracy ? fmt::format(", accuracy {:g}", *result.accuracy) : "");
}

void print(const ScalingStudy& study) {
  const ScalingResult& result = study.result;
  fmt::print("{}\n\nstrong scaling: the same bodies for all\n", heading(result));
  print_rows(result, strong_rows(result), false);
  fmt::print("\nweak scaling: {}\n", result.law == WorkLaw::pairs
                                         ? "as many pairs for each, N·√r bodies"
                                         : "as many bodies for each, N·r in all");
  print_rows(result, weak_rows(result), true);
  if (result.one().parts) {
    fmt::print(
        "seconds = compute (mean) × imbalance (longest over mean) + exchange, median ± deviation "
        "of {}\n",
        result.one().step.seconds.size());
  } else {
    fmt::print("seconds: median ± deviation of {}\n", result.one().step.seconds.size());
  }
  print_marks(result);
  if (!study.fit) {
    fmt::print("{}\n\n", study.measured.refusal);
    return;
  }
  print_fit(study);
  print_predictions(study);
  fmt::print("\n");
}

}  // namespace

void print_scaling(std::span<const ScalingStudy> studies) {
  for (const ScalingStudy& study : studies) print(study);
  const auto fitted = std::find_if(studies.begin(), studies.end(),
                                   [](const ScalingStudy& study) { return study.fit.has_value(); });
  if (fitted != studies.end()) print_caveats(*fitted);
}

}  // namespace apsis::cli
