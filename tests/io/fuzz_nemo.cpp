// SPDX-License-Identifier: MIT
// Any bytes are a file of NEMO's or refused; of one that was read every snapshot can be taken.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  const auto bytes = std::as_bytes(std::span(data, size));
  const bool known = nemo_format().looks_like(bytes.first(std::min<std::size_t>(size, 32)), size);
  nemo_format().flavour(bytes);
  std::uint64_t frames = 1;
  for (std::uint64_t frame = 0; frame <= std::min<std::uint64_t>(frames, 8); ++frame) {
    try {
      const Snapshot snapshot = parse_nemo(bytes, "fuzz", {.memory = 1 << 24, .frame = frame});
      if (!known || snapshot.frames == 0) std::abort();
      require_consistent(snapshot, "fuzz");
      frames = snapshot.frames;
    } catch (const Error& error) {
      if (error.code() != ExitCode::bad_data) std::abort();
    }
  }
  return 0;
}
