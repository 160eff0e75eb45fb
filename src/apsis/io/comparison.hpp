// SPDX-License-Identifier: MIT
// How far two states of the same bodies are apart, quantity by quantity and body by body.
#pragma once

#include <apsis/io/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

// What a difference is a share of.
enum class DifferenceScale {
  typical,  // the root mean square of the quantity in the first state; of places and velocities
            // about their mean
  own_size  // that of the body in the first state, as errors of forces are everywhere in Apsis
};

struct QuantityDifference {
  std::string quantity;  // "position"
  DifferenceScale scale = DifferenceScale::typical;
  double typical = 0;  // the root mean square in the first state
  double median = 0, rms = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;  // shares
  double max_absolute = 0;
  std::uint64_t worst = 0;         // the body with the largest share: its id, or its row
  Vec3 worst_first, worst_second;  // its values; of plain numbers y and z are 0
  std::size_t differing = 0;       // bodies in which a bit differs
};

// What messages call the two.
struct ComparisonNames {
  std::string first = "the first state", second = "the second state";
};

struct Comparison {
  std::size_t bodies = 0;                                    // that both have
  bool by_id = true;                                         // by rows where one state has no ids
  std::vector<std::uint64_t> only_in_first, only_in_second;  // ids, sorted
  double first_time = 0, second_time = 0;
  std::vector<QuantityDifference> differences;  // of what both have
  std::vector<std::string> left_out;            // quantities that only one has
};

// bad_data where nothing can be compared: bodies without ids that are not as many, or no body or
// quantity in common. `wanted` names quantities; empty: all.
Comparison compare(const Snapshot& first, const Snapshot& second,
                   const std::vector<std::string>& wanted = {}, const ComparisonNames& names = {});

// The names that `wanted` knows.
std::vector<std::string> comparable_quantities();

}  // namespace apsis
