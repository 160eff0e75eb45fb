// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace apsis {

EngineSettings settings_of(const RunSpec& spec) {
  return {.force = spec.force,
          .device = spec.device,
          .sizes = {},
          .settled = {},
          .needs_jerk = integrator_named(spec.time.integrator).needs_jerk};
}

std::string resolved(const RunSpec& spec, const char* key) {
  const auto found = spec.resolved.find(key);
  return found == spec.resolved.end() ? std::string{} : found->second;
}

// Whether what auto once chose would still be asked for in the same words.
bool choices_hold(const RunSpec& spec, std::size_t bodies) {
  const bool same_solver =
      spec.force.solver == "auto" || spec.force.solver == resolved(spec, "solver");
  const bool open = spec.device.name == "auto" || names_several(spec.device.name);
  // 0.1 resolved variants that pass over an edited law
  const bool lawful = spec.device.kernel_dir.empty() ||
                      follows(kernel_folder(spec.device.kernel_dir), resolved(spec, "variant"));
  return open && spec.device.variant.empty() && same_solver && lawful &&
         resolved(spec, "precision") == name_of(*spec.device.precision) &&
         resolved(spec, "bodies") == std::to_string(bodies);
}

namespace {

// The device of that name, or the part of one, best with the same driver, and the one the user
// numbered among equals.
std::optional<DeviceInfo> device_of(const RunSpec& spec) {
  const std::string name = resolved(spec, "device"), driver = resolved(spec, "driver");
  std::optional<DeviceInfo> best;
  int best_points = -1;
  for (const DeviceInfo& device : discover_devices().devices) {
    const auto same = device_or_part_named(device, name);
    if (!same) continue;
    const int points =
        (same->driver == driver ? 2 : 0) + (spec.device.name == word_for(*same) ? 1 : 0);
    if (points > best_points) best = same, best_points = points;
  }
  return best;
}

// Of a run on several devices.
std::optional<ResolvedDevices> devices_resolved(const RunSpec& spec) {
  if (resolved(spec, "split").empty()) return std::nullopt;
  const auto list = [&](const char* key) { return texts_in(resolved(spec, key)); };
  ResolvedDevices devices{list("device"), list("driver"), list("variant"), list("sizes"),
                          resolved(spec, "split")};
  for (const auto& each : {devices.drivers, devices.variants, devices.sizes}) {
    if (each.size() == devices.names.size()) continue;
    throw bad_data(fmt::format("resolved.device names {} devices, and not all of driver, variant "
                               "and sizes have as many parts",
                               devices.names.size()),
                   "resume from the other checkpoint, or start the run again");
  }
  return devices;
}

std::vector<std::string> notices_about(const Engine& engine, const RunSpec& spec) {
  return kernel_notices(spec.device.kernel_dir, engine.describe(),
                        integrator_named(spec.time.integrator).needs_jerk);
}

// As resolved, or nothing where that device is not there.
std::unique_ptr<Engine> engine_as_resolved(const RunSpec& spec, std::size_t bodies,
                                           const std::string& settled) {
  EngineSettings settings = settings_of(spec);
  settings.settled = settled;
  settings.force.solver = resolved(spec, "solver");
  settings.device.variant = resolved(spec, "variant");
  if (const auto several = devices_resolved(spec)) {
    return engine_as_resolved(settings, *several, bodies);
  }
  if (resolved(spec, "device") == "cpu") {
    settings.device.name = "cpu";
    // a build without explicit vectors has fewer; why_other_bits tells of it
    const auto known = direct_host_variants(settings.precision());
    const bool here = std::ranges::find(known, settings.device.variant) != known.end();
    if (settings.force.solver == "direct" && !here && spec.device.variant.empty()) {
      settings.device.variant.clear();
    }
    return make_engine(settings);
  }
  const auto device = device_of(spec);
  if (!device) return nullptr;
  if (settings.force.solver == "direct") settings.sizes = sizes_from(resolved(spec, "sizes"));
  return make_engine(settings, *device);
}

}  // namespace

