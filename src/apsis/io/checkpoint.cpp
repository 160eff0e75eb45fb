// SPDX-License-Identifier: MIT
// What a checkpoint's sections hold. The large ones, the engine's arrays, are hashed and written
// from where they lie; only the small ones are encoded.
#include <apsis/core/error.hpp>
#include <apsis/io/byte_stream.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/checkpoint_sections.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis {
namespace {

constexpr std::string_view array_prefix = "state/", parts_name = "parts";

void put(ByteWriter& writer, Vec3 value) {
  writer.put(value.x), writer.put(value.y), writer.put(value.z);
}

Vec3 take_vec3(ByteReader& reader) {
  Vec3 value;
  value.x = reader.take<double>();
  value.y = reader.take<double>();
  value.z = reader.take<double>();
  return value;
}

Bytes encode_progress(const Checkpoint& c) {
  ByteWriter writer;
  writer.put(c.step), writer.put(c.time);
  writer.put(c.seed), writer.put(c.random_counter);
  writer.put(c.start.kinetic), writer.put(c.start.potential);
  put(writer, c.start.momentum), put(writer, c.start.angular_momentum);
  put(writer, c.start.center_of_mass);
  writer.put(c.energy_error_max), writer.put(c.next_snapshot), writer.put(c.seconds_so_far);
  return writer.take();
}

void decode_progress(ByteReader& reader, Checkpoint& c) {
  c.step = reader.take<std::uint64_t>();
  c.time = reader.take<double>();
  c.seed = reader.take<std::uint64_t>();
  c.random_counter = reader.take<std::uint64_t>();
  c.start.kinetic = reader.take<double>();
  c.start.potential = reader.take<double>();
  c.start.momentum = take_vec3(reader);
  c.start.angular_momentum = take_vec3(reader);
  c.start.center_of_mass = take_vec3(reader);
  c.energy_error_max = reader.take<double>();
  c.next_snapshot = reader.take<std::uint64_t>();
  c.seconds_so_far = reader.take<double>();
}

Bytes encode_logs(const Checkpoint& c) {
  ByteWriter writer;
  writer.put(std::uint64_t{c.logs.size()});
  for (const auto& log : c.logs) writer.put_text(log.file), writer.put(log.offset);
  return writer.take();
}

void decode_logs(ByteReader& reader, Checkpoint& c) {
  const auto count = reader.take_count(16);
  for (std::uint64_t i = 0; i < count; ++i) {
    LogOffset log;
    log.file = reader.take_text();
    log.offset = reader.take<std::uint64_t>();
    c.logs.push_back(std::move(log));
  }
}

Bytes encode_notes(const Checkpoint& c) {
  ByteWriter writer;
  writer.put(std::uint64_t{c.notes.size()});
  for (const auto& [key, text] : c.notes) writer.put_text(key), writer.put_text(text);
  return writer.take();
}

void decode_notes(ByteReader& reader, Checkpoint& c) {
  const auto count = reader.take_count(16);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string key = reader.take_text();
    c.notes[std::move(key)] = reader.take_text();
  }
}

Bytes encode_state(const EngineState& state) {
  ByteWriter writer;
  writer.put_text(state.layout);
  writer.put(std::uint64_t{state.bodies});
  writer.put(std::uint64_t{state.arrays.size()});
  return writer.take();
}

void add_arrays(const EngineState& state, std::vector<Section>& sections) {
  for (const auto& array : state.arrays) {
    sections.push_back({std::string(array_prefix) + array.name, array.bytes});
    if (sections.back().name.size() > section_name_length) {
      throw Error(ExitCode::internal_error,
                  fmt::format("state array '{}' has too long a name for a checkpoint", array.name));
    }
  }
}

// `state` and the sections behind it, one for each array.
EngineState decode_state(std::span<const std::byte> state, std::span<const Section> arrays) {
  EngineState out;
  ByteReader reader(state, "section 'state'");
  out.layout = reader.take_text();
  out.bodies = reader.take<std::uint64_t>();
  const auto count = reader.take<std::uint64_t>();
  reader.require_end();
  if (count != arrays.size()) {
    throw bad_data(fmt::format("{} state arrays where there should be {}", arrays.size(), count));
  }
  for (const auto& [name, bytes] : arrays) {
    if (!name.starts_with(array_prefix)) throw bad_data(fmt::format("unknown section '{}'", name));
    out.arrays.push_back({name.substr(array_prefix.size()), {bytes.begin(), bytes.end()}});
  }
  return out;
}

