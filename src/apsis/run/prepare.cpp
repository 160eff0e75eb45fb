// SPDX-License-Identifier: MIT
#include <apsis/contacts/stored_paths.hpp>
#include <apsis/core/body_ids.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/initial/equilibrium.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/force_class.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run_analyses.hpp>
#include <apsis/run/spec_changes.hpp>
#include <apsis/run/trusted_kernels.hpp>
#include <apsis/sim/contact_action.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

// Host state in double, the engine's own arrays with slots or derivatives, a snapshot's image in
// memory: about this much per body at the most.
constexpr std::uint64_t bytes_per_body = 640;

struct Start {
  Bodies bodies;
  RunDefaults defaults;
  double time = 0;
  std::string origin;
  std::string units_from;
  std::vector<Warning> warnings;
};

Start start_from_file(const RunSpec& spec) {
  Snapshot snapshot = read_snapshot(spec.initial.file);
  if (spec.initial.bodies && *spec.initial.bodies != snapshot.bodies.size()) {
    throw bad_data(fmt::format("initial.bodies = {}, but {} holds {}", *spec.initial.bodies,
                               spec.initial.file, counted(snapshot.bodies.size(), "body")),
                   "leave out initial.bodies, which is for models");
  }
  if (!spec.initial.options.empty()) {
    const auto& [name, option] = *spec.initial.options.begin();
    throw bad_data(fmt::format("{}: unknown key 'initial.{}'", option.origin, name),
                   "bodies from a file take no model options");
  }
  RunDefaults defaults;
  const auto known = unit_system_names();
  const bool named = std::find(known.begin(), known.end(), snapshot.units.name) != known.end();
  defaults.units = named ? snapshot.units.name : "custom";
  if (!named) defaults.custom_units = snapshot.units;
  defaults.constant = snapshot.law.constant;
  defaults.law = snapshot.law.law;
  defaults.softening = snapshot.law.softening;
  defaults.radial = snapshot.law.radial;
  defaults.until = snapshot.time + 1;  // a hundred steps on from where the file stands
  return {std::move(snapshot.bodies),
          defaults,
          snapshot.time,
          spec.initial.file,
          snapshot.units_assumed ? fmt::format("assumed: {} names none", spec.initial.file)
                                 : "file " + spec.initial.file,
          std::move(snapshot.warnings)};
}

Start start_from_model(const RunSpec& spec) {
  if (spec.initial.bodies) require_memory_for(*spec.initial.bodies);
  InitialState state = make_model({.model = spec.initial.model,
                                   .bodies = spec.initial.bodies,
                                   .seed = spec.seed,
                                   .options = spec.initial.options,
                                   .units = spec.units.system,
                                   .constant = spec.force.constant});
  const std::string origin = "model " + spec.initial.model;
  return {std::move(state.bodies), state.defaults, state.time, origin, origin, {}};
}

void warn_of_coincident(const Bodies& bodies, const PairLaw& law, std::vector<Warning>& warnings) {
  if (const std::size_t count = coincident_bodies(bodies); count > 0) {
    warnings.push_back(
        {WarningCode::coincident_bodies,
         fmt::format(
             "{} bodies share their place with another one; such pairs exert no force{}", count,
             law.softening == 0 ? " and have no potential energy; give force.softening above 0"
                                : "")});
  }
}

