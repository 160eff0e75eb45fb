// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/solver_choice.hpp>
#include <apsis/solvers/tree/far_field_solver.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

struct Text {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const DirectSizes& sizes) const { return text_of(sizes); }
  std::string operator()(const BinsChoice& choice) const {
    return fmt::format("bins={}", choice.bins);
  }
  std::string operator()(const FarFieldChoice& choice) const { return text_of(choice); }
  std::string operator()(const FmmOpenclChoice& choice) const { return text_of(choice); }
};

}  // namespace

std::string to_string(const SolverChoice& choice) { return std::visit(Text{}, choice); }

std::optional<int> expansion_order(const SolverChoice& choice) {
  if (const auto* host = std::get_if<FarFieldChoice>(&choice)) return host->order;
  if (const auto* device = std::get_if<FmmOpenclChoice>(&choice)) return device->order;
  return std::nullopt;
}

}  // namespace apsis
