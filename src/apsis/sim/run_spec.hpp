// SPDX-License-Identifier: MIT
// What a run is asked to do: settings as values, which list their own keys (spec_keys.hpp), so that
// reading them from TOML and --set, writing, checking and describing them state nothing twice.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/contact_settings.hpp>
#include <apsis/core/external_fields.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/core/units.hpp>
#include <apsis/sim/run_settings.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct RunSpec {
  std::string title;
  std::uint64_t seed = 42;
  InitialSettings initial;
  UnitsSettings units;
  ForceSettings force;
  // Another way to write force.softening, which reading turns it into: the form of the teaching
  // documents.
  std::optional<double> softening_squared;
  ExternalFields external;
  ContactSettings contacts;
  SpaceSettings space;
  TimeSettings time;
  DeviceSettings device;
  OutputSettings output;

  // device.kernel_dir as a file has it, which does not count: kernels are code, so the folder must
  // be named where the program is called (run/trusted_kernels.hpp).
  struct KernelsOfFile {
    std::string folder, file, place;
  };
  std::optional<KernelsOfFile> kernels_of_file;

  // Decided at start or taken over from an earlier run; see Resolution.
  std::map<std::string, std::string> resolved;
};

// What a model or file brings along for the keys that were not given.
struct RunDefaults {
  std::string units = "dimensionless";
  std::optional<Units> custom_units;  // where `units` is "custom"
  std::optional<double> constant;     // where it is not the unit system's: files carry their own
  Law law = Law::gravity;
  double softening = 0;
  RadialLaw radial;
  double step = 0.01;
  double until = 1;
  Precision precision = Precision::f32;
  std::string solver;  // instead of auto
  std::optional<OnContact> on_contact;
  std::optional<Box> walls;
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

// "time.step=0.1": the value as TOML, or as a bare word. `place` starts every message; empty:
// "--set time.step=0.1".
void set_key(RunSpec& spec, const std::string& assignment, const std::string& place = {});

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
