// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/external_fields.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/run/observed_run.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/viewer/page.hpp>
#include <apsis/viewer/show.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis::viewer {

void obey_law(Scene& scene, const PairLaw& law) {
  const bool newtons = law.law == Law::gravity && law.radial.radial == newton;
  scene.gravity = newtons ? law.constant : 0;
  scene.softening = law.softening;
}

std::vector<std::string> names_of(const RunSpec& spec) {
  if (!spec.initial.file.empty() || spec.initial.model.empty()) return {};
  return model_info(spec.initial.model).body_names;
}

namespace {

using End = Director::End;

// At speed 1 a run takes so long from start to end, where the machine is fast enough.
constexpr double run_seconds = 40;

std::string title_of(const RunSpec& spec) {
  if (!spec.title.empty()) return spec.title;
  return spec.initial.file.empty() ? spec.initial.model : spec.initial.file;
}

Scene scene_of(const RunSpec& spec, const Resolution& engine, double first_time) {
  const Units units = units_of(spec);
  Scene scene;
  scene.title = title_of(spec), scene.kind = "run", scene.bodies = engine.bodies;
  scene.device = engine.device();
  scene.solver = engine.solver;
  scene.precision = name_of(engine.precision);
  scene.integrator = spec.time.integrator;
  scene.step = *spec.time.step;
  scene.first_time = first_time, scene.last_time = *spec.time.until;
  scene.time_unit = units.time_name, scene.length_unit = units.length_name;
  scene.mass_unit = units.mass_name;
  scene.charged = *spec.force.law == Law::coulomb;
  if (spec.force.solver != "none" && !any_acts(spec.external)) obey_law(scene, law_of(spec));
  scene.names = names_of(spec);
  return scene;
}

Pace pace_of(const RunSpec& spec, double first_time, double force_evaluations, double seconds) {
  const double length = *spec.time.until - first_time;
  return {.time_per_second = length > 0 ? length / seconds : 0,
          .pause_at = {},
          .step = *spec.time.step,
          .force_evaluations = force_evaluations};
}

EnergyRow row_of(const Frame& frame, const Energies& start, double lost) {
  return {frame.step(), frame.time(), frame.energies(), energy_error(frame.energies(), start, lost),
          lost};
}

// Contacts of a run that is computed for a page alone, and the one that ends it.
struct LiveEvents {
  EventTotals totals;
  std::string stop;

  void take(const Frame& frame) {
    for (const Event& event : frame.events()) {
      totals.add(event);
      for (const BodyEvent& body : event.bodies) {
        if (body.kind != name_of(OnContact::stop)) continue;
        stop = fmt::format("bodies {} and {} touch at t = {:.10g}, at a speed of {:.3g}", body.a,
                           *body.b, body.time, body.approach);
      }
    }
  }
};

struct Played {
  End end = End::stop;
  std::string example;
};

// One run from its start until somebody ends it. At its planned end it pauses, and may go on.
Played play(RunSpec& spec, const std::string& example, Stage& stage, const Audience& audience) {
  PreparedRun run = prepare_run(spec);
  spec.resolved = run.spec.resolved;  // a restart measures nothing again
  if (audience.prepared) audience.prepared(run);
  for (const auto& text : run.notices) {
    if (audience.notice) audience.notice(text);
  }
  if (audience.notice) audience.notice(units_line(run));
  for (const auto& warning : run.warnings) {
    if (audience.notice)
      audience.notice(fmt::format("warning: {} [{}]", warning.text, warning.name()));
  }
  SimulationPlan plan = plan_of(run.spec, run.start_time);
  Pace pace = pace_of(run.spec, run.start_time, run.integrator.force_evaluations, run_seconds);
  pace.pause_at = plan.last_step;
  plan.last_step = std::uint64_t{1} << 53;
  Scene scene = scene_of(run.spec, run.engine->describe(), run.start_time);
  scene.integrator = run.integrator.name;
  scene.can_restart = scene.can_choose = true;
  scene.example = example;
  stage.begin(scene);
  run.engine->warm_up();

  Director director(stage, pace, audience.stop);
  Energies start;
  LiveEvents events;
  if (may_have_events(run.spec)) director.note({}, events.totals);
  const Observer counted{
      .name = "contacts", .when = AtEvents{}, .observe = [&](const Frame& frame) {
        events.take(frame);
        director.note(frame.events(), events.totals);
      }};
  const Observer charted{.name = "charts",
                         .when = energy_cadence(run.spec, plan),
                         .observe =
                             [&](const Frame& frame) {
                               if (frame.step() == 0) start = frame.energies();
                               director.note(row_of(frame, start, events.totals.energy_lost));
                             },
                         .asks_energies = true};
  const SimulationEnd end = simulate(
      *run.engine, run.integrator, plan, {counted, charted, director.observer()},
      [&](const Frame& frame) { return director.look(frame); },
      actions_of(run.spec, plan, run.keeps_spin));
  if (end.reason == SimulationEnd::Reason::undone) {
    director.wait_at_end(State::finished, events.stop);
  }
  if (end.reason == SimulationEnd::Reason::not_finite) {
    director.wait_at_end(State::failed,
                         fmt::format("positions or velocities are not finite at step {}; "
                                     "a smaller step or more softening may help",
                                     end.step));
  }
  return {director.end(), director.last().name};
}

}  // namespace

