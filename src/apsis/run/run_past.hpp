// SPDX-License-Identifier: MIT
// Inside run/: what a checkpoint says about its run's past, as complete values. Right hashes only
// say that a file is as somebody wrote it, so nothing here is believed before it is looked at.
#pragma once

#include <apsis/core/drift.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/event_totals.hpp>
#include <apsis/run/warnings.hpp>
#include <apsis/sim/run_spec.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct RunPast {
  double start_time = 0;
  std::optional<double> energy_error;  // of the last row after the start
  bool bit_identical = true;
  std::string version;                    // of the Apsis that wrote it
  std::optional<std::string> units_from;  // this and what follows were not kept by Apsis 0.1
  std::optional<Extent> extent;           // of the bodies at the start
  std::optional<std::string> left_open;   // keys that the run got defaults for
  std::optional<ForceError> force_error;
  std::vector<Warning> warnings;
  std::optional<EventTotals> events;  // where there might have been some
};

// bad_data names the file and what is missing or cannot be.
RunPast past_in(const Checkpoint& checkpoint, const std::string& file);

// A spec that a run wrote has a value for every key that a run needs, and says what was resolved.
void require_complete(const RunSpec& spec, const Checkpoint& checkpoint, const std::string& file);

}  // namespace apsis
