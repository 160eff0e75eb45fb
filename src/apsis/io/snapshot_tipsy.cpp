// SPDX-License-Identifier: MIT
// TIPSY: a header of 32 bytes (28 and padding), then gas, dark and star particles in float.
// "Standard" files are big-endian; others are in the byte order of the machine that wrote them.
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/io/float_bytes.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

namespace apsis {
namespace {

constexpr std::size_t short_header = 28, full_header = 32;

// A kind of particles: its type, and its record in floats, which starts with mass, place and
// velocity, and where softening and potential are in it.
struct Kind {
  std::uint8_t type;
  std::size_t floats, softening, potential;
  std::uint64_t size() const { return floats * sizeof(float); }
};
constexpr Kind gas{0, 12, 9, 11}, dark{usual_type, 9, 7, 8}, star{4, 11, 9, 10};
constexpr std::array kinds{gas, dark, star};  // in the order of the file

// Where bodies of a type go: those that are not known here become dark matter.
const Kind& kind_of(std::uint8_t type) {
  const auto* found = std::ranges::find(kinds, type, &Kind::type);
  return found != kinds.end() ? *found : dark;
}

// The bodies of a kind, in their order.
std::vector<std::size_t> numbers_of(const Bodies& bodies, const Kind& kind) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (kind_of(bodies.type_of(i)).type == kind.type) numbers.push_back(i);
  }
  return numbers;
}

struct Header {
  double time = 0;
  std::array<std::uint64_t, kinds.size()> counts{};
  std::size_t size = full_header;
  bool swap = false;

  std::uint64_t bodies() const { return counts[0] + counts[1] + counts[2]; }
  std::uint64_t file_length() const {
    std::uint64_t length = size;
    for (std::size_t k = 0; k < kinds.size(); ++k) length += counts[k] * kinds[k].size();
    return length;
  }
};

// In one byte order; nothing where the counts contradict each other.
std::optional<Header> header_in_order(std::span<const std::byte> bytes, bool swap) {
  const auto count = [&](std::size_t i) {
    return std::int64_t{value_at<std::int32_t>(bytes, 8 + 4 * i, swap)};
  };
  const auto all = count(0), dimensions = count(1);
  if (dimensions < 1 || dimensions > 3) return std::nullopt;
  Header header;
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto of_kind = count(2 + k);
    if (of_kind < 0) return std::nullopt;
    header.counts[k] = static_cast<std::uint64_t>(of_kind);
    sum += of_kind;
  }
  if (sum != all) return std::nullopt;
  header.time = value_at<double>(bytes, 0, swap);
  header.swap = swap;
  return header;
}

std::optional<Header> header_of(std::span<const std::byte> bytes) {
  if (bytes.size() < short_header) return std::nullopt;
  if (auto header = header_in_order(bytes, false)) return header;
  return header_in_order(bytes, true);
}

// Zeros where an unpadded file has the first mass: a padded file that lost its last four bytes
// has the length of an unpadded one.
bool padding_follows(std::span<const std::byte> bytes) {
  return bytes.size() >= full_header && value_at<std::uint32_t>(bytes, short_header, false) == 0;
}

Header checked_header(std::span<const std::byte> bytes, const std::string& name) {
  auto header = header_of(bytes);
  if (!header) {
    throw bad_data(
        fmt::format("{} is no TIPSY file: its header makes no sense in either byte order", name),
        "check the file, or give it the ending of its format");
  }
  if (header->file_length() == bytes.size()) return *header;
  const std::uint64_t padded = header->file_length();
  header->size = short_header;  // some writers leave the padding out
  if (header->file_length() == bytes.size() && !padding_follows(bytes)) return *header;
  throw bad_data(fmt::format("{} has {} bytes where {} bodies take {}", name, bytes.size(),
                             header->bodies(), padded),
                 "the file was cut or is no TIPSY file: get it anew");
}

// Bodies from number `first` on.
void read_kind(std::span<const std::byte> bytes, const Header& header, std::size_t k,
               std::size_t first, std::uint64_t offset, Snapshot& snapshot,
               std::vector<float>& softening) {
  const Kind& kind = kinds[k];
  Bodies& b = snapshot.bodies;
  for (std::size_t i = first; i < first + header.counts[k]; ++i, offset += kind.size()) {
    const auto value = [&](std::size_t at) {
      return value_at<float>(bytes, offset + sizeof(float) * at, header.swap);
    };
    b.mass[i] = value(0);
    b.set_position(i, {value(1), value(2), value(3)});
    b.set_velocity(i, {value(4), value(5), value(6)});
    softening[i] = value(kind.softening);
    snapshot.potential[i] = value(kind.potential);
  }
}

// Big- or little-endian.
std::string flavour(std::span<const std::byte> bytes) {
  const auto header = header_of(bytes);
  const bool big_here = std::endian::native == std::endian::big;
  return header && header->swap != big_here ? "TIPSY, big-endian" : "TIPSY, little-endian";
}

bool looks_like_tipsy(std::span<const std::byte> beginning, std::uint64_t file_length) {
  auto header = header_of(beginning);
  if (!header) return false;
  if (header->file_length() == file_length) return true;
  header->size = short_header;
  return header->file_length() == file_length;
}

void put_body(FloatWriter& out, const Snapshot& snapshot, const Kind& kind, std::size_t i) {
  constexpr std::array names{"mass", "x", "y", "z", "vx", "vy", "vz"};
  const Vec3 place = snapshot.bodies.position(i), velocity = snapshot.bodies.velocity(i);
  const std::array<double, names.size()> values{
      snapshot.bodies.mass[i], place.x, place.y, place.z, velocity.x, velocity.y, velocity.z};
  for (std::size_t at = 0; at < kind.floats; ++at) {
    if (at < values.size()) {
      out.put_float(values[at], names[at], i);
    } else if (at == kind.softening) {
      out.put_float(snapshot.law.softening, "softening", i);
    } else if (at == kind.potential) {
      out.put_float(snapshot.potential.empty() ? 0 : snapshot.potential[i], "potential", i);
    } else {
      out.put(0.0F);  // what bodies have not: densities, temperatures, metals, ages
    }
  }
}

