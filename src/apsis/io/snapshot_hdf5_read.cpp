// SPDX-License-Identifier: MIT
// Reads GADGET-flavoured HDF5, ours and others': any float or integer type, all particle types
// joined, masses from arrays or the header's table. Claims are checked before memory is taken.
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/hdf5_amuse.hpp>
#include <apsis/io/hdf5_arrays.hpp>
#include <apsis/io/hdf5_handles.hpp>
#include <apsis/io/hdf5_limits.hpp>
#include <apsis/io/hdf5_tables.hpp>
#include <apsis/io/hdf5_units.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/snapshot_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace apsis {
namespace {

using hdf5::Handle;
using hdf5::Session;

// What SWIFT calls the masses of black holes that gravity knows; there are others of them.
constexpr const char* swift_black_hole_masses = "DynamicalMasses";

struct Part {
  std::size_t type = 0;
  std::string name;
  Handle group;
  hsize_t bodies = 0;
};

// Behind the values of earlier parts; false where the part has no such array.
template <class Values>
bool append_array(const Session& session, hdf5::Budget& budget, const Part& part,
                  const std::string& array, Values& values) {
  constexpr std::size_t columns = Column<Values>::width;
  const auto dataset = hdf5::open_dataset(session, part.group, array);
  if (!dataset) return false;
  const std::string name = part.name + "/" + array;
  const hdf5::Shape shape = hdf5::shape_of(session, *dataset, name);
  if (shape.rows != part.bodies || shape.columns != columns) {
    session.refuse(fmt::format("{} is {} x {} where {} x {} belong", name, shape.rows,
                               shape.columns, part.bodies, columns),
                   "check the file");
  }
  budget.take(session, *dataset, name, shape.rows * columns);
  const std::size_t first = values.size();
  values.resize(first + part.bodies);
  using Value = typename Values::value_type;
  std::array<std::span<Value>, columns> into = components_of(values);
  for (auto& component : into) component = component.subspan(first);
  hdf5::read_rows<Value>(session, *dataset, name, shape, into);
  return true;
}

// Opens every particle type and believes a number of bodies only when header, array and the
// file's length agree on it.
std::vector<Part> open_parts(const Session& session, const Handle& file,
                             const std::optional<Handle>& header, std::uint64_t file_length) {
  std::vector<std::uint64_t> counts;
  if (header) counts = hdf5::counts(session, *header, "NumPart_ThisFile");
  std::vector<Part> parts;
  for (std::size_t type = 0; type < type_count; ++type) {
    const std::string name = fmt::format("PartType{}", type);
    const std::uint64_t claimed = type < counts.size() ? counts[type] : 0;
    auto group = hdf5::open_group(session, file, name);
    if (claimed / hdf5::most_bodies_per_byte > file_length) {
      session.refuse(fmt::format("Header claims {} bodies, more than {} can hold", claimed,
                                 readable_size(file_length)),
                     "the file is damaged: get it anew");
    }
    if (!group) {
      if (claimed == 0) continue;
      session.refuse(fmt::format("Header counts {} bodies in {}, which is missing", claimed, name),
                     "the file is damaged: get it anew");
    }
    const auto coordinates = hdf5::open_dataset(session, *group, "Coordinates");
    if (!coordinates && claimed == 0) continue;
    if (!coordinates) session.refuse(name + " has no Coordinates", "check the file");
    const hsize_t rows = hdf5::shape_of(session, *coordinates, name + "/Coordinates").rows;
    if (rows / hdf5::most_bodies_per_byte > file_length || (!counts.empty() && rows != claimed)) {
      session.refuse(fmt::format("{}/Coordinates has {} rows where Header counts {} bodies", name,
                                 rows, claimed),
                     "the file is damaged: get it anew");
    }
    parts.push_back({type, name, std::move(*group), rows});
  }
  return parts;
}

// The one mass that the header has for all bodies of a type.
double table_mass(const Session& session, const std::optional<Handle>& header, const Part& part) {
  std::vector<double> table;
  if (header) table = hdf5::numbers(session, *header, "MassTable");
  const double mass = part.type < table.size() ? table[part.type] : 0;
  if (mass == 0 && part.bodies > 0) {
    session.refuse(part.name + " has no Masses, nor has the header's MassTable one for it",
                   "add one of them");
  }
  return mass;
}

// Columns that it has not stay short, but for masses.
void read_part(const Session& session, hdf5::Budget& budget, const std::optional<Handle>& header,
               const Part& part, Snapshot& s) {
  Bodies& b = s.bodies;
  const std::size_t before = b.size();
  for (const auto& array : hdf5::arrays()) {
    for_each_column(b, [&](const auto& column, auto& values) {
      if (column.name != array.column) return;
      if (column.optional && hdf5::open_dataset(session, part.group, array.name)) {
        resize_column(values, before, column.absent);  // types before this one have none
      }
      append_array(session, budget, part, array.name, values);
    });
  }
  if (b.velocities.size() != b.size()) {
    session.refuse(part.name + " has no Velocities", "add them, zeros for a start at rest");
  }
  if (b.mass.size() != b.size()) {
    append_array(session, budget, part, swift_black_hole_masses, b.mass);
  }
  if (b.mass.size() != b.size()) b.mass.resize(b.size(), table_mass(session, header, part));
  if (part.type != usual_type && part.bodies > 0) {
    b.type.resize(before, usual_type);
    b.type.resize(b.size(), static_cast<std::uint8_t>(part.type));
  }
  append_array(session, budget, part, hdf5::potential_array, s.potential);
  append_array(session, budget, part, hdf5::acceleration_array, s.accelerations);
}

void read_bodies(const Session& session, hdf5::Budget budget, const std::optional<Handle>& header,
                 const std::vector<Part>& parts, const std::string& name, Snapshot& s) {
  std::string without;
  for (const auto& part : parts) {
    const std::size_t had = s.bodies.id.size();
    read_part(session, budget, header, part, s);
    if (s.bodies.id.size() != had + part.bodies) without = part.name;
  }
  const std::size_t n = s.bodies.size(), with_ids = s.bodies.id.size();
  s.bodies.resize(n);  // optional columns that the last types have not
  if (with_ids != n) {
    if (with_ids > 0) {
      s.warnings.push_back(
          {WarningCode::ids_dropped,
           fmt::format("{}: {} has no ParticleIDs, so the ids of the other {} bodies are dropped "
                       "and all are numbered from 0; add them there",
                       name, without, with_ids)});
    }
    s.bodies.renumber();
    s.not_given.emplace_back("id");
  }
  // of use only when every body has one
  if (s.potential.size() != n) s.potential.clear();
  if (s.accelerations.size() != n) s.accelerations.clear();
}

// What the header says of the snapshot's other files.
SnapshotParts read_parts(const Session& session, const Handle& header) {
  constexpr double most_files = 1e6;
  const double files = number_or(session, header, "NumFilesPerSnapshot", 1);
  if (files <= 1) return {};
  if (files > most_files || files != std::floor(files)) {
    session.refuse(fmt::format("attribute NumFilesPerSnapshot is {}", files), "check the file");
  }
  SnapshotParts parts{.files = static_cast<std::uint64_t>(files)};
  parts.bodies = hdf5::counts(session, header, "NumPart_Total");
  // GADGET-2 has 32 bits there, and those above them in an attribute of their own
  const auto high = hdf5::counts(session, header, "NumPart_Total_HighWord");
  constexpr std::uint64_t below = std::uint64_t{1} << 32;
  for (std::size_t k = 0; k < std::min(high.size(), parts.bodies.size()); ++k) {
    if (parts.bodies[k] < below && high[k] < below) parts.bodies[k] += high[k] << 32;
  }
  const bool says_nothing = std::ranges::all_of(parts.bodies, [](auto n) { return n == 0; });
  const auto here = hdf5::counts(session, header, "NumPart_ThisFile");
  if (says_nothing && std::ranges::any_of(here, [](auto n) { return n > 0; })) {
    parts.bodies.clear();
  }
  return parts;
}

PairLaw read_law(const Session& session, const std::optional<Handle>& parameters,
                 const Units& units) {
  PairLaw law{.law = Law::gravity, .constant = units.gravity, .softening = 0};
  if (!parameters) return law;
  if (const auto name = hdf5::text(session, *parameters, "ForceLaw")) {
    law.law = choice_from<Law>(*name);
  }
  law.constant = number_or(session, *parameters, "ForceConstant",
                           law.law == Law::gravity ? units.gravity : units.coulomb);
  law.softening = number_or(session, *parameters, "Softening", 0);
  if (const auto name = hdf5::text(session, *parameters, "RadialLaw")) {
    law.radial = {choice_from<Radial>(*name), number_or(session, *parameters, "Range", 0)};
  }
  return law;
}

void read_provenance(const Session& session, const Handle& file, Snapshot& snapshot) {
  const auto group = hdf5::open_group(session, file, "Provenance");
  if (!group) return;
  for (const auto& name : hdf5::attribute_names(session, *group)) {
    if (auto value = hdf5::text(session, *group, name)) {
      snapshot.provenance.emplace_back(name, std::move(*value));
    }
  }
}

}  // namespace

