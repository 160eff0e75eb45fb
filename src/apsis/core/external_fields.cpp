// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/external_fields.hpp>
#include <apsis/core/parallel.hpp>

#include <fmt/format.h>

namespace apsis {

bool any_acts(const ExternalFields& fields) {
  bool any = false;
  for_each_acting(fields, [&](const auto&) { any = true; });
  return any;
}

void require_valid(const ExternalFields& fields, Law law) {
  for_each_acting(fields, [&](const auto& field) {
    for_each_field(field, [&](const FieldInfo& key, const auto& value) {
      if (value || key.default_text != FieldInfo::needed) return;
      throw bad_data(
          fmt::format("external.{} without external.{}.{}", field.info.name, field.info.name,
                      key.name),
          fmt::format("give external.{}.{}: {}", field.info.name, key.name, key.meaning));
    });
    if (field.info.is_a_mass && law != Law::gravity) {
      throw bad_data(fmt::format("external.{} pulls by gravity, but law = \"{}\"", field.info.name,
                                 name_of(law)),
                     "leave it out, or use law = \"gravity\"");
    }
  });
}

double external_energy(const ExternalFields& fields, const Bodies& bodies, double time,
                       double gravity, int threads) {
  double sum = 0;
  for_each_acting(fields, [&]<class Field>(const Field& field) {
    const auto constants = field.constants(time, {.gravity = gravity});
    sum += ordered_sum<double>(bodies.size(), thread_count(threads), [&](std::size_t i) {
      return bodies.mass[i] * Field::potential(constants, bodies.position(i));
    });
  });
  return sum;
}

void add_external(const ExternalFields& fields, const Bodies& bodies, double time, double gravity,
                  int threads, Accelerations& accelerations) {
  for_each_acting(fields, [&]<class Field>(const Field& field) {
    const auto constants = field.constants(time, {.gravity = gravity});
    parallel_for(bodies.size(), thread_count(threads), [&](std::size_t i) {
      const Vec3 p = bodies.position(i);
      const auto a = Field::acceleration(constants, Components<double>{p.x, p.y, p.z});
      accelerations.set(i, accelerations.at(i) + Vec3{a.x, a.y, a.z});
    });
  });
}

void add_external_potentials(const ExternalFields& fields, const Bodies& bodies, double time,
                             double gravity, int threads, std::span<double> potentials) {
  for_each_acting(fields, [&]<class Field>(const Field& field) {
    const auto constants = field.constants(time, {.gravity = gravity});
    parallel_for(bodies.size(), thread_count(threads), [&](std::size_t i) {
      potentials[i] += Field::potential(constants, bodies.position(i));
    });
  });
}

std::vector<ExternalInfo> external_table() {
  std::vector<ExternalInfo> rows;
  const ExternalFields any;
  for_each_external(any, [&](const auto& field) { rows.push_back(field.info); });
  return rows;
}

}  // namespace apsis
