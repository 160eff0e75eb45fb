// SPDX-License-Identifier: MIT
// Loops over threads whose results do not depend on the number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace apsis {

// 0 means all that OpenMP would use.
inline int thread_count(int requested) {
  return requested > 0 ? requested : std::max(1, omp_get_max_threads());
}

// Below this many elements a team of threads costs more than it brings (a fork-join is some µs).
inline constexpr std::size_t serial_below = 16384;

// body(i) for all i < n; iterations must be independent of each other.
template <class Body>
void parallel_for(std::size_t n, int threads, Body&& body) {
  if (n < serial_below || threads == 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < n; ++i) body(i);
}

// Σ term(i), summed inside blocks of fixed size and then over the blocks in order: the same bits
// for any number of threads, and an error that grows with the block, not with n.
template <class Value, class Term>
Value ordered_sum(std::size_t n, int threads, Term&& term) {
  constexpr std::size_t block = 1024;
  const auto block_sum = [&](std::size_t b) {
    Value sum{};
    for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) sum += term(i);
    return sum;
  };
  const std::size_t blocks = (n + block - 1) / block;
  Value total{};
  if (n < serial_below || threads == 1) {
    for (std::size_t b = 0; b < blocks; ++b) total += block_sum(b);
    return total;
  }
  std::vector<Value> sums(blocks);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t b = 0; b < blocks; ++b) sums[b] = block_sum(b);
  for (const Value& sum : sums) total += sum;
  return total;
}

}  // namespace apsis
