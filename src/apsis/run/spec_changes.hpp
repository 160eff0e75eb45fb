// SPDX-License-Identifier: MIT
// Inside run/: where the spec of a run that has begun and another one differ, key by key, and what
// may differ.
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct KeyChange {
  std::string key, then, now;  // values as TOML; empty: none
};

// `then` is the spec of a run, filled in; `now` may leave open what was left open then, or anything
// where that is not known. Not the folder, which may have moved, and not what was resolved.
std::vector<KeyChange> key_changes(const RunSpec& then, const RunSpec& now,
                                   const std::optional<std::string>& left_open_then);

// The keys that `filled` has a value for and `given` has not, for checkpoints.
std::string left_open(const RunSpec& given, const RunSpec& filled);

// Keys that a run which has begun can take another value for: --resume, an edited spec.toml.
const std::vector<std::string>& changeable_keys();
bool is_changeable(const std::string& key);

// As `to` stands for "the run" and `from` for what was edited: takes the values of `changes`.
void take_changes(RunSpec& to, const RunSpec& from, const std::vector<KeyChange>& changes);

// "seed = 42 in A and 7 in B; ..."
std::string text_of(const std::vector<KeyChange>& changes, const std::string& there,
                    const std::string& here);

}  // namespace apsis
