// SPDX-License-Identifier: MIT
// What device = "auto" and solver = "auto" mean: the fastest that there is, measured and not
// guessed.
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/engine_search.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

// Fewer bodies take the cpu less time than opening a device or comparing solvers does.
constexpr std::size_t measured_from = 2048;

bool has_device_variant(const std::string& solver, const std::string& variant) {
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, variant) != names.end();
  };
  if (variant.empty()) return false;
  if (solver == "bins") {
    return is_among(bins_variant_names(false)) && !is_among(bins_variant_names(true));
  }
  return solver == "direct" && !is_among(direct_host_variants());
}

// What only a device can be meant by.
bool asks_for_a_device(const EngineSettings& settings) {
  const SolverInfo& solver = chosen_solver(settings);
  return has_device_variant(solver.name, settings.device.variant) ||
         !runs_on_cpu(solver, settings.precision()) || !is_open(settings.choice) ||
         !settings.device.kernel_dir.empty();
}

void require_known_variant(const std::string& variant) {
  auto known = direct_opencl_variant_names();
  for (const auto& name : direct_host_variants()) known.push_back(name);
  if (variant.empty() || std::find(known.begin(), known.end(), variant) != known.end()) return;
  throw bad_data(
      fmt::format("solver direct has no variant '{}'{}", variant, did_you_mean(variant, known)),
      "choose " + list_of(known));
}

// Solvers with one implementation take no other name than its own.
void require_variant_taken(const Engine& engine, const std::string& asked) {
  const Resolution made = engine.describe();
  const bool taken = std::ranges::all_of(
      made.devices, [&](const DeviceResolution& at) { return at.variant == asked; });
  if (asked.empty() || taken) return;
  throw bad_data(
      fmt::format("solver {} has no variant '{}' on {}", made.solver, asked, made.device()),
      fmt::format("leave it out: there is only {}", made.variant()));
}

SolversInQuestion solvers_in_question(const EngineSettings& settings, std::size_t bodies) {
  const std::string only = chosen_solver(settings).name;
  const auto one = [&](const char* why) { return SolversInQuestion{{only}, why}; };
  if (settings.force.solver != "auto" || only != "direct") return one("");
  if (bodies < measured_from || !settings.device.variant.empty() || !is_open(settings.choice)) {
    return one("");
  }
  if (settings.needs_jerk) return one("the integrator needs jerks");
  if (!edited_law(kernel_folder(settings.device.kernel_dir)).empty()) {
    return one("fmm knows the built-in law alone");
  }
  if (!sums(solver_named("fmm"), law_of(settings.force).radial.radial)) {
    return one("fmm does not know the radial law");
  }
  if (settings.precision() == Precision::f64) return one("f64 asks for more than fmm gives");
  if (settings.device.reproducible) return one("a reproducible run must not follow a measurement");
  return {{"direct", "fmm"}, ""};
}

LoadedEngine loaded_engine(const EngineSettings& settings, const Bodies& bodies);

// The solver is chosen on the first device, for all of them.
LoadedEngine several_loaded(const EngineSettings& settings, const Bodies& bodies) {
  const auto devices = chosen_devices(settings.device.name);
  EngineSettings on_first = settings;
  on_first.device.name = word_for(devices.front());
  if (devices.size() == 1) return loaded_engine(on_first, bodies);
  EngineSettings all = settings;
  std::vector<std::string> notices;
  if (const auto question = solvers_in_question(settings, bodies.size());
      question.names.size() > 1) {
    LoadedEngine first = fastest_engine_there(on_first, bodies, question);
    all.force.solver = first.engine->describe().solver;
    notices = std::move(first.notices);
  }
  LoadedEngine made = loaded_on_several(all, bodies, devices);
  made.notices.insert(made.notices.begin(), notices.begin(), notices.end());
  return made;
}

LoadedEngine loaded_engine(const EngineSettings& settings, const Bodies& bodies) {
  if (names_several(settings.device.name)) return several_loaded(settings, bodies);
  const SolverInfo& solver = chosen_solver(settings);
  const auto question = solvers_in_question(settings, bodies.size());
  if (settings.device.name == "auto" && runs_on_device(solver, settings.precision())) {
    if (solver.name == "direct") require_known_variant(settings.device.variant);
    const bool device_wanted = asks_for_a_device(settings);
    if (bodies.size() >= measured_from || device_wanted) {
      return fastest_engine(settings, bodies, question, device_wanted);
    }
  }
  if (question.names.size() > 1) {
    return fastest_engine_there(settings, bodies, question);
  }
  LoadedEngine made{make_engine(settings), {}};
  if (!question.why_one.empty()) {
    made.notices.push_back(fmt::format("solver auto: {}, as {}", solver.name, question.why_one));
  }
  made.engine->load(bodies);
  return made;
}

}  // namespace

LoadedEngine make_loaded_engine(const EngineSettings& settings, const Bodies& bodies) {
  LoadedEngine made = loaded_engine(settings, bodies);
  require_variant_taken(*made.engine, settings.device.variant);
  for (std::string& text :
       kernel_notices(settings.device.kernel_dir, made.engine->describe(), settings.needs_jerk)) {
    made.notices.push_back(std::move(text));
  }
  return made;
}

}  // namespace apsis