// Hard spheres that begin inside each other part as they move, and until then count as touching.
void warn_of_overlaps(const Bodies& bodies, const ContactSettings& contacts,
                      std::vector<Warning>& warnings) {
  if (on_contact(contacts) == OnContact::none || bodies.radius.empty()) return;
  Bodies at_rest = bodies;
  at_rest.velocities = Vectors(bodies.size());
  const BodyPairs pairs =
      contact_source_of(std::move(at_rest), nullptr, 0, {}, search_of(contacts), thread_count(0))
          .candidates()
          .touching;
  const auto overlap = [&](const BodyPair& pair) {
    const double reach = bodies.radius[pair.a] + bodies.radius[pair.b];
    return norm(bodies.position(pair.a) - bodies.position(pair.b)) < reach * (1 - 1e-9);
  };
  const auto count = std::ranges::count_if(pairs, overlap);
  if (count == 0) return;
  const auto first = std::ranges::find_if(pairs, overlap);
  warnings.push_back({WarningCode::overlapping_bodies,
                      fmt::format("{} of bodies {} at the start, the first of them {} and {}: {}",
                                  counted(count, "pair"), count == 1 ? "overlaps" : "overlap",
                                  bodies.id[first->a], bodies.id[first->b],
                                  on_contact(contacts) == OnContact::merge
                                      ? "they merge in the first step"
                                      : "they touch until they have parted; give smaller radii")});
}

// What an engine in f32 is given is not what the user gave.
void warn_of_rounding(const Bodies& bodies, PreparedRun& run) {
  if (run.engine->describe().precision != Precision::f32) return;
  Bodies held;
  run.engine->store(held);
  const ForceError error = rounding_error(bodies, held, law_of(run.spec));
  if (!(error.p99 > run.spec.force.far_field.accuracy)) return;
  run.warnings.push_back(
      {WarningCode::input_rounding,
       fmt::format("f32 rounds positions so far that 1 % of the forces change by more than {:.1e} "
                   "(force.accuracy = {:g}); try device.precision = mixed, or bodies nearer to "
                   "the origin",
                   error.p99, run.spec.force.far_field.accuracy)});
}

void require_jerk(const PreparedRun& run) {
  if (!run.integrator.needs_jerk || run.engine->gives_jerk()) return;
  throw bad_data(fmt::format("integrator {} needs jerks, which solver {} does not give",
                             run.integrator.name, run.engine->describe().solver),
                 fmt::format("use solver {}, or another integrator",
                             list_of(solvers_that([](const SolverInfo& solver) {
                               return solver.acts && solver.gives_jerk;
                             }))));
}

// "kpc, Msun, km/s", the sizes of units without names, or what the system is called.
std::string description(const Units& units) {
  if (!units.length_name.empty()) {
    return fmt::format("{}, {}, {}", units.length_name, units.mass_name, units.velocity_name);
  }
  if (units.name != "custom") return units.name;
  return fmt::format("length {:.6g} cm, mass {:.6g} g, velocity {:.6g} cm/s", units.length_in_cm,
                     units.mass_in_g, units.velocity_in_cm_per_s);
}

}  // namespace

void require_memory_for(std::uint64_t bodies) {
  const std::uint64_t fits = physical_memory() / bytes_per_body;
  if (bodies <= fits) return;
  throw bad_data(
      fmt::format("{} bodies need about {} of memory, this machine has {}", bodies,
                  bodies > UINT64_MAX / bytes_per_body ? std::string("more than 2^64 bytes")
                                                       : readable_size(bodies * bytes_per_body),
                  readable_size(physical_memory())),
      fmt::format("at most {} bodies fit", fits));
}

std::string units_line(const PreparedRun& run) {
  const PairLaw law = law_of(run.spec);
  return fmt::format("units: {}, {} = {:.6g} ({})", description(units_of(run.spec)),
                     law.law == Law::gravity ? "G" : "k", law.constant, run.units_from);
}

PairLaw law_of(const RunSpec& spec) { return law_of(spec.force); }

bool may_lose_bodies(const RunSpec& spec) {
  return on_contact(spec.contacts) == OnContact::merge || spec.space.remove_beyond;
}

bool may_have_events(const RunSpec& spec) {
  return on_contact(spec.contacts) != OnContact::none || spec.space.walls || may_lose_bodies(spec);
}

Actions actions_of(const RunSpec& spec, const SimulationPlan& plan, bool keeps_spin) {
  const SolverInfo* solver = find_solver(spec.force.solver);
  const Forces forces{law_of(spec), spec.external, solver == nullptr || solver->acts};
  Actions actions;
  actions.on_paths = contact_action(spec.contacts, spec.space, forces, keeps_spin);
  if (auto removal = removal_action(spec.space, forces, plan.step)) {
    actions.between_steps.push_back(*std::move(removal));
  }
  return actions;
}

