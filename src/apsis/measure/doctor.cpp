// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/doctor.hpp>
#include <apsis/measure/verdict.hpp>
#include <apsis/render/png.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>
#include <span>

namespace apsis {
namespace {

constexpr Precision precisions[] = {Precision::f32, Precision::mixed, Precision::f64};

// The loader's place holds one file per driver, with the name of its library; it may be a file.
std::vector<std::filesystem::path> driver_files(const std::filesystem::path& place) {
  if (file_exists(place)) return {place};
  return list_files(place, "", ".icd");
}

Finding drivers_finding(const std::filesystem::path& place) {
  const auto files = driver_files(place);
  if (files.empty()) {
    return {"drivers", Health::missing, fmt::format("{} names none", place.string()), ""};
  }
  std::string names;
  for (const auto& file : files) {
    names += (names.empty() ? "" : ", ") + file.filename().string();
  }
  return {"drivers", Health::good, fmt::format("{} in {}", names, place.string()), ""};
}

Finding opencl_finding(const Discovery& discovery, const std::filesystem::path& drivers) {
  if (discovery.devices.empty()) {
    const bool mute = opencl_built_in() && !driver_files(drivers).empty();
    return {"OpenCL", Health::missing, discovery.why_none,
            mute ? "install the drivers anew, and see that you may use the device (groups video "
                   "and render); pocl-opencl-icd brings a device on any CPU"
                 : driver_remedy()};
  }
  const std::size_t count = discovery.devices.size();
  return {"OpenCL", Health::good, counted(count, "device"), ""};
}

Finding cache_finding() {
  try {
    const auto folder = cache_folder() / "programs";
    make_folder(folder);
    const auto probe = folder / "doctor";
    write_text(probe, "written to see whether it can be\n");
    remove_file(probe);
    return {"cache", Health::good,
            fmt::format("{} ({} free)", folder.string(), readable_size(free_space(folder))), ""};
  } catch (const std::exception& error) {
    return {"cache", Health::missing,
            fmt::format("{}: every start compiles its kernels", error.what()),
            "make it writable, or set XDG_CACHE_HOME to a folder that is"};
  }
}

Finding part_finding(const char* what, bool there, const char* lost, const char* package) {
  if (there) return {what, Health::good, "there", ""};
  return {what, Health::missing, lost, fmt::format("install {}", package)};
}

void add_findings(const DoctorOptions& options, const Discovery& discovery, Diagnosis& diagnosis) {
  const auto add = [&](Finding finding) {
    if (options.on_finding) options.on_finding(finding);
    diagnosis.findings.push_back(std::move(finding));
  };
  add({"CPU", Health::good,
       fmt::format("{}, {}, {}", counted(thread_count(0), "thread"), direct_host_instruction_set(),
                   readable_size(physical_memory())),
       ""});
  add(opencl_finding(discovery, options.drivers));
  add(drivers_finding(options.drivers));
  add(cache_finding());
  add(part_finding("HDF5", hdf5_built_in(), "snapshots are CSV", "libhdf5-dev and build again"));
  add(part_finding("PNG", pictures_available(), "runs write no pictures",
                   "libpng-dev and build again"));
  add(part_finding("gnuplot", find_program("gnuplot").has_value(), "runs draw no charts",
                   "gnuplot-nox"));
}

// The errors of one force evaluation; the complaint where they are too large.
void judge(Engine& engine, const BenchInput& input, SelfTest& test) {
  engine.load(input.bodies);
  engine.apply({Operation::accelerate(0)});
  BenchResult result;
  result.engine = engine.describe();
  result.error = sample_force_error(engine, input.law);
  result.error_double = sample_force_error(engine, input.bodies, input.law);
  const bool f32 = test.precision == Precision::f32;
  test.error = (f32 ? result.error : result.error_double).median;
  test.complaint = complaint_about(engine, input, result, test.bound);
}

// `device` is nothing for the native CPU.
SelfTest self_test(const std::optional<DeviceInfo>& device, const std::string& variant,
                   Precision precision, const BenchInput& input) {
  SelfTest test;
  test.device = device ? fmt::format("opencl:{}", device->index) : "cpu";
  test.name = device ? name_with_driver(*device) : "native " + direct_host_instruction_set();
  test.variant = variant;
  test.precision = precision;
  test.bound = error_bounds(precision).median;
  if (device && precision != Precision::f32 && !device->has_double) {
    test.health = Health::missing;
    test.complaint = "the device has no double";
    return test;
  }
  EngineSettings settings{.force = forces(input.law, "direct"), .device = {.name = "cpu"}};
  settings.device.variant = variant;
  settings.device.precision = precision;
  try {
    const auto engine = build(device ? plan_on(settings, {*device}) : plan_on_cpu(settings));
    judge(*engine, input, test);
  } catch (const Error& error) {
    // what a variant does not offer is no fault of the device
    if (error.code() == ExitCode::bad_data) test.health = Health::missing;
    test.complaint = error.what();
  }
  if (!test.complaint.empty() && test.health == Health::good) test.health = Health::bad;
  return test;
}

void add_tests(const DoctorOptions& options, const std::optional<DeviceInfo>& device,
               const BenchInput& input, Diagnosis& diagnosis) {
  const auto variants = device ? direct_opencl_variant_names() : direct_host_variants();
  for (const std::string& variant : variants) {
    for (const Precision precision : precisions) {
      SelfTest test = self_test(device, variant, precision, input);
      if (options.on_test) options.on_test(test);
      diagnosis.tests.push_back(std::move(test));
    }
  }
}

}  // namespace

std::string driver_remedy() {
  if (!opencl_built_in()) {
    return "install ocl-icd-opencl-dev, opencl-headers and opencl-clhpp-headers and build again";
  }
  return "install pocl-opencl-icd (any CPU), intel-opencl-icd (Intel graphics), nvidia-opencl-icd "
         "(NVIDIA) or mesa-opencl-icd (AMD)";
}

Diagnosis diagnose(const DoctorOptions& options) {
  Diagnosis diagnosis;
  const bool all = options.device.empty();
  std::optional<DeviceInfo> wanted;
  if (!all && options.device != "cpu") wanted = chosen_device(options.device);
  const Discovery discovery = discover_devices();
  const BenchInput input = bench_input(BenchOptions{}, options.bodies);
  add_findings(options, discovery, diagnosis);
  if (all || !wanted) add_tests(options, std::nullopt, input, diagnosis);
  for (const DeviceInfo& device : discovery.devices) {
    if (all || (wanted && wanted->index == device.index)) {
      add_tests(options, device, input, diagnosis);
    }
  }
  return diagnosis;
}

}  // namespace apsis
