// SPDX-License-Identifier: MIT
// HDF5 in GADGET-4's flavour, which yt opens. Traps that are avoided: strings of variable length,
// an attribute Code in Header, groups Units and Constants beside Parameters (docs/files.md).
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/io/hdf5_arrays.hpp>
#include <apsis/io/hdf5_handles.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace apsis {
namespace {

using hdf5::Handle;
using hdf5::Session;

constexpr hsize_t chunk_rows = 8192;
constexpr std::size_t usual_types = 6;  // of GADGET; its readers take more where there are more
// Attributes beyond 64 kB do not fit into the object's own header.
constexpr std::size_t longest_attribute = 60000;

template <class Value>
void put(const Session& session, const Handle& object, const std::string& name, Value value) {
  hdf5::put_attribute(session, object, name, std::span<const Value>(&value, 1));
}

// The bodies of one type, whose group they are written to.
struct Group {
  std::size_t type = usual_type;
  std::size_t count = 0;
  std::vector<std::size_t> numbers;  // empty: all, in their order

  std::size_t operator[](std::size_t k) const { return numbers.empty() ? k : numbers[k]; }
};

std::vector<Group> groups_of(const Bodies& bodies) {
  if (bodies.type.empty()) return {{.count = bodies.size(), .numbers = {}}};
  std::map<std::size_t, std::vector<std::size_t>> numbers;
  for (std::size_t i = 0; i < bodies.size(); ++i) numbers[bodies.type[i]].push_back(i);
  std::vector<Group> groups;
  for (auto& [type, of_type] : numbers)
    groups.push_back({type, of_type.size(), std::move(of_type)});
  return groups;
}

void write_header(const Session& session, const Handle& file, const Snapshot& snapshot,
                  const std::vector<Group>& groups) {
  const Handle group = hdf5::create_group(session, file, "Header");
  const std::size_t types = std::max(usual_types, groups.back().type + 1);
  std::vector<std::uint64_t> bodies(types);
  for (const Group& of_type : groups) bodies[of_type.type] = of_type.count;
  const std::vector<std::uint64_t> none(types);
  const std::vector<double> no_masses(types);  // each body has its own
  hdf5::put_attribute(session, group, "NumPart_ThisFile", bodies);
  hdf5::put_attribute(session, group, "NumPart_Total", bodies);
  hdf5::put_attribute(session, group, "NumPart_Total_HighWord", none);
  hdf5::put_attribute(session, group, "MassTable", no_masses);
  put(session, group, "Time", snapshot.time);
  for (const char* name : {"Redshift", "BoxSize", "Omega0", "OmegaLambda"}) {
    put(session, group, name, 0.0);
  }
  put(session, group, "HubbleParam", 1.0);
  hdf5::put_attribute(session, group, "NumFilesPerSnapshot", 1);
  for (const char* name : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                           "Flag_Feedback", "Flag_Entropy_ICs", "Flag_DoublePrecision"}) {
    hdf5::put_attribute(session, group, name, 0);
  }
}

void write_parameters(const Session& session, const Handle& file, const Snapshot& snapshot,
                      const std::vector<Group>& groups) {
  const Units& units = snapshot.units;
  const Handle group = hdf5::create_group(session, file, "Parameters");
  put(session, group, "UnitLength_in_cm", units.length_in_cm);
  put(session, group, "UnitMass_in_g", units.mass_in_g);
  put(session, group, "UnitVelocity_in_cm_per_s", units.velocity_in_cm_per_s);
  put(session, group, "GravityConstantInternal", units.gravity);
  if (!units.time_name.empty()) {  // physical units: some readers take the time from here
    constexpr double gigayear_in_s = 1e9 * 365.25 * 86400;
    put(session, group, "Time_GYR", snapshot.time * units.time_in_s() / gigayear_in_s);
  }
  for (const Group& of_type : groups) {
    const std::string name = fmt::format("SofteningClassOfPartType{}", of_type.type);
    hdf5::put_attribute(session, group, name, 0);
  }
  put(session, group, "SofteningComovingClass0", snapshot.law.softening);
  put(session, group, "SofteningMaxPhysClass0", snapshot.law.softening);
  hdf5::put_attribute(session, group, "UnitSystem", units.name);
  put(session, group, "CoulombConstantInternal", units.coulomb);
  hdf5::put_attribute(session, group, "ForceLaw", name_of(snapshot.law.law));
  put(session, group, "ForceConstant", snapshot.law.constant);
  put(session, group, "Softening", snapshot.law.softening);
  if (const RadialLaw& radial = snapshot.law.radial; radial.radial != newton) {
    hdf5::put_attribute(session, group, "RadialLaw", name_of(radial.radial));
    put(session, group, "Range", radial.range);
  }
}