ResolvedTexts resolved_from(const PreparedRun& run) {
  ResolvedTexts resolved = texts_of(run.engine->describe());
  record_kernels(run.spec, resolved);
  return resolved;
}

void save_state_of(const PreparedRun& run, const std::filesystem::path& folder,
                   Checkpoint& checkpoint) {
  if (run.on_ranks == nullptr) {
    checkpoint.state = run.engine->save_state();
    return;
  }
  checkpoint.state.bodies = run.engine->describe().bodies;
  checkpoint.parts = run.on_ranks->write_parts(folder, checkpoint.step);
}

SimulationPlan plan_of(const RunSpec& spec, double start_time) {
  const double step = *spec.time.step, length = *spec.time.until - start_time;
  if (length / step > 0x1p53) {
    throw bad_data(fmt::format("time.until = {} is {:.3g} steps of {} away", *spec.time.until,
                               length / step, step),
                   "give a longer step or an earlier end");
  }
  return {.start_time = start_time,
          .step = step,
          .last_step = length > 0 ? steps_until(length, step) : 0,
          .burst = static_cast<std::uint64_t>(*spec.time.burst)};
}

Cadence energy_cadence(const RunSpec& spec, const SimulationPlan& plan) {
  return {*spec.output.energy_every, plan.step, plan.last_step};
}

std::uint64_t space_needed(const PreparedRun& run) {
  const Resolution engine = run.engine->describe();
  const SimulationPlan plan = plan_of(run.spec, run.start_time);
  const bool charged = *run.spec.force.law == Law::coulomb;
  const Cadence cadence(*run.spec.output.snapshot_every, plan.step, plan.last_step);
  double snapshots = 2;
  if (const double every = *run.spec.output.snapshot_every; every > 0) {
    snapshots += static_cast<double>(plan.last_step) * std::min(1.0, plan.step / every);
  }
  constexpr double checkpoint_bytes_per_body = 13 * 8 + 16;
  const double bytes = snapshots * static_cast<double>(snapshot_size(engine.bodies, charged)) +
                       3 * checkpoint_bytes_per_body * static_cast<double>(engine.bodies) +
                       analyses_size(run.spec, plan, engine.bodies) + 4e6;
  return static_cast<std::uint64_t>(std::min(bytes, 1e19));
}

PreparedRun prepare_resumed(const RunSpec& spec, const Resolution& recorded,
                            const EngineState& state, mpi::Communicator* ranks) {
  require_valid(spec.contacts);
  if (spec.time.step) require_steps_in_contacts(spec.contacts, *spec.time.step);
  MadeEngine made = resumed_engine(spec, recorded, state, ranks);
  PreparedRun run{.spec = spec,
                  .start_time = 0,
                  .units_from = "spec",
                  .engine = std::move(made.engine),
                  .on_ranks = made.on_ranks,
                  .integrator = integrator_named(spec.time.integrator),
                  .keeps_spin = has_array(state, "sx"),
                  .notices = std::move(made.notices),
                  .warnings = {},
                  .start_hash = {},
                  .extent = {},
                  .left_open = {}};
  require_jerk(run);
  return run;
}

