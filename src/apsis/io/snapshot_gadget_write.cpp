// SPDX-License-Identifier: MIT
// Writes GADGET's format 2 in float, little-endian: what most readers of the field expect.
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/io/float_bytes.hpp>
#include <apsis/io/gadget_layout.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

namespace apsis {
namespace {

std::uint8_t type_in_file(const Bodies& bodies, std::size_t i) {
  const std::uint8_t type = bodies.type_of(i);
  return type < gadget_types ? type : usual_type;
}

}  // namespace

std::vector<std::string> gadget_losses(const Snapshot& snapshot) {
  std::vector<std::string> lost{"GADGET's binary keeps 7 digits of what bodies have"};
  const Bodies& bodies = snapshot.bodies;
  for_each_column(bodies, [&](const auto& column, const auto& values) {
    if (!column.optional || column.name == "type" || values.empty()) return;
    lost.push_back(fmt::format("GADGET's binary has no {} of bodies", column.name));
  });
  const auto others =
      std::ranges::count_if(bodies.type, [](std::uint8_t type) { return type >= gadget_types; });
  if (others > 0) {
    lost.push_back(
        fmt::format("GADGET's binary has types 0 to 5: {} bodies of others become dark "
                    "matter (1)",
                    others));
  }
  lost.push_back(
      fmt::format("GADGET's binary has no units: its readers take kpc, 1e10 Msun and "
                  "km/s, where these are {}",
                  snapshot.units.name));
  if (snapshot.law.law != Law::gravity || snapshot.law.radial.radial != newton ||
      snapshot.law.softening != 0) {
    lost.emplace_back("GADGET's binary has no force law or softening");
  }
  if (!snapshot.provenance.empty()) lost.emplace_back("GADGET's binary has no provenance");
  return lost;
}

namespace {

class BlockWriter {
 public:
  explicit BlockWriter(const std::string& name)
      : out_(name, "GADGET", std::endian::native == std::endian::big), name_(name) {}

  // `put` writes what was announced.
  template <class Put>
  void block(const char* four_letters, std::uint64_t bytes, Put&& put) {
    if (bytes > std::numeric_limits<std::uint32_t>::max() - 8) {
      throw bad_data(fmt::format("{}: a block of {} bytes is longer than GADGET's binary can say",
                                 name_, bytes),
                     "write .hdf5 instead");
    }
    const auto length = static_cast<std::uint32_t>(bytes);
    out_.put(gadget_name_size);
    for (std::size_t k = 0; k < 4; ++k) {
      const auto letter = static_cast<std::byte>(four_letters[k]);
      out_.put_bytes(std::span(&letter, 1));
    }
    out_.put(length + 8);
    out_.put(gadget_name_size);
    out_.put(length);
    put(out_);
    out_.put(length);
  }
  Bytes take() { return out_.take(); }

 private:
  FloatWriter out_;
  const std::string& name_;
};

void put_vectors(FloatWriter& out, const Vectors& vectors, const std::vector<std::size_t>& order,
                 const char* what) {
  for (const std::size_t i : order) {
    const Vec3 v = vectors.at(i);
    for (const double value : {v.x, v.y, v.z}) out.put_float(value, what, i);
  }
}

void put_header(FloatWriter& out, const std::array<std::uint32_t, gadget_types>& counts,
                double time) {
  for (const std::uint32_t count : counts) out.put(count);
  for (std::size_t k = 0; k < gadget_types; ++k) out.put(0.0);  // each body has its own mass
  out.put(time);
  out.put(0.0);  // redshift
  for (int flag = 0; flag < 2; ++flag) out.put(std::int32_t{0});
  for (const std::uint32_t count : counts) out.put(count);  // of all files
  out.put(std::int32_t{0});
  out.put(std::int32_t{1});                                        // files
  for (const double value : {0.0, 0.0, 0.0, 1.0}) out.put(value);  // box, cosmology, h
  constexpr std::size_t written = 24 + 48 + 16 + 8 + 24 + 8 + 32;
  for (std::size_t k = written; k < gadget_header_size; k += 4) out.put(std::int32_t{0});
}

}  // namespace

Bytes format_gadget(const Snapshot& snapshot, const std::string& name) {
  const Bodies& bodies = snapshot.bodies;
  const std::uint64_t n = bodies.size();
  std::vector<std::size_t> order(bodies.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return type_in_file(bodies, i); });
  std::array<std::uint32_t, gadget_types> counts{};
  for (const std::size_t i : order) ++counts[type_in_file(bodies, i)];
  BlockWriter file(name);
  file.block("HEAD", gadget_header_size,
             [&](FloatWriter& out) { put_header(out, counts, snapshot.time); });
  file.block("POS ", 12 * n,
             [&](FloatWriter& out) { put_vectors(out, bodies.positions, order, "a coordinate"); });
  file.block("VEL ", 12 * n,
             [&](FloatWriter& out) { put_vectors(out, bodies.velocities, order, "a velocity"); });
  const bool long_ids = std::ranges::any_of(
      bodies.id, [](std::uint64_t id) { return id > std::numeric_limits<std::uint32_t>::max(); });
  file.block("ID  ", (long_ids ? 8 : 4) * n, [&](FloatWriter& out) {
    for (const std::size_t i : order) {
      long_ids ? out.put(bodies.id[i]) : out.put(static_cast<std::uint32_t>(bodies.id[i]));
    }
  });
  file.block("MASS", 4 * n, [&](FloatWriter& out) {
    for (const std::size_t i : order) out.put_float(bodies.mass[i], "mass", i);
  });
  if (!snapshot.potential.empty()) {
    file.block("POT ", 4 * n, [&](FloatWriter& out) {
      for (const std::size_t i : order) out.put_float(snapshot.potential[i], "potential", i);
    });
  }
  if (!snapshot.accelerations.empty()) {
    file.block("ACCE", 12 * n, [&](FloatWriter& out) {
      put_vectors(out, snapshot.accelerations, order, "an acceleration");
    });
  }
  return file.take();
}

}  // namespace apsis
