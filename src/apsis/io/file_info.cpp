// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/hash.hpp>
#include <apsis/io/file_info.hpp>
#include <apsis/io/section_file.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/snapshot_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace apsis {
namespace {

// A number as Python's float, with all digits that it needs.
std::string python_float(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string python_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// yt ignores the units inside GADGET files and draws a wrong box about bodies away from the
// origin, so both are handed to it. The margin keeps bodies off the faces, flat systems too.
std::string yt_line(const std::string& path, const SnapshotInfo& info) {
  constexpr std::uint64_t fewest = 2;  // yt 4.1 fails on 0 and 1
  if (info.bodies < fewest) return {};
  const Vec3 extent = info.upper - info.lower;
  const double largest = std::max({extent.x, extent.y, extent.z});
  const double margin = largest > 0 ? 0.05 * largest : 1;
  const auto side = [&](double low, double high) {
    return fmt::format("[{}, {}]", python_float(low - margin), python_float(high + margin));
  };
  return fmt::format(
      "yt.load({}, unit_base={{\"UnitLength_in_cm\": {}, \"UnitMass_in_g\": {}, "
      "\"UnitVelocity_in_cm_per_s\": {}}}, bounding_box=[{}, {}, {}])",
      python_string(path), python_float(info.units.length_in_cm),
      python_float(info.units.mass_in_g), python_float(info.units.velocity_in_cm_per_s),
      side(info.lower.x, info.upper.x), side(info.lower.y, info.upper.y),
      side(info.lower.z, info.upper.z));
}

SnapshotInfo::Charges charges_of(const std::vector<double>& charge) {
  SnapshotInfo::Charges charges;
  for (const double q : charge) {
    charges.total += q;
    charges.positive += static_cast<std::uint64_t>(q > 0);
    charges.negative += static_cast<std::uint64_t>(q < 0);
    charges.none += static_cast<std::uint64_t>(q == 0);
  }
  return charges;
}

SnapshotInfo info_of(Snapshot&& snapshot) {
  const Bodies& b = snapshot.bodies;
  SnapshotInfo info;
  info.bodies = b.size();
  info.time = snapshot.time;
  info.units = snapshot.units;
  info.units_assumed = snapshot.units_assumed;
  info.law = snapshot.law;
  info.total_mass = std::accumulate(b.mass.begin(), b.mass.end(), 0.0);
  info.center_of_mass = center_of_mass(b);
  if (!b.empty()) {
    const auto range = [](std::span<const double> values) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      return std::pair(*low, *high);
    };
    std::tie(info.lower.x, info.upper.x) = range(b.x());
    std::tie(info.lower.y, info.upper.y) = range(b.y());
    std::tie(info.lower.z, info.upper.z) = range(b.z());
  }
  for (std::size_t i = 0; i < b.size(); ++i) ++info.types[b.type_of(i)];
  if (b.charged()) info.charges = charges_of(b.charge);
  info.has_potential = !snapshot.potential.empty();
  info.has_acceleration = !snapshot.accelerations.empty();
  info.provenance = std::move(snapshot.provenance);
  info.warnings = std::move(snapshot.warnings);
  return info;
}

CheckpointInfo info_of(Checkpoint&& c, std::vector<CheckpointSection> sections) {
  CheckpointInfo info;
  info.step = c.step;
  info.time = c.time;
  info.bodies = c.state.bodies;
  info.layout = std::move(c.state.layout);
  info.seed = c.seed;
  info.seconds_so_far = c.seconds_so_far;
  info.energy_error_max = c.energy_error_max;
  info.next_snapshot = c.next_snapshot;
  info.logs = std::move(c.logs);
  info.notes = std::move(c.notes);
  info.sections = std::move(sections);
  info.spec_toml = std::move(c.spec_toml);
  return info;
}

FileInfo folder_info(const std::filesystem::path& path) {
  FileInfo info;
  info.path = path;
  info.format = "folder of a run";
  info.folder.emplace();
  info.folder->snapshots = list_files(path, "snapshot_", {});
  info.folder->checkpoints = checkpoint_files(path);
  if (info.folder->snapshots.empty() && info.folder->checkpoints.empty()) {
    throw bad_data(fmt::format("{} is a folder without snapshots or checkpoints", path.string()),
                   "give a file, or the folder of a run");
  }
  return info;
}

FileInfo checkpoint_info(const std::filesystem::path& path, ReadLimits limits) {
  const Bytes bytes = read_file(path, memory_limit(limits));
  FileInfo info;
  info.path = path;
  info.length = bytes.size();
  info.hash = to_hex(hash_of(bytes));
  info.format = "Apsis checkpoint";
  info.checkpoint = info_of(read_checkpoint(path), checkpoint_sections(bytes));
  return info;
}

}  // namespace

FileInfo file_info(const std::filesystem::path& path_or_base, ReadLimits limits) {
  if (folder_exists(path_or_base)) return folder_info(path_or_base);
  const auto path = first_part_of(path_or_base);
  if (has_section_magic(read_beginning(path, 32))) return checkpoint_info(path, limits);
  const SnapshotFormat& format = format_of_file(path);
  FileInfo info;
  info.path = path;
  Hasher hasher;
  bool opens_in_yt = false;
  Snapshot snapshot =
      read_all_parts(path, format, limits, [&](const auto& file, std::span<const std::byte> bytes) {
        if (info.files.empty()) {
          info.format = format.flavour(bytes);
          opens_in_yt = format.opens_in_yt && format.opens_in_yt(bytes);
        }
        info.files.push_back(file);
        info.length += bytes.size();
        hasher.add(bytes);
      });
  info.hash = to_hex(hasher.hash());
  info.snapshot = info_of(std::move(snapshot));
  if (info.files.size() > 1) info.format += fmt::format(", in {} files", info.files.size());
  if (opens_in_yt) info.snapshot->yt_line = yt_line(path.string(), *info.snapshot);
  return info;
}

}  // namespace apsis
