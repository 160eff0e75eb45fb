// SPDX-License-Identifier: MIT
// Any bytes are a snapshot or refused. HDF5 itself is part of what is tested here: reports that
// point into it are its own.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <cstddef>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  try {
    parse_hdf5(std::as_bytes(std::span(data, size)), "fuzz", {.memory = 1 << 24});
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  if (open_hdf5_objects() != 0) std::abort();
  return 0;
}