namespace {

// A size of work-groups that nothing is built with is a mistake that the user should hear of.
void require_groups(const RunSpec& spec, const Resolution& made) {
  if (!spec.device.group || (made.solver == "direct" && !made.on_cpu())) return;
  throw bad_data(fmt::format("device.group = {} means nothing to solver {} on {}",
                             *spec.device.group, made.solver, made.device()),
                 "leave it out, or use solver direct on an OpenCL device ('apsis devices')");
}

// Rows and snapshots that were asked for come between the steps of a burst that was asked for, too.
std::string notice_of_cut_bursts(const RunSpec& asked, const RunSpec& filled) {
  if (!asked.time.burst) return {};
  std::uint64_t steps = static_cast<std::uint64_t>(*asked.time.burst);
  std::string why;
  const auto cut = [&](const char* key, const auto& value, double least) {
    if (!value || !(least < static_cast<double>(steps))) return;
    steps = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least));
    why = fmt::format("{} = {}", key, *value);
  };
  const auto every = [&](const char* key, const std::optional<double>& length) {
    if (length && *length > 0) cut(key, length, std::floor(*length / *filled.time.step + 1e-6));
  };
  every("output.energy_every", asked.output.energy_every);
  if (!asked.output.analyse.empty()) every("output.analyse_every", asked.output.analyse_every);
  every("output.snapshot_every", asked.output.snapshot_every);
  const auto& between = asked.output.checkpoint_steps;
  if (between) cut("output.checkpoint_steps", between, static_cast<double>(*between));
  if (why.empty()) return {};
  return fmt::format("bursts end after {}, not time.burst = {}, for {}", counted(steps, "step"),
                     *asked.time.burst, why);
}

}  // namespace

PreparedRun prepare_run(const RunSpec& spec, mpi::Communicator* ranks) {
  require_kernels_from_caller(spec);
  Start start = spec.initial.file.empty() ? start_from_model(spec) : start_from_file(spec);
  require_memory_for(start.bodies.size());
  RunSpec filled = spec;
  filled.initial.bodies = start.bodies.size();
  fill_in(filled, start.defaults);
  require_possible_analyses(filled);
  std::string open = left_open(spec, filled);
  require_valid(start.bodies, start.origin);
  if (!spec.initial.file.empty()) {
    require_unique_ids(start.bodies.id, start.origin,
                       "number the bodies anew, or leave the ids out");
  }
  require_valid(law_of(filled), start.bodies, start.origin);
  give_radii(start.bodies, filled.contacts);
  require_valid(filled.contacts, filled.space, start.bodies, start.origin);
  require_steps_in_contacts(filled.contacts, *filled.time.step);
  if (spec.initial.file.empty() && model_info(spec.initial.model).equilibrium) {
    bring_into_equilibrium(start.bodies, law_of(filled));
  }

  if (spec.units.system) {  // which always wins
    start.units_from = "spec";
    std::erase_if(start.warnings, [](const Warning& warning) {
      return warning.code == WarningCode::units_assumed;
    });
  }

  const Integrator& integrator = integrator_named(filled.time.integrator);
  MadeEngine made = started_engine(filled, start.bodies, ranks);
  PreparedRun run{.spec = std::move(filled),
                  .start_time = start.time,
                  .units_from = std::move(start.units_from),
                  .engine = std::move(made.engine),
                  .on_ranks = made.on_ranks,
                  .integrator = integrator,
                  .notices = std::move(made.notices),
                  .warnings = std::move(start.warnings),
                  .start_hash = hash_of(start.bodies),
                  .extent = extent_of(start.bodies),
                  .left_open = std::move(open)};
  require_groups(spec, run.engine->describe());
  for (std::string text :
       {notice_of_kernels_left_out(spec), notice_of_cut_bursts(spec, run.spec)}) {
    if (!text.empty()) run.notices.push_back(std::move(text));
  }
  require_jerk(run);
  warn_of_coincident(start.bodies, law_of(run.spec), run.warnings);
  warn_of_overlaps(start.bodies, run.spec.contacts, run.warnings);
  run.keeps_spin = !start.bodies.spin.empty();
  warn_of_rounding(start.bodies, run);
  if (start.time > 0 && *run.spec.time.until <= start.time) {
    run.warnings.push_back({WarningCode::no_step,
                            fmt::format("{} is already at time {}: time.until = {} leaves no step",
                                        start.origin, start.time, *run.spec.time.until)});
  }
  run.spec.resolved = resolved_from(run);
  return run;
}

}  // namespace apsis
