// SPDX-License-Identifier: MIT
// HDF5 in GADGET-4's flavour, which yt opens. Traps that are avoided: strings of variable length,
// an attribute Code in Header, groups Units and Constants beside Parameters (docs/files.md).
#include <apsis/core/error.hpp>
#include <apsis/io/hdf5_handles.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <algorithm>
#include <array>

namespace apsis {
namespace {

using hdf5::Handle;
using hdf5::Session;

constexpr hsize_t chunk_rows = 8192;
constexpr std::size_t particle_types = 6;
constexpr std::size_t our_type = 1;  // GADGET's halo particles: collisionless bodies
// Attributes beyond 64 kB do not fit into the object's own header.
constexpr std::size_t longest_attribute = 60000;

template <class Value>
void put(const Session& session, const Handle& object, const std::string& name, Value value) {
  hdf5::put_attribute(session, object, name, std::span<const Value>(&value, 1));
}

void write_header(const Session& session, const Handle& file, const Snapshot& snapshot) {
  const Handle group = hdf5::create_group(session, file, "Header");
  std::array<std::uint64_t, particle_types> bodies{}, none{};
  bodies[our_type] = snapshot.bodies.size();
  const std::array<double, particle_types> no_masses{};
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

void write_parameters(const Session& session, const Handle& file, const Snapshot& snapshot) {
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
  hdf5::put_attribute(session, group, "SofteningClassOfPartType1", 0);
  put(session, group, "SofteningComovingClass0", snapshot.law.softening);
  put(session, group, "SofteningMaxPhysClass0", snapshot.law.softening);
  hdf5::put_attribute(session, group, "UnitSystem", units.name);
  put(session, group, "CoulombConstantInternal", units.coulomb);
  hdf5::put_attribute(session, group, "ForceLaw", name_of(snapshot.law.law));
  put(session, group, "ForceConstant", snapshot.law.constant);
  put(session, group, "Softening", snapshot.law.softening);
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

// The powers of the units in a quantity, as GADGET-4 writes them beside each array.
struct Dimension {
  double length = 0, mass = 0, velocity = 0, to_cgs = 0;
};

void write_dimension(const Session& session, const Handle& dataset, const Dimension& dimension) {
  put(session, dataset, "a_scaling", 0.0);
  put(session, dataset, "h_scaling", 0.0);
  put(session, dataset, "length_scaling", dimension.length);
  put(session, dataset, "mass_scaling", dimension.mass);
  put(session, dataset, "velocity_scaling", dimension.velocity);
  put(session, dataset, "to_cgs", dimension.to_cgs);
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
template <class Value, std::size_t columns>
void write_array(const Session& session, const Handle& group, const std::string& name,
                 hid_t file_type, hid_t memory_type,
                 const std::array<const std::vector<Value>*, columns>& values,
                 const Dimension& dimension) {
  const hsize_t rows = values[0]->size();
  const Handle dataset = create_array(session, group, name, file_type, rows, columns);
  write_dimension(session, dataset, dimension);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::vector<Value> block;
  for (hsize_t start = 0; start < rows; start += 8 * chunk_rows) {
    const hsize_t count = std::min(8 * chunk_rows, rows - start);
    block.resize(count * columns);
    for (std::size_t k = 0; k < columns; ++k) {
      for (hsize_t i = 0; i < count; ++i) block[i * columns + k] = (*values[k])[start + i];
    }
    const std::array<hsize_t, 2> from{start, 0}, shape{count, columns};
    const Handle memory(H5Screate_simple(columns > 1 ? 2 : 1, shape.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, shape.data(), nullptr);
    if (H5Dwrite(dataset.id(), memory_type, memory.id(), space.id(), H5P_DEFAULT, block.data()) <
        0) {
      session.fail("write " + name);
    }
  }
}

using Column = const std::vector<double>*;

template <std::size_t columns>
void write_numbers(const Session& session, const Handle& group, const std::string& name,
                   const std::array<Column, columns>& values, const Dimension& dimension) {
  write_array(session, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, dimension);
}

void write_bodies(const Session& session, const Handle& file, const Snapshot& snapshot) {
  const Bodies& b = snapshot.bodies;
  const double length = snapshot.units.length_in_cm, mass = snapshot.units.mass_in_g,
               velocity = snapshot.units.velocity_in_cm_per_s;
  const Handle group = hdf5::create_group(session, file, "PartType1");
  write_numbers<3>(session, group, "Coordinates", {&b.x, &b.y, &b.z},
                   {.length = 1, .to_cgs = length});
  write_numbers<3>(session, group, "Velocities", {&b.vx, &b.vy, &b.vz},
                   {.velocity = 1, .to_cgs = velocity});
  write_array<std::uint64_t, 1>(session, group, "ParticleIDs", H5T_STD_U64LE, H5T_NATIVE_UINT64,
                                {&b.id}, {});
  write_numbers<1>(session, group, "Masses", {&b.mass}, {.mass = 1, .to_cgs = mass});
  if (b.charged()) write_numbers<1>(session, group, "Charge", {&b.charge}, {});
  if (!snapshot.potential.empty()) {
    write_numbers<1>(session, group, "Potential", {&snapshot.potential},
                     {.velocity = 2, .to_cgs = velocity * velocity});
  }
  if (!snapshot.acceleration_x.empty()) {
    write_numbers<3>(session, group, "Acceleration",
                     {&snapshot.acceleration_x, &snapshot.acceleration_y, &snapshot.acceleration_z},
                     {.length = -1, .velocity = 2, .to_cgs = velocity * velocity / length});
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
  write_header(session, file, snapshot);
  write_parameters(session, file, snapshot);
  write_provenance(session, file, snapshot);
  write_bodies(session, file, snapshot);
  return image.close(session);
}

}  // namespace apsis
