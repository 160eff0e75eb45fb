// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis::lab {
namespace {

// PoCL's names repeat those of the processor, which says nothing beside the native cpu.
std::string short_name(const DeviceInfo& device) {
  if (device.platform.starts_with("Portable Computing Language")) return "PoCL";
  constexpr std::size_t longest = 24;
  return device.name.size() <= longest ? device.name : device.name.substr(0, longest - 1) + "…";
}

LessonPlace native_place() { return {"cpu", "cpu", true, {}}; }
LessonPlace place_of(const DeviceInfo& device) {
  return {fmt::format("opencl:{}", device.index), short_name(device), false, device};
}

std::vector<LessonPlace> all_places(Wanted wanted) {
  std::vector<LessonPlace> all;
  if (wanted == Wanted::everything) all.push_back(native_place());
  const Discovery found = discover_devices();
  for (const DeviceInfo& device : found.devices) all.push_back(place_of(device));
  if (all.empty()) {
    throw Error(ExitCode::unavailable,
                fmt::format("this lesson needs an OpenCL device: {}", found.why_none),
                fmt::format("install a driver, for example pocl-opencl-icd; '{}' says more",
                            typed_command("doctor")));
  }
  return all;
}

std::vector<LessonPlace> chosen_places(const std::vector<std::string>& names, Wanted wanted) {
  std::vector<LessonPlace> chosen;
  for (const std::string& name : names) {
    const bool native = name == "cpu";
    if (native && wanted == Wanted::opencl) {
      throw Error(ExitCode::wrong_usage, "this lesson is about OpenCL devices, not the native cpu",
                  "give --device opencl, or take the lesson cpu");
    }
    LessonPlace place = native ? native_place() : place_of(chosen_device(name));
    const auto same = [&](const LessonPlace& other) { return other.choice == place.choice; };
    if (std::none_of(chosen.begin(), chosen.end(), same)) chosen.push_back(std::move(place));
  }
  return chosen;
}

}  // namespace

std::vector<LessonPlace> places(const LabOptions& options, Wanted wanted, Recorder& recorder) {
  std::vector<LessonPlace> chosen =
      options.devices.empty() ? all_places(wanted) : chosen_places(options.devices, wanted);
  std::vector<std::string> names;
  for (const LessonPlace& place : chosen) names.push_back(place.name);
  for (LessonPlace& place : chosen) {
    if (std::count(names.begin(), names.end(), place.name) > 1) place.name += " " + place.choice;
  }
  for (const LessonPlace& place : chosen) {
    recorder.about(
        "device " + place.name,
        place.native
            ? fmt::format("native CPU, {}, {}", counted(thread_count(options.threads), "thread"),
                          direct_host_instruction_set())
            : fmt::format("{}: {}, {} units, {}", place.choice, name_with_driver(place.info),
                          place.info.compute_units, place.info.platform));
  }
  return chosen;
}

std::vector<std::uint64_t> usual_bodies(const LabOptions& options, const LessonPlace& place) {
  std::vector<std::uint64_t> bodies = options.bodies;
  if (bodies.empty() && options.quick) bodies = {1024, 2048};
  if (bodies.empty()) bodies = {1024, 4096, 16384};
  if (options.bodies.empty() && !options.quick && place.is_gpu()) {
    bodies.insert(bodies.end(), {65536, 262144});
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace apsis::lab
