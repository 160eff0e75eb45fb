// SPDX-License-Identifier: MIT
// Any bytes are a TIPSY file or refused; a file that was read is written and read back the same.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <cstddef>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  const auto bytes = std::as_bytes(std::span(data, size));
  tipsy_format().looks_like(bytes, size);
  tipsy_format().flavour(bytes);
  try {
    const Snapshot snapshot = parse_tipsy(bytes, "fuzz", {.memory = 1 << 24});
    const Bytes written = format_tipsy(snapshot, "again");
    if (format_tipsy(parse_tipsy(written, "again"), "once more") != written) std::abort();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  return 0;
}
