// SPDX-License-Identifier: MIT
// What a user chooses about forces and where they are computed, as values: run specs, bench,
// engines, solvers and ranks all have these structs as they are, and nobody copies them field by
// field. A key is added here and nowhere else.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/core/radial_laws.hpp>

#include <array>
#include <limits>
#include <optional>
#include <string>

namespace apsis {

// x0, x1, y0, y1, z0, z1 with each low side below its high one.
using Box = std::array<double, 6>;

inline constexpr int most_bins = 256;  // along a side: 16.8 million in all

// What solvers that approximate by expansions are asked for.
struct FarFieldSettings {
  double accuracy = 1e-3;               // 99 % of the bodies shall have a smaller force error
  std::optional<double> opening_angle;  // a bare angle instead of the error-controlled criterion
  std::optional<int> order;             // of the expansions

  friend bool operator==(const FarFieldSettings&, const FarFieldSettings&) = default;
};

template <SameBut<FarFieldSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [accuracy, opening_angle, order] = settings;
  visit(FieldInfo{"accuracy", "1e-3",
                  "wanted 99 % force error of tree and fmm; direct sums are always better"}
            .positive(),
        accuracy);
  visit(FieldInfo{"opening_angle", "by the estimated error",
                  "tree, fmm: size of a cell over its distance, instead of the estimate; "
                  "promises no accuracy"}
            .positive()
            .at_most(2),
        opening_angle);
  visit(FieldInfo{"order", "by the accuracy", "tree, fmm: order of the expansions"}
            .positive()
            .at_most(64),
        order);
}

// The cuts of the solver `bins`.
struct BinsSettings {
  std::optional<Box> box;   // the bodies' own otherwise
  std::optional<int> bins;  // per side; chosen by the number of bodies otherwise

  friend bool operator==(const BinsSettings&, const BinsSettings&) = default;
};

template <SameBut<BinsSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [box, bins] = settings;
  visit(
      FieldInfo{"box", "that of the bodies",
                "bins: [x0, x1, y0, y1, z0, z1]; bodies outside count with the bins at the border"},
      box);
  visit(FieldInfo{"bins", "by the number of bodies", "bins: how many along each side of the box"}
            .positive()
            .at_most(most_bins),
        bins);
}

// The law of forces, and how they are summed.
struct ForceSettings {
  // Left open, these are the model's, the file's or the unit system's.
  std::optional<Law> law;
  std::optional<double> constant;   // G or k
  std::optional<double> softening;  // Plummer length
  std::optional<Radial> radial;     // newton where no file says otherwise
  std::optional<double> range;      // of a radial law that has one
  std::string solver = "auto";      // or one of solver_table()
  FarFieldSettings far_field;
  BinsSettings bins;

  friend bool operator==(const ForceSettings&, const ForceSettings&) = default;
};

template <SameBut<ForceSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [law, constant, softening, radial, range, solver, far_field, bins] = settings;
  visit(FieldInfo{"law", "the model's", "gravity, or coulomb for charges"}, law);
  visit(FieldInfo{"constant", "the unit system's", "G or k"}, constant);
  visit(FieldInfo{"softening", "the model's", "Plummer length; 0 for point masses"}.not_negative(),
        softening);
  visit(FieldInfo{"radial", "the file's, else newton",
                  "how forces fall off with distance: a radial law by name"},
        radial);
  visit(FieldInfo{"range", "the file's", "the length of a radial law that has one"}.positive(),
        range);
  visit(FieldInfo{"solver", "auto",
                  "how forces are summed; auto is the faster of direct and fmm, measured"},
        solver);
  for_each_field(far_field, visit);
  for_each_field(bins, visit);
}

// Where and how exactly they are computed.
struct DeviceSettings {
  // auto, cpu (the native engine), opencl, opencl:1, gpu, or part of an OpenCL device's name; or
  // several OpenCL devices, see names_several()
  std::string name = "auto";
  std::optional<Precision> precision;  // default: the model's, else f32
  int threads = 0;                     // of the cpu; 0: all
  bool reproducible = false;
  std::string variant;                // of the solver; empty: the tuned or the default one
  std::string kernel_dir;             // kernel files here come before the built-in ones
  std::optional<std::int64_t> group;  // work-items a work-group, of `direct` on OpenCL devices

  friend bool operator==(const DeviceSettings&, const DeviceSettings&) = default;
};

inline Precision precision_of(const DeviceSettings& settings) {
  return settings.precision.value_or(Precision::f32);
}

template <SameBut<DeviceSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [name, precision, threads, reproducible, variant, kernel_dir, group] = settings;
  visit(FieldInfo{"name", "auto",
                  "auto (the fastest, measured at the start), cpu (the native one), opencl, "
                  "opencl:1, gpu, or part of an OpenCL device's name; several devices with commas, "
                  "or all"},
        name);
  visit(FieldInfo{"precision", "the model's, else f32", "f32, mixed or f64"}, precision);
  visit(FieldInfo{"threads", "0", "threads of the cpu; 0 takes all"}.not_negative().at_most(
            std::numeric_limits<int>::max()),
        threads);
  visit(FieldInfo{"reproducible", "false",
                  "same bits for any number of threads and any work-group size; in f64 on every "
                  "device"},
        reproducible);
  visit(FieldInfo{"variant", "the fastest known", "implementation of the solver, by name"},
        variant);
  visit(
      FieldInfo{"kernel_dir", "",
                "kernel files (.cl) in this folder come before the built-in ones; only with --set "
                "or --kernel-dir, never in a file"},
      kernel_dir);
  visit(
      FieldInfo{"group", "by the device",
                "work-items a work-group, of direct on OpenCL devices: a divisor or a multiple of "
                "32"}
          .positive()
          .at_most(1 << 20),
      group);
}

}  // namespace apsis
