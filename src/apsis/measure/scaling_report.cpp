// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/measure/chart_axis.hpp>
#include <apsis/measure/scaling_report.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

using Json = nlohmann::ordered_json;

std::vector<const ScalingRow*> rows_of(const ScalingResult& result, bool ScalingRow::*table) {
  std::vector<const ScalingRow*> rows;
  for (const ScalingRow& row : result.rows) {
    if (row.*table) rows.push_back(&row);
  }
  return rows;
}

// Threads and devices are those of one machine.
std::vector<double> predicted_workers(WorkerKind kind) {
  if (kind == WorkerKind::ranks) return {10, 100, 1000};
  return {10, 100};
}

std::vector<double> steps_between(double low, double high) {
  constexpr int count = 60;
  std::vector<double> steps;
  for (int i = 0; i <= count; ++i) steps.push_back(low * std::pow(high / low, 1.0 * i / count));
  return steps;
}

double right_end(std::span<const ScalingStudy> studies) {
  double end = 2;
  for (const ScalingStudy& study : studies) {
    end = std::max(end, static_cast<double>(study.result.rows.back().workers));
    if (!study.predictions.empty()) end = std::max(end, study.predictions.back().workers);
  }
  return end;
}

Series measured_points(const ScalingStudy& study, bool weak, std::size_t colour) {
  Series series{.name = study.result.solver + " measured",
                .x = {},
                .y = {},
                .look = Series::Look::points,
                .colour = colour,
                .marker = colour};
  for (const ScalingRow* row : weak ? weak_rows(study.result) : strong_rows(study.result)) {
    const double speedup = study.result.speedup(*row, weak);
    series.x.push_back(row->workers);
    series.y.push_back(weak ? speedup / row->workers : speedup);
    const double relative = row->step.deviation() / row->step.median();
    series.spread.push_back(std::isfinite(relative) ? series.y.back() * relative : 0);
  }
  return series;
}

// As measured: a given network, or other bodies, would not go through the points.
Series model_line(const ScalingStudy& study, bool weak, double until, std::size_t colour) {
  Series series{.name = study.result.solver + " model", .x = {}, .y = {}, .colour = colour};
  if (!study.measured.fit) return series;
  const auto bodies = static_cast<double>(study.result.one().bodies);
  for (const double workers : steps_between(1, until)) {
    const Prediction at = predict(*study.measured.fit, bodies, workers);
    series.x.push_back(workers);
    series.y.push_back(weak ? at.weak_efficiency : at.speedup);
  }
  return series;
}

Panel panel_of(std::span<const ScalingStudy> studies, bool weak, const Axis& x, const Axis& y,
               double until) {
  Panel panel{.x = x, .y = y, .series = {}};
  panel.series.push_back(
      {.name = "ideal", .x = {1, until}, .y = {1, weak ? 1 : until}, .dashed = true, .colour = 4});
  for (std::size_t s = 0; s < studies.size(); ++s) {
    panel.series.push_back(model_line(studies[s], weak, until, s));
    panel.series.push_back(measured_points(studies[s], weak, s));
  }
  return panel;
}

Axis workers_axis(const std::string& label, double until) {
  Axis axis{.label = label, .logarithmic = true, .low = 0.95, .high = until * 1.1};
  for (double tick = 1; tick <= until; tick *= until > 200 ? 10 : 2) {
    axis.ticks.push_back({tick, fmt::format("{:.0f}", tick)});
    if (until > 200) {
      for (const double more : {2 * tick, 5 * tick}) {
        if (more <= until) axis.ticks.push_back({more, fmt::format("{:.0f}", more)});
      }
    }
  }
  return axis;
}

Json row_json(const ScalingStudy& study, const ScalingRow& row, bool weak) {
  const double speedup = study.result.speedup(row, weak);
  Json json{{"scaling", weak ? "weak" : "strong"},
            {"workers", row.workers},
            {"bodies", row.bodies},
            {"seconds_min", row.step.min()},
            {"seconds_median", row.step.median()},
            {"seconds_max", row.step.max()},
            {"steps_a_sample", row.steps_a_sample},
            {"speedup", speedup},
            {"efficiency", speedup / row.workers}};
  if (row.parts) {
    json["seconds_compute"] = row.parts->compute;
    json["seconds_exchange"] = row.parts->exchange;
    json["imbalance"] = row.parts->imbalance;
    json["messages"] = row.parts->messages;
    json["bytes"] = row.parts->bytes;
    json["meetings"] = row.parts->meetings;
  }
  if (study.measured.fit) {
    json["seconds_model"] =
        study.measured.fit->model.seconds(static_cast<double>(row.bodies), row.workers);
  }
  if (study.result.kind == WorkerKind::devices) json["devices_used"] = row.working;
  json["oversubscribed"] = row.crowded;
  json["in_fit"] = study.measured.fit && row.counts();
  json["samples"] = row.error.samples;
  json["error_median"] = row.error.median;
  json["error_p99"] = row.error.p99;
  json["error_max"] = row.error.max;
  json["ok"] = row.complaint.empty();
  return json;
}

