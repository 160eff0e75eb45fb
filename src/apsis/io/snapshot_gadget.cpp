// SPDX-License-Identifier: MIT
// Reads GADGET-1 and -2: records of Fortran, each between its length and its length again, in
// either byte order. Format 1 has them in a settled order, format 2 a name before each.
#include <apsis/core/error.hpp>
#include <apsis/io/float_bytes.hpp>
#include <apsis/io/gadget_layout.hpp>
#include <apsis/io/gadget_units.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/snapshot_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace apsis {
namespace {

struct Header {
  std::array<std::uint32_t, gadget_types> counts{};
  std::array<double, gadget_types> masses{};  // of all bodies of a type; 0: each has its own
  double time = 0, redshift = 0, omega_matter = 0, hubble = 0;
  std::int32_t files = 1;
  std::vector<std::uint64_t> totals{};  // in all files, by type

  std::uint64_t bodies() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count;
    return sum;
  }
  std::uint64_t with_own_mass() const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < gadget_types; ++k) sum += masses[k] == 0 ? counts[k] : 0;
    return sum;
  }
};

Header header_in(std::span<const std::byte> record, bool swap) {
  Header header;
  for (std::size_t k = 0; k < gadget_types; ++k) {
    header.counts[k] = value_at<std::uint32_t>(record, 4 * k, swap);
    header.masses[k] = value_at<double>(record, 24 + 8 * k, swap);
  }
  header.time = value_at<double>(record, 72, swap);
  header.redshift = value_at<double>(record, 80, swap);
  header.files = value_at<std::int32_t>(record, 124, swap);
  for (std::size_t k = 0; k < gadget_types; ++k) {
    const std::uint64_t low = value_at<std::uint32_t>(record, 96 + 4 * k, swap);
    const std::uint64_t high = value_at<std::uint32_t>(record, 168 + 4 * k, swap);
    header.totals.push_back(high << 32 | low);
  }
  header.omega_matter = value_at<double>(record, 136, swap);
  header.hubble = value_at<double>(record, 152, swap);
  return header;
}

struct Flavour {
  bool swap = false, named = false;  // format 2 has names
};

// By the length of the first record, which is the header's or that of its name.
std::optional<Flavour> flavour_of(std::span<const std::byte> bytes) {
  if (bytes.size() < 16) return std::nullopt;
  for (const bool swap : {false, true}) {
    const auto length = value_at<std::uint32_t>(bytes, 0, swap);
    if (length == gadget_header_size) return Flavour{swap, false};
    constexpr std::array head{std::byte{'H'}, std::byte{'E'}, std::byte{'A'}, std::byte{'D'}};
    if (length == gadget_name_size && std::ranges::equal(bytes.subspan(4, 4), head)) {
      return Flavour{swap, true};
    }
  }
  return std::nullopt;
}

struct Block {
  std::string name;
  std::span<const std::byte> data;
};

class Records {
 public:
  Records(std::span<const std::byte> bytes, Flavour flavour, const std::string& file)
      : left_(bytes), flavour_(flavour), file_(file) {}

  bool any_left() const { return !left_.empty(); }

  // `usual` is its name where the format has none.
  Block next(const char* usual) {
    Block block{usual, {}};
    if (flavour_.named) {
      const auto head = record("the name of a block");
      if (head.size() != gadget_name_size) {
        refuse(fmt::format("a name of {} bytes stands where 8 are due", head.size()));
      }
      block.name.assign(reinterpret_cast<const char*>(head.data()), 4);
      while (!block.name.empty() && (block.name.back() == ' ' || block.name.back() == '\0')) {
        block.name.pop_back();
      }
    }
    block.data = record(block.name.empty() ? "a block" : block.name.c_str());
    return block;
  }

 private:
  std::span<const std::byte> record(const char* what) {
    if (left_.size() < 8) refuse(fmt::format("{} is cut", what));
    const auto length = value_at<std::uint32_t>(left_, 0, flavour_.swap);
    if (length > left_.size() - 8) {
      refuse(
          fmt::format("{} should have {} bytes, and {} are left", what, length, left_.size() - 8));
    }
    const auto again = value_at<std::uint32_t>(left_, 4 + std::uint64_t{length}, flavour_.swap);
    if (again != length) {
      refuse(fmt::format("{} begins with a length of {} and ends with {}", what, length, again));
    }
    const auto data = left_.subspan(4, length);
    left_ = left_.subspan(8 + std::size_t{length});
    return data;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw bad_data(fmt::format("{}: {}", file_, what),
                   "the file was cut or is no GADGET snapshot: get it anew");
  }

