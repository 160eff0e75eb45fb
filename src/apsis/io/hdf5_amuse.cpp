// SPDX-License-Identifier: MIT
// A set has a group, "data" (version 2), "particles" (version 1) or its own name, with a group for
// each time it was saved, 0000000001, 0000000002, ...: keys, and an array of each attribute with
// its unit as a text. Sets of several names are types of particles.
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/amuse_units.hpp>
#include <apsis/io/hdf5_amuse.hpp>
#include <apsis/io/hdf5_limits.hpp>
#include <apsis/io/hdf5_tables.hpp>
#include <apsis/io/hdf5_units.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {
namespace {

using hdf5::Handle;
using hdf5::Session;
using System = AmuseUnit::System;

constexpr const char *info_group = "AMUSE_INF", *unnamed_set = "data",
                     *sets_of_version_1 = "particles";

// GADGET's types by the names that people give to sets.
std::uint8_t type_of_set(std::string_view name) {
  struct Row {
    std::string_view name;
    std::uint8_t type;
  };
  static constexpr std::array rows{
      Row{"gas", 0},   Row{"sph", 0},        Row{"disk", 2},       Row{"disc", 2},
      Row{"bulge", 3}, Row{"stars", 4},      Row{"star", 4},       Row{"black_holes", 5},
      Row{"bh", 5},    Row{"black_hole", 5}, Row{"blackholes", 5},
  };
  const auto* found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? usual_type : found->type;
}

std::uint64_t links_in(const Session& session, const Handle& group) {
  H5G_info_t info{};
  if (H5Gget_info(group.id(), &info) < 0) session.fail("list a group");
  return info.nlinks;
}

herr_t collect(hid_t /*group*/, const char* name, const H5L_info_t* info, void* into) {
  constexpr std::size_t most = 256;
  auto& names = *static_cast<std::vector<std::string>*>(into);
  if (info->type == H5L_TYPE_HARD) names.emplace_back(name);
  return names.size() < most ? 0 : 1;
}

std::vector<std::string> names_in(const Session& session, const Handle& group) {
  std::vector<std::string> names;
  if (H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
    session.fail("list a group");
  }
  return names;
}

// In this file: opening another link could lead out of it.
bool is_group(const Handle& parent, const std::string& name) {
  H5L_info_t link{};
  if (H5Lexists(parent.id(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  if (H5Lget_info(parent.id(), name.c_str(), &link, H5P_DEFAULT) < 0) return false;
  if (link.type != H5L_TYPE_HARD) return false;
  const Handle object(H5Oopen(parent.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.valid() && H5Iget_type(object.id()) == H5I_GROUP;
}

std::string saved_name(std::uint64_t number) { return fmt::format("{:010}", number); }

// One set at the time at which it is read.
struct Set {
  std::string name;  // "data/0000000003"
  std::uint8_t type = usual_type;
  Handle group;
  std::uint64_t times = 1;  // at which it was saved
  hsize_t bodies = 0;
};

// The names of the sets: most files have one that has none of its own.
std::vector<std::string> set_names(const Session& session, const Handle& file) {
  for (const char* usual : {unnamed_set, sets_of_version_1}) {
    const auto group = hdf5::open_group(session, file, usual);
    if (group && links_in(session, *group) > 0) return {usual};
  }
  std::vector<std::string> names;
  for (const std::string& name : names_in(session, file)) {
    if (name != info_group && is_group(file, name)) names.push_back(name);
  }
  return names;
}

// Nothing for a grid, which has no bodies.
// `frame` 0 is the last of those that were saved.
std::optional<Set> open_set(const Session& session, const Handle& file, const std::string& name,
                            std::uint64_t frame, std::uint64_t file_length) {
  const auto all = hdf5::open_group(session, file, name);
  const std::uint64_t times = all ? links_in(session, *all) : 0;
  if (times == 0) return std::nullopt;
  if (frame > times) {
    session.refuse(fmt::format("{} was saved at {}, and number {} is asked for", name,
                               counted(times, "time"), frame),
                   "ask for one of these");
  }
  const std::uint64_t number = frame > 0 ? frame : times;
  const std::string saved = name + "/" + saved_name(number);
  auto group = hdf5::open_group(session, *all, saved_name(number));
  if (!group) {
    session.refuse(
        fmt::format("{} has {}, but {} is missing", name, counted(times, "entry"), saved),
        "the file is damaged: get it anew");
  }
  const std::string kind = hdf5::any_text(session, *group, "type").value_or("particles");
  if (kind != "particles") return std::nullopt;
  const auto keys = hdf5::open_dataset(session, *group, "keys");
  if (!keys) session.refuse(saved + " has no keys", "check the file");
  const hsize_t rows = hdf5::shape_of(session, *keys, saved + "/keys").rows;
  const auto claimed = hdf5::counts(session, *group, "number_of_particles");
  if (rows / hdf5::most_bodies_per_byte > file_length || (!claimed.empty() && claimed[0] != rows)) {
    session.refuse(fmt::format("{}/keys has {} rows where number_of_particles is {}", saved, rows,
                               claimed.empty() ? 0 : claimed[0]),
                   "the file is damaged: get it anew");
  }
  return Set{saved, type_of_set(name), std::move(*group), times, rows};
}

// A number without one has no unit.
AmuseUnit unit_at(const Session& session, const Handle& object, const std::string& attribute,
                  const std::string& what) {
  if (H5Aexists(object.id(), attribute.c_str()) == 0) return {};
  const auto text = hdf5::any_text(session, object, attribute);
  if (!text) session.refuse(fmt::format("the unit of {} is not a text", what), "check the file");
  return parse_amuse_unit(*text, session.said(what));
}

std::string_view word_for(System system) {
  if (system == System::none) return "without units";
  return system == System::si ? "in units of S.I." : "in generic (N-body) units";
}

// What the file's units are multiples of; decided by the first set that has bodies.
struct Scales {
  System system = System::none;
  double length = 1, mass = 1, velocity = 1;

  Units units() const {
    if (system == System::none) return {};
    if (system == System::generic) return units_named("henon");
    const Units& si = units_named("si");
    if (length == 1 && mass == 1 && velocity == 1) return si;
    return custom_units(length * si.length_in_cm, mass * si.mass_in_g,
                        velocity * si.velocity_in_cm_per_s);
  }
};

class SetReader {
 public:
  SetReader(const Session& session, hdf5::Budget& budget, const Set& set)
      : session_(session),
        budget_(budget),
        set_(set),
        attributes_(hdf5::open_group(session, set.group, "attributes")) {
    if (!attributes_) session.refuse(set.name + " has no attributes", "check the file");
  }

  Scales scales() const {
    const auto x = unit_of("x", {.length = 1}), m = unit_of("mass", {.mass = 1});
    const auto v = unit_of("vx", {.length = 1, .time = -1});
    if (x.system != System::si) return {.system = x.system};
    return {System::si, x.factor, m.factor, v.factor};
  }

  void take(const Scales& scales, Bodies& bodies) {
    const std::size_t first = bodies.size();
    bodies.resize(first + set_.bodies);
    const auto from = [&](std::span<double> values) { return values.subspan(first); };
    const AmuseUnit length{.length = 1}, speed{.length = 1, .time = -1};
    read("x", length, scales, scales.length, from(bodies.x()));
    read("y", length, scales, scales.length, from(bodies.y()));
    read("z", length, scales, scales.length, from(bodies.z()));
    read("vx", speed, scales, scales.velocity, from(bodies.vx()));
    read("vy", speed, scales, scales.velocity, from(bodies.vy()));
    read("vz", speed, scales, scales.velocity, from(bodies.vz()));
    read("mass", {.mass = 1}, scales, scales.mass, from(bodies.mass));
    if (hdf5::open_dataset(session_, *attributes_, "radius")) {
      bodies.radius.resize(bodies.size());
      read("radius", length, scales, scales.length, from(bodies.radius));
    } else if (!bodies.radius.empty()) {
      bodies.radius.resize(bodies.size());
    }
    const std::array ids{std::span(bodies.id).subspan(first)};
    table<std::uint64_t>(open(set_.group, "keys"), set_.name + "/keys", ids);
    if (set_.type != usual_type) bodies.type.resize(first, usual_type);
    if (set_.type != usual_type || !bodies.type.empty()) {
      bodies.type.resize(first, usual_type);
      bodies.type.resize(bodies.size(), set_.type);
    }
  }

  // In the units that `scales` make; nothing where it was saved without a time.
  std::optional<double> time(const Scales& scales) const {
    if (hdf5::numbers(session_, set_.group, "timestamp").empty()) return std::nullopt;
    const double time = number_or(session_, set_.group, "timestamp", 0);
    const std::string what = fmt::format("timestamp of {}", set_.name);
    const AmuseUnit unit = unit_at(session_, set_.group, "timestamp_unit", what);
    require(unit, {.time = 1}, what);
    require_system(unit.system, scales.system, what);
    const double factor = unit.factor * scales.velocity / scales.length;
    return factor == 1 ? time : time * factor;
  }

 private:
  Handle open(const Handle& group, const std::string& name) const {
    auto dataset = hdf5::open_dataset(session_, group, name);
    if (!dataset) {
      session_.refuse(fmt::format("{} has no {}", set_.name, name),
                      "save the set with mass, x, y, z, vx, vy and vz");
    }
    return std::move(*dataset);
  }

  std::string path(const std::string& attribute) const {
    return fmt::format("{}/attributes/{}", set_.name, attribute);
  }

  // Numbers alone are nobody's lengths.
  void require(const AmuseUnit& unit, const AmuseUnit& wanted, const std::string& what) const {
    if (unit.system == System::none && unit.is(0, 0, 0)) return;
    if (unit.is(wanted.length, wanted.mass, wanted.time)) return;
    session_.refuse(fmt::format("{} is not in a unit of {}", what,
                                wanted.mass > 0      ? "mass"
                                : wanted.length == 0 ? "time"
                                : wanted.time == 0   ? "length"
                                                     : "velocity"),
                    "write the set again with the right unit");
  }

  void require_system(System system, System wanted, const std::string& what) const {
    if (system == wanted) return;
    session_.refuse(fmt::format("{} is {}, and x is {}", what, word_for(system), word_for(wanted)),
                    "write the set again in units of one system, with AMUSE's converter");
  }

  AmuseUnit unit_of(const std::string& attribute, const AmuseUnit& wanted) const {
    const Handle dataset = open(*attributes_, attribute);
    const AmuseUnit unit = unit_at(session_, dataset, "units", path(attribute));
    require(unit, wanted, path(attribute));
    return unit;
  }

  void read(const std::string& attribute, const AmuseUnit& wanted, const Scales& scales,
            double scale, std::span<double> into) {
    const AmuseUnit unit = unit_of(attribute, wanted);
    require_system(unit.system, scales.system, path(attribute));
    table<double>(open(*attributes_, attribute), path(attribute), std::array{into});
    const double factor = unit.factor / scale;
    if (factor == 1) return;
    for (double& value : into) value *= factor;
  }

  template <class Value>
  void table(const Handle& dataset, const std::string& name,
             const std::array<std::span<Value>, 1>& into) {
    const hdf5::Shape shape = hdf5::shape_of(session_, dataset, name);
    if (shape.rows != set_.bodies || shape.columns != 1) {
      session_.refuse(fmt::format("{} is {} x {} where {} x 1 belong", name, shape.rows,
                                  shape.columns, set_.bodies),
                      "check the file");
    }
    budget_.take(session_, dataset, name, shape.rows);
    hdf5::read_rows<Value>(session_, dataset, name, shape, into);
  }

  const Session& session_;
  hdf5::Budget& budget_;
  const Set& set_;
  std::optional<Handle> attributes_;
};

std::vector<Set> open_sets(const Session& session, const Handle& file, std::uint64_t frame,
                           std::uint64_t file_length) {
  std::vector<Set> sets;
  for (const std::string& name : set_names(session, file)) {
    if (auto set = open_set(session, file, name, frame, file_length))
      sets.push_back(std::move(*set));
  }
  if (sets.empty()) session.refuse("holds no set of particles", "save one with write_set_to_file");
  return sets;
}

}  // namespace

bool is_amuse(const Session& session, const Handle& file) {
  if (hdf5::open_group(session, file, info_group)) return true;
  if (!is_group(file, sets_of_version_1)) return false;
  const auto sets = hdf5::open_group(session, file, sets_of_version_1);
  return sets && H5Lexists(sets->id(), saved_name(1).c_str(), H5P_DEFAULT) > 0;
}

Snapshot read_amuse(const Session& session, const Handle& file, std::span<const std::byte> bytes,
                    const std::string& name, ReadLimits limits) {
  if (!hdf5::heaps_are_sound(bytes)) {
    session.refuse("its store of texts is damaged", "get it anew");
  }
  const std::vector<Set> sets = open_sets(session, file, limits.frame, bytes.size());
  std::uint64_t bodies = 0;
  Snapshot snapshot;
  for (const Set& set : sets) {
    bodies += set.bodies;
    snapshot.frames = std::max(snapshot.frames, set.times);
  }
  require_fits(bodies, name, limits);
  hdf5::Budget budget(bytes);
  std::optional<Scales> scales;
  std::optional<double> time;
  for (const Set& set : sets) {
    if (set.bodies == 0) continue;  // whose attributes may have no units
    SetReader reader(session, budget, set);
    if (!scales) scales = reader.scales();
    reader.take(*scales, snapshot.bodies);
    const auto its_time = reader.time(*scales);
    if (time && its_time && *time != *its_time) {
      session.refuse(
          fmt::format("{} is of time {}, and a set before it of {}", set.name, *its_time, *time),
          "save all sets at one time");
    }
    if (its_time) time = its_time;
  }
  snapshot.time = time.value_or(0);
  snapshot.units = scales.value_or(Scales{}).units();
  snapshot.law.constant = snapshot.units.gravity;
  if (scales && scales->system == System::none) {
    snapshot.units_assumed = true;
    snapshot.warnings.push_back(
        {WarningCode::units_assumed,
         fmt::format("{} holds numbers without units: they are taken as dimensionless, with G = 1; "
                     "set units.system, or save the set with units",
                     name)});
  }
  return snapshot;
}

}  // namespace apsis
