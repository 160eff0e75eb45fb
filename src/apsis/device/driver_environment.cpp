// SPDX-License-Identifier: MIT
#include <apsis/device/driver_environment.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace apsis::device {
namespace {

// PoCL with its compiler, and for each of its threads a stack and memory of its own.
constexpr std::uint64_t for_a_driver = std::uint64_t{256} << 20,
                        for_a_thread = std::uint64_t{64} << 20;

std::uint64_t stack_of_a_thread() {
  constexpr std::uint64_t usual = std::uint64_t{8} << 20;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY) return usual;
  return stack.rlim_cur;
}

}  // namespace

void give_drivers_a_cache() {
  static const bool done = [] {
    name_cache_for_library("POCL_CACHE_DIR", "pocl/kcache", "pocl");
    return true;
  }();
  static_cast<void>(done);
}

std::string why_drivers_are_not_asked() {
  const auto left = address_space_left();
  if (!left) return {};
  const auto cores = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  const std::uint64_t needed = for_a_driver + cores * (for_a_thread + stack_of_a_thread());
  if (*left >= needed) return {};
  return fmt::format(
      "drivers are not asked, since the limit on memory (ulimit -v) leaves {} and they "
      "may need {}, without which they end the program",
      readable_size(*left), readable_size(needed));
}

}  // namespace apsis::device
