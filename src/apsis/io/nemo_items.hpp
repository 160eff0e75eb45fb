// SPDX-License-Identifier: MIT
// Inside io/: NEMO's structured files. An item is a magic number, whose order of bytes is that of
// the item, the letter of a type, a tag, dimensions where it has any, and the data; those of type
// "(" hold the items that follow up to one of type ")".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

struct NemoItem {
  char type = 0;  // 'f' and 'd' floating, 'i' and 'l' whole, 'c' text, '(' a set
  std::string tag;
  std::vector<std::uint64_t> dimensions;  // none: one value
  std::span<const std::byte> data;
  bool swap = false;
  std::size_t end = 0;  // of a set: the number of the first item after those that it holds

  std::uint64_t count() const;                // of values
  double real(std::uint64_t i) const;         // of type f or d
  std::int64_t whole(std::uint64_t i) const;  // of type i or l
  bool holds_reals() const { return type == 'f' || type == 'd'; }
  bool holds_whole_numbers() const { return type == 'i' || type == 'l'; }
};

// The items of a file in their order; a set stands before what it holds, and ends are left out.
// bad_data, which names the file and the byte, where they do not follow each other to its end, or
// where the list of them takes more than that memory.
std::vector<NemoItem> nemo_items(std::span<const std::byte> bytes, const std::string& name,
                                 std::uint64_t memory);

// Whether an item begins here, and in the other order of bytes.
struct NemoStart {
  bool swap = false;
};
std::optional<NemoStart> nemo_start(std::span<const std::byte> bytes);

}  // namespace apsis
