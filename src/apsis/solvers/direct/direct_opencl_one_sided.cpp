// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/direct/direct_opencl_plan.hpp>

#include <algorithm>
#include <utility>

namespace apsis::direct_opencl {
namespace {

using device::Buffer;
using device::Range;
using device::Scalar;

// A group of 0 leaves the choice to the driver.
Range range_of(const LaunchOfTargets& launch, int parts, int group) {
  Range range{{launch.items, static_cast<std::size_t>(parts), 1}, {0, 0, 0}};
  if (group > 0) range.group = {static_cast<std::size_t>(group), 1, 1};
  return range;
}

}  // namespace

OneSided::OneSided(const Settings& settings, std::string variant, DirectSizes sizes)
    : settings_(settings), variant_(std::move(variant)), sizes_(sizes) {}

void OneSided::build(Kernels& kernels, bool potential) {
  if (std::exchange(kernels.built, true)) return;
  device::Defines defines = settings_.defines(potential);
  for (const auto& [name, value] : {std::pair{"GROUP", sizes_.group},
                                    {"ROWS", sizes_.rows},
                                    {"UNROLL", sizes_.unroll},
                                    {"WIDTH", sizes_.width},
                                    {"CHUNK", sizes_.chunk}}) {
    if (value > 0) defines.emplace_back(name, std::to_string(value));
  }
  const device::Program program =
      settings_.context().program(direct_kernel_file(variant_), defines);
  if (variant_ == "packed3") {
    kernels.packed =
        program.kernel<Buffer, Buffer, int, int, Buffer, int, int, int, Scalar, Buffer, int, int>(
            "direct");
    pack_ = program.kernel<Buffer, Buffer, Buffer>("pack");
  } else {
    kernels.direct =
        program.kernel<Buffer, int, int, Buffer, int, int, int, Scalar, Buffer, int, int>("direct");
  }
}

void OneSided::pack(const Bodies& sources) {
  const std::size_t state = state_bytes(settings_.asked().precision);
  if (packed_strengths_.bytes() < sources.padded * state) {
    packed_places_ = settings_.context().buffer(sources.padded * 3 * state, "packed positions");
    packed_strengths_ = settings_.context().buffer(sources.padded * state, "strengths");
  }
  pack_({{sources.padded, 1, 1}, {0, 0, 0}}, *sources.place, packed_places_, packed_strengths_);
}

void OneSided::add(const Bodies& sources, const Bodies& targets, const FieldView& field,
                   int own_offset) {
  const bool potential = field.wants().potential;
  Kernels& kernels = kernels_[potential ? 1 : 0];
  build(kernels, potential);
  // a work-item of `wide` is a vector loop: many groups of one spread best over a CPU's cores
  const int group = variant_ == "wide" ? 1 : sizes_.group;
  const OneSidedPlan plan = one_sided_plan(
      settings_.device(), {.sources = sources.count,
                           .targets = targets.count,
                           .targets_an_item = std::max(1, sizes_.rows) * std::max(1, sizes_.width),
                           .group = sizes_.group,
                           .reproducible = settings_.asked().reproducible});
  PartialSums& out = *field.field;
  settings_.reserve(out, plan.parts);
  const int stride = static_cast<int>(out.padded);
  const bool packed = variant_ == "packed3";
  if (packed) pack(sources);
  for (const LaunchOfTargets& launch : plan.launches) {
    const Range range = range_of(launch, plan.parts, group);
    if (packed) {
      kernels.packed(range, packed_places_, packed_strengths_, plan.source_end, plan.part_length,
                     *targets.place, launch.first, launch.last, own_offset, settings_.eps2(),
                     out.sums, out.used, stride);
    } else {
      kernels.direct(range, *sources.place, plan.source_end, plan.part_length, *targets.place,
                     launch.first, launch.last, own_offset, settings_.eps2(), out.sums, out.used,
                     stride);
    }
  }
  out.used += plan.parts;
}

void WithJerk::add(const Bodies& sources, const Bodies& targets, const FieldView& field,
                   int own_offset) {
  constexpr int group = 64;
  const bool potential = field.wants().potential;
  Kernel& kernel = kernels_[potential ? 1 : 0];
  if (!kernel) {
    device::Defines defines = settings_.defines(potential);
    defines.emplace_back("GROUP", std::to_string(group));
    kernel = settings_.context()
                 .program("direct_jerk.cl", defines)
                 .kernel<Buffer, Buffer, int, int, Buffer, Buffer, int, int, int, Scalar, Buffer,
                         Buffer, int, int>("direct_jerk");
  }
  const OneSidedPlan plan =
      one_sided_plan(settings_.device(), {.sources = sources.count,
                                          .targets = targets.count,
                                          .group = group,
                                          .reproducible = settings_.asked().reproducible});
  PartialSums &out = *field.field, &jerk = *field.jerk;
  settings_.reserve(out, plan.parts);
  // both grow together, part by part
  settings_.reserve(jerk, plan.parts);
  for (const LaunchOfTargets& launch : plan.launches) {
    kernel(range_of(launch, plan.parts, group), *sources.place, *sources.velocity, plan.source_end,
           plan.part_length, *targets.place, *targets.velocity, launch.first, launch.last,
           own_offset, settings_.eps2(), out.sums, jerk.sums, out.used,
           static_cast<int>(out.padded));
  }
  out.used += plan.parts;
  jerk.used += plan.parts;
}

}  // namespace apsis::direct_opencl
