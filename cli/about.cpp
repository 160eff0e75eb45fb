// SPDX-License-Identifier: MIT
#include "about.hpp"

#include "built_in.hpp"
#include <apsis/mpi/communicator.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace apsis::cli {
namespace {

// What the machine that runs this offers, widest last.
std::string instruction_sets() {
#if defined(__x86_64__)
  std::string names = "SSE2";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) names += ", AVX2+FMA";
  if (__builtin_cpu_supports("avx512f")) names += ", AVX-512F";
  return names;
#else
  return "the compiler's default";
#endif
}

std::string mpi_text() {
  const std::string library = mpi::library_version();
  return library.empty() ? "no: runs use one machine" : library;
}

}  // namespace

std::string version_text() {
  const std::vector<std::pair<std::string_view, std::string>> rows = {
      {"commit", std::string(commit)},
      {"compiler", std::string(compiler)},
      {"HDF5", built_in_hdf5},
      {"PNG", built_in_png},
      {"OpenCL", built_in_opencl},
      {"live view", built_in_view},
      {"MPI", mpi_text()},
      {"this CPU has", instruction_sets()},
  };
  std::string text = fmt::format("apsis {}\n", version);
  for (const auto& [name, value] : rows) text += fmt::format("  {:<13} {}\n", name, value);
  return text;
}

}  // namespace apsis::cli
