// SPDX-License-Identifier: MIT
#include <apsis/run/summary.hpp>
#include <apsis/run/warnings.hpp>
#include <apsis/run/warnings_json.hpp>

#include <nlohmann/json.hpp>

#include <limits>

namespace apsis {
namespace {

using Json = nlohmann::ordered_json;

Json to_array(Vec3 v) { return Json::array({v.x, v.y, v.z}); }

Json to_object(const ForceError& error) {
  return {{"median", error.median},
          {"rms", error.rms},
          {"p90", error.p90},
          {"p99", error.p99},
          {"p999", error.p999},
          {"max", error.max},
          {"rms_normalized", error.rms_normalized},
          {"samples", error.samples}};
}

Json to_number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
std::optional<double> number_in(const Json& json, const char* key) {
  if (!json.at(key).is_number()) return std::nullopt;
  return json.at(key).get<double>();
}

// JSON has no infinity, which is what a result that is not finite was measured as.
double number_or_infinity(const Json& json, const char* key) {
  return json.at(key).is_number() ? json.at(key).get<double>()
                                  : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string_view meaning_of(EndedBy end) {
  switch (end) {
    case EndedBy::until:
      return "the run reached `time.until`";
    case EndedBy::signal:
      return "whoever started it asked for the end: Ctrl-C, a signal (`signal` names it)";
    case EndedBy::stop_file:
      return "a file named `stop` in its folder";
    case EndedBy::max_minutes:
      return "its time was over";
    case EndedBy::contact:
      return "two bodies touched, with `contacts.on = \"stop\"`; the state is that before the step";
    case EndedBy::energy_limit:
      return "the energy error passed the limit";
    case EndedBy::not_finite:
      break;
  }
  return "positions, velocities or energies were not finite any more";
}

std::string to_json(const Summary& s) {
  Json json{{"title", s.title},
            {"status", s.status},
            {"exit_code", static_cast<int>(s.exit_code)},
            {"steps", s.steps},
            {"time", s.time},
            {"bodies", s.bodies},
            {"seconds", s.seconds},
            {"steps_per_second", s.steps_per_second},
            {"interactions_per_second", s.interactions_per_second},
            {"energy_error_max", to_number(s.energy_error_max)},
            {"energy_error_end", to_number(s.energy_error_end)},
            {"kinetic", s.end.kinetic},
            {"potential", s.end.potential},
            {"momentum", to_array(s.end.momentum)},
            {"angular_momentum", to_array(s.end.angular_momentum)},
            {"center_of_mass", to_array(s.end.center_of_mass)},
            {"virial", s.end.virial()},
            {"drift",
             {{"center_of_mass", to_number(s.drift.center_of_mass)},
              {"momentum", to_number(s.drift.momentum)},
              {"angular_momentum", to_number(s.drift.angular_momentum)}}},
            {"force_error", s.force_error ? to_object(*s.force_error) : Json(nullptr)},
            {"resolved", s.resolved},
            {"bit_identical", s.bit_identical},
            {"files", s.files},
            {"ended_by", name_of(s.ended_by)},
            {"signal", s.signal.empty() ? Json(nullptr) : Json(s.signal)},
            {"warnings", to_array(s.warnings)}};
  if (!s.contact.empty()) json["contact"] = s.contact;
  if (s.events) json["events"] = Json::parse(to_text(*s.events));
  // names of files, which warnings quote, need not be UTF-8
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Summary> summary_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Summary s;
    s.title = json.at("title"), s.status = json.at("status");
    s.exit_code = static_cast<ExitCode>(json.at("exit_code").get<int>());
    s.steps = json.at("steps"), s.time = json.at("time"), s.bodies = json.at("bodies");
    s.seconds = json.at("seconds"), s.steps_per_second = json.at("steps_per_second");
    s.interactions_per_second = json.at("interactions_per_second");
    s.energy_error_max = number_in(json, "energy_error_max");
    s.energy_error_end = number_in(json, "energy_error_end");
    if (!json.at("force_error").is_null()) {
      s.force_error = force_error_from_text(json.at("force_error").dump());
    }
    s.files = json.at("files").get<std::vector<std::string>>();
    if (const auto by = json.find("ended_by"); by != json.end()) {
      s.ended_by = choice_from<EndedBy>(by->get<std::string>());
    }
    if (const auto drift = json.find("drift"); drift != json.end()) {
      s.drift = {.center_of_mass = number_in(*drift, "center_of_mass"),
                 .momentum = number_in(*drift, "momentum"),
                 .angular_momentum = number_in(*drift, "angular_momentum")};
    }
    s.contact = json.value("contact", "");
    if (json.contains("events")) s.events = event_totals_from_text(json.at("events").dump());
    if (json.contains("warnings")) s.warnings = warnings_from_text(json.at("warnings").dump());
    return s;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {  // an end that is none
    return std::nullopt;
  }
}

std::string to_text(const ForceError& error) { return to_object(error).dump(); }

std::string to_text(const Extent& extent) {
  return Json{{"mass", extent.mass}, {"radius", extent.radius}}.dump();
}

Extent extent_from_text(const std::string& text) {
  const Json json = Json::parse(text);
  return {.mass = json.at("mass"), .radius = json.at("radius")};
}

ForceError force_error_from_text(const std::string& text) {
  const Json json = Json::parse(text);
  const auto number = [&](const char* key) { return number_or_infinity(json, key); };
  return {.median = number("median"),
          .rms = number("rms"),
          .p90 = number("p90"),
          .p99 = number("p99"),
          .p999 = number("p999"),
          .max = number("max"),
          .rms_normalized = number("rms_normalized"),
          .samples = json.at("samples")};
}

}  // namespace apsis
