// SPDX-License-Identifier: MIT
// Inside lab/: where a lesson runs, and what the places are called in tables.
#pragma once

#include <apsis/device/devices.hpp>
#include <apsis/lab/options.hpp>
#include <apsis/lab/recorder.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apsis::lab {

struct LessonPlace {
  std::string choice;  // what --device calls it: cpu, opencl:0
  std::string name;    // short, for tables and charts: cpu, PoCL, NVIDIA H200
  bool native = true;
  DeviceInfo info;  // of an OpenCL device

  bool is_gpu() const { return !native && info.kind != DeviceKind::cpu; }
  std::string kind() const { return native ? "native" : is_gpu() ? "gpu" : "cpu"; }
};

enum class Wanted { opencl, everything };

// The places that were asked for, or all that there are; each is told to the recorder. unavailable
// where a lesson about OpenCL finds no device, wrong_usage where it is given the native cpu.
std::vector<LessonPlace> places(const LabOptions& options, Wanted wanted, Recorder& recorder);

// Rising numbers of bodies that suit the speed of a place.
std::vector<std::uint64_t> usual_bodies(const LabOptions& options, const LessonPlace& place);

}  // namespace apsis::lab
