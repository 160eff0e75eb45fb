// SPDX-License-Identifier: MIT
// write_once FILE BYTES: one verified atomic write, for fault_sweep to break system calls under.
// Exit 0 done, 74 refused as it should be; anything else is a defect.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const std::string text(static_cast<std::size_t>(std::atol(argv[2])), 'n');
  try {
    apsis::write_atomically(argv[1], apsis::bytes_of(text), {.verify = true});
  } catch (const apsis::Error& error) {
    fmt::print(stderr, "{}; {}\n", error.what(), error.remedy());
    return static_cast<int>(error.code());
  }
  return 0;
}
