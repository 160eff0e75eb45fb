// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/bins/bins_host.hpp>
#include <apsis/solvers/bins/bins_opencl.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/fmm/fmm_host.hpp>
#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/no_forces.hpp>
#include <apsis/solvers/reference.hpp>
#include <apsis/solvers/registry.hpp>
#include <apsis/solvers/tree/tree_host.hpp>
#include <apsis/solvers/tree/tree_opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace apsis {
namespace {

template <class Choice>
std::optional<Choice> chosen(const SolverSettings& s) {
  const auto* choice = std::get_if<Choice>(&s.choice);
  return choice == nullptr ? std::nullopt : std::optional(*choice);
}

SolverPointer<Device> direct_device(device::Context& context, const SolverSettings& s) {
  return make_direct_opencl(context, {.softening = s.softening(),
                                      .radial = s.radial(),
                                      .precision = s.precision(),
                                      .variant = s.device.variant,
                                      .sizes = chosen<DirectSizes>(s).value_or(DirectSizes{}),
                                      .reproducible = s.device.reproducible,
                                      .equal_strength = s.equal_strength,
                                      .bodies = s.bodies});
}

SolverPointer<Host<double>> reference_host(const SolverSettings& s) {
  return std::make_unique<ReferenceSolver>(s.softening(), s.device.threads, s.radial());
}

BinsSettings bins_of(const SolverSettings& s) {
  BinsSettings bins = s.force.bins;
  if (const auto choice = chosen<BinsChoice>(s)) bins.bins = choice->bins;
  return with_number(bins, s.bodies);
}

template <class State>
SolverPointer<Host<State>> bins_host(const SolverSettings& s) {
  return make_bins<State>({.bins = bins_of(s),
                           .softening = s.softening(),
                           .threads = s.device.threads,
                           .precision = s.precision(),
                           .sum = bins_sum_named(s.device.variant, true)});
}

SolverPointer<Device> bins_device(device::Context& context, const SolverSettings& s) {
  return make_bins_opencl(context, {.bins = bins_of(s),
                                    .softening = s.softening(),
                                    .precision = s.precision(),
                                    .signed_strengths = s.signed_strengths(),
                                    .sum = bins_sum_named(s.device.variant, false)});
}

template <class State>
using FarFieldMaker = std::unique_ptr<FarFieldSolver<State>> (*)(const FarFieldSettings&, double,
                                                                 int);
template <class State, FarFieldMaker<State> make>
SolverPointer<Host<State>> far_field_host(const SolverSettings& s) {
  auto solver = make(s.force.far_field, s.softening(), s.device.threads);
  if (const auto choice = chosen<FarFieldChoice>(s)) solver->use(*choice);
  return solver;
}

FmmOpenclSettings far_field_settings(const SolverSettings& s) {
  return {.far_field = s.force.far_field,
          .softening = s.softening(),
          .precision = s.precision(),
          .signed_strengths = s.signed_strengths(),
          .bodies = s.bodies,
          .calibrate = true,
          .chosen = chosen<FmmOpenclChoice>(s)};
}
SolverPointer<Device> tree_device(device::Context& context, const SolverSettings& s) {
  return make_tree_opencl(context, far_field_settings(s));
}
SolverPointer<Device> fmm_device(device::Context& context, const SolverSettings& s) {
  return make_fmm_opencl(context, far_field_settings(s));
}

template <class Where>
SolverPointer<Where> no_forces(const SolverSettings& /*settings*/) {
  return std::make_unique<NoForces<Where>>();
}

SolverChoice direct_choice(const std::string& text) { return sizes_from(text); }
SolverChoice far_host_choice(const std::string& text) { return far_field_choice(text); }
SolverChoice far_device_choice(const std::string& text) { return fmm_opencl_choice_from(text); }
SolverChoice bins_choice(const std::string& text) {
  constexpr std::string_view key = "bins=";
  int bins = 0;
  const char* const end = text.data() + text.size();
  const bool read =
      text.starts_with(key) && std::from_chars(text.data() + key.size(), end, bins).ptr == end;
  if (!read || bins < 1 || bins > most_bins) {
    throw bad_data(fmt::format("'{}' is not a number of bins", text), "write it as \"bins=12\"");
  }
  return BinsChoice{bins};
}

// Of solvers that sum pairs one by one, by loops that take the law as a parameter.
std::vector<Radial> all_radials() {
  std::vector<Radial> all;
  all.reserve(radial_table.size());
  for (const auto& [radial, name] : Choice<Radial>::values) all.push_back(radial);
  return all;
}

std::vector<SolverInfo> make_table() {
  const std::vector<Precision> all{Precision::f32, Precision::mixed, Precision::f64};
  return {
      {.name = "direct",
       .summary = "all pairs, in many variants",
       .gives_jerk = true,
       .radials = all_radials(),
       .on_cpu = all,
       .on_device = all,
       .make_float = make_direct_host<float>,
       .make_double = make_direct_host<double>,
       .make_on_device = direct_device,
       .choice_on_device = direct_choice},
      {.name = "bins",
       .summary = "near bins of a box exactly, the others as one body each; promises no accuracy",
       .exact = false,
       .takes_bins = true,
       .on_cpu = all,
       .on_device = all,
       .make_float = bins_host<float>,
       .make_double = bins_host<double>,
       .make_on_device = bins_device,
       .choice_on_cpu = bins_choice,
       .choice_on_device = bins_choice},
      {.name = "tree",
       .summary = "Barnes and Hut: cells of an octree act on bodies, by multipoles",
       .exact = false,
       .takes_accuracy = true,
       .on_cpu = all,
       .on_device = {Precision::f32, Precision::mixed},
       .make_float = far_field_host<float, make_tree<float>>,
       .make_double = far_field_host<double, make_tree<double>>,
       .make_on_device = tree_device,
       .choice_on_cpu = far_host_choice,
       .choice_on_device = far_device_choice},
      {.name = "fmm",
       .summary = "fast multipoles: cells act on cells; the fastest for many bodies",
       .exact = false,
       .takes_accuracy = true,
       .on_cpu = all,
       .on_device = {Precision::f32, Precision::mixed},
       .make_float = far_field_host<float, make_fmm<float>>,
       .make_double = far_field_host<double, make_fmm<double>>,
       .make_on_device = fmm_device,
       .choice_on_cpu = far_host_choice,
       .choice_on_device = far_device_choice},
      {.name = "reference",
       .summary = "all pairs, plainly in double: what the others are compared with",
       .gives_jerk = true,
       .radials = all_radials(),
       .on_cpu = {Precision::f64},
       .make_double = reference_host},
      {.name = "none",
       .summary = "no forces between bodies: hard spheres, or tracers in external fields",
       .acts = false,
       .gives_jerk = true,
       .on_cpu = all,
       .on_device = all,
       .make_float = no_forces<Host<float>>,
       .make_double = no_forces<Host<double>>,
       .make_on_device = [](device::Context& /*context*/,
                            const SolverSettings& s) { return no_forces<Device>(s); }},
  };
}

bool has(const std::vector<Precision>& precisions, Precision precision) {
  return std::find(precisions.begin(), precisions.end(), precision) != precisions.end();
}

std::string names_of(const std::vector<Precision>& precisions) {
  std::vector<std::string> names(precisions.size());
  std::transform(precisions.begin(), precisions.end(), names.begin(),
                 [](Precision precision) { return std::string(name_of(precision)); });
  return list_of(names);
}

// `where` reads "on the native cpu".
void require_place(const SolverInfo& solver, const std::vector<Precision>& there,
                   Precision precision, const std::string& where,
                   bool (*runs)(const SolverInfo&, Precision)) {
  if (has(there, precision)) return;
  const auto others = solvers_that([&](const SolverInfo& s) { return runs(s, precision); });
  if (there.empty()) {
    throw bad_data(fmt::format("solver {} does not run {}", solver.name, where),
                   fmt::format("there it is {}", list_of(others)));
  }
  throw bad_data(
      fmt::format("solver {} works in {} {}, not in {}", solver.name, names_of(there), where,
                  name_of(precision)),
      fmt::format("use precision = \"{}\", or solver {}", name_of(there.back()), list_of(others)));
}

}  // namespace

