// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run_past.hpp>
#include <apsis/run/summary.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace apsis {
namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 53;

// The notes of one checkpoint, each looked at when it is taken.
class Notes {
 public:
  Notes(const Checkpoint& checkpoint, const std::string& file)
      : notes_(checkpoint.notes), file_(file) {}

  std::optional<std::string> text_if_there(const char* key) const {
    const auto found = notes_.find(key);
    if (found == notes_.end()) return std::nullopt;
    return found->second;
  }

  std::string text(const char* key) const {
    if (auto found = text_if_there(key)) return *std::move(found);
    refuse(fmt::format("its note '{}' is missing", key));
  }

  double number(const char* key) const {
    const std::string value = text(key);
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [read, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc{} || read != end || std::isnan(number)) {
      refuse(fmt::format("its note '{}' is '{}', which is no number", key, value));
    }
    return number;
  }

  bool flag(const char* key) const {
    const std::string value = text(key);
    if (value == "true" || value == "false") return value == "true";
    refuse(fmt::format("its note '{}' is '{}', not true or false", key, value));
  }

  // What `decode` makes of a note in JSON.
  template <class Decode>
  auto json_if_there(const char* key, const Decode& decode) const
      -> std::optional<decltype(decode(std::string{}))> {
    const auto value = text_if_there(key);
    if (!value) return std::nullopt;
    try {
      return decode(*value);
    } catch (const nlohmann::json::exception&) {
      refuse(fmt::format("its note '{}' cannot be read", key));
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw bad_data(fmt::format("{}: {}", file_, what),
                   "resume from the other checkpoint, or start the run again");
  }

 private:
  const std::map<std::string, std::string>& notes_;
  const std::string& file_;
};

void require_possible(const Checkpoint& checkpoint, const Notes& notes) {
  const auto is_amount = [](double value) { return value >= 0; };  // no NaN is
  if (checkpoint.step > most_steps)
    notes.refuse(fmt::format("no run gets to step {}", checkpoint.step));
  if (checkpoint.next_snapshot > checkpoint.step + 1) {
    notes.refuse(
        fmt::format("{} snapshots in {} steps", checkpoint.next_snapshot, checkpoint.step));
  }
  if (!is_amount(checkpoint.seconds_so_far) || std::isinf(checkpoint.seconds_so_far)) {
    notes.refuse(fmt::format("{} seconds so far", checkpoint.seconds_so_far));
  }
  if (!is_amount(checkpoint.energy_error_max)) {
    notes.refuse(fmt::format("an energy error of {}", checkpoint.energy_error_max));
  }
  // others may be of observers that this version does not have
  if (std::ranges::count(checkpoint.logs, "energy.csv", &LogOffset::file) != 1) {
    notes.refuse("it does not say how far energy.csv was");
  }
}

}  // namespace

RunPast past_in(const Checkpoint& checkpoint, const std::string& file) {
  const Notes notes(checkpoint, file);
  require_possible(checkpoint, notes);
  RunPast past{
      .start_time = notes.number("start_time"),
      .energy_error = notes.number("energy_error"),
      .bit_identical = notes.flag("bit_identical"),
      .version = notes.text("version"),
      .units_from = notes.text_if_there("units_from"),
      .extent = notes.json_if_there("extent", extent_from_text),
      .left_open = notes.text_if_there("left_open"),
      .force_error = notes.json_if_there("force_error", force_error_from_text),
      .warnings =
          notes.json_if_there("warnings", warnings_from_text).value_or(std::vector<Warning>{}),
      .events = notes.json_if_there("events", event_totals_from_text)};
  if (past.extent && !(past.extent->mass >= 0 && past.extent->radius >= 0)) {
    notes.refuse("its note 'extent' is no mass and radius");
  }
  if (std::isinf(past.start_time)) notes.refuse("its run started at no finite time");
  if (past.energy_error == 0) past.energy_error.reset();  // there was no row yet
  return past;
}

void require_complete(const RunSpec& spec, const Checkpoint& checkpoint, const std::string& file) {
  const Notes notes(checkpoint, file);
  const auto require = [&](bool there, const char* key) {
    if (!there) notes.refuse(fmt::format("its spec has no {}", key));
  };
  require(spec.units.system.has_value(), "units.system");
  require(spec.force.law.has_value(), "force.law");
  require(spec.force.constant.has_value(), "force.constant");
  require(spec.force.softening.has_value(), "force.softening");
  require(spec.time.step.has_value(), "time.step");
  require(spec.time.until.has_value(), "time.until");
  require(spec.device.precision.has_value(), "device.precision");
  require(spec.output.snapshot_every.has_value(), "output.snapshot_every");
  require(spec.output.energy_every.has_value(), "output.energy_every");
  require(spec.output.analyse.empty() || spec.output.analyse_every, "output.analyse_every");
  if (const auto key = missing_key(spec.resolved)) {
    notes.refuse(fmt::format("its spec has no resolved.{}", *key));
  }
  std::size_t bodies = 0;
  try {
    bodies = recorded_in(spec).bodies;
  } catch (const Error& error) {
    notes.refuse(error.what());
  }
  const bool lost = may_lose_bodies(spec) && checkpoint.state.bodies < bodies;
  if (bodies != checkpoint.state.bodies && !lost) {
    notes.refuse(fmt::format("its spec is of {} bodies and its state of {}", bodies,
                             checkpoint.state.bodies));
  }
  units_of(spec);  // which must be complete, too
}

}  // namespace apsis
