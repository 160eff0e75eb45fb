// SPDX-License-Identifier: MIT
// What only runs are told: where bodies come from, units, steps and outputs. Forces and devices are
// in core/settings.hpp. A key is added here or there and nowhere else.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/fields.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace apsis {

// A value of a model's own option, with the place it was written at ("merger.toml:5:8").
struct OptionValue {
  std::variant<double, std::string, bool> value;
  std::string origin;
};
using ModelOptions = std::map<std::string, OptionValue>;

struct InitialSettings {
  std::string model = "galaxy-merger";
  std::string file;                     // instead of a model
  std::optional<std::uint64_t> bodies;  // default: the model's
  ModelOptions options;                 // keys that only the model knows, checked by initial/
};

template <SameBut<InitialSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [model, file, bodies, options] = settings;
  visit(FieldInfo{"model", "galaxy-merger",
                  "a model by name; `apsis init --list` describes them with the keys that each "
                  "adds here"},
        model);
  visit(FieldInfo{"file", "", "bodies from a snapshot file instead of a model"}, file);
  visit(FieldInfo{"bodies", "the model's", "number of bodies, where the model leaves it free"}
            .not_negative(),
        bodies);
}

struct UnitsSettings {
  std::optional<std::string> system;  // default: the model's or the file's
  // Only with system = "custom", where all three are needed.
  std::optional<double> length_in_cm, mass_in_g, velocity_in_cm_per_s;
};

template <SameBut<UnitsSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [system, length_in_cm, mass_in_g, velocity_in_cm_per_s] = settings;
  visit(FieldInfo{"system", "the model's or the file's",
                  "unit system; custom needs the three sizes below"},
        system);
  const auto size = [](const char* name) {
    return FieldInfo{name, "the file's", "of custom units"}.positive();
  };
  visit(size("length_in_cm"), length_in_cm);
  visit(size("mass_in_g"), mass_in_g);
  visit(size("velocity_in_cm_per_s"), velocity_in_cm_per_s);
}

struct TimeSettings {
  std::string integrator = "leapfrog";
  std::optional<double> step;         // default: the model's
  std::optional<double> until;        // default: the model's
  std::optional<std::int64_t> burst;  // default: 20
  std::optional<double> energy_limit;
};

template <SameBut<TimeSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [integrator, step, until, burst, energy_limit] = settings;
  visit(FieldInfo{"integrator", "leapfrog", "time integrator"}, integrator);
  visit(FieldInfo{"step", "the model's", "length of a step"}.positive(), step);
  visit(FieldInfo{"until", "the model's", "the run ends with the step that reaches this time"}
            .not_negative(),
        until);
  visit(FieldInfo{"burst", "20", "most steps between looks at the state; never changes the result"}
            .positive(),
        burst);
  visit(FieldInfo{"energy_limit", "none", "stop with exit code 76 when the energy error exceeds it"}
            .positive(),
        energy_limit);
}

// What a run may write of its states as it goes on; analysis/tables.hpp has a row for each.
enum class AnalysisName { lagrangian, centre, bound, profile, groups, orbits };
template <>
struct Choice<AnalysisName> {
  static constexpr const char* what = "analysis";
  static constexpr std::pair<AnalysisName, std::string_view> values[] = {
      {AnalysisName::lagrangian, "lagrangian"}, {AnalysisName::centre, "centre"},
      {AnalysisName::bound, "bound"},           {AnalysisName::profile, "profile"},
      {AnalysisName::groups, "groups"},         {AnalysisName::orbits, "orbits"}};
};
using AnalysisNames = std::vector<AnalysisName>;

struct OutputSettings {
  std::string directory;  // default: out/<model or file name>
  // Defaults: until/20 and until/100, but never shorter than a burst that was asked for, which they
  // would cut; 0: first and last only.
  std::optional<double> snapshot_every, energy_every;
  double checkpoint_minutes = 5;
  std::optional<std::int64_t> checkpoint_steps;
  double max_minutes = 0;  // 0: no limit
  bool pictures = true;
  bool plain = false;
  std::optional<bool> events;  // default: a file of them where there may be some
  AnalysisNames analyse;
  std::optional<double>
      analyse_every;  // default, where there is something to analyse: energy_every
};

template <SameBut<OutputSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [directory, snapshot_every, energy_every, checkpoint_minutes, checkpoint_steps, max_minutes,
         pictures, plain, events, analyse, analyse_every] = settings;
  visit(FieldInfo{"directory", "out/<model or file>",
                  "folder of the run, relative to where apsis is started"},
        directory);
  visit(FieldInfo{"snapshot_every", "until/20, or a time.burst that is given and longer",
                  "time between snapshots; 0: first and last only"}
            .not_negative(),
        snapshot_every);
  visit(FieldInfo{"energy_every", "until/100, or a time.burst that is given and longer",
                  "time between rows of energy.csv; 0: first and last only"}
            .not_negative(),
        energy_every);
  visit(FieldInfo{"checkpoint_minutes", "5", "minutes between checkpoints"}.positive(),
        checkpoint_minutes);
  visit(FieldInfo{"checkpoint_steps", "none", "steps between checkpoints, instead of minutes"}
            .positive(),
        checkpoint_steps);
  visit(FieldInfo{"max_minutes", "0",
                  "checkpoint and exit 75 after this long, for batch queues; 0: no limit"}
            .not_negative(),
        max_minutes);
  visit(FieldInfo{"pictures", "true", "final.png, strip.png and energy.png at the end"}, pictures);
  visit(FieldInfo{"plain", "false",
                  "final.png and strip.png without time, scale bar and other words"},
        plain);
  visit(FieldInfo{"events", "true", "events.csv: a row for every contact and every body that left"},
        events);
  visit(FieldInfo{"analyse", "none",
                  "lagrangian, centre, bound, profile, groups, orbits: a file lagrangian.csv, ... "
                  "for each that is named"},
        analyse);
  visit(FieldInfo{"analyse_every", "output.energy_every",
                  "time between what analyse writes; 0: first and last only"}
            .not_negative(),
        analyse_every);
}

}  // namespace apsis
