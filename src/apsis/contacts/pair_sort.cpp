// SPDX-License-Identifier: MIT
#include <apsis/contacts/pair_sort.hpp>
#include <apsis/solvers/tree/morton_sort.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace apsis {

BodyPairs sorted_pairs(BodyPairs pairs, std::size_t bodies, int threads) {
  constexpr std::size_t few = 1000;  // a comparison sort is as fast
  if (pairs.size() < few) {
    std::ranges::sort(pairs);
    keep_each_once(pairs);
    return pairs;
  }
  const auto bits = static_cast<int>(std::bit_width(bodies));
  const std::uint64_t low = (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint64_t> words(pairs.size()), spare;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    words[k] = std::uint64_t{pairs[k].a} << bits | pairs[k].b;
  }
  far::radix_sort(words, spare, 0, 2 * bits, threads);
  keep_each_once(words);
  pairs.resize(words.size());
  for (std::size_t k = 0; k < words.size(); ++k) {
    pairs[k] = {static_cast<std::uint32_t>(words[k] >> bits),
                static_cast<std::uint32_t>(words[k] & low)};
  }
  return pairs;
}

}  // namespace apsis
