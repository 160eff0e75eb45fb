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

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace apsis {
namespace {

// So many that most pulls come from expansions; the accuracy is the default of runs.
constexpr std::uint64_t far_field_bodies = 4000;
constexpr double far_field_accuracy = 1e-3;

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

// Bytes and number of the files below a folder; what cannot be read is not counted.
std::pair<std::uint64_t, std::uint64_t> contents_of(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0, files = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    const auto size = at->file_size(ignored);
    if (!ignored) bytes += size, ++files;
  }
  return {bytes, files};
}

Finding cache_finding() {
  try {
    const auto folder = cache_folder(), programs = folder / "programs";
    make_folder(programs);
    const auto probe = programs / "doctor";
    write_text(probe, "written to see whether it can be\n");
    remove_file(probe);
    const auto [bytes, files] = contents_of(folder);
    return {"cache", Health::good,
            fmt::format("{}, writable, {} in {} ({} free)", folder.string(), readable_size(bytes),
                        counted(files, "file"), readable_size(free_space(folder))),
            ""};
  } catch (const std::exception& error) {
    return {"cache", Health::missing,
            fmt::format("{}: every start compiles its kernels", error.what()),
            "make it writable, or set XDG_CACHE_HOME to a folder that is"};
  }
}

// A part that a build has or has not: by design where nobody asked for it, else as its library was
// not there.
struct Part {
  const char *what, *option;
  bool there, wanted;
  std::string detail;
  const char *lost, *packages;
};

Finding part_finding(const Part& part) {
  if (part.there) return {part.what, Health::good, part.detail, ""};
  if (part.wanted) {
    return {part.what, Health::missing,
            fmt::format("{}: what it needs was not there when this was built", part.lost),
            fmt::format("install {} and build again", part.packages)};
  }
  return {part.what, Health::missing,
          fmt::format("{}: this build was made without ({}=OFF)", part.lost, part.option),
          fmt::format("for one that has it, install {} and build with -D{}=ON", part.packages,
                      part.option),
          true};
}

Finding opencl_finding(const Discovery& discovery, const DoctorOptions& options) {
  if (!opencl_built_in() && !options.wanted.opencl) {
    return part_finding({"OpenCL", "APSIS_OPENCL", false, false, "", "the CPU does everything",
                         "ocl-icd-opencl-dev, opencl-headers and opencl-clhpp-headers"});
  }
  const std::filesystem::path& drivers = options.drivers;
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

Finding program_finding(const char* what, const char* program, const char* lost,
                        const char* package) {
  if (const auto path = find_program(program)) return {what, Health::good, path->string(), ""};
  return {what, Health::missing, lost, fmt::format("install {}", package)};
}

Finding mpi_finding(const DoctorOptions& options) {
  if (options.mpi.empty() && options.portable) {
    return {"MPI", Health::missing,
            "runs use one process: this build is for many machines, and each cluster has an MPI of "
            "its own (APSIS_PORTABLE=ON)",
            "build on the cluster, with its MPI", true};
  }
  if (options.mpi.empty()) {
    return part_finding({"MPI", "APSIS_MPI", false, options.wanted.mpi, "", "runs use one process",
                         "libopenmpi-dev and openmpi-bin"});
  }
  const auto launcher = find_program("mpirun");
  if (launcher) {
    return {"MPI", Health::good, fmt::format("{}, {}", options.mpi, launcher->string()), ""};
  }
  return {"MPI", Health::missing,
          fmt::format("{} is built in, but there is no mpirun: runs use one process", options.mpi),
          "install openmpi-bin"};
}

Finding page_finding(const DoctorOptions& options) {
  const bool without_server = !options.server;
  return part_finding(
      {"page", without_server ? "APSIS_SERVER" : "APSIS_PAGE", options.server && options.page,
       without_server ? options.wanted.server : options.wanted.page, "built in, with its server",
       "no live view", without_server ? "libboost-dev, nodejs and npm" : "nodejs and npm"});
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
  add(opencl_finding(discovery, options));
  add(drivers_finding(options.drivers));
  add(cache_finding());
  const BuildParts& wanted = options.wanted;
  add(part_finding({"HDF5", "APSIS_HDF5", hdf5_built_in(), wanted.hdf5, "built in",
                    "snapshots are CSV", "libhdf5-dev"}));
  add(part_finding({"PNG", "APSIS_PNG", pictures_available(), wanted.png, "built in",
                    "runs write no pictures", "libpng-dev"}));
  add(program_finding("gnuplot", "gnuplot", "runs draw no charts", "gnuplot-nox"));
  add(program_finding("ffmpeg", "ffmpeg", "there are pictures and no movies", "ffmpeg"));
  add(page_finding(options));
  add(mpi_finding(options));
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
  const ForceError& error = f32 ? result.error : result.error_double;
  test.error = test.solver == "direct" ? error.median : error.p99;
  test.complaint = complaint_about(engine, input, result, test.bound);
}

// Runs it, and says how that went.
void perform(SelfTest& test, const std::optional<DeviceInfo>& device, const BenchInput& input) {
  EngineSettings settings{.force = forces(input.law, test.solver), .device = {.name = "cpu"}};
  settings.device.variant = test.variant;
  settings.device.precision = test.precision;
  try {
    const auto engine = build(device ? plan_on(settings, {*device}) : plan_on_cpu(settings));
    judge(*engine, input, test);
    if (test.variant.empty()) test.variant = engine->describe().variant();
  } catch (const Error& error) {
    // what a variant does not offer is no fault of the device
    if (error.code() == ExitCode::bad_data) test.health = Health::missing;
    test.complaint = error.what();
  }
  if (!test.complaint.empty() && test.health == Health::good) test.health = Health::bad;
}

// `device` is nothing for the native CPU.
SelfTest self_test(const std::optional<DeviceInfo>& device, const std::string& solver,
                   const std::string& variant, Precision precision, const BenchInput& input) {
  SelfTest test;
  test.solver = solver;
  test.device = device ? fmt::format("opencl:{}", device->index) : "cpu";
  test.name = device ? name_with_driver(*device) : "native " + direct_host_instruction_set();
  test.variant = variant;
  test.precision = precision;
  test.bound = solver == "direct" ? error_bounds(precision).median : far_field_accuracy;
  if (device && precision != Precision::f32 && !device->has_double) {
    test.health = Health::missing;
    test.complaint = "the device has no double";
    return test;
  }
  perform(test, device, input);
  return test;
}

struct Inputs {
  BenchInput direct, far_field;
};

void add_tests(const DoctorOptions& options, const std::optional<DeviceInfo>& device,
               const Inputs& inputs, Diagnosis& diagnosis) {
  const auto add = [&](SelfTest test) {
    if (options.on_test) options.on_test(test);
    diagnosis.tests.push_back(std::move(test));
  };
  const auto variants = device ? direct_opencl_variant_names() : direct_host_variants();
  for (const std::string& variant : variants) {
    for (const Precision precision : precisions) {
      add(self_test(device, "direct", variant, precision, inputs.direct));
    }
  }
  // in one precision, as their kernels take seconds to compile where they are not kept
  for (const char* solver : {"tree", "fmm"}) {
    add(self_test(device, solver, "", Precision::f32, inputs.far_field));
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
  const Inputs inputs{bench_input(BenchOptions{}, options.bodies),
                      bench_input(BenchOptions{}, std::max(options.bodies, far_field_bodies))};
  add_findings(options, discovery, diagnosis);
  if (all || !wanted) add_tests(options, std::nullopt, inputs, diagnosis);
  for (const DeviceInfo& device : discovery.devices) {
    if (all || (wanted && wanted->index == device.index)) {
      add_tests(options, device, inputs, diagnosis);
    }
  }
  return diagnosis;
}

}  // namespace apsis
