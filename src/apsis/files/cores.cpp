// SPDX-License-Identifier: MIT
#include <apsis/files/cores.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace apsis {

// schedstat has nanoseconds on a core, nanoseconds waiting, and turns.
std::optional<double> seconds_waited_for_cores(const std::filesystem::path& threads) {
  std::error_code trouble;
  const std::filesystem::directory_iterator folders(threads, trouble);
  if (trouble) return std::nullopt;
  double seconds = 0;
  bool counted = false;
  for (const auto& thread : folders) {
    std::ifstream file(thread.path() / "schedstat");
    std::uint64_t running = 0, waiting = 0;
    if (!(file >> running >> waiting)) continue;  // it has just ended
    seconds += 1e-9 * static_cast<double>(waiting);
    counted = true;
  }
  return counted ? std::optional(seconds) : std::nullopt;
}

std::optional<std::uint64_t> address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  if (!(file >> pages)) return std::nullopt;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace apsis
