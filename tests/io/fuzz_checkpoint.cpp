// SPDX-License-Identifier: MIT
// Any bytes are a checkpoint or refused. Hashes would keep a fuzzer out of everything behind them,
// so half of the inputs are cut into sections and sealed with right hashes first.
#include <apsis/core/error.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/section_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

namespace apsis {
namespace {

// The first bytes give the lengths of the five small sections; what is left is a state array.
Bytes sealed(std::span<const std::byte> input) {
  std::vector<Section> sections;
  for (const char* name : {"progress", "spec", "logs", "notes", "state"}) {
    if (input.empty()) break;
    const auto wanted = std::to_integer<std::size_t>(input.front());
    input = input.subspan(1);
    const auto length = std::min(wanted, input.size());
    sections.push_back({name, input.first(length)});
    input = input.subspan(length);
  }
  sections.push_back({"state/x", input});
  Bytes file = section_table(sections);
  for (const auto& section : sections) {
    file.insert(file.end(), section.bytes.begin(), section.bytes.end());
  }
  return file;
}

void parse(std::span<const std::byte> bytes) {
  looks_like_checkpoint(bytes);
  try {
    const Checkpoint checkpoint = parse_checkpoint(bytes);
    if (encode_checkpoint(checkpoint).size() > bytes.size()) std::abort();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
}

}  // namespace
}  // namespace apsis

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  if (size % 2 == 0) {
    apsis::parse(bytes);
  } else {
    apsis::parse(apsis::sealed(bytes));
  }
  return 0;
}
