// SPDX-License-Identifier: MIT
// Any text is a table or refused; a table that was read is written and read back the same.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <cstddef>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Snapshot snapshot = parse_csv(text, "fuzz", {.memory = 1 << 24});
    const Snapshot again = parse_csv(format_csv(snapshot), "again", {.memory = 1 << 24});
    if (!(again.bodies == snapshot.bodies)) std::abort();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  // as tables of forces alone are read
  try {
    const Snapshot forces =
        parse_csv(text, "fuzz", {.memory = 1 << 24, .places_may_miss = true, .forces_alone = true});
    const std::size_t n = forces.accelerations.size();
    if (n > 0 && n != forces.bodies.size()) std::abort();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  return 0;
}