Json fit_json(const ScalingFit& fit) {
  const ScalingModel& model = fit.model;
  return {{"points", fit.points},
          {"parameters", fit.parameters},
          {"error_rms", fit.error_rms},
          {"error_max", fit.error_max},
          {"error_left_out", fit.error_left_out},
          {"seconds_per_work", model.per_work},
          {"seconds_per_body", model.per_body},
          {"spread", model.spread},
          {"seconds_per_meeting", model.per_meeting},
          {"latency", model.latency},
          {"seconds_per_byte", model.seconds_a_byte},
          {"meetings", model.meetings},
          {"messages_all", model.messages_all},
          {"messages_near", model.messages_near},
          {"bytes_all", model.bytes_all},
          {"bytes_near", model.bytes_near}};
}

Json prediction_json(const Prediction& p) {
  return {{"workers", p.workers},
          {"bodies", p.bodies},
          {"seconds", p.seconds},
          {"speedup", p.speedup},
          {"speedup_low", p.speedup_low},
          {"speedup_high", p.speedup_high},
          {"efficiency", p.efficiency},
          {"weak_bodies", p.weak_bodies},
          {"weak_efficiency", p.weak_efficiency}};
}

Json study_json(const ScalingStudy& study) {
  const ScalingResult& result = study.result;
  const ScalingRow& last = result.rows.back();
  Json json{{"device", last.engine.device()},
            {"driver", last.engine.driver()},
            {"commit", commit},
            {"solver", result.solver},
            {"variant", last.engine.variant()},
            {"precision", name_of(last.engine.precision)},
            {"bodies", result.one().bodies},
            {"model", result.model},
            {"masses", result.masses},
            {"softening", result.softening},
            {"over", name_of(result.kind)},
            {"threads", result.threads},
            {"repeats", result.one().step.seconds.size()},
            {"rows", Json::array()}};
  if (result.accuracy) json["accuracy"] = *result.accuracy;
  for (const ScalingRow* row : strong_rows(result)) {
    json["rows"].push_back(row_json(study, *row, false));
  }
  for (const ScalingRow* row : weak_rows(result)) {
    json["rows"].push_back(row_json(study, *row, true));
  }
  json["fit"] = study.measured.fit ? fit_json(*study.measured.fit) : Json();
  if (!study.measured.fit) json["fit_refused"] = study.measured.refusal;
  if (study.network.latency) json["latency"] = *study.network.latency;
  if (study.network.bandwidth) json["bandwidth"] = *study.network.bandwidth;
  json["predictions"] = Json::array();
  for (const Prediction& p : study.predictions) json["predictions"].push_back(prediction_json(p));
  json["stops_scaling_at"] = study.end ? Json(study.end->workers) : Json();
  return json;
}

}  // namespace

ScalingStudy studied(ScalingResult result, const Network& network, double bodies) {
  ScalingStudy study{.result = std::move(result), .network = network};
  study.measured = fit_scaling(study.result.points(), study.result.law);
  study.bodies = bodies > 0 ? bodies : static_cast<double>(study.result.one().bodies);
  if (!study.measured.fit) return study;
  study.fit = with_network(*study.measured.fit, network.latency, network.bandwidth);
  for (const double workers : predicted_workers(study.result.kind)) {
    study.predictions.push_back(predict(*study.fit, study.bodies, workers));
  }
  study.end = scaling_end(study.fit->model, study.bodies);
  return study;
}

std::vector<const ScalingRow*> strong_rows(const ScalingResult& result) {
  return rows_of(result, &ScalingRow::strong);
}
std::vector<const ScalingRow*> weak_rows(const ScalingResult& result) {
  return rows_of(result, &ScalingRow::weak);
}

Chart scaling_chart(std::span<const ScalingStudy> studies) {
  const double until = right_end(studies);
  const ScalingResult& first = studies.front().result;
  const std::string kind(name_of(first.kind));
  const Axis x = workers_axis(kind, until);
  Axis speed = workers_axis("speed-up (strong)", until);
  speed.low = 0.7;
  for (const ScalingStudy& study : studies) {  // more workers may also be slower
    for (const ScalingRow* row : strong_rows(study.result)) {
      speed.low = std::min(*speed.low, 0.9 * study.result.speedup(*row, false));
    }
  }
  if (speed.ticks.size() < 3) {  // of two workers
    speed.ticks = logarithmic_ticks(*speed.low, *speed.high, compact_mark);
  }
  return {.title = fmt::format("{} on 1 to {} {} ({}, {})", counted(first.one().bodies, "body"),
                               first.rows.back().workers, kind, first.model,
                               name_of(first.one().engine.precision)),
          .panels = {panel_of(studies, false, x, speed, until),
                     panel_of(studies, true, x,
                              {.label = "efficiency (weak)", .low = 0, .high = 1.15}, until)},
          .height = 1000};
}

std::string to_json(std::span<const ScalingStudy> studies) {
  Json array = Json::array();
  for (const ScalingStudy& study : studies) array.push_back(study_json(study));
  return array.dump(2) + "\n";
}

}  // namespace apsis
