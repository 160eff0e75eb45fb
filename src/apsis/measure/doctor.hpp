// SPDX-License-Identifier: MIT
// What `apsis doctor` does: looks at what this machine offers, and lets every kernel of every
// device compute forces that are compared with the reference.
#pragma once

#include <apsis/core/choices.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace apsis {

enum class Health { good, missing, bad };
template <>
struct Choice<Health> {
  static constexpr const char* what = "state of health";
  static constexpr std::pair<Health, std::string_view> values[] = {
      {Health::good, "ok"}, {Health::missing, "missing"}, {Health::bad, "FAILED"}};
};

// One thing that Apsis uses. Missing ones are optional.
struct Finding {
  std::string what;  // "OpenCL"
  Health health = Health::good;
  std::string detail;      // "2 devices"
  std::string remedy;      // empty where nothing is wrong
  bool by_design = false;  // missing since whoever built this program left it out
};

// The optional parts of a build; all of them are asked for unless somebody says otherwise.
struct BuildParts {
  bool hdf5 = true, png = true, opencl = true, mpi = true, server = true, page = true;
};

// One solver, or one of its kernels, on one device.
struct SelfTest {
  std::string solver = "direct";
  std::string device;  // as --device takes it: cpu, opencl:0
  std::string name;    // of the device, with its driver
  std::string variant;
  Precision precision = Precision::f32;
  Health health = Health::good;  // missing: not offered there, by design
  // Median force error of direct sums, whose largest is judged as well; what 99 % of the others'
  // are below, and what they promise.
  double error = 0, bound = 0;
  std::string complaint;  // empty where all is well
};

struct DoctorOptions {
  std::string device;          // one device alone; empty: all, and the native CPU
  std::uint64_t bodies = 500;  // of a self-test of direct sums; far fields need some thousand
  BuildParts wanted;           // what the build asked for
  bool portable = false;       // a build for many machines, without an MPI
  std::string mpi;             // version of the library; empty: not built in
  bool server = false, page = false;  // whether the live view's parts are built in
  std::filesystem::path drivers = "/etc/OpenCL/vendors";  // where the loader looks
  std::function<void(const Finding&)> on_finding;
  std::function<void(const SelfTest&)> on_test;
};

struct Diagnosis {
  std::vector<Finding> findings;
  std::vector<SelfTest> tests;
};

// unavailable where the device that was asked for is not there.
Diagnosis diagnose(const DoctorOptions& options);

// What brings an OpenCL device, for a machine that has none.
std::string driver_remedy();

}  // namespace apsis
