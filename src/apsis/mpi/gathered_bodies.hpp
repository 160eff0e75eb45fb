// SPDX-License-Identifier: MIT
// Inside mpi/: the bodies of all ranks at every rank.
#pragma once

#include <apsis/mpi/communicator.hpp>
#include <apsis/mpi/rank_solvers.hpp>
#include <apsis/solvers/solver.hpp>

#include <span>
#include <vector>

namespace apsis::mpi {

template <class State>
class GatheredBodies {
 public:
  using View = BodiesView<Host<State>>;

  View gather(Communicator& ranks, const Blocks& blocks, const View& own, bool velocities) {
    const auto column = [&](const State* from, std::vector<State>& all) {
      all.resize(blocks.all());
      std::vector<std::size_t> bytes = blocks.counts;
      for (std::size_t& size : bytes) size *= sizeof(State);
      ranks.gather_at_all(std::as_bytes(std::span(from, own.count)), bytes,
                          std::as_writable_bytes(std::span(all)));
      return all.data();
    };
    View all{.count = blocks.all()};
    all.x = column(own.x, x_), all.y = column(own.y, y_), all.z = column(own.z, z_);
    if (strength_.empty()) column(own.strength, strength_);  // never changes
    all.strength = strength_.data();
    if (velocities) {
      all.vx = column(own.vx, vx_), all.vy = column(own.vy, vy_), all.vz = column(own.vz, vz_);
    }
    return all;
  }

 private:
  std::vector<State> x_, y_, z_, strength_, vx_, vy_, vz_;
};

}  // namespace apsis::mpi