void write_provenance(const Session& session, const Handle& file, const Snapshot& snapshot) {
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(properties.id(), false);
  H5Pset_attr_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const bool has_long = std::ranges::any_of(snapshot.provenance, [](const auto& entry) {
    return entry.second.size() > longest_attribute;
  });
  if (has_long) H5Pset_attr_phase_change(properties.id(), 0, 0);
  const Handle group(H5Gcreate2(file.id(), "Provenance", H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                     H5Gclose);
  if (!group.valid()) session.fail("create group Provenance");
  for (const auto& [name, value] : snapshot.provenance) {
    hdf5::put_attribute(session, group, name, value);
  }
}

double times(double factor, double unit, int power) {
  for (; power > 0; --power) factor *= unit;
  for (; power < 0; ++power) factor /= unit;
  return factor;
}

// 0 for what has no dimension, as GADGET-4 writes it.
double to_cgs(const Dimension& dimension, const Units& units) {
  if (dimension.length == 0 && dimension.mass == 0 && dimension.velocity == 0) return 0;
  double factor = times(1, units.velocity_in_cm_per_s, dimension.velocity);
  factor = times(factor, units.mass_in_g, dimension.mass);
  return times(factor, units.length_in_cm, dimension.length);
}

void write_dimension(const Session& session, const Handle& dataset, const Dimension& dimension,
                     const Units& units) {
  put(session, dataset, "a_scaling", 0.0);
  put(session, dataset, "h_scaling", 0.0);
  put(session, dataset, "length_scaling", static_cast<double>(dimension.length));
  put(session, dataset, "mass_scaling", static_cast<double>(dimension.mass));
  put(session, dataset, "velocity_scaling", static_cast<double>(dimension.velocity));
  put(session, dataset, "to_cgs", to_cgs(dimension, units));
}

Handle create_array(const Session& session, const Handle& group, const std::string& name,
                    hid_t type, hsize_t rows, hsize_t columns) {
  const std::array<hsize_t, 2> shape{rows, columns};
  const std::array<hsize_t, 2> chunk{std::min(std::max<hsize_t>(rows, 1), chunk_rows), columns};
  const int rank = columns > 1 ? 2 : 1;
  const Handle space(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.id(), rank, chunk.data());
  H5Pset_shuffle(properties.id());
  H5Pset_fletcher32(properties.id());
  H5Pset_obj_track_times(properties.id(), false);  // same state, same bytes
  Handle dataset(H5Dcreate2(group.id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                            properties.id(), H5P_DEFAULT),
                 H5Dclose);
  if (!dataset.valid()) session.fail("create " + name);
  return dataset;
}

// Columns side by side, some chunks at a time, so that no second copy of the bodies is made.
class GroupWriter {
 public:
  GroupWriter(const Session& session, const Handle& file, const Group& bodies, const Units& units)
      : session_(session),
        group_(hdf5::create_group(session, file, fmt::format("PartType{}", bodies.type))),
        bodies_(bodies),
        units_(units) {}

  // `values` of all bodies, of which those of the group are written.
  template <class Values>
  void write(const std::string& name, const Values& values, const Dimension& dimension) const {
    using Value = typename Values::value_type;
    const auto parts = components_of(values);
    constexpr std::size_t columns = Column<Values>::width;
    const hsize_t rows = bodies_.count;
    const Handle dataset =
        create_array(session_, group_, name, hdf5::file_type<Value>(), rows, columns);
    write_dimension(session_, dataset, dimension, units_);
    const Handle space(H5Dget_space(dataset.id()), H5Sclose);
    std::vector<Value> block;
    for (hsize_t start = 0; start < rows; start += 8 * chunk_rows) {
      const hsize_t count = std::min(8 * chunk_rows, rows - start);
      block.resize(count * columns);
      for (std::size_t k = 0; k < columns; ++k) {
        for (hsize_t i = 0; i < count; ++i) block[i * columns + k] = parts[k][bodies_[start + i]];
      }
      const std::array<hsize_t, 2> from{start, 0}, shape{count, columns};
      const Handle memory(H5Screate_simple(columns > 1 ? 2 : 1, shape.data(), nullptr), H5Sclose);
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, shape.data(), nullptr);
      if (H5Dwrite(dataset.id(), hdf5::memory_type<Value>(), memory.id(), space.id(), H5P_DEFAULT,
                   block.data()) < 0) {
        session_.fail(fmt::format("write {}", name));
      }
    }
  }

 private:
  const Session& session_;
  Handle group_;
  const Group& bodies_;
  const Units& units_;
};

void write_bodies(const Session& session, const Handle& file, const Snapshot& snapshot,
                  const Group& bodies) {
  const GroupWriter group(session, file, bodies, snapshot.units);
  for (const auto& array : hdf5::arrays()) {
    for_each_column(snapshot.bodies, [&](const auto& column, const auto& values) {
      if (column.name != array.column || (column.optional && values.empty())) return;
      group.write(array.name, values, array.dimension);
    });
  }
  if (!snapshot.potential.empty()) {
    group.write(hdf5::potential_array, snapshot.potential, {.velocity = 2});
  }
  if (!snapshot.accelerations.empty()) {
    group.write(hdf5::acceleration_array, snapshot.accelerations, {.length = -1, .velocity = 2});
  }
}

}  // namespace

bool hdf5_built_in() { return true; }

Bytes format_hdf5(const Snapshot& snapshot, const std::string& name) {
  const Session session(name);
  // one piece for the whole file: growing it would copy what is already there
  const std::size_t increment = snapshot.bodies.size() * 112 + 65536;
  hdf5::MemoryFile image(session, increment);
  const Handle& file = image.file();
  const std::vector<Group> groups = groups_of(snapshot.bodies);
  write_header(session, file, snapshot, groups);
  write_parameters(session, file, snapshot, groups);
  write_provenance(session, file, snapshot);
  for (const Group& group : groups) write_bodies(session, file, snapshot, group);
  return image.close(session);
}

}  // namespace apsis