// Which types of its own the snapshot has, and how many bodies of them.
std::optional<std::string> lost_types(const Bodies& bodies) {
  std::set<int> types;
  std::size_t count = 0;
  for (const std::uint8_t type : bodies.type) {
    if (kind_of(type).type == type) continue;
    types.insert(type);
    ++count;
  }
  if (types.empty()) return std::nullopt;
  return fmt::format(
      "TIPSY has gas (0), dark matter (1) and stars (4): {} bodies of type {} "
      "become dark matter",
      count, fmt::join(types, ", "));
}

bool numbered_in_order(const Bodies& bodies) {
  std::uint64_t next = 0;
  for (const Kind& kind : kinds) {
    for (const std::size_t i : numbers_of(bodies, kind)) {
      if (bodies.id[i] != next++) return false;
    }
  }
  return true;
}

std::vector<std::string> losses(const Snapshot& snapshot) {
  std::vector<std::string> lost{"TIPSY keeps 7 digits of positions, velocities and masses"};
  const Bodies& bodies = snapshot.bodies;
  if (!numbered_in_order(bodies)) {
    lost.emplace_back("TIPSY has no ids: bodies are numbered from 0 in their order");
  }
  for_each_column(bodies, [&](const auto& column, const auto& values) {
    if (!column.optional || column.name == "type" || values.empty()) return;
    lost.push_back(fmt::format("TIPSY has no {} of bodies", column.name));
  });
  if (auto types = lost_types(bodies)) lost.push_back(std::move(*types));
  if (snapshot.units != Units{}) {
    lost.push_back(
        fmt::format("TIPSY has no units: the file does not say '{}'", snapshot.units.name));
  }
  if (snapshot.law.constant != 1 || snapshot.law.law != Law::gravity ||
      snapshot.law.radial.radial != newton) {
    lost.emplace_back("TIPSY has no force law or constant");
  }
  if (!snapshot.accelerations.empty()) lost.emplace_back("TIPSY has no accelerations");
  if (!snapshot.provenance.empty()) lost.emplace_back("TIPSY has no provenance");
  return lost;
}

}  // namespace

Snapshot parse_tipsy(std::span<const std::byte> bytes, const std::string& name, ReadLimits limits) {
  const Header header = checked_header(bytes, name);
  require_fits(header.bodies(), name, limits);
  if (!std::isfinite(header.time)) {
    throw bad_data(fmt::format("{}: time {} is not a number", name, header.time),
                   "mend the header");
  }
  const auto n = static_cast<std::size_t>(header.bodies());
  Snapshot snapshot;
  snapshot.time = header.time;
  snapshot.units_assumed = true;  // the format has none
  snapshot.not_given = {"id"};
  snapshot.bodies = Bodies(n);
  snapshot.potential.resize(n);
  std::vector<float> softening(n);
  std::size_t first = 0;
  std::uint64_t offset = header.size;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    read_kind(bytes, header, k, first, offset, snapshot, softening);
    if (header.counts[1] != n) {  // not all are dark matter
      auto& types = snapshot.bodies.type;
      types.insert(types.end(), header.counts[k], kinds[k].type);
    }
    first += header.counts[k], offset += header.counts[k] * kinds[k].size();
  }
  // one softening for all is the law's; bodies with softenings of their own have no place here
  const bool same = std::ranges::all_of(softening, [&](float s) { return s == softening[0]; });
  if (n > 0 && same && softening[0] >= 0) snapshot.law.softening = softening[0];
  if (std::ranges::all_of(snapshot.potential, [](double p) { return p == 0; })) {
    snapshot.potential.clear();  // files without potentials hold zeros
  }
  return snapshot;
}

Bytes format_tipsy(const Snapshot& snapshot, const std::string& name, bool native_endian) {
  const Bodies& b = snapshot.bodies;
  const std::size_t n = b.size();
  if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw bad_data(fmt::format("{}: {} bodies are more than TIPSY can count", name, n),
                   "write .hdf5 instead");
  }
  const bool big_endian_here = std::endian::native == std::endian::big;
  FloatWriter out(name, "TIPSY", !native_endian && !big_endian_here);
  std::array<std::vector<std::size_t>, kinds.size()> numbers;
  std::size_t length = full_header;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    numbers[k] = numbers_of(b, kinds[k]);
    length += numbers[k].size() * kinds[k].size();
  }
  out.reserve(length);
  out.put(snapshot.time);
  out.put(static_cast<std::int32_t>(n));
  out.put(std::int32_t{3});
  for (const auto& of_kind : numbers) out.put(static_cast<std::int32_t>(of_kind.size()));
  out.put(std::int32_t{0});
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (const std::size_t i : numbers[k]) put_body(out, snapshot, kinds[k], i);
  }
  return out.take();
}

SnapshotFormat tipsy_format() {
  return {.name = "TIPSY",
          .endings = {".tipsy"},
          .summary = "gas, dark matter and stars in float, of either byte order",
          .takes_byte_order = true,
          .looks_like = looks_like_tipsy,
          .read = parse_tipsy,
          .write =
              [](const std::filesystem::path& path, const Snapshot& snapshot,
                 const SnapshotWriteOptions& options) {
                write_atomically(path,
                                 format_tipsy(snapshot, path.string(), options.native_endian));
              },
          .losses = losses,
          .flavour = flavour};
}

}  // namespace apsis
