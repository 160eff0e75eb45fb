// SPDX-License-Identifier: MIT
// The engine of a run on several ranks. Rank 0 makes all choices before the others hear of them.
#include <apsis/core/error.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/mpi/device_choice.hpp>
#include <apsis/run/resolved_ranks.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis {
namespace {

// Where ranks compute: cpu, or words that they find devices by.
struct RankSite {
  std::string words = "cpu";
  std::vector<std::string> notices;

  bool is_cpu() const { return words == "cpu"; }
};

// The native cpu is divided among ranks; an OpenCL device that is the same cpu would not be.
bool is_beside_the_cpu(const DeviceInfo& device) { return device.kind != DeviceKind::cpu; }

// As for one process, with the machine of rank 0: the fastest by measurement.
RankSite fastest_site(const mpi::Communicator& ranks, EngineSettings& settings,
                      const Bodies& bodies) {
  const auto devices = discover_devices().devices;
  if (std::ranges::none_of(devices, is_beside_the_cpu)) return {};
  EngineSettings all_cores = settings;
  if (settings.device.threads == 0)
    all_cores.device.threads = mpi::threads_per_rank(ranks) * ranks.ranks_here();
  const LoadedEngine found = make_loaded_engine(all_cores, bodies);
  const Resolution engine = found.engine->describe();
  const std::string& name = engine.devices.front().device;
  const auto device = std::ranges::find(devices, name, &DeviceInfo::name);
  if (device == devices.end() || !is_beside_the_cpu(*device)) return {"cpu", found.notices};
  settings.force.solver = engine.solver;
  return {name, found.notices};
}

// What was decided about devices that shared bodies, and about one that could.
std::vector<DeviceResolution> shareable(const std::optional<Resolution>& recorded) {
  const bool alone =
      !recorded || recorded->on_cpu() ||
      (recorded->devices.size() == 1 && recorded->devices.front().variant == "symmetric");
  return alone ? std::vector<DeviceResolution>{} : recorded->devices;
}

// One engine for all bodies, loaded or restored, that is not needed any more once its state is
// known: it makes all choices and knows all refusals.
struct Whole {
  EngineState state;
  std::vector<std::string> notices;
};
Whole whole_engine(const EngineSettings& here, const Bodies& bodies, EngineSettings& settings) {
  LoadedEngine whole = make_loaded_engine(here, bodies);
  settings.force.solver = whole.engine->describe().solver;
  const bool calibrates =
      solver_named(settings.force.solver).takes_accuracy && here.device.name != "cpu";
  if (calibrates && bodies.size() > 0) {
    whole.engine->apply({Operation::accelerate(0)});
    settings.choice = whole.engine->describe().devices.front().choice;
  }
  return {whole.engine->save_state(), std::move(whole.notices)};
}

MadeEngine made_of(std::unique_ptr<mpi::RankEngine> engine, std::vector<std::string> notices) {
  mpi::RankEngine* const on_ranks = engine.get();
  return {std::move(engine), std::move(notices), on_ranks};
}

// By measured speed, where that was not decided before.
void share_out(mpi::RankEngine& engine, const std::vector<DeviceResolution>& recorded,
               std::vector<std::string>& notices) {
  const Resolution before = engine.describe();
  const bool as_before = std::ranges::equal(before.devices, recorded, {}, &DeviceResolution::bodies,
                                            &DeviceResolution::bodies);
  if (as_before || before.bodies < before.devices.size()) return;
  engine.share_out();
  notices.push_back(fmt::format("bodies are split {} over the devices of {} ranks",
                                fmt::join(shares_of(engine.describe()), " "), engine.ranks()));
}

MadeEngine started_on_devices(mpi::Communicator& ranks, EngineSettings settings,
                              const std::optional<Resolution>& held, const Bodies& bodies,
                              RankSite site) {
  settings.device.name = site.words;
  const auto own = mpi::devices_of_rank(mpi::devices_to_share(site.words), ranks.number_here(),
                                        ranks.ranks_here());
  EngineSettings here = settings;
  here.device.name = word_for(own.front());
  const Whole whole = whole_engine(here, bodies, settings);
  site.notices.insert(site.notices.end(), whole.notices.begin(), whole.notices.end());
  const auto recorded = shareable(held);
  auto engine = std::make_unique<mpi::RankEngine>(ranks, settings, recorded);
  engine->restore_state(whole.state);
  share_out(*engine, recorded, site.notices);
  return made_of(std::move(engine), std::move(site.notices));
}

// Where a run goes on.
RankSite recorded_site(const RunSpec& spec, const Resolution& recorded) {
  if (spec.device.name == "cpu" || recorded.on_cpu()) return {};
  const std::string words =
      spec.device.name == "auto" ? recorded.devices.front().device : spec.device.name;
  try {
    mpi::devices_to_share(words);
    return {words, {}};
  } catch (const Error& error) {
    if (error.code() != ExitCode::unavailable) throw;
    return {"cpu", {fmt::format("device {} of this run is not there any more", recorded.device())}};
  }
}

}  // namespace

