// SPDX-License-Identifier: MIT
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;
using device::Scalar;

constexpr int lanes = 32, lists_a_node = 4;  // as in fmm_walk.cl
constexpr std::size_t pool_used = 0, longest = 1, counter_count = 2;
constexpr int first_room = 512;      // entries of a list in scratch
constexpr int entries_a_node = 128;  // of the pool, to begin with
constexpr int groups_a_unit = 16;    // work-groups that hide each other's waits

// From how many bodies on a leaf's expansion is cheaper than its bodies, at a body or from one.
int many_bodies(int order) {
  constexpr std::array many{6, 6, 10, 32, 40, 56, 72};
  return many[static_cast<std::size_t>(order - lowest_order)];
}

}  // namespace

Lists::Lists(const PassSettings& settings) : settings_(settings), room_(first_room) {
  device::Defines defines = settings.defines();
  defines.emplace_back("WALKERS", settings.warps ? "4" : "1");
  walk_ =
      settings.context->program("fmm_walk.cl", defines)
          .kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar, Scalar,
                  Scalar, Scalar, int, int, Buffer, int, Buffer, int, Buffer, Buffer, Buffer>(
              "fmm_walk");
  zero_ = settings.context->program("radix_scan.cl", {}).kernel<Buffer, int>("set_zero");
  counters_ = settings.context->buffer(counter_count * sizeof(std::uint32_t), "numbers of entries");
}

// As many as run at once, and not more than the widest level has nodes.
int Lists::teams_for(const Tree& tree) const {
  int widest = 1;
  for (int level = 0; level <= tree.depth(); ++level) {
    widest = std::max(widest, tree.level_start(level + 1) - tree.level_start(level));
  }
  const int walkers = settings_.warps ? 4 : 1;
  const int groups = std::max(1, settings_.context->device().compute_units) * groups_a_unit;
  return std::min((widest + walkers - 1) / walkers, groups) * walkers;
}

void Lists::find(const Tree& tree, const Multipoles& multipoles) {
  const auto nodes = static_cast<std::size_t>(tree.nodes());
  reserve(*settings_.context, start, nodes * sizeof(std::int32_t), "lists of the nodes");
  reserve(*settings_.context, counts, nodes * 4 * sizeof(std::int32_t), "lists of the nodes");
  pool_entries_ = std::max(pool_entries_, tree.nodes() * entries_a_node);
  while (!walk(tree, multipoles)) {
  }
}

bool Lists::walk(const Tree& tree, const Multipoles& multipoles) {
  device::Context& context = *settings_.context;
  const int teams = teams_for(tree), walkers = settings_.warps ? 4 : 1;
  reserve(context, pool, static_cast<std::size_t>(pool_entries_) * sizeof(std::int32_t),
          "lists of the nodes");
  reserve(context, scratch_,
          static_cast<std::size_t>(teams) * lists_a_node * static_cast<std::size_t>(room_) *
              sizeof(std::int32_t),
          "lists that are being made");
  zero_(items(counter_count), counters_, static_cast<int>(counter_count));
  const FmmOpenclChoice& choice = settings_.choice;
  const double limit = std::isinf(choice.tolerance)
                           ? std::numeric_limits<float>::max()
                           : std::pow(choice.tolerance, 2.0 / choice.order);
  const double least = smallest_distance(choice.order);
  for (int level = 0; level <= tree.depth(); ++level) {
    const int first = tree.level_start(level), end = tree.level_start(level + 1);
    const int groups = (std::min(teams, end - first) + walkers - 1) / walkers;
    walk_(whole_groups(groups, static_cast<std::size_t>(lanes) * static_cast<std::size_t>(walkers)),
          first, end, multipoles.centre, multipoles.size, multipoles.magnitude, tree.parent(),
          tree.range(), tree.places(), tree.box(), settings_.real(settings_.softening),
          settings_.real(choice.angle), settings_.real(limit), settings_.real(least * least),
          choice.order, many_bodies(choice.order), scratch_, room_, pool, pool_entries_, start,
          counts, counters_);
  }
  std::vector<std::uint32_t> found(counter_count);
  counters_.read(std::span(found));
  const auto needed = static_cast<int>(found[longest]), used = static_cast<int>(found[pool_used]);
  if (needed <= room_ && used <= pool_entries_) return true;
  // lists that were cut left the levels below without work: these are lower bounds
  room_ = std::max(room_, needed + needed / 4);
  if (used > pool_entries_) pool_entries_ = used + used / 2;
  return false;
}

}  // namespace apsis::fmm_opencl
