// SPDX-License-Identifier: MIT
#include <apsis/core/choices.hpp>
#include <apsis/core/error.hpp>
#include <apsis/lab/class_checks.hpp>
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/matmul.hpp>
#include <apsis/measure/force_class.hpp>
#include <apsis/measure/verdict.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace apsis::lab {
namespace {

constexpr double shortest = 1e-9, longest = 1e7;  // seconds
constexpr double most_bodies = 1 << 27;
// 300 times what the fastest device of 2025 was seen to do.
constexpr double most_pairs_a_second = 1e15;
// Two figures that follow from each other agree to this.
constexpr double same = 0.01;
// What tree and fmm are asked for in lessons.
constexpr double far_field_accuracy = 1e-3;
// A lesson forgives bodies whose pulls cancel; nothing is this far above its bounds.
constexpr double margin = 20;
// Somebody's own arithmetic may lose some digits of a float; wrong forces are off by more.
constexpr double worst_step = 1e-3;

std::string odd_kind(const Row& row) {
  const std::string kind = row.text("kind");
  if (kind.empty() || kind == "native" || kind == "cpu" || kind == "gpu") return {};
  return fmt::format("kind '{}' is none of native, cpu and gpu", kind);
}

std::string odd_numbers(const Row& row) {
  constexpr std::array<const char*, 12> not_below_zero{
      "bodies",    "seconds", "seconds_deviation", "seconds_kernel",
      "steps",     "error",   "error_median",      "error_p99",
      "error_max", "gflops",  "steps_per_second",  "interactions_per_second"};
  for (const char* key : not_below_zero) {
    const auto number = row.number(key);
    if (number && !std::isfinite(*number)) return fmt::format("{} is not finite", key);
    if (number && *number < 0) return fmt::format("{} is {:g}, below zero", key, *number);
  }
  const auto bodies = row.number("bodies");
  if (bodies && (*bodies < 1 || *bodies > most_bodies || *bodies != std::rint(*bodies))) {
    return fmt::format("bodies is {:g}, no whole number from 1 to {:g}", *bodies, most_bodies);
  }
  const auto seconds = row.number("seconds");
  if (!seconds) return "it has no time";
  if (*seconds < shortest || *seconds > longest) {
    return fmt::format("seconds is {:g}, which no measurement gives ({:g} to {:g})", *seconds,
                       shortest, longest);
  }
  return {};
}

std::string odds(const char* key, double stated, double follows) {
  if (std::abs(stated - follows) <= same * follows) return {};
  return fmt::format("{} is {:.3g}, where {:.3g} follows from the time", key, stated, follows);
}

// Figures of one row that follow from each other.
std::string at_odds(const Row& row) {
  const double bodies = row.value("bodies"), seconds = row.value("seconds");
  const double pairs = bodies * bodies / seconds;
  if (const auto stated = row.number("interactions_per_second")) {
    if (pairs > most_pairs_a_second) {
      return fmt::format("{:.2g} interactions a second are more than any machine does", pairs);
    }
    if (std::string text = odds("interactions_per_second", *stated, pairs); !text.empty()) {
      return text;
    }
  }
  if (const auto stated = row.number("steps_per_second")) {
    return odds("steps_per_second", *stated, 1 / seconds);
  }
  return {};
}

std::string above(const char* what, double error, double limit) {
  return fmt::format("{} {:.2e} exceeds {:.0e}", what, error, limit);
}

// Of a kernel that takes the whole step, which the lesson held against the reference itself.
std::string wrong_step(const Row& row) {
  if (row.text("own") != "yes") return {};
  const auto error = row.number("error");
  if (!error) return "its forces were not held against the reference";
  return *error > worst_step ? above("largest force error", *error, worst_step) : "";
}

std::string wrong_forces(const Row& row) {
  const auto error = row.number("error_p99");
  const std::string solver = row.text("solver");
  if (solver.empty()) return {};
  const SolverInfo* known = nullptr;
  for (const SolverInfo& info : solver_table()) {
    if (info.name == solver) known = &info;
  }
  if (known == nullptr) return fmt::format("there is no solver '{}'", solver);
  if (!error) return "its force error was not measured";
  if (known->takes_accuracy) {
    return *error > far_field_accuracy
               ? above("the force error that 99 % stay below,", *error, far_field_accuracy)
               : "";
  }
  if (!sums_all_pairs(solver)) return {};  // promises nothing
  const std::string precision = row.text("precision");
  for (const Precision one : {Precision::f32, Precision::mixed, Precision::f64}) {
    if (name_of(one) != precision) continue;
    const double limit = margin * error_bounds(one).max;
    return *error > limit ? above("the force error that 99 % stay below,", *error, limit) : "";
  }
  return fmt::format("there is no precision '{}'", precision);
}

std::string wrong_product(const Row& row) {
  if (row.text("shape").empty()) return {};
  const auto error = row.number("error");
  if (!error) return "the error of its product was not measured";
  try {
    const MatrixShape shape = shape_from(row.text("shape"));
    const bool floats = row.text("element") == "float";
    const double limit = floats ? allowed_error<float>(shape) : allowed_error<int>(shape);
    return *error > limit ? fmt::format("error {:.1e} exceeds {:.1e}", *error, limit) : "";
  } catch (const Error& error_of_shape) {
    return error_of_shape.what();
  }
}

}  // namespace

std::string fault_of(const Row& row) {
  if (is_wrong(row)) return row.text("complaint");
  for (std::string (*const check)(const Row&) :
       {odd_kind, odd_numbers, at_odds, wrong_step, wrong_forces, wrong_product}) {
    if (std::string fault = check(row); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace apsis::lab
