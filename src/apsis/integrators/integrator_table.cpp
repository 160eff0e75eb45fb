// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/integrators/euler.hpp>
#include <apsis/integrators/hermite.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/integrators/leapfrogs.hpp>
#include <apsis/integrators/runge_kutta.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {

std::span<const Integrator> integrator_table() {
  static const std::vector<Integrator> rows{
      euler(), symplectic_euler(), taylor2(), leapfrog(), yoshida4(), yoshida6(), rk4(), hermite4(),
  };
  return rows;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Integrator& integrator : integrator_table()) names.push_back(integrator.name);
  return names;
}

const Integrator& integrator_named(std::string_view name) {
  const auto found = std::ranges::find(integrator_table(), name, &Integrator::name);
  if (found != integrator_table().end()) return *found;
  const auto names = integrator_names();
  throw bad_data(fmt::format("unknown integrator '{}'{}", name, did_you_mean(name, names)),
                 "choose " + list_of(names));
}

}  // namespace apsis
