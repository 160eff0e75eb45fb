// SPDX-License-Identifier: MIT
#include <apsis/files/cores.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace apsis {

// Linux: /proc/self/task/*/schedstat has nanoseconds on a core, nanoseconds waiting, and turns.
std::optional<double> seconds_waited_for_cores() {
  std::error_code trouble;
  const std::filesystem::directory_iterator threads("/proc/self/task", trouble);
  if (trouble) return std::nullopt;
  double seconds = 0;
  bool counted = false;
  for (const auto& thread : threads) {
    std::ifstream file(thread.path() / "schedstat");
    std::uint64_t running = 0, waiting = 0;
    if (!(file >> running >> waiting)) continue;  // it has just ended
    seconds += 1e-9 * static_cast<double>(waiting);
    counted = true;
  }
  return counted ? std::optional(seconds) : std::nullopt;
}

}  // namespace apsis
