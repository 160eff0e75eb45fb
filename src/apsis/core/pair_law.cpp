// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/pair_law.hpp>

#include <fmt/format.h>

#include <cmath>

namespace apsis {

PairLaw law_of(const ForceSettings& settings) {
  const PairLaw usual;
  return {settings.law.value_or(usual.law),
          settings.constant.value_or(usual.constant),
          settings.softening.value_or(usual.softening),
          {settings.radial.value_or(newton), settings.range.value_or(0)}};
}

ForceSettings forces(const PairLaw& law, std::string solver) {
  ForceSettings settings;
  settings.law = law.law, settings.constant = law.constant, settings.softening = law.softening;
  if (law.radial.radial != newton) settings.radial = law.radial.radial;
  if (info_of(law.radial.radial).takes_range) settings.range = law.radial.range;
  settings.solver = std::move(solver);
  return settings;
}

const std::vector<double>& strengths(const Bodies& bodies, Law law) {
  return law == Law::gravity ? bodies.mass : bodies.charge;
}

void require_valid(const RadialLaw& law) {
  const RadialInfo& info = info_of(law.radial);
  if (!info.takes_range && law.range != 0) {
    std::vector<std::string> takers;
    for (const RadialInfo& other : radial_table) {
      if (other.takes_range) takers.emplace_back(other.name);
    }
    throw bad_data(fmt::format("force.range = {} means nothing to force.radial = \"{}\"", law.range,
                               info.name),
                   "leave it out, or use radial " + list_of(takers));
  }
  if (info.takes_range && !(law.range > 0 && std::isfinite(law.range))) {
    throw bad_data(law.range == 0
                       ? fmt::format("force.radial = \"{}\" needs force.range", info.name)
                       : fmt::format("force.range = {} is not a length", law.range),
                   "give a length above 0, for example force.range = 1");
  }
}

void require_valid(const PairLaw& law, const Bodies& bodies, const std::string& origin) {
  if (!(law.softening >= 0) || !std::isfinite(law.softening)) {
    throw bad_data(fmt::format("{}: softening {} is not a length", origin, law.softening),
                   "give a finite softening >= 0");
  }
  if (!std::isfinite(law.constant)) {
    throw bad_data(fmt::format("{}: force constant {} is not a number", origin, law.constant),
                   "give a finite constant");
  }
  require_valid(law.radial);
  if (law.law == Law::gravity) return;
  if (!bodies.charged() && !bodies.empty()) {
    throw bad_data(fmt::format("{}: law coulomb, but the bodies have no charges", origin),
                   "add a column q, or use law = \"gravity\"");
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.charge[i] != 0 && bodies.mass[i] == 0) {
      throw bad_data(fmt::format("{}: body {} (id {}) has charge {} but no mass", origin, i,
                                 bodies.id[i], bodies.charge[i]),
                     "give it a mass: a force on no mass has no finite acceleration");
    }
  }
}

}  // namespace apsis
