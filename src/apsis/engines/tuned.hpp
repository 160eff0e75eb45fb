// SPDX-License-Identifier: MIT
// What `apsis tune` found out about devices, in a file of the cache folder that all runs share:
// per device, driver and precision, for several numbers of bodies.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct TunedChoice {
  std::string variant;
  DirectSizes sizes;
  std::size_t bodies = 0;              // that it was found with
  double interactions_per_second = 0;  // then
};

// $CACHE/tuned.json
std::filesystem::path tuned_file();

// What was found with the number of bodies that is nearest, at most a factor of 4 away. Nothing
// where nothing fits or the file can't be read: tuning is a help, never a need.
std::optional<TunedChoice> tuned_choice(const DeviceInfo& device, Precision precision,
                                        std::size_t bodies);

// All that is known of a device and precision, by rising number of bodies.
std::vector<TunedChoice> tuned_choices(const DeviceInfo& device, Precision precision);

// Takes the place of what was found before with this number of bodies.
void remember_tuned(const DeviceInfo& device, Precision precision, const TunedChoice& choice);

}  // namespace apsis
