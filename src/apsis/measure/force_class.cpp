// SPDX-License-Identifier: MIT
#include <apsis/measure/bench.hpp>
#include <apsis/measure/force_class.hpp>
#include <apsis/measure/verdict.hpp>
#include <apsis/solvers/reference.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr double margin = 20;

// Of errors in rising order.
double nine_and_ninety_percent(const std::vector<double>& sorted) {
  const auto rank = std::ceil(0.99 * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(rank) - 1];
}

bool same_places(const Bodies& a, const Bodies& b) { return a.positions == b.positions; }

}  // namespace

double most_force_error(const Resolution& engine, std::optional<double> promised) {
  if (engine.sums_all_pairs()) return margin * error_bounds(engine.precision).max;
  return promised.value_or(1);
}

std::string complaint_about_forces(Engine& engine, const PairLaw& law, const ForceError& sampled,
                                   std::optional<double> promised) {
  const Resolution description = engine.describe();
  const double most = most_force_error(description, promised);
  if (sampled.samples == 0 || sampled.p99 <= most) return {};
  double p99 = sampled.p99;
  if (description.sums_all_pairs() &&
      std::isfinite(p99)) {  // not to be blamed for bodies whose pulls cancel
    Bodies held;
    engine.store(held);
    p99 = nine_and_ninety_percent(fair_errors(engine, held, law));
    if (p99 <= most) return {};
  }
  const std::string above = fmt::format("1 % of the force errors are above {:.1e}", p99);
  if (description.sums_all_pairs()) {
    return fmt::format("{}, direct sums in {} stay below {:.0e}", above,
                       name_of(description.precision), most);
  }
  return promised ? fmt::format("{}, wanted was force.accuracy = {:g}", above, *promised)
                  : fmt::format("{}: these are not the forces of the law", above);
}

ForceError rounding_error(const Bodies& exact, const Bodies& held, const PairLaw& law,
                          int threads) {
  if (same_places(exact, held)) return {};
  // twice 2e8 pairs at the most: less than the sample of force errors costs anyway
  constexpr std::size_t pairs = 200'000'000;
  const std::size_t count = std::clamp<std::size_t>(pairs / exact.size(), 200, 1000);
  const auto sample = sample_by_id(exact, count);
  return force_error(reference_accelerations(held, law, sample, threads),
                     reference_accelerations(exact, law, sample, threads), law.law);
}

}  // namespace apsis