ForceSettings in_units_of(double length, ForceSettings settings) {
  if (settings.softening) *settings.softening /= length;
  if (settings.range) *settings.range /= length;
  if (settings.bins.box) {
    for (double& side : *settings.bins.box) side /= length;
  }
  return settings;
}

std::span<const SolverInfo> solver_table() {
  static const std::vector<SolverInfo> table = make_table();
  return table;
}

const SolverInfo* find_solver(const std::string& name) {
  const auto table = solver_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const SolverInfo& s) { return s.name == name; });
  return found == table.end() ? nullptr : &*found;
}

bool sums_all_pairs(const std::string& name) {
  const SolverInfo* found = find_solver(name);
  return found == nullptr || (found->exact && found->acts);
}

const SolverInfo& solver_named(const std::string& name) {
  if (const SolverInfo* found = find_solver(name)) return *found;
  const auto names = solvers_that([](const SolverInfo&) { return true; });
  throw bad_data(fmt::format("unknown solver '{}'{}", name, did_you_mean(name, names)),
                 "choose auto, " + list_of(names));
}

std::vector<std::string> solvers_that(const std::function<bool(const SolverInfo&)>& has) {
  std::vector<std::string> names;
  for (const SolverInfo& solver : solver_table()) {
    if (has(solver)) names.push_back(solver.name);
  }
  return names;
}

SolverChoice solver_choice_from(const SolverInfo& solver, bool on_cpu, const std::string& text) {
  const auto read = on_cpu ? solver.choice_on_cpu : solver.choice_on_device;
  if (text.empty()) return {};
  if (read != nullptr) return read(text);
  throw bad_data(
      fmt::format("solver {} has nothing to choose, but '{}' is given", solver.name, text),
      "leave it out");
}

bool sums(const SolverInfo& solver, Radial radial) {
  return std::ranges::find(solver.radials, radial) != solver.radials.end();
}

void require_sums(const SolverInfo& solver, const RadialLaw& law) {
  require_valid(law);
  if (sums(solver, law.radial)) return;
  const auto others = solvers_that([&](const SolverInfo& s) { return sums(s, law.radial); });
  throw bad_data(
      fmt::format("solver {} does not know radial law {}", solver.name, name_of(law.radial)),
      fmt::format("use force.solver = {}, or leave force.radial out", list_of(others)));
}

bool runs_on_cpu(const SolverInfo& solver, Precision precision) {
  return has(solver.on_cpu, precision);
}

bool runs_on_device(const SolverInfo& solver, Precision precision) {
  return has(solver.on_device, precision);
}

void require_on_cpu(const SolverInfo& solver, Precision precision) {
  require_place(solver, solver.on_cpu, precision, "on the native cpu", runs_on_cpu);
}

void require_on_device(const SolverInfo& solver, Precision precision, const DeviceInfo& device) {
  require_place(solver, solver.on_device, precision, "on " + device.name, runs_on_device);
}

}  // namespace apsis
