// SPDX-License-Identifier: MIT
// The whole state at a step boundary, so that a resumed run ends with the same bits as an unbroken
// one. Own binary format with a hash per section (docs/adr/0003, docs/files.md).
#pragma once

#include <apsis/core/energies.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace apsis {

struct LogOffset {
  std::string file;  // name within the run's folder
  std::uint64_t offset = 0;
  friend bool operator==(const LogOffset&, const LogOffset&) = default;
};

// A part of the bodies whose arrays lie in a file of their own, beside the checkpoint's.
struct CheckpointPart {
  std::uint64_t bodies = 0;
  Hash128 hash;  // of the file's header and table, which hold the hashes of all that follows
  friend bool operator==(const CheckpointPart&, const CheckpointPart&) = default;
};

struct Checkpoint {
  std::uint64_t step = 0;
  double time = 0;
  std::string spec_toml;
  std::uint64_t seed = 0, random_counter = 0;
  Energies start;
  double energy_error_max = 0;
  std::uint64_t next_snapshot = 0;
  std::vector<LogOffset> logs;
  double seconds_so_far = 0;
  std::map<std::string, std::string> notes;
  EngineState state;
  std::vector<CheckpointPart> parts;  // none: the arrays are in `state`
};

// Writes checkpoint_<step>.apsis, reads it back and verifies it, and only then removes all but the
// two newest.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint);

// Where many ranks write: each its part of the state, and when all are on the disk one of them a
// checkpoint that lists them. Without that the parts count for nothing.
std::filesystem::path checkpoint_part_file(const std::filesystem::path& folder, std::uint64_t step,
                                           std::size_t part, std::size_t parts);
CheckpointPart write_checkpoint_part(const std::filesystem::path& folder, std::uint64_t step,
                                     std::size_t part, std::size_t parts, const EngineState& state);

struct CheckpointFound {
  Checkpoint checkpoint;
  std::filesystem::path file;
  std::vector<std::string> messages;  // newer ones that were skipped, and what is wrong with each
};

// The newest valid one. bad_data when none is, naming each file and what is wrong with it.
CheckpointFound read_newest_checkpoint(const std::filesystem::path& folder);
// With the arrays of all its parts.
Checkpoint read_checkpoint(const std::filesystem::path& file);

// All checkpoints of a run's folder, newest first, valid or not.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder);

// Whether it is exactly a name that a checkpoint, or a part of one, is written under.
bool is_checkpoint_name(std::string_view name);

Bytes encode_checkpoint(const Checkpoint& checkpoint);
// bad_data says what is wrong; no claim of the file is believed before it is checked.
Checkpoint parse_checkpoint(std::span<const std::byte> bytes);

struct CheckpointSection {
  std::string name;
  std::uint64_t offset = 0, length = 0;
  std::string hash;
};
std::vector<CheckpointSection> checkpoint_sections(std::span<const std::byte> bytes);
bool looks_like_checkpoint(std::span<const std::byte> bytes);

}  // namespace apsis
