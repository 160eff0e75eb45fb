// SPDX-License-Identifier: MIT
// What a solver decided within its settings: the sizes of its kernels, or what it takes to reach an
// accuracy on these bodies. Results depend on it, so that a run records it and sets it again when
// it goes on.
#pragma once

#include <apsis/core/fields.hpp>

#include <optional>
#include <string>
#include <variant>

namespace apsis {

// Sizes that a kernel of `direct` is built with; 0 leaves them to the variant and the device.
struct DirectSizes {
  int group = 0;   // work-items a work-group
  int rows = 0;    // bodies (or vectors of bodies) a work-item
  int unroll = 0;  // pairs written out one after the other
  int width = 0;   // numbers a vector, for `wide`
  int teams = 0;   // of 32 work-items a work-group, for `symmetric`
  int chunk = 0;   // pairs a sum before its value is added to the next longer one; 1: one running
                   // sum, which is there to show what it loses

  friend bool operator==(const DirectSizes&, const DirectSizes&) = default;
};

template <SameBut<DirectSizes> Sizes, class Visit>
void for_each_field(Sizes& sizes, const Visit& visit) {
  auto& [group, rows, unroll, width, teams, chunk] = sizes;
  visit(FieldInfo{"group", "by the device", "work-items a work-group"}, group);
  visit(FieldInfo{"rows", "by the device", "bodies a work-item"}, rows);
  visit(FieldInfo{"unroll", "by the device", "pairs written out"}, unroll);
  visit(FieldInfo{"width", "by the device", "numbers a vector"}, width);
  visit(FieldInfo{"teams", "by the device", "teams of 32 work-items a work-group"}, teams);
  visit(FieldInfo{"chunk", "by the device", "pairs a sum"}, chunk);
}

struct BinsChoice {
  int bins = 1;  // along a side of the box

  friend bool operator==(const BinsChoice&, const BinsChoice&) = default;
};

template <SameBut<BinsChoice> Choice, class Visit>
void for_each_field(Choice& choice, const Visit& visit) {
  auto& [bins] = choice;
  visit(FieldInfo{"bins", "by the number of bodies", "bins along a side"}, bins);
}

// Of `tree` and `fmm` on the native cpu.
struct FarFieldChoice {
  int order = 5;
  double angle = 0.75;   // radii over distance stay below it
  double tolerance = 0;  // error of one cell as a share of the force; 0: the angle alone
  int source_leaf = 32, target_leaf = 96;  // most bodies

  bool rough_roots = false;   // pairs from the hardware's first estimate, where it has 14 bits
  bool careful_sums = false;  // pairs added with what rounding takes from each sum

  friend bool operator==(const FarFieldChoice&, const FarFieldChoice&) = default;
};

template <SameBut<FarFieldChoice> Choice, class Visit>
void for_each_field(Choice& choice, const Visit& visit) {
  auto& [order, angle, tolerance, source_leaf, target_leaf, rough_roots, careful_sums] = choice;
  visit(FieldInfo{"order", "by the accuracy", "of the expansions"}, order);
  visit(FieldInfo{"angle", "by the accuracy", "radii over distance at most"}, angle);
  visit(FieldInfo{"tolerance", "by the accuracy", "error of one cell"}, tolerance);
  visit(FieldInfo{"source_leaf", "32", "bodies of a leaf that acts"}, source_leaf);
  visit(FieldInfo{"target_leaf", "96", "bodies of a leaf that is acted on"}, target_leaf);
  visit(FieldInfo{"rough_roots", "by the accuracy", "roots from an estimate"}, rough_roots);
  visit(FieldInfo{"careful_sums", "by the accuracy", "compensated sums"}, careful_sums);
}

// Of `tree` and `fmm` on OpenCL devices.
struct FmmOpenclChoice {
  int order = 5;
  double angle = 0.8;       // (r_A + r_B)/R at most
  double tolerance = 2e-3;  // of the error to be expected; infinite for a bare opening angle
  int leaf = 64;

  friend bool operator==(const FmmOpenclChoice&, const FmmOpenclChoice&) = default;
};

template <SameBut<FmmOpenclChoice> Choice, class Visit>
void for_each_field(Choice& choice, const Visit& visit) {
  auto& [order, angle, tolerance, leaf] = choice;
  visit(FieldInfo{"order", "by the accuracy", "of the expansions"}, order);
  visit(FieldInfo{"angle", "by the accuracy", "radii over distance at most"}, angle);
  visit(FieldInfo{"tolerance", "by the accuracy", "error to be expected"}, tolerance);
  visit(FieldInfo{"leaf", "64", "bodies of a leaf"}, leaf);
}

// The first: there is nothing to choose, or it is left to the solver.
using SolverChoice =
    std::variant<std::monostate, DirectSizes, BinsChoice, FarFieldChoice, FmmOpenclChoice>;

inline bool is_open(const SolverChoice& choice) {
  return std::holds_alternative<std::monostate>(choice);
}

// For example "rows=12 teams=4", "bins=12" or "order=5 angle=0.8 tolerance=0.002 leaf=64"; empty
// where it is open. solver_choice_from() in registry.hpp reads it.
std::string to_string(const SolverChoice& choice);

// Of the expansions, where the solver has such.
std::optional<int> expansion_order(const SolverChoice& choice);

}  // namespace apsis
