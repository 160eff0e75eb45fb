// SPDX-License-Identifier: MIT
// Builds a kernel file on the first OpenCL device: build_once FOLDER FILE
#include <apsis/core/error.hpp>
#include <apsis/device/context.hpp>

#include <fmt/format.h>

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  try {
    apsis::device::Context context(apsis::chosen_device("opencl"), {argv[1], true});
    context.program(argv[2], {});
  } catch (const apsis::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
