// SPDX-License-Identifier: MIT
// Numbering of Cartesian terms (i, j, k) of order i+j+k <= P, known at compile time. "All" terms
// come by order, then k, then j. Where a field has no sources its second derivatives add up to
// zero, and the terms with k <= 1 give all others: (P+1)² "traceless" terms.
#pragma once

namespace apsis::far {

struct Term {
  int i = 0, j = 0, k = 0;
  constexpr int order() const { return i + j + k; }
};

struct AllTerms {
  static constexpr int count(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }
  static constexpr int index(int i, int j, int k) {
    const int n = i + j + k;
    return n * (n + 1) * (n + 2) / 6 + k * (n + 1) - k * (k - 1) / 2 + j;
  }
  static constexpr Term term(int q) {
    int n = 0, k = 0;
    while (count(n) <= q) ++n;
    q -= n > 0 ? count(n - 1) : 0;
    while (q >= n + 1 - k) q -= n + 1 - k, ++k;
    return {n - k - q, q, k};
  }
};

struct TracelessTerms {
  static constexpr int count(int order) { return (order + 1) * (order + 1); }
  static constexpr int index(int i, int j, int k) {
    const int n = i + j + k;
    return n * n + (k > 0 ? n + 1 : 0) + j;
  }
  static constexpr Term term(int q) {
    int n = 0;
    while (count(n) <= q) ++n;
    q -= n * n;
    const int k = q > n ? 1 : 0;
    if (k > 0) q -= n + 1;
    return {n - k - q, q, k};
  }
};

// Floats of a cell's record: centre, radius, terms; whole blocks of 8.
inline constexpr int record_head = 4;
constexpr int record_size(int terms) { return (record_head + terms + 7) / 8 * 8; }

}  // namespace apsis::far