Hdf5Layout layout_of_hdf5(std::span<const std::byte> bytes) {
  const Session session("layout");
  const Handle file = hdf5::open_image(session, bytes);
  if (is_amuse(session, file)) return Hdf5Layout::amuse;
  const auto header = hdf5::open_group(session, file, "Header");
  if (!header || !hdf5::heaps_are_sound(bytes)) return Hdf5Layout::gadget;
  const bool swift = hdf5::any_text(session, *header, "Code").value_or("") == "SWIFT";
  return swift ? Hdf5Layout::swift : Hdf5Layout::gadget;
}

Snapshot parse_hdf5(std::span<const std::byte> bytes, const std::string& name, ReadLimits limits) {
  const Session session(name);
  const Handle file = hdf5::open_image(session, bytes);
  if (is_amuse(session, file)) return read_amuse(session, file, bytes, name, limits);
  const auto header = hdf5::open_group(session, file, "Header");
  SnapshotParts of_snapshot;
  if (header) of_snapshot = read_parts(session, *header);
  refuse_part(of_snapshot, name, limits);
  const auto parts = open_parts(session, file, header, bytes.size());
  if (!header && parts.empty()) {
    session.refuse("neither a group Header nor bodies in PartType groups: not a GADGET snapshot",
                   "give a file of GADGET's, SWIFT's or AMUSE's layout");
  }
  std::uint64_t bodies = 0;
  for (const auto& part : parts) bodies += part.bodies;
  require_fits(bodies, name, limits);
  const auto parameters = hdf5::open_group(session, file, "Parameters");
  FoundUnits found = find_units(session, file, header, parameters, name);
  Snapshot snapshot;
  snapshot.parts = std::move(of_snapshot);
  if (header) snapshot.time = number_or(session, *header, "Time", 0);
  snapshot.units = std::move(found.units);
  snapshot.units_assumed = found.assumed;
  snapshot.warnings = std::move(found.warnings);
  if (auto warning = comoving_warning(session, file, header, parameters, name)) {
    snapshot.warnings.push_back(std::move(*warning));
  }
  snapshot.law = read_law(session, parameters, snapshot.units);
  read_provenance(session, file, snapshot);
  read_bodies(session, hdf5::Budget(bytes), header, parts, name, snapshot);
  return snapshot;
}

}  // namespace apsis
