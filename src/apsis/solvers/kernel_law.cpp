// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apsis {
namespace {

constexpr std::array pair_files{"pair.cl", "pair_sum.cl", "radial.cl"};
constexpr const char* jerk_file = "direct_jerk.cl";

const DirectVariant* variant_named(const std::string& name) {
  const auto variants = direct_opencl_variants();
  const auto found = std::ranges::find(variants, name, &DirectVariant::name);
  return found == variants.end() ? nullptr : &*found;
}

// The edited file that the variant would pass over.
std::string passed_over(const KernelFolder& folder, const DirectVariant& variant) {
  if (folder.edits(variant.file)) return {};
  const auto found = std::ranges::find_if(
      variant.passes_over, [&](const std::string& file) { return folder.edits(file); });
  return found == variant.passes_over.end() ? std::string{} : *found;
}

std::string edited_pair(const KernelFolder& folder) {
  const auto found =
      std::ranges::find_if(pair_files, [&](const char* file) { return folder.edits(file); });
  return found == pair_files.end() ? std::string{} : std::string(*found);
}

// An edited pair.cl is a law of its own, and the file of another radial law is not read.
void require_law_of(const KernelFolder& folder, Radial radial) {
  if (const std::string pair = edited_pair(folder); radial != newton && !pair.empty()) {
    throw bad_data(
        fmt::format("{} is a law of its own beside radial law {}", (folder.path / pair).string(),
                    name_of(radial)),
        fmt::format("leave force.radial out, or edit {} instead", radial_kernel(radial)));
  }
  for (const auto& [other, name] : Choice<Radial>::values) {
    if (other == radial || !folder.edits(radial_kernel(other))) continue;
    throw bad_data(fmt::format("{} would not be read with radial law {}",
                               (folder.path / radial_kernel(other)).string(), name_of(radial)),
                   fmt::format("use force.radial = \"{}\", or take it out of the folder", name));
  }
}

}  // namespace

std::string edited_law(const KernelFolder& folder) {
  if (std::string file = edited_pair(folder); !file.empty()) return file;
  for (const auto& [radial, name] : Choice<Radial>::values) {
    if (folder.edits(radial_kernel(radial))) return radial_kernel(radial);
  }
  return {};
}

bool follows(const KernelFolder& folder, const std::string& variant) {
  const DirectVariant* known = variant_named(variant);
  return known == nullptr || passed_over(folder, *known).empty();
}

std::vector<std::string> variants_that_follow(const KernelFolder& folder) {
  std::vector<std::string> names = direct_opencl_variant_names();
  std::erase_if(names, [&](const std::string& name) { return !follows(folder, name); });
  return names;
}

void require_follows(const KernelFolder& folder, const std::string& variant) {
  if (follows(folder, variant)) return;
  const DirectVariant& known = *variant_named(variant);
  throw bad_data(fmt::format("variant {} {}, so {} would change nothing or be misused", variant,
                             known.why, (folder.path / passed_over(folder, known)).string()),
                 fmt::format("use variant {}, or put a {} that follows your law beside it",
                             list_of(variants_that_follow(folder)), known.file));
}

// Radial laws have their own steepness, which jerks follow.
void require_jerk_follows(const KernelFolder& folder) {
  const std::string law = edited_pair(folder);
  if (law.empty() || folder.edits(jerk_file)) return;
  throw bad_data(
      fmt::format("jerks are those of the built-in law, not of {}", (folder.path / law).string()),
      fmt::format("use an integrator without jerks, such as leapfrog or yoshida4, or "
                  "put a {} that follows your law beside it",
                  jerk_file));
}

void require_follows(const KernelFolder& folder, const SolverInfo& solver, Radial radial,
                     bool needs_jerk) {
  const std::string law = edited_law(folder);
  if (law.empty()) return;
  require_law_of(folder, radial);
  if (!solver.exact) {
    throw bad_data(fmt::format("solver {} knows far bodies by the built-in law alone, and would "
                               "mix it with {}",
                               solver.name, (folder.path / law).string()),
                   "use force.solver = direct, which sums every pair by your law");
  }
  if (needs_jerk) require_jerk_follows(folder);
}

}  // namespace apsis
