// SPDX-License-Identifier: MIT
// Charts of what the analyses find, in a state or along a run.
#pragma once

#include <apsis/analysis/bound.hpp>
#include <apsis/analysis/centres.hpp>
#include <apsis/analysis/groups.hpp>
#include <apsis/analysis/lagrangian.hpp>
#include <apsis/analysis/orbits.hpp>
#include <apsis/analysis/profile.hpp>
#include <apsis/core/units.hpp>
#include <apsis/measure/chart.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// What titles and axes say of where the values come from.
struct ChartSubject {
  std::string file;  // or the folder of a run
  std::size_t fewest_bodies = 0, most_bodies = 0;
  double begin = 0, end = 0;  // time; the same in one state
  std::size_t states = 0;
  Units units;
  bool units_assumed = false;

  // One more state, in the order of time.
  void add(std::size_t bodies, double time);
};

// `about` says about which place: "density centre". Of each state one row of radii, of each share
// one radius.
Chart lagrangian_chart(const ChartSubject& subject, const std::string& about,
                       std::span<const double> times, std::span<const double> shares,
                       const std::vector<std::vector<double>>& radii);
// Of a single state: the share of the mass within a radius.
Chart cumulative_mass_chart(const ChartSubject& subject, const std::string& about,
                            const Bodies& bodies, std::span<const analysis::AtDistance> sorted,
                            std::span<const double> shares, std::span<const double> radii);

Chart profile_chart(const ChartSubject& subject, const std::string& about,
                    std::span<const analysis::Shell> shells);

// The path of the centre, and its core radius where it is a density centre, else how far it went.
Chart centre_path_chart(const ChartSubject& subject, const std::string& about,
                        std::span<const double> times,
                        std::span<const analysis::DensityCentre> centres);
// Of a single state: where among the bodies its centres are, and the same from near by.
struct NamedPlace {
  std::string name;
  Vec3 place;
};
Chart centre_chart(const ChartSubject& subject, const Bodies& bodies,
                   std::span<const NamedPlace> places, double core_radius);

struct BoundAt {
  double time = 0, share_of_mass = 0, kinetic = 0, potential = 0;
};
Chart bound_history_chart(const ChartSubject& subject, std::span<const BoundAt> rows);
// Of a single state: the bodies' energies (for each unit of mass) against their distance from the
// centre of what is bound, and how many have which.
Chart binding_chart(const ChartSubject& subject, const Bodies& bodies,
                    const analysis::BoundPart& part);

struct GroupInChart {
  std::size_t bodies = 0;
  double mass = 0, half_mass_radius = 0;
  Vec3 place;
};
// `shown` are the first of the groups, down to the smallest that counts.
Chart groups_chart(const ChartSubject& subject, const Bodies& bodies,
                   const analysis::Groups& groups, std::span<const GroupInChart> shown,
                   double linking_length);

struct OrbitInChart {
  std::uint64_t id = 0;
  Vec3 place;  // relative to the body that it goes about
  std::optional<analysis::OrbitalElements> elements;
};
Chart orbits_chart(const ChartSubject& subject, std::uint64_t about,
                   std::span<const OrbitInChart> orbits);

}  // namespace apsis
