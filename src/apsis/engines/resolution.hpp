// SPDX-License-Identifier: MIT
// What was decided about an engine: by whom forces are computed, how, and for which bodies. It is
// a value, made once at the start of a run and written as it is into [resolved], checkpoints,
// summaries and messages between ranks. A run that goes on starts from it, and compares it.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/engines/split.hpp>
#include <apsis/solvers/solver_choice.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// Who computes, and how.
struct DeviceResolution {
  std::string device = "cpu";  // or the OpenCL device's name
  std::string driver;          // of OpenCL; compiler and instruction set of the native cpu
  std::string variant;         // of the solver
  SolverChoice choice;         // of the solver
  std::size_t bodies = 0;      // that it advances

  friend bool operator==(const DeviceResolution&, const DeviceResolution&) = default;
};

struct Resolution {
  std::string solver;
  Precision precision = Precision::f64;
  int threads = 0;
  std::size_t bodies = 0;
  int ranks = 1;
  // One, or all that share the bodies; those of ranks on the native cpu are one.
  std::vector<DeviceResolution> devices;

  bool on_cpu() const { return devices.size() == 1 && devices.front().device == "cpu"; }
  // Whether pairs are summed directly, so N² interactions a force evaluation.
  bool sums_all_pairs() const;

  // For people, tables and files: of several devices one after the other, "a + b".
  std::string device() const;
  std::string driver() const;
  std::string variant() const;
  std::string sizes() const;  // what the solver chose; empty where there is no choice
  std::string split() const;  // "40000 25537", bodies of each device; empty of one

  friend bool operator==(const Resolution&, const Resolution&) = default;
};

template <SameBut<DeviceResolution> Device, class Visit>
void for_each_field(Device& at, const Visit& visit) {
  auto& [device, driver, variant, choice, bodies] = at;
  visit(FieldInfo{"device", "", "cpu, or the OpenCL device's name"}, device);
  visit(FieldInfo{"driver", "", "of the device"}, driver);
  visit(FieldInfo{"variant", "", "of the solver"}, variant);
  visit(FieldInfo{"sizes", "", "what the solver chose"}, choice);
  visit(FieldInfo{"split", "", "bodies of the device"}, bodies);
}

template <SameBut<Resolution> Value, class Visit>
void for_each_field(Value& resolution, const Visit& visit) {
  auto& [solver, precision, threads, bodies, ranks, devices] = resolution;
  visit(FieldInfo{"solver", "", "that computes forces"}, solver);
  visit(FieldInfo{"precision", "", "of the state"}, precision);
  visit(FieldInfo{"threads", "", "of the native cpu"}, threads);
  visit(FieldInfo{"bodies", "", "number of bodies"}, bodies);
  visit(FieldInfo{"ranks", "1", "processes that share the bodies"}, ranks);
  visit(FieldInfo{"devices", "", "who computes"}, devices);
}

Shares shares_of(const Resolution& resolution);

// The section [resolved] of a spec.
using ResolvedTexts = std::map<std::string, std::string>;
ResolvedTexts texts_of(const Resolution& resolution);
// A key that texts about an engine must have, and these have not.
std::optional<std::string> missing_key(const ResolvedTexts& texts);
// And back: nothing where the section does not tell of an engine, bad_data where it contradicts
// itself.
std::optional<Resolution> resolution_in(const ResolvedTexts& texts);

// What of two resolutions makes the bits of their results differ.
struct BitsDifference {
  std::string field;
  std::string then, now;
};
// Nothing where a run that was resolved as `then` and goes on as `now` has the bits of an unbroken
// one. In `reproducible` mode the number of devices and ranks does not matter.
std::optional<BitsDifference> difference_in_bits(const Resolution& then, const Resolution& now,
                                                 bool reproducible);
inline bool same_bits(const Resolution& then, const Resolution& now, bool reproducible) {
  return !difference_in_bits(then, now, reproducible);
}

}  // namespace apsis
