// SPDX-License-Identifier: MIT
#include <apsis/core/units.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/spec_keys.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>

#include <algorithm>

namespace apsis {
namespace {

// A row reads the member from the lambda's body, so that the path and the member stand together.
#define APSIS_MEMBER(member) \
  (+[](RunSpec& spec) -> decltype(spec.member)& { return (spec.member); })

SpecKey positive(SpecKey key) {
  key.minimum = 0, key.above_minimum = true;
  return key;
}
SpecKey not_negative(SpecKey key) {
  key.minimum = 0;
  return key;
}
SpecKey at_most(double maximum, SpecKey key) {
  key.maximum = maximum;
  return key;
}
SpecKey one_of(std::vector<std::string> words, SpecKey key) {
  key.words = std::move(words);
  return key;
}

std::vector<std::string> unit_systems() {
  auto names = unit_system_names();
  names.emplace_back("custom");
  return names;
}

std::vector<SpecKey> make_keys() {
  return {
      {"title", APSIS_MEMBER(title), "", "shown in the summary and stored in every snapshot"},
      not_negative({"seed", APSIS_MEMBER(seed), "42", "of the random numbers"}),

      {"initial.model", APSIS_MEMBER(initial.model), "galaxy-merger",
       "a model by name; `apsis init --list` describes them with the keys that each adds here"},
      {"initial.file", APSIS_MEMBER(initial.file), "",
       "bodies from a file instead of a model (.hdf5, .csv, .tipsy)"},
      not_negative({"initial.bodies", APSIS_MEMBER(initial.bodies), "the model's",
                    "number of bodies, where the model leaves it free"}),

      one_of(unit_systems(),
             {"units.system", APSIS_MEMBER(units.system), "the model's or the file's",
              "unit system; custom needs the three sizes below"}),
      positive({"units.length_in_cm", APSIS_MEMBER(units.length_in_cm), "the file's",
                "of custom units"}),
      positive({"units.mass_in_g", APSIS_MEMBER(units.mass_in_g), "the file's", "of custom units"}),
      positive({"units.velocity_in_cm_per_s", APSIS_MEMBER(units.velocity_in_cm_per_s),
                "the file's", "of custom units"}),

      {"force.law", APSIS_MEMBER(force.law), "the model's", "gravity, or coulomb for charges"},
      {"force.constant", APSIS_MEMBER(force.constant), "the unit system's", "G or k"},
      not_negative({"force.softening", APSIS_MEMBER(force.softening), "the model's",
                    "Plummer length; 0 for point masses"}),
      one_of(solver_names(),
             {"force.solver", APSIS_MEMBER(force.solver), "auto",
              "how forces are summed; auto is the faster of direct and fmm, measured"}),
      positive({"force.accuracy", APSIS_MEMBER(force.accuracy), "1e-3",
                "wanted 99 % force error of tree and fmm; direct sums are always better"}),
      at_most(2, positive({"force.opening_angle", APSIS_MEMBER(force.opening_angle),
                           "by the estimated error",
                           "tree, fmm: size of a cell over its distance, instead of the estimate; "
                           "promises no accuracy"})),
      at_most(64, positive({"force.order", APSIS_MEMBER(force.order), "by the accuracy",
                            "tree, fmm: order of the expansions"})),
      {"force.box", APSIS_MEMBER(force.box), "that of the bodies",
       "bins: [x0, x1, y0, y1, z0, z1]; bodies outside count with the bins at the border"},
      at_most(most_bins,
              positive({"force.bins", APSIS_MEMBER(force.bins), "by the number of bodies",
                        "bins: how many along each side of the box"})),

      one_of(integrator_names(),
             {"time.integrator", APSIS_MEMBER(time.integrator), "leapfrog", "time integrator"}),
      positive({"time.step", APSIS_MEMBER(time.step), "the model's", "length of a step"}),
      not_negative({"time.until", APSIS_MEMBER(time.until), "the model's",
                    "the run ends with the step that reaches this time"}),
      positive({"time.burst", APSIS_MEMBER(time.burst), "20",
                "most steps between looks at the state; never changes the result"}),
      positive({"time.energy_limit", APSIS_MEMBER(time.energy_limit), "none",
                "stop with exit code 76 when the energy error exceeds it"}),

      {"device.name", APSIS_MEMBER(device.name), "auto",
       "auto (the fastest, measured at the start), cpu (the native one), opencl, opencl:1, gpu, or "
       "part of an OpenCL device's name; several devices with commas, or all"},
      {"device.precision", APSIS_MEMBER(device.precision), "the model's, else f32",
       "f32, mixed or f64"},
      not_negative(
          {"device.threads", APSIS_MEMBER(device.threads), "0", "threads of the cpu; 0 takes all"}),
      {"device.reproducible", APSIS_MEMBER(device.reproducible), "false",
       "same bits for any number of threads and any work-group size; in f64 on every device"},
      {"device.variant", APSIS_MEMBER(device.variant), "the fastest known",
       "implementation of the solver, by name"},
      {"device.kernel_dir", APSIS_MEMBER(device.kernel_dir), "",
       "kernel files (.cl) in this folder come before the built-in ones; only with --set or "
       "--kernel-dir, never in a file"},

      {"output.directory", APSIS_MEMBER(output.directory), "out/<model or file>",
       "folder of the run, relative to where apsis is started"},
      not_negative({"output.snapshot_every", APSIS_MEMBER(output.snapshot_every), "until/20",
                    "time between snapshots; 0: first and last only"}),
      not_negative({"output.energy_every", APSIS_MEMBER(output.energy_every), "until/100",
                    "time between rows of energy.csv; 0: first and last only"}),
      positive({"output.checkpoint_minutes", APSIS_MEMBER(output.checkpoint_minutes), "5",
                "minutes between checkpoints"}),
      positive({"output.checkpoint_steps", APSIS_MEMBER(output.checkpoint_steps), "none",
                "steps between checkpoints, instead of minutes"}),
      not_negative({"output.max_minutes", APSIS_MEMBER(output.max_minutes), "0",
                    "checkpoint and exit 75 after this long, for batch queues; 0: no limit"}),
      {"output.pictures", APSIS_MEMBER(output.pictures), "true",
       "final.png, strip.png and energy.png at the end"},
  };
}

}  // namespace

const std::vector<SpecKey>& spec_keys() {
  static const std::vector<SpecKey> keys = make_keys();
  return keys;
}

const std::vector<std::string>& spec_sections() {
  static const std::vector<std::string> sections{"initial", "units",  "force",
                                                 "time",    "device", "output"};
  return sections;
}

const SpecKey* find_spec_key(const std::string& path) {
  const auto found = std::find_if(spec_keys().begin(), spec_keys().end(),
                                  [&](const SpecKey& key) { return key.path == path; });
  return found == spec_keys().end() ? nullptr : &*found;
}

std::vector<std::string> spec_key_paths() {
  std::vector<std::string> paths;
  for (const SpecKey& key : spec_keys()) paths.push_back(key.path);
  return paths;
}

}  // namespace apsis
