// SPDX-License-Identifier: MIT
// Any bytes are a GADGET file or refused; a file that was read is written and read back the same.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <cstddef>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  const auto bytes = std::as_bytes(std::span(data, size));
  gadget_format().looks_like(bytes, size);
  gadget_format().flavour(bytes);
  try {
    const Snapshot snapshot = parse_gadget(bytes, "fuzz", {.memory = 1 << 24});
    const Bytes written = format_gadget(snapshot, "again");
    if (format_gadget(parse_gadget(written, "again"), "once more") != written) std::abort();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  return 0;
}
