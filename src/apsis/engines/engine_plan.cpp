// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/engines/engine_plan.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

void require_no_kernels(const EngineSettings& settings) {
  if (!settings.device.kernel_dir.empty()) {
    throw bad_data(
        fmt::format("the native cpu has no use for kernels from {}", settings.device.kernel_dir),
        "leave device.kernel_dir out, or name an OpenCL device");
  }
}

// An option that would do nothing is a mistake that the user should hear of.
void require_use_for(const EngineSettings& settings, const SolverInfo& solver) {
  const auto require_taken = [&](const auto& family, bool SolverInfo::*taken) {
    for_each_given(family, [&](const FieldInfo& field, const auto& /*value*/) {
      if (solver.*taken) return;
      const auto others = solvers_that([&](const SolverInfo& s) { return s.*taken; });
      throw bad_data(
          fmt::format("force.{} means nothing to solver {}", field.name, solver.name),
          others.empty() ? "leave it out" : "leave it out, or use solver " + list_of(others));
    });
  };
  require_taken(settings.force.far_field, &SolverInfo::takes_accuracy);
  require_taken(settings.force.bins, &SolverInfo::takes_bins);
}

bool is_taken(const DeviceInfo& device, const std::vector<std::optional<DeviceInfo>>& taken) {
  return std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
    return other && other->index == device.index && other->part == device.part;
  });
}

// The device, or the part of it that is called "NAME part 2 of 4"; nothing for other names.
std::optional<DeviceInfo> device_or_part_named(const DeviceInfo& device, const std::string& name) {
  if (device.name == name) return device;
  if (!name.starts_with(device.name + " part ")) return std::nullopt;
  for (int parts = 2; parts <= device.compute_units; ++parts) {
    for (int part = 0; part < parts; ++part) {
      const DeviceInfo cut = part_of(device, part, parts);
      if (cut.name == name) return cut;
    }
  }
  return std::nullopt;
}

// Each device of these names that is there, none twice: best with the same driver, and the one that
// the user called so.
std::vector<std::optional<DeviceInfo>> devices_of(const Resolution& recorded,
                                                  const std::string& word) {
  const Discovery discovery = discover_devices();
  std::vector<std::optional<DeviceInfo>> found;
  for (const DeviceResolution& at : recorded.devices) {
    std::optional<DeviceInfo> best;
    int best_points = -1;
    for (const DeviceInfo& device : discovery.devices) {
      const auto same = device_or_part_named(device, at.device);
      if (!same || is_taken(*same, found)) continue;
      const int points = (same->driver == at.driver ? 2 : 0) + (word_for(*same) == word ? 1 : 0);
      if (points > best_points) best = same, best_points = points;
    }
    found.push_back(best);
  }
  return found;
}

EngineSettings settings_as(const EngineSettings& settings, const Resolution& recorded,
                           const DeviceResolution& at) {
  EngineSettings there = settings;
  there.force.solver = recorded.solver;
  there.device.variant = at.variant;
  there.choice = at.choice;
  return there;
}

// A build without explicit vectors has fewer variants; difference_in_bits() tells of it.
bool has_variant_on_cpu(const EngineSettings& settings) {
  const auto known = direct_host_variants(settings.precision());
  return settings.force.solver != "direct" ||
         std::ranges::find(known, settings.device.variant) != known.end();
}

}  // namespace

std::vector<std::string> solver_names() {
  auto names = solvers_that([](const SolverInfo&) { return true; });
  names.insert(names.begin(), "auto");
  return names;
}

const SolverInfo& chosen_solver(const EngineSettings& settings) {
  const ForceSettings& force = settings.force;
  const std::string by_itself = any_given(force.far_field) ? "fmm" : "direct";
  const SolverInfo& solver = solver_named(force.solver == "auto" ? by_itself : force.solver);
  require_use_for(settings, solver);
  require_sums(solver, law_of(force).radial);
  require_valid(settings.external, law_of(force).law);
  require_valid(settings.contacts);
  return solver;
}

EnginePlan plan_on_cpu(const EngineSettings& settings) {
  const SolverInfo& solver = chosen_solver(settings);
  require_on_cpu(solver, settings.precision());
  require_no_kernels(settings);
  EnginePlan plan{settings, {}, {}};
  plan.settings.force.solver = solver.name;
  return plan;
}

EnginePlan plan_on(const EngineSettings& settings, const std::vector<DeviceInfo>& devices) {
  const SolverInfo& solver = chosen_solver(settings);
  EnginePlan plan{settings, {}, {}};
  plan.settings.force.solver = solver.name;
  for (const DeviceInfo& device : devices) {
    require_on_device(solver, settings.precision(), device);
    plan.devices.push_back({device, plan.settings});
  }
  require_follows(kernel_folder(settings.device.kernel_dir), solver,
                  law_of(settings.force).radial.radial, settings.needs_jerk);
  return plan;
}

EnginePlan plan_for(const EngineSettings& settings) {
  chosen_solver(settings);  // a wrong word is told before a missing device
  const std::string& name = settings.device.name;
  if (name == "auto" || name == "cpu") return plan_on_cpu(settings);
  return plan_on(settings,
                 names_several(name) ? chosen_devices(name) : std::vector{chosen_device(name)});
}

std::optional<EnginePlan> plan_from(const EngineSettings& settings, const Resolution& recorded,
                                    const std::string& word) {
  if (recorded.on_cpu()) {
    EngineSettings there = settings_as(settings, recorded, recorded.devices.front());
    if (!has_variant_on_cpu(there)) there.device.variant = settings.device.variant;
    return plan_on_cpu(there);
  }
  std::vector<EnginePlan> plans;
  const auto found = devices_of(recorded, word);
  for (std::size_t d = 0; d < found.size(); ++d) {
    if (!found[d]) return std::nullopt;
    plans.push_back(plan_on(settings_as(settings, recorded, recorded.devices[d]), {*found[d]}));
  }
  EnginePlan all = std::move(plans.front());
  for (std::size_t d = 1; d < plans.size(); ++d) all.devices.push_back(plans[d].devices.front());
  all.shares = shares_of(recorded);
  return all;
}

std::vector<DeviceInfo> devices_left(const Resolution& recorded) {
  std::vector<DeviceInfo> left;
  for (const auto& device : devices_of(recorded, {})) {
    if (device) left.push_back(*device);
  }
  return left;
}

}  // namespace apsis