void show_run(const RunSpec& spec, Stage& stage, const Audience& audience) {
  RunSpec current = spec;
  std::string example;
  bool first = true;
  for (;;) {
    Played played;
    try {
      played = play(current, example, stage, audience);
    } catch (const Error& error) {
      if (first) throw;
      Scene scene;
      scene.title = title_of(current), scene.kind = "run",
      scene.can_restart = scene.can_choose = true;
      stage.begin(scene);
      Director director(stage, {}, audience.stop);
      director.wait_at_end(State::failed, fmt::format("{}; {}", error.what(), error.remedy()));
      played = {director.end(), director.last().name};
    }
    first = false;
    if (played.end == End::stop) return;
    const Example* chosen = played.end == End::example ? example_named(played.example) : nullptr;
    if (chosen == nullptr) continue;
    current = parse_run_spec(chosen->toml, chosen->name);
    const auto precision = current.device.precision;
    current.device = spec.device;  // where it runs stays the user's choice
    if (precision) current.device.precision = precision;
    example = chosen->name;
    stage.report({});  // at its own pace, whatever the last one ran at
  }
}

WatchedRun::WatchedRun(Stage& stage, RunListener& listener)
    : stage_(stage),
      stop_([wanted = listener.stop_requested] { return wanted && !wanted().empty(); }) {
  listener.observers = [this](const ObservedRun& run) { return observers_of(run); };
  listener.pace = [this](const Frame& frame) -> std::uint64_t {
    const LoopControl control = director_->look(frame);
    if (control.kind == LoopControl::Kind::hold) return 0;
    return std::max<std::uint64_t>(1, control.burst);  // the run asks by itself who wants its end
  };
}

std::vector<Observer> WatchedRun::observers_of(const ObservedRun& run) {
  const RunSpec& spec = run.spec();
  stage_.begin(scene_of(spec, run.engine().describe(), 0));
  Pace pace;  // as fast as it goes: the run is what matters
  pace.step = *spec.time.step;
  pace.may_end = false;
  director_ = std::make_unique<Director>(stage_, pace, stop_);
  if (run.has_events()) director_->note({}, run.record.events);
  return {{.name = "charts",
           .when = energy_cadence(spec, run.plan),
           .observe =
               [this, &record = run.record](const Frame& frame) {
                 director_->note(row_of(frame, record.start_energies, record.events.energy_lost));
               },
           .asks_energies = true},
          {.name = "contacts",
           .when = AtEvents{},
           .observe =  // after the run's own observer has counted them
           [this, &record = run.record](const Frame& frame) {
             director_->note(frame.events(), record.events);
           }},
          director_->observer(),
          // the end is what pages that come later see
          {.name = "last frame",
           .when = EveryLook{},
           .observe = [this, last = run.plan.last_step](const Frame& frame) {
             if (frame.step() == last) stage_.show(frame.engine(), frame.step(), frame.time());
           }}};
}

void WatchedRun::stay(const RunResult& result, const std::function<bool()>& needless) {
  if (!director_) return;
  const bool good = result.summary.exit_code == ExitCode::done;
  director_->wait_at_end(good ? State::finished : State::failed, result.message, needless);
}

}  // namespace apsis::viewer
