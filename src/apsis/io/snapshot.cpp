// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/section_file.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/snapshot_parts.hpp>
#include <apsis/io/vtk_series.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace apsis {
namespace {

const SnapshotFormat* format_named(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const SnapshotFormat& format : snapshot_formats()) {
    if (std::ranges::count(format.endings, ending) > 0) return &format;
  }
  return nullptr;
}

bool can_be_read(const SnapshotFormat& format) { return format.read != nullptr; }
bool can_be_written(const SnapshotFormat& format) { return format.write != nullptr; }

std::string endings_where(bool (*holds)(const SnapshotFormat&)) {
  std::vector<std::string> endings;
  endings.reserve(snapshot_formats().size());
  for (const SnapshotFormat& format : snapshot_formats()) {
    if (holds(format)) endings.emplace_back(format.endings.front());
  }
  return list_of(endings);
}

// Positions, velocities, mass, charge and id of one body, with room for potential, acceleration
// and the reader's own buffers.
constexpr std::uint64_t memory_per_body = 160;

// So that what is of one type is the same, whoever wrote it.
void forget_usual_types(Bodies& bodies) {
  const auto usual = [](std::uint8_t type) { return type == usual_type; };
  if (std::ranges::all_of(bodies.type, usual)) bodies.type.clear();
}

}  // namespace

std::span<const SnapshotFormat> snapshot_formats() {
  static const std::vector<SnapshotFormat> formats = [] {
    std::vector<SnapshotFormat> rows;
    for (const auto row : format_rows) rows.push_back(row());
    return rows;
  }();
  return formats;
}

std::string snapshot_endings() { return endings_where(can_be_read); }
std::string written_endings() { return endings_where(can_be_written); }

const SnapshotFormat& format_by_ending(const std::filesystem::path& path) {
  const auto* format = format_named(path);
  if (format == nullptr) {
    throw bad_data(fmt::format("the ending of {} names no snapshot format", path.string()),
                   "use " + written_endings());
  }
  if (!can_be_written(*format)) {
    throw bad_data(fmt::format("{}: {} is read but not written", path.string(), format->name),
                   "use " + written_endings());
  }
  return *format;
}

const SnapshotFormat& format_of_file(const std::filesystem::path& path) {
  if (const auto* format = format_named(path)) {
    if (can_be_read(*format)) return *format;
    throw bad_data(fmt::format("{}: {} is written but not read", path.string(), format->name),
                   "give " + snapshot_endings());
  }
  if (names_vtk_series(path)) {
    throw bad_data(fmt::format("{}: a series of VTK is written but not read", path.string()),
                   "give " + snapshot_endings());
  }
  const Bytes start = read_beginning(path, 32);
  if (has_section_magic(start)) {
    throw bad_data(
        fmt::format("{} is a checkpoint, not a snapshot", path.string()),
        fmt::format("go on from it with {} and its folder", typed_command("run --resume")));
  }
  const std::uint64_t length = size_of_file(path);
  for (const bool any_text : {false, true}) {
    for (const SnapshotFormat& format : snapshot_formats()) {
      if (!can_be_read(format) || format.any_text != any_text) continue;
      if (format.looks_like(start, length)) return format;
    }
  }
  throw bad_data(fmt::format("{} looks like no snapshot format", path.string()),
                 "give it the ending of its format: " + snapshot_endings());
}

bool holds_bytes_of_snapshot(const std::filesystem::path& path) {
  const auto file = first_part_of(path);
  if (!std::filesystem::is_regular_file(file)) return false;
  return file != path || std::ranges::count(read_beginning(file, 32), std::byte{0}) > 0;
}

Snapshot parse_snapshot(std::span<const std::byte> bytes, const SnapshotFormat& format,
                        const std::string& name, ReadLimits limits) {
  Snapshot snapshot = format.read(bytes, name, limits);
  require_frame(limits.frame, snapshot.frames, name);
  if (limits.frame == 0 && snapshot.frames > 1) {
    snapshot.warnings.push_back(
        {WarningCode::several_snapshots,
         fmt::format("{} holds {} snapshots: the last one, of time {}, is taken; {} takes another "
                     "out",
                     name, snapshot.frames, snapshot.time, typed_command("convert --frame"))});
  }
  require_valid(snapshot.bodies, name);
  forget_usual_types(snapshot.bodies);
  return snapshot;
}

Snapshot read_snapshot(const std::filesystem::path& path, ReadLimits limits) {
  const auto file = first_part_of(path);
  return read_all_parts(file, format_of_file(file), limits);
}

void write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot,
                    SnapshotWriteOptions options) {
  const SnapshotFormat& format = format_by_ending(path);
  require_consistent(snapshot, path.string());
  format.write(path, snapshot, options);
}

std::string snapshot_ending() { return hdf5_built_in() ? ".hdf5" : ".csv"; }

std::uint64_t snapshot_size(std::uint64_t bodies, bool charged) {
  // HDF5: 8 or 9 arrays of 8 bytes a body, header and chunk indices; CSV: up to 25 characters each
  const std::uint64_t columns = charged ? 9 : 8;
  return hdf5_built_in() ? bodies * columns * 8 + bodies / 100 + 32768
                         : bodies * columns * 25 + 4096;
}

std::uint64_t memory_limit(ReadLimits limits) {
  return limits.memory > 0 ? limits.memory : physical_memory() / 2;
}

void require_fits(std::uint64_t bodies, const std::string& name, ReadLimits limits) {
  const std::uint64_t most = memory_limit(limits) / memory_per_body;
  if (bodies <= most) return;
  throw bad_data(fmt::format("{} claims {} bodies, more than fit into memory", name, bodies),
                 fmt::format("at most {} bodies fit here", most));
}

void require_frame(std::uint64_t asked, std::uint64_t frames, const std::string& name) {
  if (asked <= frames) return;
  throw bad_data(
      fmt::format("{} holds {}, and number {} was asked for", name, counted(frames, "snapshot"),
                  asked),
      frames == 0 ? "take another file" : fmt::format("they are numbered 1 to {}", frames));
}

Units recognised(const Units& units) {
  const auto names = unit_system_names();
  if (std::find(names.begin(), names.end(), units.name) == names.end()) return units;
  const Units& known = units_named(units.name);
  const bool same = known.length_in_cm == units.length_in_cm &&
                    known.mass_in_g == units.mass_in_g &&
                    known.velocity_in_cm_per_s == units.velocity_in_cm_per_s &&
                    known.gravity == units.gravity && known.coulomb == units.coulomb;
  return same ? known : units;
}

void require_consistent(const Snapshot& snapshot, const std::string& name) {
  const std::size_t n = snapshot.bodies.size();
  const auto check = [&](std::size_t count, std::string_view what) {
    if (count == 0 || count == n) return;
    throw bad_data(fmt::format("{}: {} values of {} for {} bodies", name, count, what, n),
                   "give one per body or none");
  };
  for_each_column(snapshot.bodies, [&](const auto& column, const auto& values) {
    if (column.optional) check(values.size(), column.name);
  });
  check(snapshot.potential.size(), "potential");
  check(snapshot.accelerations.size(), "acceleration");
}

}  // namespace apsis