Bytes encode_parts(const Checkpoint& c) {
  ByteWriter writer;
  writer.put(std::uint64_t{c.parts.size()});
  for (const auto& part : c.parts) writer.put(part.bodies), writer.put_bytes(part.hash.bytes);
  return writer.take();
}

void decode_parts(ByteReader& reader, Checkpoint& c) {
  const auto count = reader.take_count(sizeof(std::uint64_t) + sizeof(Hash128));
  for (std::uint64_t i = 0; i < count; ++i) {
    CheckpointPart part{reader.take<std::uint64_t>(), {}};
    const auto hash = reader.take_bytes(sizeof part.hash.bytes);
    std::copy(hash.begin(), hash.end(), part.hash.bytes.begin());
    c.parts.push_back(part);
  }
}

}  // namespace

CheckpointSections::CheckpointSections(const Checkpoint& c)
    : progress_(encode_progress(c)),
      logs_(encode_logs(c)),
      notes_(encode_notes(c)),
      state_(encode_state(c.state)),
      parts_(encode_parts(c)) {
  sections_ = {{"progress", progress_},
               {"spec", bytes_of(c.spec_toml)},
               {"logs", logs_},
               {"notes", notes_},
               {"state", state_}};
  if (!c.parts.empty()) sections_.push_back({std::string(parts_name), parts_});
  add_arrays(c.state, sections_);
}

PartSections::PartSections(const EngineState& state) : state_(encode_state(state)) {
  sections_ = {{"state", state_}};
  add_arrays(state, sections_);
}

EngineState parse_checkpoint_part(std::span<const std::byte> file) {
  const auto sections = read_sections(file);
  if (sections.empty() || sections.front().name != "state") {
    throw bad_data("section 'state' is missing");
  }
  return decode_state(sections.front().bytes, std::span(sections).subspan(1));
}

Checkpoint decode_sections(std::span<const Section> sections) {
  using Decode = void (*)(ByteReader&, Checkpoint&);
  Checkpoint c;
  const auto section = [&](std::size_t i, std::string_view name) {
    if (i >= sections.size() || sections[i].name != name) {
      throw bad_data(fmt::format("section '{}' is missing", name));
    }
    return sections[i].bytes;
  };
  const auto decode = [&](std::size_t i, std::string_view name, Decode function) {
    ByteReader reader(section(i, name), fmt::format("section '{}'", name));
    function(reader, c);
    reader.require_end();
  };
  decode(0, "progress", decode_progress);
  const auto spec = section(1, "spec");
  c.spec_toml.assign(reinterpret_cast<const char*>(spec.data()), spec.size());
  decode(2, "logs", decode_logs);
  decode(3, "notes", decode_notes);
  const auto state = section(4, "state");
  const bool in_parts = sections.size() > 5 && sections[5].name == parts_name;
  if (in_parts) decode(5, parts_name, decode_parts);
  c.state = decode_state(state, sections.subspan(in_parts ? 6 : 5));
  return c;
}

Bytes encode_checkpoint(const Checkpoint& checkpoint) {
  const CheckpointSections sections(checkpoint);
  Bytes bytes = section_table(sections.all());
  for (const auto& section : sections.all()) {
    bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
  }
  return bytes;
}

Checkpoint parse_checkpoint(std::span<const std::byte> bytes) {
  return decode_sections(read_sections(bytes));
}

std::vector<CheckpointSection> checkpoint_sections(std::span<const std::byte> bytes) {
  std::vector<CheckpointSection> sections;
  for (const auto& entry : read_section_table(bytes)) {
    sections.push_back({entry.name, entry.offset, entry.length, to_hex(entry.hash)});
  }
  return sections;
}

bool looks_like_checkpoint(std::span<const std::byte> bytes) { return has_section_magic(bytes); }

}  // namespace apsis
