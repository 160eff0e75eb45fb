// SPDX-License-Identifier: MIT
// The engine of a run on several ranks. Rank 0 makes all choices before the others hear of them.
#include <apsis/core/error.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/mpi/device_choice.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace apsis {
namespace {

// Where ranks compute: cpu, or words that they find devices by.
struct Place {
  std::string words = "cpu";
  std::vector<std::string> notices;

  bool is_cpu() const { return words == "cpu"; }
};

// The native cpu is divided among ranks; an OpenCL device that is the same cpu would not be.
bool is_beside_the_cpu(const DeviceInfo& device) { return device.kind != DeviceKind::cpu; }

// As for one process, with the machine of rank 0: the fastest by measurement.
Place fastest_place(const mpi::Communicator& ranks, EngineSettings& settings,
                    const Bodies& bodies) {
  const auto devices = discover_devices().devices;
  if (std::ranges::none_of(devices, is_beside_the_cpu)) return {};
  EngineSettings all_cores = settings;
  if (settings.device.threads == 0)
    all_cores.device.threads = mpi::threads_per_rank(ranks) * ranks.ranks_here();
  const LoadedEngine found = make_loaded_engine(all_cores, bodies);
  const EngineDescription engine = found.engine->describe();
  const auto device = std::ranges::find(devices, engine.device, &DeviceInfo::name);
  if (device == devices.end() || !is_beside_the_cpu(*device)) return {"cpu", found.notices};
  settings.force.solver = engine.solver;
  return {engine.device, found.notices};
}

// Of a run on devices: what was decided about those that shared bodies, and about one that could.
mpi::DeviceChoices choices_of(const RunSpec& spec) {
  if (resolved(spec, "device") == "cpu" || resolved(spec, "variant") == "symmetric") return {};
  return {resolved(spec, "variant"), resolved(spec, "sizes"), resolved(spec, "split")};
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
  const bool settles =
      solver_named(settings.force.solver).takes_accuracy && here.device.name != "cpu";
  if (settles && bodies.size() > 0) {
    whole.engine->apply({Operation::accelerate(0)});
    settings.settled = whole.engine->describe().sizes;
  }
  return {whole.engine->save_state(), std::move(whole.notices)};
}

MadeEngine made_of(std::unique_ptr<mpi::RankEngine> engine, std::vector<std::string> notices) {
  mpi::RankEngine* const on_ranks = engine.get();
  return {std::move(engine), std::move(notices), on_ranks};
}

// By measured speed, where that was not decided before.
void share_out(mpi::RankEngine& engine, const std::string& decided,
               std::vector<std::string>& notices) {
  const EngineDescription before = engine.describe();
  const std::size_t devices = texts_in(before.device).size();
  if (before.split == decided || before.bodies < devices) return;
  engine.share_out();
  notices.push_back(fmt::format("bodies are split {} over the devices of {} ranks",
                                engine.describe().split, engine.ranks()));
}

MadeEngine started_on_devices(mpi::Communicator& ranks, const RunSpec& spec,
                              EngineSettings settings, const Bodies& bodies, Place place) {
  settings.device.name = place.words;
  const auto own = mpi::devices_of_rank(mpi::devices_to_share(place.words), ranks.number_here(),
                                        ranks.ranks_here());
  EngineSettings here = settings;
  here.device.name = word_for(own.front());
  const Whole whole = whole_engine(here, bodies, settings);
  place.notices.insert(place.notices.end(), whole.notices.begin(), whole.notices.end());
  const auto choices = choices_hold(spec, bodies.size()) ? choices_of(spec) : mpi::DeviceChoices{};
  auto engine = std::make_unique<mpi::RankEngine>(ranks, settings, choices);
  engine->restore_state(whole.state);
  share_out(*engine, choices.split, place.notices);
  return made_of(std::move(engine), std::move(place.notices));
}

// Where a run goes on.
Place resumed_place(const RunSpec& spec) {
  const std::string then = resolved(spec, "device");
  if (spec.device.name == "cpu" || then == "cpu") return {};
  const std::string words = spec.device.name == "auto" ? texts_in(then).front() : spec.device.name;
  try {
    mpi::devices_to_share(words);
    return {words, {}};
  } catch (const Error& error) {
    if (error.code() != ExitCode::unavailable) throw;
    return {"cpu", {fmt::format("device {} of this run is not there any more", then)}};
  }
}

std::string of(const std::map<std::string, std::string>& from, const char* key) {
  const auto found = from.find(key);
  return found == from.end() ? std::string{} : found->second;
}

// "a + a + b" as a and b: the kinds of devices, however many ranks and devices there were.
std::set<std::string> kinds_in(const std::string& list) {
  std::set<std::string> kinds;
  for (std::string& text : texts_in(list)) {
    kinds.insert(text.substr(0, text.find(" part ")));
  }
  return kinds;
}

}  // namespace

