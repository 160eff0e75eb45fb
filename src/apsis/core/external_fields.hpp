// SPDX-License-Identifier: MIT
// Fields that act on bodies from outside: the table of them. A field is a file of external/, its
// kernels/external_NAME.cl, and its line here. The keys external.NAME.* are its own fields; it acts
// where one of them is given, and then needs those without a default.
//
// At one moment a field is a few constants in an engine's units, which its struct makes of the
// user's settings and the time; loops and kernels know neither. It then gives
//   acceleration(constants, place)       jerk(constants, place, velocity), the rate at which the
//                                        acceleration of a moving body changes
//   potential(constants, place)          energy of a unit of mass
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/external/harmonic.hpp>
#include <apsis/core/external/logarithmic.hpp>
#include <apsis/core/external/plummer.hpp>
#include <apsis/core/external/uniform.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace apsis {

struct ExternalFields {
  std::tuple<external::Uniform, external::Harmonic, external::Plummer, external::Logarithmic> table;

  friend bool operator==(const ExternalFields&, const ExternalFields&) = default;
};

// Calls visit(field) for each, whether it acts or not.
template <SameBut<ExternalFields> Fields, class Visit>
void for_each_external(Fields& fields, const Visit& visit) {
  std::apply([&](auto&... field) { (visit(field), ...); }, fields.table);
}

template <SameBut<ExternalFields> Fields, class Visit>
void for_each_field(Fields& fields, const Visit& visit) {
  for_each_external(fields, [&](auto& field) { for_each_field(field, visit); });
}

// Whether one of its keys is given.
template <class Field>
bool acts(const Field& field) {
  bool given = false;
  for_each_field(field,
                 [&](const FieldInfo&, const auto& value) { given = given || value.has_value(); });
  return given;
}

// Calls visit(field) for those that act.
template <class Visit>
void for_each_acting(const ExternalFields& fields, const Visit& visit) {
  for_each_external(fields, [&](const auto& field) {
    if (acts(field)) visit(field);
  });
}
bool any_acts(const ExternalFields& fields);

// bad_data for a field that lacks a key, and for masses where charges make the forces.
void require_valid(const ExternalFields& fields, Law law);

template <class Real>
ExternalConstants<Real> narrowed(const ExternalConstants<double>& constants) {
  ExternalConstants<Real> out;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<Real>(constants[k]);
  return out;
}

// Of all bodies together, in the user's units; gravity is the constant of the law.
double external_energy(const ExternalFields& fields, const Bodies& bodies, double time,
                       double gravity, int threads);
// Adds the accelerations that they give to bodies, in the user's units.
void add_external(const ExternalFields& fields, const Bodies& bodies, double time, double gravity,
                  int threads, Accelerations& accelerations);

// And the potentials per mass.
void add_external_potentials(const ExternalFields& fields, const Bodies& bodies, double time,
                             double gravity, int threads, std::span<double> potentials);

// For documentation and words: name and summary of each.
std::vector<ExternalInfo> external_table();

// Of kernels/.
inline std::string external_kernel(const ExternalInfo& info) {
  return "external_" + std::string(info.name) + ".cl";
}

}  // namespace apsis
