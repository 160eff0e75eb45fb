// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_opencl_plan.hpp>

#include <algorithm>

namespace apsis {
namespace {

constexpr std::size_t chunk = 32;  // CHUNK of kernels/pair_sum.cl

std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// In `reproducible` mode the division into parts depends on nothing but the sources.
constexpr std::size_t reproducible_part = 4096;

// Work-items that keep a compute unit busy.
std::size_t items_a_unit(DeviceKind kind) { return kind == DeviceKind::cpu ? 4 : 1024; }

}  // namespace

std::size_t part_length(const DeviceInfo& device, const OneSidedTask& task) {
  if (task.part > 0) return task.part;
  if (task.reproducible) return reproducible_part;
  const std::size_t sources = rounded_up(task.sources, chunk);
  // by targets, not by work-items, so that sizes of kernels change no sum
  const std::size_t wanted = static_cast<std::size_t>(std::max(1, device.compute_units)) *
                             items_a_unit(device.kind) / std::max<std::size_t>(1, task.targets);
  const std::size_t parts =
      std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, sources / 64));
  return rounded_up((sources + parts - 1) / parts, chunk);
}

// A slow integrated GPU does 2e8 pairs a second and unit with the simplest kernel, NVIDIA's units
// 4e9.
double pairs_a_launch(const DeviceInfo& device) {
  return (device.has_warps ? 1e9 : 8e7) * std::max(1, device.compute_units);
}

OneSidedPlan one_sided_plan(const DeviceInfo& device, const OneSidedTask& task) {
  OneSidedPlan plan;
  const std::size_t sources = rounded_up(task.sources, chunk), length = part_length(device, task);
  plan.source_end = static_cast<int>(sources);
  plan.part_length = static_cast<int>(length);
  plan.parts = static_cast<int>((sources + length - 1) / length);
  const auto an_item = static_cast<std::size_t>(task.targets_an_item);
  // drivers make tiny groups of a number of work-items that has no good divisor
  constexpr std::size_t divisible = 256;
  const std::size_t a_group =
      an_item * (task.group > 0 ? static_cast<std::size_t>(task.group) : divisible);
  const double targets = pairs_a_launch(device) / static_cast<double>(sources);
  const std::size_t step =
      std::max<std::size_t>(1, static_cast<std::size_t>(targets) / a_group) * a_group;
  for (std::size_t first = 0; first < task.targets; first += step) {
    const std::size_t end = std::min(task.targets, first + step);
    plan.launches.push_back({static_cast<int>(task.first_target + first),
                             static_cast<int>(task.first_target + end) - 1,
                             rounded_up(end - first, a_group) / an_item});
  }
  return plan;
}

SymmetricPlan symmetric_plan(const DeviceInfo& device, const SymmetricTask& task) {
  SymmetricPlan plan;
  plan.blocks = static_cast<int>((task.bodies + task.block - 1) / task.block);
  plan.hops = plan.blocks / 2 + 1;
  const std::size_t count = static_cast<std::size_t>(plan.blocks) * task.block;
  const std::size_t hop_bytes = count * task.bytes_a_body;
  // enough to fill a device; little beside the bodies themselves
  const std::size_t limit = std::min<std::size_t>(
      std::max<std::size_t>(std::size_t{64} << 20, 64 * task.bodies), device.largest_buffer);
  const double pairs_a_hop = static_cast<double>(count) * static_cast<double>(task.block);
  const auto by_time = static_cast<std::size_t>(pairs_a_launch(device) / pairs_a_hop);
  const auto most = static_cast<int>(std::clamp<std::size_t>(
      std::min(limit / hop_bytes, by_time), 1, static_cast<std::size_t>(plan.hops)));
  const int launches = (plan.hops + most - 1) / most;
  plan.hops_a_launch = (plan.hops + launches - 1) / launches;  // all about the same
  plan.sums_bytes = hop_bytes * static_cast<std::size_t>(plan.hops_a_launch);
  return plan;
}

}  // namespace apsis