MadeEngine started_on_ranks(mpi::Communicator& ranks, const RunSpec& spec, const Bodies& bodies) {
  EngineSettings settings = settings_of(spec);
  const auto held = choices_that_hold(spec, bodies.size());
  if (held) settings.force.solver = held->solver;
  RankSite site{settings.device.name, {}};
  if (settings.device.name == "auto") {
    site = held ? recorded_site(spec, *held) : fastest_site(ranks, settings, bodies);
  }
  if (!site.is_cpu() && ranks.size() == 1) return started_here(spec, bodies);
  if (!site.is_cpu()) {
    return started_on_devices(ranks, std::move(settings), held, bodies, std::move(site));
  }
  settings.device.name = "cpu";
  EngineSettings here = settings;
  if (here.device.threads == 0) here.device.threads = mpi::threads_per_rank(ranks);
  Whole whole = whole_engine(here, bodies, settings);
  auto engine = std::make_unique<mpi::RankEngine>(ranks, mpi::settings_on_ranks(settings));
  engine->restore_state(whole.state);
  site.notices.insert(site.notices.end(), whole.notices.begin(), whole.notices.end());
  return made_of(std::move(engine), std::move(site.notices));
}

MadeEngine resumed_on_ranks(mpi::Communicator& ranks, const RunSpec& spec,
                            const Resolution& recorded, const EngineState& state) {
  EngineSettings settings = settings_of(spec);
  settings.force.solver = recorded.solver;
  RankSite site = recorded_site(spec, recorded);
  const bool same = recorded.on_cpu() == site.is_cpu();
  if (same && solver_named(recorded.solver).takes_accuracy) {
    settings.choice = recorded.devices.front().choice;
  }
  if (!same) {
    settings.device.variant.clear(), settings.choice = {};
    if (auto without = leave_kernels_out(settings)) site.notices.push_back(std::move(*without));
  }
  if (site.is_cpu()) {
    settings.device.name = "cpu";
    if (same) settings.device.variant = recorded.devices.front().variant;
    auto engine = std::make_unique<mpi::RankEngine>(ranks, mpi::settings_on_ranks(settings));
    engine->restore_state(state);
    return made_of(std::move(engine), std::move(site.notices));
  }
  settings.device.name = site.words;
  const auto shared = shareable(recorded);
  auto engine = std::make_unique<mpi::RankEngine>(ranks, settings, shared);
  engine->restore_state(state);
  share_out(*engine, shared, site.notices);
  for (std::string& text :
       kernel_notices(settings.device.kernel_dir, engine->describe(), settings.needs_jerk)) {
    site.notices.push_back(std::move(text));
  }
  return made_of(std::move(engine), std::move(site.notices));
}

}  // namespace apsis
