// SPDX-License-Identifier: MIT
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <cstdint>
#include <utility>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;
using device::Scalar;

constexpr int chunk_count = 512;  // as in fmm_estimate.cl
constexpr std::size_t estimate_group = 64, p2m_group = 64, m2m_group = 64, lanes_a_node = 8;
constexpr std::size_t m2l_lanes = 32, m2l_targets = 2, far_group = 64, near_group = 64;
constexpr std::size_t four = 4 * sizeof(float);

}  // namespace

device::Defines PassSettings::defines(bool normalised) const {
  device::Defines defines{{"PRECISION", precision_define(precision)}, {"WARPS", warps ? "1" : "0"}};
  if (normalised) defines.emplace_back("NORMALISED", "1");
  return defines;
}

device::Program PassSettings::program(const std::string& file, bool potential,
                                      bool normalised) const {
  return context->program(file, defines(normalised),
                          {"fmm_expansion.cl", expansion_text(shape(potential, normalised))});
}

Multipoles::Multipoles(const PassSettings& settings) : settings_(settings) {
  kernels_for(false);
  chunk_ = settings.context->buffer(std::size_t{2} * chunk_count * four, "parts of the bodies");
  spread_ = settings.context->buffer(chunk_count * four / 2, "parts of the bodies");
}

Multipoles::Kernels& Multipoles::kernels_for(bool normalised) {
  Kernels& kernels = kernels_[normalised ? 1 : 0];
  if (std::exchange(kernels.built, true)) return kernels;
  const device::Program program = settings_.program("fmm_multipoles.cl", false, normalised);
  kernels.p2m = program.kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                               Buffer, Buffer>("fmm_p2m");
  kernels.m2m = program.kernel<int, int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                               Buffer, Buffer, Buffer, Buffer>("fmm_m2m");
  const device::Program guess =
      settings_.context->program("fmm_estimate.cl", settings_.defines(normalised));
  kernels.chunks = guess.kernel<int, Buffer, Buffer, Buffer>("fmm_chunks");
  kernels.estimate = guess.kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar,
                                  Buffer, int, Buffer>("fmm_estimate");
  return kernels;
}

void Multipoles::reserve_for(int nodes, bool normalised) {
  device::Context& context = *settings_.context;
  const auto n = static_cast<std::size_t>(nodes);
  for (Buffer* buffer : {&centre, &low, &size}) reserve(context, *buffer, n * four, "nodes");
  reserve(context, near, n * 2 * sizeof(std::uint32_t), "nodes");
  reserve(context, magnitude, n * sizeof(float), "nodes");
  const auto room = static_cast<std::size_t>(settings_.shape(false, normalised).moment_room());
  reserve(context, moments, (n + 1) * room * sizeof(float), "moments of the nodes");
  reserve(context, bounds_, (normalised ? n : 1) * 2 * four, "corners of the nodes");
}

void Multipoles::find(const Tree& tree) {
  const int nodes = tree.nodes();
  reserve_for(nodes, tree.fine());
  Kernels& kernels = kernels_for(tree.fine());
  kernels.p2m(items(nodes + 1, p2m_group), nodes, tree.bodies(), tree.range(), tree.child(),
              tree.places(), centre, low, size, moments, near, bounds_);
  kernels.chunks(whole_groups(chunk_count, estimate_group), tree.bodies(), tree.places(), chunk_,
                 spread_);
  kernels.estimate(items(nodes, estimate_group), nodes, tree.child(), centre, low, size, chunk_,
                   spread_, settings_.real(settings_.softening), tree.box(),
                   settings_.signed_strengths ? 1 : 0, magnitude);
  for (int level = tree.depth() - 1; level >= 0; --level) {
    const int first = tree.level_start(level), end = tree.level_start(level + 1);
    kernels.m2m(
        whole_groups(static_cast<int>(groups_of(end - first, m2m_group / lanes_a_node)), m2m_group),
        first, end, level, tree.depth(), tree.child(), tree.range(), tree.keys(), tree.box(),
        centre, low, size, moments, magnitude, bounds_);
  }
}

