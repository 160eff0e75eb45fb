// SPDX-License-Identifier: MIT
#include <apsis/measure/energy_causes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace apsis {
namespace {

// Leapfrog keeps the energy of a circular orbit to about 1e-3 with this many steps a turn.
constexpr double steps_a_turn = 60, steps_a_crossing = 10;

// One digit, never above the value (or never below it).
double one_digit(double value, bool down) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const double unit = std::pow(10, std::floor(std::log10(value)));
  const double digits = down ? std::floor(value / unit) : std::ceil(value / unit);
  return digits * unit;
}

bool crosses(const ClosePair& pair) { return pair.crossing_time < pair.orbital_time; }
const char* kind_of_time(const ClosePair& pair) { return crosses(pair) ? "crossing" : "orbital"; }
double step_for(const ClosePair& pair) {
  return std::min(pair.orbital_time / steps_a_turn, pair.crossing_time / steps_a_crossing);
}

bool step_too_long(const EnergyLoss& loss) {
  return loss.pair && loss.time_step > 2 * step_for(*loss.pair);
}

// With which the present step would do for the pair, from turn(ε) = steps_a_turn·step.
double enough_softening(const EnergyLoss& loss) {
  const double turn = steps_a_turn * loss.time_step / (2 * std::numbers::pi);
  return one_digit(std::cbrt(loss.pair->pull * turn * turn), false);
}

std::string pair_text(const EnergyLoss& loss) {
  const ClosePair& pair = *loss.pair;
  return fmt::format("bodies {} and {} {} {:.2g}", pair.first_id, pair.second_id,
                     pair.at_pericentre ? "whose orbit comes as near as" : "at a distance of",
                     pair.distance);
}

void blame_integrator(const EnergyLoss& loss, std::vector<std::string>& causes,
                      std::vector<std::string>& remedies) {
  if (loss.order >= 2) return;
  causes.push_back(fmt::format("time.integrator = {} is of order {}", loss.integrator, loss.order));
  remedies.emplace_back("time.integrator = leapfrog");
}

void blame_step(const EnergyLoss& loss, std::vector<std::string>& causes,
                std::vector<std::string>& remedies) {
  if (!step_too_long(loss)) return;
  const ClosePair& pair = *loss.pair;
  if (pair.time() > 0) {
    causes.push_back(
        fmt::format("time.step = {:g} is {:.2g} times the shortest {} time, {:.2g}, of {}, with "
                    "force.softening = {:g}",
                    loss.time_step, loss.time_step / pair.time(), kind_of_time(pair), pair.time(),
                    pair_text(loss), loss.softening));
    remedies.push_back(fmt::format("time.step = {:g}", one_digit(step_for(pair), true)));
  } else {
    causes.push_back(fmt::format(
        "bodies {} and {} shared one place with force.softening = 0: as soon as they part, no "
        "time.step is short enough",
        pair.first_id, pair.second_id));
  }
  // more than that would no longer be the same system
  const double softening = enough_softening(loss);
  if (softening > loss.softening && softening <= loss.size / 4) {
    remedies.push_back(fmt::format("force.softening = {:g}", softening));
  } else if (pair.time() == 0) {
    remedies.emplace_back("force.softening above 0, or other places");
  }
}

void blame_the_rest(const EnergyLoss& loss, std::vector<std::string>& causes,
                    std::vector<std::string>& remedies) {
  if (!causes.empty()) return;
  if (loss.pair) {
    causes.push_back(fmt::format(
        "time.step = {:g} is short enough for the closest pair now ({}, {} time {:.2g}), with "
        "force.softening = {:g}",
        loss.time_step, pair_text(loss), kind_of_time(*loss.pair), loss.pair->time(),
        loss.softening));
  }
  if (loss.force_error > 1e-3) {
    causes.push_back(fmt::format("force errors reach {:.1e}", loss.force_error));
    remedies.emplace_back("force.accuracy = 1e-4");
  }
  remedies.push_back(fmt::format("time.step = {:g}", one_digit(loss.time_step / 4, true)));
  if (loss.order < 4) remedies.emplace_back("time.integrator = yoshida4");
  if (loss.precision == "f32") remedies.emplace_back("device.precision = mixed");
}

}  // namespace

double rms_size(const Bodies& bodies) {
  if (bodies.empty()) return 0;
  const Vec3 centre = center_of_mass(bodies);
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 r = bodies.position(i) - centre;
    sum += dot(r, r);
  }
  return std::sqrt(sum / static_cast<double>(bodies.size()));
}

std::string sentence(const EnergyLoss& loss) {
  std::vector<std::string> causes, remedies;
  blame_integrator(loss, causes, remedies);
  blame_step(loss, causes, remedies);
  blame_the_rest(loss, causes, remedies);
  const std::string size = std::isfinite(loss.error)
                               ? fmt::format("energy error {:.2g}", loss.error)
                               : std::string("the energy was 0 and is not any more");
  return fmt::format("{} at step {} (t = {:g}), above {:g}: {}{}try {}", size, loss.step, loss.time,
                     energy_error_warned, fmt::join(causes, "; "), causes.empty() ? "" : "; ",
                     fmt::join(remedies, " or "));
}

}  // namespace apsis
