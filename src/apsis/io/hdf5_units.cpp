// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/io/gadget_units.hpp>
#include <apsis/io/hdf5_units.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <cmath>

namespace apsis {
namespace {

using hdf5::Handle;
using hdf5::Session;

constexpr const char *gadget_length = "UnitLength_in_cm",
                     *swift_length = "Unit length in cgs (U_L)";

bool has(const Session& session, const std::optional<Handle>& group, const char* attribute) {
  return group && !hdf5::numbers(session, *group, attribute).empty();
}

double size_of(const Session& session, const Handle& group, const char* name) {
  const double size = number_or(session, group, name, 0);
  if (!(size > 0)) {
    session.refuse(fmt::format("attribute {} is missing or not above 0", name),
                   "give all sizes of its units");
  }
  return size;
}

// GADGET-4 has them in Parameters, OWLS in Units, AREPO in Header.
Units gadget_units(const Session& session, const Handle& group) {
  Units units =
      custom_units(size_of(session, group, gadget_length), size_of(session, group, "UnitMass_in_g"),
                   size_of(session, group, "UnitVelocity_in_cm_per_s"));
  units.name = hdf5::text(session, group, "UnitSystem").value_or(units.name);
  units.coulomb = number_or(session, group, "CoulombConstantInternal", units.coulomb);
  return units;
}

Units swift_units(const Session& session, const Handle& group) {
  const double length = size_of(session, group, swift_length);
  return custom_units(length, size_of(session, group, "Unit mass in cgs (U_M)"),
                      length / size_of(session, group, "Unit time in cgs (U_t)"));
}

std::optional<Units> units_in_file(const Session& session, const Handle& file,
                                   const std::optional<Handle>& header,
                                   const std::optional<Handle>& parameters) {
  if (has(session, parameters, gadget_length)) return gadget_units(session, *parameters);
  const auto group = hdf5::open_group(session, file, "Units");
  if (has(session, group, swift_length)) return swift_units(session, *group);
  if (has(session, group, gadget_length)) return gadget_units(session, *group);
  if (has(session, header, gadget_length)) return gadget_units(session, *header);
  const auto internal = hdf5::open_group(session, file, "InternalCodeUnits");
  if (has(session, internal, swift_length)) return swift_units(session, *internal);
  return std::nullopt;
}

// GADGET's own sign: the attribute that none of its readers does without.
bool is_gadget_header(const Session& session, const std::optional<Handle>& header) {
  return has(session, header, "NumPart_ThisFile");
}

}  // namespace

double number_or(const Session& session, const Handle& object, const std::string& name,
                 double otherwise) {
  const auto values = hdf5::numbers(session, object, name);
  if (values.empty()) return otherwise;
  if (!std::isfinite(values[0])) {
    session.refuse(fmt::format("attribute {} is {}", name, values[0]), "check the file");
  }
  return values[0];
}

FoundUnits find_units(const Session& session, const Handle& file,
                      const std::optional<Handle>& header, const std::optional<Handle>& parameters,
                      const std::string& name) {
  FoundUnits found;
  if (auto units = units_in_file(session, file, header, parameters)) {
    found.units = std::move(*units);
  } else {
    found.assumed = true;
    if (is_gadget_header(session, header)) {
      found.units = usual_gadget_units();
      found.warnings.push_back(gadget_units_assumed(name, found.units));
    }
  }
  if (parameters) {
    // GADGET writes 0 for "from the units"
    const double given = number_or(session, *parameters, "GravityConstantInternal", 0);
    if (given > 0) found.units.gravity = given;
  }
  found.units = recognised(found.units);
  return found;
}

std::optional<Warning> comoving_warning(const Session& session, const Handle& file,
                                        const std::optional<Handle>& header,
                                        const std::optional<Handle>& parameters,
                                        const std::string& name) {
  if (!header) return std::nullopt;
  const auto of_header = [&](const char* attribute, double otherwise) {
    return number_or(session, *header, attribute, otherwise);
  };
  const double redshift = of_header("Redshift", 0);
  double scale = of_header("Scale-factor", 1);  // SWIFT's
  const auto cosmology = hdf5::open_group(session, file, "Cosmology");
  bool comoving =
      scale != 1 || (cosmology && number_or(session, *cosmology, "Cosmological run", 0) == 1);
  if (parameters && number_or(session, *parameters, "ComovingIntegrationOn", 0) == 1) {
    comoving = true, scale = of_header("Time", scale);
  }
  const double time = of_header("Time", 0);
  if (time_is_scale(time, redshift, of_header("Omega0", 0))) {
    comoving = true, scale = time;
  }
  if (!comoving) return std::nullopt;
  return comoving_warning(name, scale, of_header("HubbleParam", 1));
}

}  // namespace apsis
