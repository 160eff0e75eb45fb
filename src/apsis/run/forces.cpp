// SPDX-License-Identifier: MIT
#include <apsis/run/forces.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace apsis {

ForcesOfFile forces_of_file(const RunSpec& spec) {
  PreparedRun run = prepare_run(spec);
  ForcesOfFile out;
  run.engine->warm_up();
  const auto begin = std::chrono::steady_clock::now();
  out.snapshot.accelerations = run.engine->accelerations(run.start_time);
  out.snapshot.potential = run.engine->potentials(run.start_time);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // an engine holds places in its own precision, and the file shall not lose any
  Snapshot file = read_snapshot(spec.initial.file);
  const PairLaw law = law_of(run.spec);
  out.engine = run.engine->describe();
  out.error = sample_force_error(*run.engine, file.bodies, law, out.engine.threads);
  out.snapshot.bodies = std::move(file.bodies);
  out.snapshot.time = file.time, out.snapshot.units = units_of(run.spec), out.snapshot.law = law;
  out.snapshot.provenance = {{"version", std::string(version)},
                             {"commit", std::string(commit)},
                             {"forces_of", spec.initial.file}};
  for (const auto& [key, value] : resolved_from(run)) {
    out.snapshot.provenance.emplace_back(key, value);
  }
  out.snapshot.provenance.emplace_back("force_error_p99", fmt::format("{:.3e}", out.error.p99));
  out.notices = std::move(run.notices), out.warnings = std::move(run.warnings);
  return out;
}

}  // namespace apsis
