// SPDX-License-Identifier: MIT
// Numbers of things in messages: "1 body", "2 bodies".
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace apsis {

// The word for so many: body, bodies. `one` is a regular noun.
std::string plural(std::string_view one, bool many = true);

// "1 thread", "4 threads".
std::string counted(std::uint64_t count, std::string_view one);
template <std::integral Count>
std::string counted(Count count, std::string_view one) {
  return counted(static_cast<std::uint64_t>(count), one);
}

}  // namespace apsis
