// SPDX-License-Identifier: MIT
// Inside run/: which run a folder, a checkpoint and a spec belong to (docs/adr/0003).
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/files/hash.hpp>
#include <apsis/sim/run_spec.hpp>

#include <filesystem>
#include <string>

namespace apsis {

// Names under [resolved]. They are made at the start and carried from part to part of a run.
constexpr const char* resolved_identity = "identity";
constexpr const char* resolved_initial_file = "initial_file";  // its XXH3-128

// A hash over all that the bits of the run follow from: the keys of the spec that cannot change,
// what was resolved, the version, and the bodies at the start. Equal runs are one, and nothing in
// their files is random.
std::string identity_of(const RunSpec& resolved, const Hash128& start);

Hash128 hash_of(const Bodies& bodies);
// As `xxhsum -H2` prints it. Of a snapshot in several files that is named as a whole, the first
// one's.
std::string file_hash(const std::filesystem::path& file);

// Both of them from one part of a run to the next.
void carry_identity(const RunSpec& from, RunSpec& to);

}  // namespace apsis
