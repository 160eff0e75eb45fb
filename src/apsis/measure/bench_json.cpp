// SPDX-License-Identifier: MIT
#include <apsis/measure/bench.hpp>
#include <apsis/version.hpp>

#include <nlohmann/json.hpp>

namespace apsis {
namespace {

using Json = nlohmann::ordered_json;

void add_errors(Json& json, const ForceError& error, Report report, const std::string& suffix) {
  json["error_median" + suffix] = error.median;
  if (report == Report::check) json["error_rms" + suffix] = error.rms;
  if (report == Report::check) json["error_p90" + suffix] = error.p90;
  json["error_p99" + suffix] = error.p99;
  if (report == Report::check) json["error_p999" + suffix] = error.p999;
  json["error_max" + suffix] = error.max;
  if (report == Report::check) json["error_rms_normalized" + suffix] = error.rms_normalized;
}

Json object_of(const BenchResult& result, Report report) {
  const Resolution& engine = result.engine;
  Json json{{"device", engine.device()},
            {"place", result.place},
            {"driver", engine.driver()},
            {"commit", commit},
            {"solver", engine.solver},
            {"variant", engine.variant()},
            {"sizes", engine.sizes()},
            {"precision", name_of(engine.precision)},
            {"bodies", engine.bodies},
            {"model", result.model},
            {"masses", result.masses},
            {"law", name_of(result.law.law)},
            {"softening", result.law.softening},
            {"threads", engine.threads},
            {"repeats", result.whole.seconds.size()},
            {"evaluations_a_sample", result.evaluations_a_sample},
            {"seconds_min", result.whole.min()},
            {"seconds_median", result.whole.median()},
            {"seconds_max", result.whole.max()},
            {"seconds_kernel", result.kernel.median()},
            {"interactions_per_second", result.interactions_per_second()},
            {"bodies_per_second", result.bodies_per_second()},
            {"gflops", result.gflops()},
            {"samples", result.error.samples}};
  if (const auto cost = result.clock_cost()) {
    json["seconds_unclocked"] = result.unclocked.median();
    json["clock_cost"] = *cost;
  }
  if (result.waited) json["waited_for_cores"] = *result.waited;
  if (result.reproducible_cost) json["reproducible_cost"] = *result.reproducible_cost;
  if (!engine.sums_all_pairs()) {
    // N² pairs were not computed, so figures that count them would mislead
    json.erase("interactions_per_second");
    json.erase("gflops");
  }
  if (result.parts) {
    json["seconds_build"] = result.parts->build;
    json["seconds_force"] = result.parts->force;
  }
  if (result.device_bytes && engine.bodies > 0) {
    json["device_bytes_per_body"] =
        static_cast<double>(*result.device_bytes) / static_cast<double>(engine.bodies);
  }
  if (result.order) json["order"] = *result.order;
  if (result.accuracy) json["accuracy"] = *result.accuracy;
  add_errors(json, result.error, report, "");
  if (report == Report::check) {
    add_errors(json, result.error_double, report, "_double_inputs");
    json["coincident_bodies"] = result.coincident;
  }
  json["ok"] = result.complaint.empty();
  return json;
}

}  // namespace

std::string to_json(std::span<const BenchResult> results, Report report) {
  Json array = Json::array();
  for (const BenchResult& result : results) array.push_back(object_of(result, report));
  return array.dump(2) + "\n";
}

}  // namespace apsis
