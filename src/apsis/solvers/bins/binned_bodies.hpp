// SPDX-License-Identifier: MIT
// Inside bins/: bodies of the host sorted by their bin, and what a bin is seen as from afar.
#pragma once

#include <apsis/core/parallel.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/solver.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace apsis {

// In the order of the bins, and inside a bin in the order that they came in.
template <class State>
struct BinnedBodies {
  std::vector<State> x, y, z, strength;  // strength: of sources only
  std::vector<std::uint32_t> place;      // that a body came from
  std::vector<std::size_t> start;        // of each bin, and one more

  std::size_t size() const { return x.size(); }

  void sort(const BodiesView<Host<State>>& bodies, const BinsGrid<State>& grid, int threads) {
    const std::size_t n = bodies.count;
    bin_.resize(n), place.resize(n);
    parallel_for(n, threads, [&](std::size_t i) {
      bin_[i] = static_cast<std::uint32_t>(grid.bin_of(bodies.x[i], bodies.y[i], bodies.z[i]));
    });
    start.assign(grid.count() + 1, 0);
    for (std::size_t i = 0; i < n; ++i) ++start[bin_[i] + 1];
    for (std::size_t b = 0; b < grid.count(); ++b) start[b + 1] += start[b];
    next_.assign(start.begin(), start.end());
    for (std::size_t i = 0; i < n; ++i) place[next_[bin_[i]]++] = static_cast<std::uint32_t>(i);
    const auto gather = [&](const State* from, std::vector<State>& to) {
      to.resize(from == nullptr ? 0 : n);
      parallel_for(to.size(), threads, [&](std::size_t k) { to[k] = from[place[k]]; });
    };
    gather(bodies.x, x), gather(bodies.y, y), gather(bodies.z, z);
    gather(bodies.strength, strength);
  }

  BodiesView<Host<State>> view(std::size_t begin, std::size_t end) const {
    return {.count = end - begin,
            .x = x.data() + begin,
            .y = y.data() + begin,
            .z = z.data() + begin,
            .strength = strength.empty() ? nullptr : strength.data() + begin};
  }

 private:
  std::vector<std::uint32_t> bin_;
  std::vector<std::size_t> next_;
};

// Bins that act: their whole strength at the centre of |strength|, which is always defined, and the
// dipole about it, which is zero where all strengths have one sign.
template <class State>
struct BinCentres {
  std::vector<State> x, y, z, strength, dipole_x, dipole_y, dipole_z;
  std::vector<std::size_t> first;  // centre of each bin or behind it, and one more
  bool dipoles = false;            // any that is not zero

  std::size_t size() const { return x.size(); }

  void gather(const BinnedBodies<State>& bodies, int threads) {
    const std::size_t bins = bodies.start.size() - 1;
    first.assign(bins + 1, 0);
    parallel_for(bins, threads, [&](std::size_t b) { first[b + 1] = acts(bodies, b) ? 1 : 0; });
    for (std::size_t b = 0; b < bins; ++b) first[b + 1] += first[b];
    for (auto* column : {&x, &y, &z, &strength, &dipole_x, &dipole_y, &dipole_z}) {
      column->resize(first[bins]);
    }
    parallel_for(bins, threads, [&](std::size_t b) {
      if (first[b] < first[b + 1]) sum_up(bodies, bodies.start[b], bodies.start[b + 1], first[b]);
    });
    dipoles = false;
    for (std::size_t c = 0; c < size(); ++c) {
      dipoles = dipoles || dipole_x[c] != 0 || dipole_y[c] != 0 || dipole_z[c] != 0;
    }
  }

  BodiesView<Host<State>> view(std::size_t begin, std::size_t end) const {
    return {.count = end - begin,
            .x = x.data() + begin,
            .y = y.data() + begin,
            .z = z.data() + begin,
            .strength = strength.data() + begin};
  }

  // What takes off again what these add.
  BinCentres negative() const {
    BinCentres out = *this;
    for (auto* column : {&out.strength, &out.dipole_x, &out.dipole_y, &out.dipole_z}) {
      for (State& value : *column) value = -value;
    }
    return out;
  }

 private:
  static bool acts(const BinnedBodies<State>& bodies, std::size_t b) {
    for (std::size_t i = bodies.start[b]; i < bodies.start[b + 1]; ++i) {
      if (bodies.strength[i] != 0) return true;
    }
    return false;
  }

  void sum_up(const BinnedBodies<State>& bodies, std::size_t begin, std::size_t end,
              std::size_t c) {
    // from the first body on, so that a lone body's centre is exactly its place
    const auto offset = [&](const std::vector<State>& column, std::size_t i) {
      return static_cast<double>(column[i]) - static_cast<double>(column[begin]);
    };
    double sum = 0, absolute = 0;
    Vec3 moment{}, absolute_moment{};
    for (std::size_t i = begin; i < end; ++i) {
      const auto s = static_cast<double>(bodies.strength[i]);
      const Vec3 d{offset(bodies.x, i), offset(bodies.y, i), offset(bodies.z, i)};
      sum += s, absolute += std::abs(s);
      moment += s * d, absolute_moment += std::abs(s) * d;
    }
    const Vec3 centre = absolute_moment / absolute;
    x[c] = static_cast<State>(static_cast<double>(bodies.x[begin]) + centre.x);
    y[c] = static_cast<State>(static_cast<double>(bodies.y[begin]) + centre.y);
    z[c] = static_cast<State>(static_cast<double>(bodies.z[begin]) + centre.z);
    strength[c] = static_cast<State>(sum);
    // with one sign it is zero, whatever rounding leaves of it
    const Vec3 dipole = std::abs(sum) == absolute ? Vec3{} : moment - sum * centre;
    dipole_x[c] = static_cast<State>(dipole.x);
    dipole_y[c] = static_cast<State>(dipole.y);
    dipole_z[c] = static_cast<State>(dipole.z);
  }
};

}  // namespace apsis
