// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <fmt/format.h>

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

constexpr int lanes = 32;  // as in team.cl
constexpr std::size_t pool_used = 0, longest = 1, counter_count = 2;
constexpr int first_room = 512;    // entries of a list in scratch
constexpr int enough_nodes = 256;  // of levels that are walked one after the other
constexpr int groups_a_unit = 16;  // work-groups that hide each other's waits
constexpr std::size_t most_entries = (std::size_t{1} << 31) - 1;  // that an int counts

// Of the pool, to begin with; of scratch, lists that a team makes at a time.
int entries_a_node(bool bodies_only) { return bodies_only ? 512 : 128; }
int lists_a_node(bool bodies_only) { return bodies_only ? 2 : 4; }

// From how many bodies on a leaf's expansion is cheaper than its bodies, at a body or from one.
int many_bodies(int order) {
  constexpr std::array many{6, 6, 10, 32, 40, 56, 72};
  return many[static_cast<std::size_t>(order - lowest_order)];
}

// Whether leaves may be much sparser than what is near them: where bodies are far from all others.
// Bodies that fill their cube, or a cluster of 10^6 that does, have fewer levels.
bool is_deep(const Tree& tree) {
  constexpr int levels = 14;
  return tree.fine() || tree.depth() >= levels;
}

// Of nodes to split that a team remembers: 28 more for every level, and the first 35.
int stack_entries(int levels) { return 28 * levels + 52; }

struct Limits {
  double error, distance;  // see fmm_accept.cl
  Limits(const FmmOpenclChoice& choice, bool normalised)
      : error(std::isinf(choice.tolerance) ? std::numeric_limits<float>::max()
                                           : std::pow(choice.tolerance, 2.0 / choice.order)),
        distance(smallest_distance(choice.order, normalised)) {}
};

}  // namespace

Lists::Lists(const PassSettings& settings) : settings_(settings), room_(first_room) {
  build(kernels_[0], false, stack_entries(deepest_level));
  zero_ = settings.context->program("radix_scan.cl", {}).kernel<Buffer, int>("set_zero");
  counters_ = settings.context->buffer(counter_count * sizeof(std::uint32_t), "numbers of entries");
}

void Lists::build(Kernels& kernels, bool normalised, int stack) {
  kernels.built = true;
  device::Defines defines = settings_.defines(normalised);
  defines.emplace_back("WALKERS", settings_.warps ? "4" : "1");
  defines.emplace_back("STACK", std::to_string(stack));
  if (settings_.bodies_only) {
    kernels.leaves = settings_.context->program("tree_walk.cl", defines)
                         .kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, int,
                                 Buffer, Scalar, Scalar, Scalar, Scalar, int, int, int, Buffer, int,
                                 Buffer, int, Buffer, Buffer, Buffer>("tree_walk");
  } else {
    kernels.levels =
        settings_.context->program("fmm_walk.cl", defines)
            .kernel<int, int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                    Buffer, int, Buffer, Scalar, Scalar, Scalar, Scalar, int, int, int, Buffer, int,
                    Buffer, int, Buffer, Buffer, Buffer>("fmm_walk");
  }
}

Lists::Kernels& Lists::kernels_for(const Tree& tree) {
  const bool many = tree.depth() > deepest_level;
  Kernels& kernels = kernels_[many ? 2 : tree.fine() ? 1 : 0];
  if (!kernels.built) {
    build(kernels, tree.fine(), stack_entries(many ? finest_level : deepest_level));
  }
  return kernels;
}

// As many as run at once, and not more than there are targets for at a time.
int Lists::teams_for(const Tree& tree) const {
  int widest = settings_.bodies_only ? tree.nodes() : 1;
  for (int level = 0; level <= tree.depth(); ++level) {
    widest = std::max(widest, tree.level_start(level + 1) - tree.level_start(level));
  }
  const int walkers = settings_.warps ? 4 : 1;
  const int groups = std::max(1, settings_.context->device().compute_units) * groups_a_unit;
  return std::min((widest + walkers - 1) / walkers, groups) * walkers;
}

void Lists::mark(const Tree& tree, TargetRange targets) {
  device::Context& context = *settings_.context;
  const int nodes = tree.nodes();
  all_wanted_ = targets.first == 0 && targets.end == tree.bodies();
  reserve(context, wanted_,
          static_cast<std::size_t>(all_wanted_ ? 1 : nodes) * sizeof(std::int32_t),
          "nodes with targets");
  if (all_wanted_) return;
  if (!mark_wanted_) {
    mark_wanted_ =
        context.program("tree_wanted.cl", settings_.defines())
            .kernel<int, Buffer, Buffer, Buffer, Buffer, int, int, Buffer>("mark_wanted");
  }
  zero_(items(nodes), wanted_, nodes);
  mark_wanted_(items(nodes), nodes, tree.child(), tree.range(), tree.order(), tree.parent(),
               targets.first, targets.end, wanted_);
}

