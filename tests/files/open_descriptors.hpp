// SPDX-License-Identifier: MIT
// How many files this process has open, to see that none is forgotten.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace apsis {

inline std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace apsis
