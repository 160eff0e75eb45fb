// SPDX-License-Identifier: MIT
// What a run is asked to do, as values. One table of keys (spec_keys.hpp) reads it from TOML and
// --set, writes it back, checks it and describes it, so that nothing is stated twice.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/force_law.hpp>
#include <apsis/core/units.hpp>

#include <array>
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
// x0, x1, y0, y1, z0, z1 with each low side below its high one.
using Box = std::array<double, 6>;
using ModelOptions = std::map<std::string, OptionValue>;

struct RunSpec {
  std::string title;
  std::uint64_t seed = 42;

  struct Initial {
    std::string model = "galaxy-merger";
    std::string file;                     // instead of a model
    std::optional<std::uint64_t> bodies;  // default: the model's
    ModelOptions options;                 // keys that only the model knows, checked by initial/
  } initial;

  struct UnitsChoice {
    std::optional<std::string> system;  // default: the model's or the file's
    // Only with system = "custom", where all three are needed.
    std::optional<double> length_in_cm, mass_in_g, velocity_in_cm_per_s;
  } units;

  struct Force {
    std::optional<Law> law;           // default: the model's, else gravity
    std::optional<double> constant;   // default: the unit system's
    std::optional<double> softening;  // default: the model's
    std::string solver = "auto";
    double accuracy = 1e-3;
    std::optional<double> opening_angle;  // default: by the estimated error
    std::optional<std::int64_t> order;    // default: by the accuracy
    std::optional<Box> box;               // default: the bodies' own
    std::optional<std::int64_t> bins;     // per side; default: by the number of bodies
  } force;

  struct Time {
    std::string integrator = "leapfrog";
    std::optional<double> step;   // default: the model's
    std::optional<double> until;  // default: the model's
    std::int64_t burst = 20;
    std::optional<double> energy_limit;
  } time;

  struct DeviceChoice {
    std::string name = "auto";
    std::optional<Precision> precision;  // default: the model's, else f32
    std::int64_t threads = 0;
    bool reproducible = false;
    std::string variant;     // of the solver; empty: the tuned or the default one
    std::string kernel_dir;  // kernel files here come before the built-in ones
  } device;

  struct Output {
    std::string directory;                 // default: out/<model or file name>
    std::optional<double> snapshot_every;  // default: until/20; 0: first and last only
    std::optional<double> energy_every;    // default: until/100; 0: first and last only
    double checkpoint_minutes = 5;
    std::optional<std::int64_t> checkpoint_steps;
    double max_minutes = 0;  // 0: no limit
    bool pictures = true;
  } output;

  // device.kernel_dir as a file has it, which does not count: kernels are code, so the folder must
  // be named where the program is called (run/trusted_kernels.hpp).
  struct KernelsOfFile {
    std::string folder, file, place;
  };
  std::optional<KernelsOfFile> kernels_of_file;

  // Decided at start or taken over from an earlier run; see EngineDescription.
  std::map<std::string, std::string> resolved;
};

// What a model or file brings along for the keys that were not given.
struct RunDefaults {
  std::string units = "dimensionless";
  std::optional<Units> custom_units;  // where `units` is "custom"
  std::optional<double> constant;     // where it is not the unit system's: files carry their own
  Law law = Law::gravity;
  double softening = 0;
  double step = 0.01;
  double until = 1;
  Precision precision = Precision::f32;
};

// The unit system of a spec that is filled in. bad_data where custom units are not complete.
Units units_of(const RunSpec& spec);

// Where a run is written that names no folder: out/<model or file>.
std::string default_directory(const RunSpec& spec);

// Fills everything optional that has a default, so that the written spec says all.
void fill_in(RunSpec& spec, const RunDefaults& defaults);

// Parses TOML text; `origin` (a file name) starts every message: "merger.toml:7:8: ...".
// Unknown keys, wrong types and values out of range are bad_data naming the nearest key or the
// allowed range.
RunSpec parse_run_spec(const std::string& text, const std::string& origin);

// "--set time.step=0.1": the value as TOML, or as a bare word.
void set_key(RunSpec& spec, const std::string& assignment);

// The whole spec as TOML that parses back to the same spec, but for device.kernel_dir.
std::string to_toml(const RunSpec& spec);

// Every key that has a value, with that value as TOML; the model's own options are keys, too.
struct SpecValue {
  std::string path, text;  // "time.step", "0.01"
};
std::vector<SpecValue> spec_values(const RunSpec& spec);

// One row per key, for --help, the manual and docs.
struct SpecKeyInfo {
  std::string path, type, default_text, description;
};
std::vector<SpecKeyInfo> spec_key_table();

}  // namespace apsis
