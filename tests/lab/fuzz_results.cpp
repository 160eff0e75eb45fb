// SPDX-License-Identifier: MIT
// Any text is a lesson's results or refused; results that were read are written and read the same.
#include <apsis/core/error.hpp>
#include <apsis/lab/results.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    for (const lab::Results& results : lab::all_results_from_json(text, "fuzz")) {
      const std::string written = lab::to_json(results);
      if (lab::to_json(lab::results_from_json(written, "again")) != written) std::abort();
    }
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  return 0;
}
