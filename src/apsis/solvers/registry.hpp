// SPDX-License-Identifier: MIT
// The one table of solvers: what each is, where and in which precisions it runs, and how it is
// made. Engines, run specs, bench, check and the documentation read it; a new solver is a new row.
#pragma once

#include <apsis/solvers/device_views.hpp>
#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/solver_settings.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace apsis {

template <class Where>
using SolverPointer = std::unique_ptr<Solver<Where>>;

struct SolverInfo {
  std::string name;
  std::string summary;                       // one line for lists
  bool acts = true;                          // there are forces between bodies
  bool exact = true;                         // sums all pairs
  bool gives_jerk = false;                   // what hermite4 needs
  bool takes_accuracy = false;               // and promises it; also an opening angle and an order
  bool takes_bins = false;                   // and a box
  std::vector<Radial> radials = {newton};    // laws that it sums
  std::vector<Precision> on_cpu, on_device;  // empty: does not run there
  std::function<SolverPointer<Host<float>>(const SolverSettings&)> make_float;    // f32
  std::function<SolverPointer<Host<double>>(const SolverSettings&)> make_double;  // mixed, f64
  std::function<SolverPointer<Device>(device::Context&, const SolverSettings&)> make_on_device;
  // Texts of what it chose; null where it has no choice.
  SolverChoice (*choice_on_cpu)(const std::string& text) = nullptr;
  SolverChoice (*choice_on_device)(const std::string& text) = nullptr;
};

std::span<const SolverInfo> solver_table();
// Null for a name that is not in the table.
const SolverInfo* find_solver(const std::string& name);
// Also for solvers that are not in the table.
bool sums_all_pairs(const std::string& name);
// bad_data with the nearest name and the list.
const SolverInfo& solver_named(const std::string& name);
// Names of the rows for which `has` holds, in the table's order.
std::vector<std::string> solvers_that(const std::function<bool(const SolverInfo&)>& has);

// What to_string() made of a choice of this solver there; bad_data for other text.
SolverChoice solver_choice_from(const SolverInfo& solver, bool on_cpu, const std::string& text);

bool sums(const SolverInfo& solver, Radial radial);
// bad_data for a law that is not complete, and naming the solvers that sum it.
void require_sums(const SolverInfo& solver, const RadialLaw& law);

bool runs_on_cpu(const SolverInfo& solver, Precision precision);
bool runs_on_device(const SolverInfo& solver, Precision precision);
// bad_data naming the solvers that run in such a place in that precision.
void require_on_cpu(const SolverInfo& solver, Precision precision);
void require_on_device(const SolverInfo& solver, Precision precision, const DeviceInfo& device);

template <class State>
SolverPointer<Host<State>> make_solver(const SolverInfo& solver, const SolverSettings& settings) {
  if constexpr (std::is_same_v<State, float>) {
    return solver.make_float(settings);
  } else {
    return solver.make_double(settings);
  }
}

}  // namespace apsis