  std::span<const std::byte> left_;
  Flavour flavour_;
  const std::string& file_;
};

// Values of a block, which are as many as it has bytes for at one of two sizes.
class Values {
 public:
  Values(const Block& block, std::uint64_t count, bool swap, const std::string& file)
      : data_(block.data), swap_(swap) {
    const bool narrow = data_.size() == count * 4;
    if (!narrow && data_.size() != count * 8) {
      throw bad_data(fmt::format("{}: block {} has {} bytes, and {} values take {} or {}", file,
                                 block.name, data_.size(), count, count * 4, count * 8),
                     "the file was cut or is no GADGET snapshot: get it anew");
    }
    wide_ = !narrow;
  }
  double real(std::size_t i) const {
    return wide_ ? value_at<double>(data_, 8 * i, swap_)
                 : static_cast<double>(value_at<float>(data_, 4 * i, swap_));
  }
  std::uint64_t whole(std::size_t i) const {
    return wide_ ? value_at<std::uint64_t>(data_, 8 * i, swap_)
                 : std::uint64_t{value_at<std::uint32_t>(data_, 4 * i, swap_)};
  }
  Vec3 vector(std::size_t i) const { return {real(3 * i), real(3 * i + 1), real(3 * i + 2)}; }

 private:
  std::span<const std::byte> data_;
  bool swap_, wide_ = false;
};

void require_usable(const Header& header, const std::string& name, ReadLimits limits) {
  require_fits(header.bodies(), name, limits);
  if (!std::isfinite(header.time)) {
    throw bad_data(fmt::format("{}: time {} is not a number", name, header.time),
                   "mend the header");
  }
}

// Some writers leave the totals at 0, and a file by itself needs none.
SnapshotParts parts_of(const Header& header) {
  if (header.files <= 1) return {};
  const bool told = std::ranges::any_of(header.totals, [](std::uint64_t n) { return n > 0; });
  return {static_cast<std::uint64_t>(header.files),
          told ? header.totals : std::vector<std::uint64_t>{}};
}

void take_block(const Block& block, const Header& header, bool swap, const std::string& name,
                Snapshot& s) {
  const std::uint64_t n = header.bodies();
  const auto values = [&](std::uint64_t count) { return Values(block, count, swap, name); };
  Bodies& b = s.bodies;
  if (block.name == "POS" || block.name == "VEL") {
    const Values places = values(3 * n);
    Vectors& to = block.name == "POS" ? b.positions : b.velocities;
    for (std::size_t i = 0; i < n; ++i) to.set(i, places.vector(i));
  } else if (block.name == "ID") {
    const Values ids = values(n);
    for (std::size_t i = 0; i < n; ++i) b.id[i] = ids.whole(i);
    s.not_given.clear();
  } else if (block.name == "MASS") {
    const Values masses = values(header.with_own_mass());
    std::size_t i = 0, given = 0;
    for (std::size_t k = 0; k < gadget_types; ++k) {
      for (std::uint32_t of_type = 0; of_type < header.counts[k]; ++of_type, ++i) {
        if (header.masses[k] == 0) b.mass[i] = masses.real(given++);
      }
    }
  } else if (block.name == "POT") {
    const Values potentials = values(n);
    s.potential.resize(n);
    for (std::size_t i = 0; i < n; ++i) s.potential[i] = potentials.real(i);
  } else if (block.name == "ACCE") {
    const Values accelerations = values(3 * n);
    s.accelerations = Accelerations(n);
    for (std::size_t i = 0; i < n; ++i) s.accelerations.set(i, accelerations.vector(i));
  }  // temperatures, densities and others are passed over
}

// Types and what the header says of masses.
void take_header(const Header& header, Bodies& bodies) {
  std::size_t i = 0;
  const bool usual = header.counts[usual_type] == header.bodies();
  for (std::size_t k = 0; k < gadget_types; ++k) {
    for (std::uint32_t of_type = 0; of_type < header.counts[k]; ++of_type, ++i) {
      bodies.mass[i] = header.masses[k];
      if (!usual) bodies.type.push_back(static_cast<std::uint8_t>(k));
    }
  }
}