MadeEngine started_engine(mpi::Communicator& ranks, const RunSpec& spec, const Bodies& bodies) {
  EngineSettings settings = settings_of(spec);
  const bool again = choices_hold(spec, bodies.size());
  if (again) settings.force.solver = resolved(spec, "solver");
  Place place{settings.device.name, {}};
  if (settings.device.name == "auto") {
    place = again ? resumed_place(spec) : fastest_place(ranks, settings, bodies);
  }
  if (!place.is_cpu() && ranks.size() == 1) return started_engine(spec, bodies);
  if (!place.is_cpu()) {
    return started_on_devices(ranks, spec, std::move(settings), bodies, std::move(place));
  }
  settings.device.name = "cpu";
  EngineSettings here = settings;
  if (here.device.threads == 0) here.device.threads = mpi::threads_per_rank(ranks);
  Whole whole = whole_engine(here, bodies, settings);
  auto engine = std::make_unique<mpi::RankEngine>(ranks, mpi::settings_on_ranks(settings));
  engine->restore_state(whole.state);
  place.notices.insert(place.notices.end(), whole.notices.begin(), whole.notices.end());
  return made_of(std::move(engine), std::move(place.notices));
}

MadeEngine resumed_engine(mpi::Communicator& ranks, const RunSpec& spec, const EngineState& state) {
  EngineSettings settings = settings_of(spec);
  settings.force.solver = resolved(spec, "solver");
  Place place = resumed_place(spec);
  const bool same = (resolved(spec, "device") == "cpu") == place.is_cpu();
  settings.settled = same ? texts_in(resolved(spec, "sizes")).front() : std::string{};
  if (!same) {
    settings.device.variant.clear();
    if (auto without = leave_kernels_out(settings)) place.notices.push_back(std::move(*without));
  }
  if (place.is_cpu()) {
    settings.device.name = "cpu";
    if (same) settings.device.variant = resolved(spec, "variant");
    auto engine = std::make_unique<mpi::RankEngine>(ranks, mpi::settings_on_ranks(settings));
    engine->restore_state(state);
    return made_of(std::move(engine), std::move(place.notices));
  }
  settings.device.name = place.words;
  const mpi::DeviceChoices choices = choices_of(spec);
  auto engine = std::make_unique<mpi::RankEngine>(ranks, settings, choices);
  engine->restore_state(state);
  share_out(*engine, choices.split, place.notices);
  for (std::string& text :
       kernel_notices(settings.device.kernel_dir, engine->describe(), settings.needs_jerk)) {
    place.notices.push_back(std::move(text));
  }
  return made_of(std::move(engine), std::move(place.notices));
}

std::optional<std::string> why_other_bits(const std::map<std::string, std::string>& then,
                                          const std::map<std::string, std::string>& now,
                                          bool reproducible) {
  const std::string solver = of(now, "solver");
  const bool tree = solver_named(solver).takes_accuracy;
  const bool on_devices = of(then, "device") != "cpu" && of(now, "device") != "cpu";
  // the same sums however many devices or ranks share the bodies
  const bool by_kinds = reproducible || solver == "bins" || (tree && on_devices);
  for (const char* key : {"device", "driver", "variant", "sizes"}) {
    const std::string before = of(then, key), here = of(now, key);
    if (before == here || (by_kinds && kinds_in(before) == kinds_in(here))) continue;
    return fmt::format("the run began on {} ({}, {}) and goes on here on {} ({}, {})",
                       of(then, "device"), of(then, "driver"), of(then, "variant"),
                       of(now, "device"), of(now, "driver"), of(now, "variant"));
  }
  // pairs are met in another order, trees are of other pieces
  if ((solver == "direct" || tree) && !by_kinds && of(then, "ranks") != of(now, "ranks")) {
    const auto number = [&](const auto& from) {
      const std::string text = of(from, "ranks");
      return text.empty() ? std::string("1") : text;
    };
    return fmt::format("the run began on {} ranks and goes on on {}", number(then), number(now));
  }
  return std::nullopt;
}

}  // namespace apsis
