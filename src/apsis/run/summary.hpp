// SPDX-License-Identifier: MIT
// summary.json: how a run ended and how far its numbers can be trusted.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/drift.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/warning.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/event_totals.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// What made a run end where it did.
enum class EndedBy { until, signal, stop_file, max_minutes, contact, energy_limit, not_finite };
template <>
struct Choice<EndedBy> {
  static constexpr const char* what = "end of a run";
  static constexpr std::pair<EndedBy, std::string_view> values[] = {
      {EndedBy::until, "until"},          {EndedBy::signal, "signal"},
      {EndedBy::stop_file, "stop file"},  {EndedBy::max_minutes, "output.max_minutes"},
      {EndedBy::contact, "contact"},      {EndedBy::energy_limit, "time.energy_limit"},
      {EndedBy::not_finite, "not finite"}};
};
// One line for the documentation.
std::string_view meaning_of(EndedBy end);

struct Summary {
  std::string title;
  std::string status;  // finished, stopped, numbers went bad
  ExitCode exit_code = ExitCode::done;
  EndedBy ended_by = EndedBy::until;
  std::string signal;                 // where one ended it: "SIGTERM"
  std::string contact;                // where one ended it: which bodies, when, and how to go on
  std::optional<EventTotals> events;  // where there might have been some
  std::uint64_t steps = 0;
  double time = 0;
  std::uint64_t bodies = 0;
  double seconds = 0;  // over all parts of a resumed run
  double steps_per_second = 0, interactions_per_second = 0;
  std::optional<double> energy_error_max, energy_error_end;  // nothing where none was measured
  Energies end;
  Drift drift;                            // since the start
  std::optional<ForceError> force_error;  // at the start, or the worst of all snapshots
  std::map<std::string, std::string> resolved;
  bool bit_identical = true;  // to what an unbroken run would have given
  std::vector<std::string> files;
  std::vector<Warning> warnings;  // of all parts of a resumed run
};

std::string to_json(const Summary& summary);
// How a run ended, from a file that was written then; nothing where it is no such file.
std::optional<Summary> summary_from_json(const std::string& text);

// For the checkpoint, so that a resumed run still knows what was measured at its start.
std::string to_text(const ForceError& error);
ForceError force_error_from_text(const std::string& text);
std::string to_text(const Extent& extent);
Extent extent_from_text(const std::string& text);

}  // namespace apsis