void require_blocks(const std::set<std::string>& seen, const Header& header,
                    const std::string& name) {
  if (header.bodies() == 0) return;
  std::vector<const char*> due{"POS", "VEL"};
  if (header.with_own_mass() > 0) due.push_back("MASS");
  for (const char* block : due) {
    if (seen.contains(block)) continue;
    throw bad_data(fmt::format("{} has no block {}", name, block),
                   "the file was cut or is no snapshot: get it anew");
  }
}

bool looks_like_gadget(std::span<const std::byte> beginning, std::uint64_t length) {
  const auto flavour = flavour_of(beginning);
  if (!flavour || length < gadget_header_size + 8) return false;
  if (flavour->named) return true;
  // places, velocities and ids at least
  std::uint64_t bodies = 0;
  for (std::size_t k = 0; k < gadget_types && 8 + 4 * k <= beginning.size(); ++k) {
    bodies += value_at<std::uint32_t>(beginning, 4 + 4 * k, flavour->swap);
  }
  return length >= gadget_header_size + 8 + bodies * 24;
}

std::string flavour_text(std::span<const std::byte> bytes) {
  const Flavour flavour = flavour_of(bytes).value_or(Flavour{});
  const bool big = flavour.swap != (std::endian::native == std::endian::big);
  return fmt::format("GADGET binary, format {}, {}-endian", flavour.named ? 2 : 1,
                     big ? "big" : "little");
}

}  // namespace

Snapshot parse_gadget(std::span<const std::byte> bytes, const std::string& name,
                      ReadLimits limits) {
  const auto flavour = flavour_of(bytes);
  if (!flavour) {
    throw bad_data(fmt::format("{} is no GADGET snapshot: it does not begin with a header", name),
                   "check the file, or give it the ending of its format");
  }
  Records records(bytes, *flavour, name);
  const Block head = records.next("HEAD");
  if (head.data.size() != gadget_header_size) {
    throw bad_data(
        fmt::format("{}: a header of {} bytes, and GADGET's has 256", name, head.data.size()),
        "check the file");
  }
  const Header header = header_in(head.data, flavour->swap);
  require_usable(header, name, limits);
  Snapshot snapshot;
  snapshot.parts = parts_of(header);
  refuse_part(snapshot.parts, name, limits);
  snapshot.time = header.time;
  snapshot.units = usual_gadget_units();
  snapshot.law.constant = snapshot.units.gravity;
  snapshot.units_assumed = true;  // the format has none
  snapshot.warnings.push_back(gadget_units_assumed(name, snapshot.units));
  if (time_is_scale(header.time, header.redshift, header.omega_matter)) {
    snapshot.warnings.push_back(comoving_warning(name, header.time, header.hubble));
  }
  if (bytes.size() / 24 < header.bodies()) {  // before memory is asked for
    throw bad_data(fmt::format("{} has {} bytes, and its header speaks of {} bodies", name,
                               bytes.size(), header.bodies()),
                   "the file was cut or is no GADGET snapshot: get it anew");
  }
  snapshot.bodies = Bodies(static_cast<std::size_t>(header.bodies()));
  snapshot.not_given = {"id"};
  take_header(header, snapshot.bodies);
  const std::array usual{"POS", "VEL", "ID", header.with_own_mass() > 0 ? "MASS" : ""};
  std::set<std::string> seen;
  for (std::size_t k = 0; records.any_left(); ++k) {
    const Block block = records.next(k < usual.size() ? usual[k] : "");
    if (!seen.insert(block.name).second && !block.name.empty()) {
      throw bad_data(fmt::format("{} has block {} twice", name, block.name),
                     "take one of them out");
    }
    take_block(block, header, flavour->swap, name, snapshot);
  }
  require_blocks(seen, header, name);
  return snapshot;
}

SnapshotFormat gadget_format() {
  return {.name = "GADGET binary",
          .endings = {".gadget"},
          .summary = "GADGET-1 and -2 in either byte order; written as format 2 in float",
          .looks_like = looks_like_gadget,
          .read = parse_gadget,
          .write =
              [](const std::filesystem::path& path, const Snapshot& snapshot,
                 const SnapshotWriteOptions& /*options*/) {
                write_atomically(path, format_gadget(snapshot, path.string()));
              },
          .losses = gadget_losses,
          .flavour = flavour_text};
}

}  // namespace apsis
