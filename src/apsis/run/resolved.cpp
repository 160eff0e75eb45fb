// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/run/resolved.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace apsis {
namespace {

FarFieldOptions far_field_of(const RunSpec& spec) {
  FarFieldOptions options{
      .accuracy = spec.force.accuracy, .opening_angle = spec.force.opening_angle, .order = {}};
  if (spec.force.order) options.order = static_cast<int>(*spec.force.order);
  return options;
}

EngineSettings settings_of(const RunSpec& spec, const ForceLaw& law) {
  return {.law = law,
          .solver = spec.force.solver,
          .device = spec.device.name,
          .variant = spec.device.variant,
          .sizes = {},
          .precision = *spec.device.precision,
          .threads = static_cast<int>(spec.device.threads),
          .reproducible = spec.device.reproducible,
          .needs_jerk = make_integrator(spec.time.integrator)->needs_jerk(),
          .kernel_folder = spec.device.kernel_dir,
          .far_field = far_field_of(spec),
          .bins = {.box = spec.force.box, .bins = static_cast<int>(spec.force.bins.value_or(0))}};
}

// Ranks use the native cpu of each machine.
EngineSettings settings_on_cpu(const RunSpec& spec, const ForceLaw& law) {
  EngineSettings settings = settings_of(spec, law);
  if (settings.device != "auto" && settings.device != "cpu") {
    throw bad_data(
        fmt::format("device.name = \"{}\" can't be used on several ranks", settings.device),
        "leave it out: every rank computes on the native cpu of its machine");
  }
  settings.device = "cpu";
  return settings;
}

std::string resolved(const RunSpec& spec, const char* key) {
  const auto found = spec.resolved.find(key);
  return found == spec.resolved.end() ? std::string{} : found->second;
}

// The device of that name, best with the same driver, and the one the user numbered among equals.
std::optional<DeviceInfo> device_of(const RunSpec& spec) {
  const std::string name = resolved(spec, "device"), driver = resolved(spec, "driver");
  std::optional<DeviceInfo> best;
  int best_points = -1;
  for (const DeviceInfo& device : discover_devices().devices) {
    if (device.name != name) continue;
    const int points = (device.driver == driver ? 2 : 0) +
                       (spec.device.name == fmt::format("opencl:{}", device.index) ? 1 : 0);
    if (points > best_points) best = device, best_points = points;
  }
  return best;
}

// Whether what auto once chose would still be asked for in the same words.
bool choices_hold(const RunSpec& spec, std::size_t bodies) {
  const bool same_solver =
      spec.force.solver == "auto" || spec.force.solver == resolved(spec, "solver");
  const bool open = spec.device.name == "auto" || names_several(spec.device.name);
  return open && spec.device.variant.empty() && same_solver &&
         resolved(spec, "precision") == name_of(*spec.device.precision) &&
         resolved(spec, "bodies") == std::to_string(bodies);
}

// Of a run on several devices.
std::optional<ResolvedDevices> devices_resolved(const RunSpec& spec) {
  if (resolved(spec, "split").empty()) return std::nullopt;
  const auto list = [&](const char* key) { return texts_in(resolved(spec, key)); };
  return ResolvedDevices{list("device"), list("driver"), list("variant"), list("sizes"),
                         resolved(spec, "split")};
}

// As resolved, or nothing where that device is not there.
std::unique_ptr<Engine> engine_as_resolved(const RunSpec& spec, const ForceLaw& law,
                                           const std::string& settled) {
  EngineSettings settings = settings_of(spec, law);
  settings.settled = settled;
  settings.solver = resolved(spec, "solver"), settings.variant = resolved(spec, "variant");
  if (const auto several = devices_resolved(spec)) {
    return engine_as_resolved(settings, *several, std::stoull(resolved(spec, "bodies")));
  }
  if (resolved(spec, "device") == "cpu") {
    settings.device = "cpu";
    return make_engine(settings);
  }
  const auto device = device_of(spec);
  if (!device) return nullptr;
  if (settings.solver == "direct") settings.sizes = sizes_from(resolved(spec, "sizes"));
  return make_engine(settings, *device);
}

}  // namespace

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

