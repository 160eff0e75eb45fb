// SPDX-License-Identifier: MIT
// summary.json: how a run ended and how far its numbers can be trusted.
#pragma once

#include <apsis/core/energies.hpp>
#include <apsis/core/error.hpp>
#include <apsis/measure/force_error.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct Summary {
  std::string title;
  std::string status;  // finished, stopped, numbers went bad
  ExitCode exit_code = ExitCode::done;
  std::uint64_t steps = 0;
  double time = 0;
  std::uint64_t bodies = 0;
  double seconds = 0;  // over all parts of a resumed run
  double steps_per_second = 0, interactions_per_second = 0;
  double energy_error_max = 0, energy_error_end = 0;
  Energies end;
  std::optional<ForceError> force_error;  // at the start, or the worst of all snapshots
  std::map<std::string, std::string> resolved;
  bool bit_identical = true;  // to what an unbroken run would have given
  std::vector<std::string> files;
};

std::string to_json(const Summary& summary);

// For the checkpoint, so that a resumed run still knows what was measured at its start.
std::string to_text(const ForceError& error);
ForceError force_error_from_text(const std::string& text);

}  // namespace apsis
