// SPDX-License-Identifier: MIT
// For the inside of io/ and its tests: a checkpoint as sections and back.
#pragma once

#include <apsis/io/checkpoint.hpp>
#include <apsis/io/section_file.hpp>

#include <span>
#include <vector>

namespace apsis {

// Views of a checkpoint, which must outlive them.
class CheckpointSections {
 public:
  explicit CheckpointSections(const Checkpoint& checkpoint);
  CheckpointSections(const CheckpointSections&) = delete;
  CheckpointSections& operator=(const CheckpointSections&) = delete;
  ~CheckpointSections() = default;

  std::span<const Section> all() const { return sections_; }

 private:
  Bytes progress_, logs_, notes_, state_, parts_;
  std::vector<Section> sections_;
};

// A part's file: the "state" section and its arrays alone.
class PartSections {
 public:
  explicit PartSections(const EngineState& state);
  PartSections(const PartSections&) = delete;
  PartSections& operator=(const PartSections&) = delete;
  ~PartSections() = default;

  std::span<const Section> all() const { return sections_; }

 private:
  Bytes state_;
  std::vector<Section> sections_;
};

EngineState parse_checkpoint_part(std::span<const std::byte> file);

Checkpoint decode_sections(std::span<const Section> sections);

}  // namespace apsis
