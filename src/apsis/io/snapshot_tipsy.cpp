// SPDX-License-Identifier: MIT
// TIPSY: a header of 32 bytes (28 and padding), then gas, dark and star particles in float.
// "Standard" files are big-endian; others are in the byte order of the machine that wrote them.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace apsis {
namespace {

constexpr std::size_t short_header = 28, full_header = 32;
constexpr std::uint64_t gas_size = 12 * sizeof(float), dark_size = 9 * sizeof(float),
                        star_size = 11 * sizeof(float);

template <class Value>
Value swapped(Value value) {
  using Bits = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  const auto bits = std::bit_cast<Bits>(value);
  if constexpr (sizeof(Value) == 8)
    return std::bit_cast<Value>(__builtin_bswap64(bits));
  else
    return std::bit_cast<Value>(__builtin_bswap32(bits));
}

template <class Value>
Value value_at(std::span<const std::byte> bytes, std::uint64_t offset, bool swap) {
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return swap ? swapped(value) : value;
}

struct Header {
  double time = 0;
  std::uint64_t gas = 0, dark = 0, star = 0;
  std::size_t size = full_header;
  bool swap = false;

  std::uint64_t bodies() const { return gas + dark + star; }
  std::uint64_t file_length() const {
    return size + gas * gas_size + dark * dark_size + star * star_size;
  }
};

// In one byte order; nothing where the counts contradict each other.
std::optional<Header> header_in_order(std::span<const std::byte> bytes, bool swap) {
  const auto count = [&](std::size_t i) {
    return std::int64_t{value_at<std::int32_t>(bytes, 8 + 4 * i, swap)};
  };
  const auto all = count(0), dimensions = count(1), gas = count(2), dark = count(3),
             star = count(4);
  if (dimensions < 1 || dimensions > 3 || gas < 0 || dark < 0 || star < 0) return std::nullopt;
  if (gas + dark + star != all) return std::nullopt;
  Header header;
  header.time = value_at<double>(bytes, 0, swap);
  header.gas = static_cast<std::uint64_t>(gas);
  header.dark = static_cast<std::uint64_t>(dark);
  header.star = static_cast<std::uint64_t>(star);
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

// Where in a record of each kind softening and potential are, counted in floats.
struct Kind {
  std::uint64_t count, size;
  std::size_t softening, potential;
};

void read_kind(std::span<const std::byte> bytes, const Header& header, const Kind& kind,
               std::uint64_t& offset, Snapshot& snapshot, std::vector<float>& softening) {
  Bodies& b = snapshot.bodies;
  for (std::uint64_t i = 0; i < kind.count; ++i, offset += kind.size) {
    const auto value = [&](std::size_t k) {
      return value_at<float>(bytes, offset + 4 * k, header.swap);
    };
    b.mass.push_back(value(0));
    b.x.push_back(value(1)), b.y.push_back(value(2)), b.z.push_back(value(3));
    b.vx.push_back(value(4)), b.vy.push_back(value(5)), b.vz.push_back(value(6));
    softening.push_back(value(kind.softening));
    snapshot.potential.push_back(value(kind.potential));
  }
}

class TipsyWriter {
 public:
  TipsyWriter(const std::string& name, bool swap) : name_(name), swap_(swap) {}

  template <class Value>
  void put(Value value) {
    const Value ordered = swap_ ? swapped(value) : value;
    const auto raw = std::as_bytes(std::span(&ordered, 1));
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void put_float(double value, const char* what, std::size_t body) {
    if (std::abs(value) > std::numeric_limits<float>::max()) {
      throw bad_data(fmt::format("{}: {} of body {} is {}, beyond the range of TIPSY's floats",
                                 name_, what, body, value),
                     "choose units that bring values nearer to 1, or write .hdf5 or .csv");
    }
    put(static_cast<float>(value));
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  Bytes take() { return std::move(bytes_); }

 private:
  const std::string& name_;
  bool swap_;
  Bytes bytes_;
};

}  // namespace

std::string_view tipsy_byte_order(std::span<const std::byte> beginning) {
  const auto header = header_of(beginning);
  const bool big_here = std::endian::native == std::endian::big;
  return header && header->swap != big_here ? "big-endian" : "little-endian";
}

bool looks_like_tipsy(std::span<const std::byte> beginning, std::uint64_t file_length) {
  auto header = header_of(beginning);
  if (!header) return false;
  if (header->file_length() == file_length) return true;
  header->size = short_header;
  return header->file_length() == file_length;
}

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
  std::vector<float> softening;
  Bodies& b = snapshot.bodies;
  for (auto* column : {&b.mass, &b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &snapshot.potential}) {
    column->reserve(n);
  }
  softening.reserve(n);
  std::uint64_t offset = header.size;
  read_kind(bytes, header, {header.gas, gas_size, 9, 11}, offset, snapshot, softening);
  read_kind(bytes, header, {header.dark, dark_size, 7, 8}, offset, snapshot, softening);
  read_kind(bytes, header, {header.star, star_size, 9, 10}, offset, snapshot, softening);
  b.id.resize(n);
  b.renumber();
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
  TipsyWriter out(name, !native_endian && !big_endian_here);
  out.reserve(full_header + n * dark_size);
  const auto count = static_cast<std::int32_t>(n);
  out.put(snapshot.time);
  for (const std::int32_t value : {count, 3, 0, count, 0, 0}) out.put(value);
  for (std::size_t i = 0; i < n; ++i) {
    out.put_float(b.mass[i], "mass", i);
    out.put_float(b.x[i], "x", i), out.put_float(b.y[i], "y", i), out.put_float(b.z[i], "z", i);
    out.put_float(b.vx[i], "vx", i), out.put_float(b.vy[i], "vy", i);
    out.put_float(b.vz[i], "vz", i);
    out.put_float(snapshot.law.softening, "softening", i);
    out.put_float(snapshot.potential.empty() ? 0 : snapshot.potential[i], "potential", i);
  }
  return out.take();
}

}  // namespace apsis
