// SPDX-License-Identifier: MIT
// Loops over threads whose results do not depend on the number of threads.
#pragma once

#include <apsis/core/thread_team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace apsis {

// 0 means the default.
inline int thread_count(int requested) { return requested > 0 ? requested : default_threads(); }

// Below this many elements a team of threads costs more than it brings (a fork-join is some µs).
inline constexpr std::size_t serial_below = 16384;

// body(begin, end, member) for pieces of [0, n), each of the given size but the last. A thread
// takes the next one when it is through with its last; `member` < threads is its number, for memory
// that only one thread may use at a time.
template <class Body>
void parallel_pieces(std::size_t n, std::size_t piece, int threads, Body&& body) {
  const std::size_t pieces = (n + piece - 1) / piece;
  const auto most = static_cast<int>(std::min(pieces, static_cast<std::size_t>(threads)));
  struct Pieces {
    Body& body;
    std::size_t n, piece;
    std::atomic<std::size_t> next{0};
  } shared{body, n, piece};
  const auto take_all = [](void* context, int member) {
    auto& s = *static_cast<Pieces*>(context);
    for (std::size_t begin = 0;;) {
      begin = s.next.fetch_add(s.piece, std::memory_order_relaxed);
      if (begin >= s.n) return;
      s.body(begin, std::min(s.n, begin + s.piece), member);
    }
  };
  if (most <= 1) return take_all(&shared, 0);
  run_team(most, take_all, &shared);
}

// body(i) for all i < n, which must be independent of each other and so much work each that a
// thread of its own pays; some pieces for every thread, so that one that is held up delays only its
// own.
template <class Body>
void parallel_tasks(std::size_t n, int threads, Body&& body) {
  constexpr std::size_t pieces_a_thread = 8;
  const std::size_t pieces = pieces_a_thread * static_cast<std::size_t>(std::max(1, threads));
  parallel_pieces(n, std::max<std::size_t>(1, n / pieces), threads,
                  [&](std::size_t begin, std::size_t end, int) {
                    for (std::size_t i = begin; i < end; ++i) body(i);
                  });
}

// body(i) for all i < n, which must be independent of each other; little work each.
template <class Body>
void parallel_for(std::size_t n, int threads, Body&& body) {
  if (n < serial_below || threads == 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  const auto shares = static_cast<std::size_t>(threads);
  parallel_pieces(n, (n + shares - 1) / shares, threads,
                  [&](std::size_t begin, std::size_t end, int) {
                    for (std::size_t i = begin; i < end; ++i) body(i);
                  });
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
  parallel_tasks(blocks, threads, [&](std::size_t b) { sums[b] = block_sum(b); });
  for (const Value& sum : sums) total += sum;
  return total;
}

}  // namespace apsis
