// SPDX-License-Identifier: MIT
// make_strange CHECKPOINT FIRST COUNT FOLDER: writes FOLDER/<number>.apsis and FOLDER/<number>.toml
// as a stranger could make them from that checkpoint and its spec, the same for the same number.
#include "strange_checkpoint.hpp"
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char** argv) {
  using namespace apsis;
  if (argc != 5) return 64;
  try {
    const Checkpoint good = read_checkpoint(argv[1]);
    const std::uint64_t first = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
    const std::filesystem::path folder = argv[4];
    for (std::uint64_t number = first; number < first + count; ++number) {
      const auto bytes = testing::bytes_from(number);
      testing::Choices choices(bytes);
      write_atomically(folder / fmt::format("{}.apsis", number),
                       encode_checkpoint(testing::strange_checkpoint(good, choices)));
      testing::Choices others(bytes);
      write_text(folder / fmt::format("{}.toml", number),
                 testing::strange_spec(testing::strange_spec(good.spec_toml, others), others));
    }
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.code());
  }
}
