// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/direct/direct_opencl_plan.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <algorithm>
#include <utility>

namespace apsis::direct_opencl {
namespace {

using device::Buffer;
using device::Scalar;

constexpr int lanes = 32;

}  // namespace

// Strengths can be left out of the loops only where pairs with padding vanish by themselves, which
// takes the inverse cube of newton's softened law; a potential does not, and another law need not.
Symmetric::Symmetric(const Settings& settings, DirectSizes sizes)
    : settings_(settings),
      sizes_(sizes),
      equal_strengths_(settings.asked().equal_strength.has_value() && settings.softened() &&
                       settings.asked().radial.radial == newton &&
                       edited_law(settings.kernel_folder()).empty()) {}

int Symmetric::teams_packed() const { return std::max(1, sizes_.group / (lanes * sizes_.teams)); }

void Symmetric::build(Kernels& kernels, bool potential) const {
  if (std::exchange(kernels.built, true)) return;
  device::Defines defines = settings_.defines(potential);
  const bool warps = settings_.device().has_warps;
  const bool shuffle = warps && settings_.asked().precision != Precision::f64;
  for (const auto& [name, value] : {std::pair{"ROWS", sizes_.rows},
                                    {"TEAMS", sizes_.teams},
                                    {"PACK", teams_packed()},
                                    {"UNROLL", sizes_.unroll},
                                    {"EQUAL", equal_strengths_ && !potential ? 1 : 0},
                                    {"SHUFFLE", shuffle ? 1 : 0}}) {
    defines.emplace_back(name, std::to_string(value));
  }
  const device::Program program = settings_.program("direct_symmetric.cl", defines);
  kernels.meet = program.kernel<Buffer, int, int, Scalar, Buffer>("direct_symmetric");
  kernels.gather = program.kernel<Buffer, int, int, int, Scalar, Buffer, int>("gather_sums");
}

void Symmetric::add(const Bodies& bodies, const FieldView& field) {
  const bool potential = field.wants().potential;
  Kernels& kernels = kernels_[potential ? 1 : 0];
  build(kernels, potential);
  const std::size_t block = std::size_t{lanes} * static_cast<std::size_t>(sizes_.teams) *
                            static_cast<std::size_t>(sizes_.rows);
  const std::size_t values = potential ? 4 : 3;
  const SymmetricPlan plan = symmetric_plan(
      settings_.device(), {.bodies = bodies.count,
                           .block = block,
                           .bytes_a_body = 2 * values * pair_bytes(settings_.asked().precision)});
  if (hop_sums_.bytes() < plan.sums_bytes) {
    hop_sums_ = settings_.context().buffer(plan.sums_bytes, "sums of hops");
  }
  PartialSums& out = *field.field;
  settings_.reserve(out, 1);
  const std::size_t count = static_cast<std::size_t>(plan.blocks) * block;
  const auto packed = static_cast<std::size_t>(teams_packed());
  const std::size_t crew = block / static_cast<std::size_t>(sizes_.rows), group = crew * packed;
  const std::size_t groups = (static_cast<std::size_t>(plan.blocks) + packed - 1) / packed;
  for (int first = 0; first < plan.hops; first += plan.hops_a_launch) {
    const int hops = std::min(plan.hops_a_launch, plan.hops - first);
    kernels.meet({{groups * group, static_cast<std::size_t>(hops), 1}, {group, 1, 1}},
                 *bodies.place, plan.blocks, first, settings_.eps2(), hop_sums_);
    kernels.gather({{count, 1, 1}, {0, 0, 0}}, hop_sums_, hops, static_cast<int>(count),
                   first == 0 ? 1 : 0, settings_.real(settings_.asked().equal_strength.value_or(1)),
                   out.sums, out.used * static_cast<int>(out.padded));
  }
  ++out.used;
}

}  // namespace apsis::direct_opencl