std::optional<std::string> leave_kernels_out(EngineSettings& settings) {
  if (settings.device.kernel_dir.empty()) return std::nullopt;
  const std::filesystem::path path = std::exchange(settings.device.kernel_dir, {});
  if (!folder_exists(path))
    return fmt::format("it goes on without the kernels from {}", path.string());
  const KernelFolder folder = kernel_folder(path);
  if (const std::string law = edited_law(folder); !law.empty()) {
    throw Error(ExitCode::unavailable,
                fmt::format("the device of this run is not there any more, and elsewhere it would "
                            "go on by another law than that of {}",
                            (path / law).string()),
                "resume it where the device is ('apsis devices')");
  }
  return fmt::format("it goes on without the kernels from {}", path.string());
}

std::map<std::string, std::string> resolved_from(const EngineDescription& engine, int ranks) {
  std::map<std::string, std::string> out{{"device", engine.device},
                                         {"driver", engine.driver},
                                         {"solver", engine.solver},
                                         {"variant", engine.variant},
                                         {"precision", std::string(name_of(engine.precision))},
                                         {"threads", std::to_string(engine.threads)},
                                         {"bodies", std::to_string(engine.bodies)}};
  if (!engine.sizes.empty()) out["sizes"] = engine.sizes;
  if (!engine.split.empty()) out["split"] = engine.split;
  if (ranks > 1) out["ranks"] = std::to_string(ranks);
  return out;
}

MadeEngine started_engine(const RunSpec& spec, const Bodies& bodies) {
  if (choices_hold(spec, bodies.size())) {
    // what approximate solvers settle for follows from the bodies, which are the same
    if (auto engine = engine_as_resolved(spec, bodies.size(), "")) {
      engine->load(bodies);
      auto notices = notices_about(*engine, spec);
      return {std::move(engine), std::move(notices)};
    }
  }
  LoadedEngine made = make_loaded_engine(settings_of(spec), bodies);
  return {std::move(made.engine), std::move(made.notices)};
}

MadeEngine resumed_engine(const RunSpec& spec, const EngineState& state) {
  MadeEngine made{engine_as_resolved(spec, state.bodies, resolved(spec, "sizes")), {}};
  const bool as_resolved = made.engine != nullptr;
  if (!as_resolved) {
    const auto on_host =
        make_engine({.force = forces(law_of(spec.force), "direct"),
                     .device = {.name = "cpu", .precision = spec.device.precision}});
    on_host->restore_state(state);
    Bodies bodies;
    on_host->store(bodies);
    EngineSettings settings = settings_of(spec);
    settings.force.solver = resolved(spec, "solver"), settings.device.name = "auto";
    if (const auto several = devices_resolved(spec)) {
      if (const std::string left = devices_left(*several); !left.empty()) {
        settings.device.name = left;
      }
    }
    settings.device.variant.clear();
    const auto without = leave_kernels_out(settings);
    const std::string ranks = resolved(spec, "ranks");
    const bool settles = solver_named(settings.force.solver).takes_accuracy;
    const bool same_kinds = settings.device.name != "auto";  // so the same sums
    if (!ranks.empty() && same_kinds) {
      settings.device.variant = texts_in(resolved(spec, "variant")).front();
    }
    if (settles && same_kinds) settings.settled = texts_in(resolved(spec, "sizes")).front();
    LoadedEngine elsewhere = make_loaded_engine(settings, bodies);
    if (settles && !same_kinds) {  // what it settles for is resolved
      elsewhere.engine->apply({Operation::accelerate(0)});
    }
    made = {std::move(elsewhere.engine), std::move(elsewhere.notices)};
    made.notices.insert(
        made.notices.begin(),
        settings.device.name == "auto"
            ? fmt::format("device {} of this run is not there any more", resolved(spec, "device"))
        : ranks.empty()
            ? fmt::format("not all devices of this run ({}) are there any more: it goes on on {}",
                          resolved(spec, "device"), settings.device.name)
            : fmt::format("the run began on {} ranks and goes on in one process on {}", ranks,
                          settings.device.name));
    if (without) made.notices.push_back(*without);
  }
  made.engine->restore_state(state);
  if (as_resolved) made.notices = notices_about(*made.engine, spec);
  return made;
}

}  // namespace apsis
