// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {

const BinsVariant& variant_of(BinsSum sum) {
  return *std::ranges::find(bins_variants, sum, &BinsVariant::sum);
}

std::vector<std::string> bins_variant_names(bool on_cpu) {
  std::vector<std::string> names;
  for (const BinsVariant& variant : bins_variants) {
    if (variant.on_cpu || !on_cpu) names.emplace_back(variant.name);
  }
  return names;
}

BinsSum bins_sum_named(const std::string& name, bool on_cpu) {
  if (name.empty()) return bins_variants.front().sum;
  const auto found = std::ranges::find(bins_variants, name, &BinsVariant::name);
  const bool known = found != bins_variants.end();
  if (known && (found->on_cpu || !on_cpu)) return found->sum;
  const auto names = bins_variant_names(on_cpu);
  throw bad_data(fmt::format("solver bins has no variant '{}' on {}{}", name,
                             on_cpu ? "the native cpu" : "OpenCL devices",
                             known ? "" : did_you_mean(name, names)),
                 fmt::format("leave it out, or choose {}{}", list_of(names),
                             known ? "; with device opencl there is that one, too" : ""));
}

}  // namespace apsis
