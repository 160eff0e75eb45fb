// SPDX-License-Identifier: MIT
// The passes of the multipole solver over a tree, all on the device: up (moments), across (lists),
// and down to the bodies (field).
#pragma once

#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_expansion.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

#include <array>
#include <cstdint>

namespace apsis::fmm_opencl {

// What all kernels of a solver have in common.
struct PassSettings {
  device::Context* context = nullptr;
  Precision precision = Precision::f32;
  double softening = 0;
  bool signed_strengths = false;
  bool bodies_only = false;  // cells act on bodies, never on cells
  bool warps = false;
  FmmOpenclChoice choice;

  ExpansionShape shape(bool potential, bool normalised = false) const {
    return {.order = choice.order,
            .dipole = signed_strengths,
            .potential = potential,
            .normalised = normalised};
  }
  device::Defines defines(bool normalised = false) const;
  // Of a file that works with expansions.
  device::Program program(const std::string& file, bool potential, bool normalised) const;
  device::Scalar real(double value) const { return {value, false}; }
};

// Centres, sizes, moments, and the field to be expected, of every node.
class Multipoles {
 public:
  explicit Multipoles(const PassSettings& settings);
  void find(const Tree& tree);

  // By node; see fmm_nodes.cl.
  device::Buffer centre, low, size, moments, near, magnitude;

 private:
  using Buffer = device::Buffer;
  struct Kernels {
    bool built = false;
    device::Kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer>
        p2m;
    device::Kernel<int, int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                   Buffer, Buffer, Buffer>
        m2m;
    device::Kernel<int, Buffer, Buffer, Buffer> chunks;
    device::Kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, device::Scalar, Buffer, int,
                   Buffer>
        estimate;
  };
  Kernels& kernels_for(bool normalised);
  void reserve_for(int nodes, bool normalised);

  const PassSettings& settings_;
  std::array<Kernels, 2> kernels_;  // for trees of a cube's levels, and of fine ones
  Buffer chunk_, spread_, bounds_;
};

// Bodies [first, end) of the input.
struct TargetRange {
  int first = 0, end = 0;
};

// The walk, and the lists it leaves in a pool that grows as they need it.
class Lists {
 public:
  explicit Lists(const PassSettings& settings);
  // Waits for the numbers of entries, and walks again where they did not fit. Nodes without any of
  // these bodies of the input have no lists.
  void find(const Tree& tree, const Multipoles& multipoles, TargetRange targets);

  device::Buffer pool;           // entries of all lists
  device::Buffer start, counts;  // of each node's; see fmm_walk.cl
  int first_level = 0;           // above it, nothing acts on expansions

 private:
  using Buffer = device::Buffer;
  using Scalar = device::Scalar;
  // Two numbers that the host looks at: entries in the pool, and the longest list that did not fit.
  struct Room {
    std::uint32_t pool = 0, list = 0;
  };
  bool walk(const Tree& tree, const Multipoles& multipoles);
  void walk_levels(const Tree& tree, const Multipoles& multipoles, int teams);
  void walk_leaves(const Tree& tree, const Multipoles& multipoles, int teams);
  Room needed() const;
  bool make_room(Room needed);
  int teams_for(const Tree& tree) const;

  const PassSettings& settings_;
  void mark(const Tree& tree, TargetRange targets);

  struct Kernels {
    bool built = false;
    device::Kernel<int, int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                   Buffer, int, Buffer, Scalar, Scalar, Scalar, Scalar, int, int, int, Buffer, int,
                   Buffer, int, Buffer, Buffer, Buffer>
        levels;
    device::Kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, int, Buffer, Scalar,
                   Scalar, Scalar, Scalar, int, int, int, Buffer, int, Buffer, int, Buffer, Buffer,
                   Buffer>
        leaves;
  };
  void build(Kernels& kernels, bool normalised, int stack);
  Kernels& kernels_for(const Tree& tree);
  std::array<Kernels, 3> kernels_;  // for trees of a cube's levels, of fine ones, of many of them
  device::Kernel<Buffer, int> zero_;
  device::Kernel<int, Buffer, Buffer, Buffer, Buffer, int, int, Buffer> mark_wanted_;
  Buffer scratch_, counters_;
  Buffer wanted_;           // by node
  bool all_wanted_ = true;  // and nobody looks at that
  int room_ = 0;            // entries of one list in scratch
  int pool_entries_ = 0;    // that the pool holds
};

// Local expansions, and the field at the bodies.
class FieldPasses {
 public:
  explicit FieldPasses(const PassSettings& settings) : settings_(settings) {}
  // At bodies of the input from `first_target` on, into `out` from that entry on.
  void add(const Tree& tree, const Multipoles& multipoles, const Lists& lists, bool potential,
           int first_target, device::Buffer& out, int out_start);

 private:
  using Buffer = device::Buffer;
  using Scalar = device::Scalar;
  struct Kernels {
    bool built = false;
    device::Kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar, Buffer,
                   Buffer>
        m2l;
    device::Kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer> l2l;
    device::Kernel<Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                   Buffer, Scalar, Buffer, Buffer>
        far;
    device::Kernel<Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar,
                   Buffer, int, Buffer, int>
        near;
    device::Kernel<Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar,
                   Buffer, Buffer>
        far_of_tree;
  };
  Kernels& kernels_for(bool potential, bool normalised);
  void add_far(Kernels& kernels, const Tree& tree, const Multipoles& multipoles, const Lists& lists,
               bool potential);

  const PassSettings& settings_;
  std::array<Kernels, 4> kernels_;  // without potential and with it, and normalised
  Buffer locals_, far_;
};

}  // namespace apsis::fmm_opencl
