// SPDX-License-Identifier: MIT
// Any text is a file of XYZ or refused; a frame that was read is written and read back the same.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  const auto bytes = std::as_bytes(std::span(data, size));
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  xyz_format().looks_like(bytes.first(std::min<std::size_t>(size, 32)), size);
  xyz_format().flavour(bytes);
  std::uint64_t frames = 1;
  for (std::uint64_t frame = 0; frame <= std::min<std::uint64_t>(frames, 4); ++frame) {
    try {
      const Snapshot snapshot = parse_xyz(text, "fuzz", {.memory = 1 << 24, .frame = frame});
      frames = snapshot.frames;
      require_consistent(snapshot, "fuzz");
      const Snapshot again = parse_xyz(format_xyz(snapshot), "again", {.memory = 1 << 24});
      if (!(again.bodies == snapshot.bodies && again.time == snapshot.time)) std::abort();
    } catch (const Error& error) {
      if (error.code() != ExitCode::bad_data) std::abort();
    }
  }
  return 0;
}