FieldPasses::Kernels& FieldPasses::kernels_for(bool potential, bool normalised) {
  Kernels& kernels = kernels_[(normalised ? 2 : 0) + (potential ? 1 : 0)];
  if (std::exchange(kernels.built, true)) return kernels;
  device::Defines defines = settings_.defines();
  defines.emplace_back("SOFTENED", settings_.softening > 0 ? "1" : "0");
  defines.emplace_back("POTENTIAL", potential ? "1" : "0");
  kernels.near = settings_.context->program("fmm_near.cl", defines)
                     .kernel<Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                             Scalar, Buffer, int, Buffer, int>("fmm_near");
  if (settings_.bodies_only) {
    kernels.far_of_tree = settings_.program("tree_far.cl", potential, normalised)
                              .kernel<Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                                      Buffer, Buffer, Scalar, Buffer, Buffer>("tree_far");
    return kernels;
  }
  const device::Program local = settings_.program("fmm_local.cl", potential, normalised);
  kernels.m2l = local.kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar,
                             Buffer, Buffer>("fmm_m2l");
  kernels.l2l = local.kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer>("fmm_l2l");
  kernels.far = settings_.program("fmm_far.cl", potential, normalised)
                    .kernel<Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                            Buffer, Buffer, Scalar, Buffer, Buffer>("fmm_far");
  return kernels;
}

void FieldPasses::add_far(Kernels& kernels, const Tree& tree, const Multipoles& multipoles,
                          const Lists& lists, bool potential) {
  const int nodes = tree.nodes();
  const Scalar softening = settings_.real(settings_.softening);
  if (settings_.bodies_only) {
    kernels.far_of_tree(whole_groups(nodes, far_group), tree.range(), tree.child(), tree.places(),
                        multipoles.centre, multipoles.low, multipoles.moments, lists.pool,
                        lists.start, lists.counts, softening, tree.box(), far_);
    return;
  }
  const auto local_room =
      static_cast<std::size_t>(settings_.shape(potential, tree.fine()).local_room());
  reserve(*settings_.context, locals_, static_cast<std::size_t>(nodes) * local_room * sizeof(float),
          "local expansions of the nodes");
  kernels.m2l(
      whole_groups(static_cast<int>(groups_of(nodes, m2l_targets)), m2l_lanes * m2l_targets), nodes,
      tree.places(), multipoles.centre, multipoles.low, multipoles.moments, lists.pool, lists.start,
      lists.counts, softening, tree.box(), locals_);
  // leaves take their parents' expansions as they are, and the last level is all leaves
  for (int level = lists.first_level + 1; level < tree.depth(); ++level) {
    const int first = tree.level_start(level), end = tree.level_start(level + 1);
    kernels.l2l(items(end - first), first, end, tree.child(), tree.parent(), multipoles.centre,
                multipoles.low, locals_);
  }
  kernels.far(whole_groups(nodes, far_group), tree.range(), tree.child(), tree.parent(),
              tree.places(), multipoles.centre, multipoles.low, multipoles.moments, locals_,
              lists.pool, lists.start, lists.counts, softening, tree.box(), far_);
}

void FieldPasses::add(const Tree& tree, const Multipoles& multipoles, const Lists& lists,
                      bool potential, int first_target, Buffer& out, int out_start) {
  Kernels& kernels = kernels_for(potential, tree.fine());
  reserve(*settings_.context, far_, static_cast<std::size_t>(tree.bodies()) * four,
          "the far field");
  add_far(kernels, tree, multipoles, lists, potential);
  kernels.near(whole_groups(tree.nodes(), near_group), tree.range(), tree.child(), multipoles.near,
               tree.places(), tree.order(), lists.pool, lists.start, lists.counts, far_,
               settings_.real(settings_.softening), tree.box(), first_target, out, out_start);
}

}  // namespace apsis::fmm_opencl
