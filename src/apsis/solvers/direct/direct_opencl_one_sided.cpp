// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/direct/direct_opencl_plan.hpp>
#include <apsis/solvers/kernel_law.hpp>

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

OneSidedTask task_of(const Bodies& sources, const Bodies& targets, bool reproducible) {
  return {.sources = sources.count,
          .targets = targets.count,
          .reproducible = reproducible,
          .first_target = targets.first,
          .part = sources.part};
}

// The part of the field that the plan's first one goes to. Those of sources in pieces have settled
// places; others are appended.
int place_in(PartialSums& sums, const OneSidedPlan& plan, const Bodies& sources,
             const Settings& settings) {
  if (sources.part == 0) {
    settings.reserve(sums, plan.parts);
    return std::exchange(sums.used, sums.used + plan.parts);
  }
  // for all at once: a field that grows waits
  const auto all = static_cast<int>((sources.padded + sources.part - 1) / sources.part);
  settings.reserve(sums, all - sums.used);
  const auto first = static_cast<int>(sources.first / sources.part);
  sums.used = std::max(sums.used, first + plan.parts);
  return first;
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
  const device::Program program = settings_.program(direct_kernel_file(variant_), defines);
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
  pack_({{sources.padded - sources.first, 1, 1}, {0, 0, 0}}, *sources.place, packed_places_,
        packed_strengths_);
}

void OneSided::add(const Bodies& sources, const Bodies& targets, const FieldView& field,
                   int own_offset) {
  const bool potential = field.wants().potential;
  Kernels& kernels = kernels_[potential ? 1 : 0];
  build(kernels, potential);
  // a work-item of `wide` is a vector loop: many groups of one spread best over a CPU's cores
  const int group = variant_ == "wide" ? 1 : sizes_.group;
  OneSidedTask task = task_of(sources, targets, settings_.asked().reproducible);
  task.targets_an_item = std::max(1, sizes_.rows) * std::max(1, sizes_.width);
  task.group = group;
  const OneSidedPlan plan = one_sided_plan(settings_.device(), task);
  PartialSums& out = *field.field;
  const int first_part = place_in(out, plan, sources, settings_);
  const int stride = static_cast<int>(out.padded);
  const bool packed = variant_ == "packed3";
  if (packed) pack(sources);
  for (const LaunchOfTargets& launch : plan.launches) {
    const Range range = range_of(launch, plan.parts, group);
    if (packed) {
      kernels.packed(range, packed_places_, packed_strengths_, plan.source_end, plan.part_length,
                     *targets.place, launch.first, launch.last, own_offset, settings_.eps2(),
                     out.sums, first_part, stride);
    } else {
      kernels.direct(range, *sources.place, plan.source_end, plan.part_length, *targets.place,
                     launch.first, launch.last, own_offset, settings_.eps2(), out.sums, first_part,
                     stride);
    }
  }
}

void WithJerk::add(const Bodies& sources, const Bodies& targets, const FieldView& field,
                   int own_offset) {
  const int asked = settings_.asked().sizes.group, group = asked > 0 ? asked : 64;
  const bool potential = field.wants().potential;
  Kernel& kernel = kernels_[potential ? 1 : 0];
  if (!kernel) {
    require_jerk_follows(settings_.kernel_folder());
    device::Defines defines = settings_.defines(potential);
    defines.emplace_back("GROUP", std::to_string(group));
    kernel = settings_.program("direct_jerk.cl", defines)
                 .kernel<Buffer, Buffer, int, int, Buffer, Buffer, int, int, int, Scalar, Buffer,
                         Buffer, int, int>("direct_jerk");
  }
  OneSidedTask task = task_of(sources, targets, settings_.asked().reproducible);
  task.group = group;
  const OneSidedPlan plan = one_sided_plan(settings_.device(), task);
  PartialSums &out = *field.field, &jerk = *field.jerk;
  const int first_part = place_in(out, plan, sources, settings_);
  place_in(jerk, plan, sources, settings_);  // both grow together, part by part
  for (const LaunchOfTargets& launch : plan.launches) {
    kernel(range_of(launch, plan.parts, group), *sources.place, *sources.velocity, plan.source_end,
           plan.part_length, *targets.place, *targets.velocity, launch.first, launch.last,
           own_offset, settings_.eps2(), out.sums, jerk.sums, first_part,
           static_cast<int>(out.padded));
  }
}

}  // namespace apsis::direct_opencl
