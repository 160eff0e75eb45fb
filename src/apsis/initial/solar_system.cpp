// SPDX-License-Identifier: MIT
// Sun, planets, Pluto and Moon at J2000 (JD 2451545.0 TDB), from JPL's ephemeris DE440 (Park et
// al. 2021, AJ 161, 105): heliocentric positions and velocities along the axes of the ICRF, in AU
// and AU/day. Mars and beyond stand for planet and moons together (system mass, system centre).
#include <apsis/core/units.hpp>
#include <apsis/initial/builder.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

struct SolarBody {
  const char* name;
  double radius;  // mean, in km (Archinal et al. 2018, IAU)
  double mass;    // in solar masses: GM over the Sun's, DE440
  Vec3 position, velocity;
};

constexpr std::array<SolarBody, 11> solar_bodies{{
    {"Sun", 695700, 1, {}, {}},
    {"Mercury",
     2439.4,
     1.660120825489089e-7,
     {-0.1300936053754522, -0.40059372164232543, -0.20048930201672596},
     {0.021366395668016163, -0.004926299692875428, -0.004847433077772866}},
    {"Venus",
     6051.8,
     2.447838287796944e-6,
     {-0.718302296345389, -0.04627424670211335, 0.02464063845542861},
     {7.981175157753219e-4, -0.018491837481062413, -0.008369735338020125}},
    {"Earth",
     6371.0084,
     3.003489615465139e-6,
     {-0.1771350992727098, 0.8874285223255191, 0.3847428990882070},
     {-0.01720762506872895, -0.002898167717572411, -0.001256395052182784}},
    {"Moon",
     1737.4,
     3.6943033501098785e-8,
     {-0.1790843809223965, 0.8856456304126460, 0.3842341853815847},
     {-0.01683595459141215, -0.003282865544741707, -0.001430425208901575}},
    {"Mars",
     3389.5,
     3.2271560829138995e-7,
     {1.390715921746287, 0.001401217626814569, -0.036960167196011424},
     {6.71499521033585e-4, 0.013814037515614361, 0.006317900433310847}},
    {"Jupiter",
     69911,
     9.547919099414246e-4,
     {4.001177161126057, 2.7365787240216024, 1.0755122808242419},
     {-0.004568313526752718, 0.005881462129979568, 0.0026323030159255195}},
    {"Saturn",
     58232,
     2.8588567002459455e-4,
     {6.406408859532808, 6.174657792651239, 2.274770783705428},
     {-0.00429235187384325, 0.0035283445659715523, 0.0016419315191857945}},
    {"Uranus",
     25362,
     4.3662496132221186e-5,
     {14.431856614381783, -12.506266259007408, -5.681690059289029},
     {0.00267810559142015, 0.002462004302669807, 0.0010404094481152937}},
    {"Neptune",
     24622,
     5.151383772654574e-5,
     {16.812046968052883, -22.980100505749114, -9.824427653612803},
     {0.002579274259047737, 0.001668425282316438, 6.188152032295604e-4}},
    {"Pluto",
     1188.3,
     7.350478973158631e-9,
     {-9.87535222992358, -27.978868119163504, -5.753691421762491},
     {0.0030287508460142658, -0.001127593278936313, -0.001265129364676525}},
}};

// From the equator of J2000 to the ecliptic of J2000: obliquity 84381.448" (IAU 1976).
Vec3 to_ecliptic(Vec3 a) {
  constexpr double obliquity = 84381.448 / 3600 * std::numbers::pi / 180;
  const double c = std::cos(obliquity);
  const double s = std::sin(obliquity);
  return {a.x, c * a.y + s * a.z, -s * a.y + c * a.z};
}

InitialState make_solar_system(const ModelInput& input) {
  constexpr double days_per_year = 365.25, km_per_au = 149597870.7;
  InitialState state{Bodies(solar_bodies.size()), input.defaults};
  for (std::size_t i = 0; i < solar_bodies.size(); ++i) {
    state.bodies.mass[i] = solar_bodies[i].mass;
    state.bodies.radius.push_back(solar_bodies[i].radius / km_per_au);
    state.bodies.set_position(i, to_ecliptic(solar_bodies[i].position));
    state.bodies.set_velocity(i, days_per_year * to_ecliptic(solar_bodies[i].velocity));
  }
  center(state.bodies);
  return state;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SolarBody& body : solar_bodies) all.emplace_back(body.name);
  return all;
}

}  // namespace

std::vector<Model> solar_models() {
  return {
      {{"solar-system",
        "Sun, eight planets, Pluto and Moon at J2000 (JPL DE440), ecliptic axes, barycentre at "
        "rest; order: Sun, Mercury, Venus, Earth, Moon, Mars ... Pluto",
        solar_bodies.size(),
        true,
        {},
        // half a day: 55 steps to a month
        RunDefaults{
            .units = "au-msun-yr", .step = 0.5 / 365.25, .until = 12, .precision = Precision::f64},
        false,
        names()},
       make_solar_system}};
}

}  // namespace apsis::initial