void Lists::find(const Tree& tree, const Multipoles& multipoles, TargetRange targets) {
  mark(tree, targets);
  const auto nodes = static_cast<std::size_t>(tree.nodes());
  first_level = 0;
  while (first_level < tree.depth() && tree.level_start(first_level + 1) < enough_nodes) {
    ++first_level;
  }
  reserve(*settings_.context, start, nodes * sizeof(std::int32_t), "lists of the nodes");
  reserve(*settings_.context, counts, nodes * 4 * sizeof(std::int32_t), "lists of the nodes");
  const std::size_t likely =
      nodes * static_cast<std::size_t>(entries_a_node(settings_.bodies_only));
  pool_entries_ = std::max(pool_entries_, static_cast<int>(std::min(likely, most_entries)));
  while (!walk(tree, multipoles)) {
  }
}

bool Lists::walk(const Tree& tree, const Multipoles& multipoles) {
  device::Context& context = *settings_.context;
  const int teams = teams_for(tree);
  reserve(context, pool, static_cast<std::size_t>(pool_entries_) * sizeof(std::int32_t),
          "lists of the nodes");
  const auto lists = static_cast<std::size_t>(lists_a_node(settings_.bodies_only));
  reserve(context, scratch_,
          static_cast<std::size_t>(teams) * lists * static_cast<std::size_t>(room_) *
              sizeof(std::int32_t),
          "lists that are being made");
  zero_(items(counter_count), counters_, static_cast<int>(counter_count));
  settings_.bodies_only ? walk_leaves(tree, multipoles, teams)
                        : walk_levels(tree, multipoles, teams);
  return make_room(needed());
}

void Lists::walk_levels(const Tree& tree, const Multipoles& multipoles, int teams) {
  const FmmOpenclChoice& choice = settings_.choice;
  const Limits limits(choice, tree.fine());
  const int walkers = settings_.warps ? 4 : 1;
  const int idle_end = tree.level_start(first_level), root_end = tree.level_start(first_level + 1);
  for (int level = first_level; level <= tree.depth(); ++level) {
    const int first = level == first_level ? 0 : tree.level_start(level);
    const int end = tree.level_start(level + 1);
    const int groups = (std::min(teams, end - first) + walkers - 1) / walkers;
    kernels_for(tree).levels(
        whole_groups(groups, static_cast<std::size_t>(lanes) * static_cast<std::size_t>(walkers)),
        first, end, idle_end, root_end, multipoles.centre, multipoles.low, multipoles.size,
        multipoles.magnitude, tree.parent(), tree.range(), tree.places(), tree.box(),
        all_wanted_ ? 1 : 0, wanted_, settings_.real(settings_.softening),
        settings_.real(choice.angle), settings_.real(limits.error),
        settings_.real(limits.distance * limits.distance), choice.order, many_bodies(choice.order),
        is_deep(tree) ? 1 : 0, scratch_, room_, pool, pool_entries_, start, counts, counters_);
  }
}

void Lists::walk_leaves(const Tree& tree, const Multipoles& multipoles, int teams) {
  const FmmOpenclChoice& choice = settings_.choice;
  const Limits limits(choice, tree.fine());
  kernels_for(tree).leaves({{static_cast<std::size_t>(teams * lanes), 1, 1},
                            {static_cast<std::size_t>(settings_.warps ? 4 * lanes : lanes), 1, 1}},
                           tree.nodes(), multipoles.centre, multipoles.low, multipoles.size,
                           multipoles.magnitude, tree.range(), tree.places(), tree.box(),
                           all_wanted_ ? 1 : 0, wanted_, settings_.real(settings_.softening),
                           settings_.real(choice.angle), settings_.real(limits.error),
                           settings_.real(limits.distance * limits.distance), choice.order,
                           many_bodies(choice.order), is_deep(tree) ? 1 : 0, scratch_, room_, pool,
                           pool_entries_, start, counts, counters_);
}

Lists::Room Lists::needed() const {
  std::vector<std::uint32_t> found(counter_count);
  counters_.read(std::span(found));
  return {.pool = found[pool_used], .list = found[longest]};
}

// True where there was enough. Lists that were cut left the levels below without work, so what is
// needed is a lower bound.
bool Lists::make_room(Room needed) {
  const auto list = static_cast<int>(needed.list);
  if (list <= room_ && needed.pool <= static_cast<std::uint32_t>(pool_entries_)) return true;
  room_ = std::max(room_, list + list / 4);
  if (needed.pool > most_entries) {
    throw bad_data(
        fmt::format("lists of {} nodes and bodies that act on each other do not fit", needed.pool),
        "ask for less accuracy, take solver fmm where it is tree, or fewer bodies");
  }
  if (needed.pool > static_cast<std::uint32_t>(pool_entries_)) {
    const std::size_t more = std::size_t{needed.pool} + needed.pool / 2;
    pool_entries_ = static_cast<int>(std::min(more, most_entries));
  }
  return false;
}

}  // namespace apsis::fmm_opencl