MadeEngine started_engine(const RunSpec& spec, const ForceLaw& law, const Bodies& bodies) {
  if (choices_hold(spec, bodies.size())) {
    // what approximate solvers settle for follows from the bodies, which are the same
    if (auto engine = engine_as_resolved(spec, law, "")) {
      engine->load(bodies);
      return {std::move(engine), {}};
    }
  }
  LoadedEngine made = make_loaded_engine(settings_of(spec, law), bodies);
  return {std::move(made.engine), std::move(made.notices)};
}

MadeEngine started_engine(mpi::Communicator& ranks, const RunSpec& spec, const ForceLaw& law,
                          const Bodies& bodies) {
  EngineSettings settings = settings_on_cpu(spec, law);
  if (choices_hold(spec, bodies.size())) settings.solver = resolved(spec, "solver");
  EngineSettings here = settings;
  if (here.threads == 0) here.threads = mpi::threads_per_rank(ranks);
  // one engine makes all choices and knows all refusals; the ranks take over its state
  LoadedEngine whole = make_loaded_engine(here, bodies);
  settings.solver = whole.engine->describe().solver;
  auto engine = std::make_unique<mpi::RankEngine>(ranks, mpi::settings_on_ranks(settings));
  engine->restore_state(whole.engine->save_state());
  mpi::RankEngine* on_ranks = engine.get();
  return {std::move(engine), std::move(whole.notices), on_ranks};
}

MadeEngine resumed_engine(mpi::Communicator& ranks, const RunSpec& spec, const ForceLaw& law,
                          const EngineState& state) {
  EngineSettings settings = settings_on_cpu(spec, law);
  settings.solver = resolved(spec, "solver");
  if (resolved(spec, "device") == "cpu") {
    settings.variant = resolved(spec, "variant"), settings.settled = resolved(spec, "sizes");
  } else {
    settings.variant.clear();
  }
  auto engine = std::make_unique<mpi::RankEngine>(ranks, mpi::settings_on_ranks(settings));
  engine->restore_state(state);
  mpi::RankEngine* on_ranks = engine.get();
  return {std::move(engine), {}, on_ranks};
}

std::optional<std::string> why_other_bits(const std::map<std::string, std::string>& then,
                                          const std::map<std::string, std::string>& now,
                                          bool reproducible) {
  const auto of = [](const std::map<std::string, std::string>& from, const char* key) {
    const auto found = from.find(key);
    return found == from.end() ? std::string{} : found->second;
  };
  for (const char* key : {"device", "driver", "variant", "sizes"}) {
    if (of(then, key) == of(now, key)) continue;
    return fmt::format("the run began on {} ({}, {}) and goes on here on {} ({}, {})",
                       of(then, "device"), of(then, "driver"), of(then, "variant"),
                       of(now, "device"), of(now, "driver"), of(now, "variant"));
  }
  // pairs are met in another order
  const bool by_ranks = of(now, "solver") == "direct" && !reproducible;
  if (by_ranks && of(then, "ranks") != of(now, "ranks")) {
    const auto number = [&](const auto& from) {
      const std::string text = of(from, "ranks");
      return text.empty() ? std::string("1") : text;
    };
    return fmt::format("the run began on {} ranks and goes on on {}", number(then), number(now));
  }
  return std::nullopt;
}

MadeEngine resumed_engine(const RunSpec& spec, const ForceLaw& law, const EngineState& state) {
  MadeEngine made{engine_as_resolved(spec, law, resolved(spec, "sizes")), {}};
  if (!made.engine) {
    const auto on_host = make_engine(
        {.law = law, .solver = "direct", .device = "cpu", .precision = *spec.device.precision});
    on_host->restore_state(state);
    Bodies bodies;
    on_host->store(bodies);
    EngineSettings settings = settings_of(spec, law);
    settings.solver = resolved(spec, "solver"), settings.device = "auto";
    if (const auto several = devices_resolved(spec)) {
      if (const std::string left = devices_left(*several); !left.empty()) settings.device = left;
    }
    settings.variant.clear(), settings.kernel_folder.clear();
    LoadedEngine elsewhere = make_loaded_engine(settings, bodies);
    made = {std::move(elsewhere.engine), std::move(elsewhere.notices)};
    made.notices.insert(
        made.notices.begin(),
        settings.device == "auto"
            ? fmt::format("device {} of this run is not there any more", resolved(spec, "device"))
            : fmt::format("not all devices of this run ({}) are there any more: it goes on on {}",
                          resolved(spec, "device"), settings.device));
  }
  made.engine->restore_state(state);
  return made;
}

}  // namespace apsis
