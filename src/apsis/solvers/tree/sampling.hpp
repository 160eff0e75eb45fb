// SPDX-License-Identifier: MIT
// Inside the far-field solvers: samples of bodies by direct summation.
#pragma once

#include <apsis/core/parallel.hpp>
#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/tree/octree.hpp>
#include <apsis/solvers/tree/pieces.hpp>

#include <cstddef>
#include <vector>

namespace apsis::far {

// body(b) for all b < blocks, a few at a time on each thread.
template <class Body>
void parallel_blocks(std::size_t blocks, int threads, Body&& body) {
  parallel_pieces(blocks, 2, blocks < 4 ? 1 : threads,
                  [&](std::size_t begin, std::size_t end, int) {
                    for (std::size_t b = begin; b < end; ++b) body(b);
                  });
}

// The root mean square of the field at a few hundred bodies.
float typical_field(const SortedBodies& bodies, float softening, int threads);
// Of the bodies of all partners, at places that all of them know.
float typical_field(const SortedBodies& bodies, float softening, int threads,
                    std::span<const std::array<float, 3>> places, Partners& partners);

// Some bodies with their fields in double, evenly spaced in the caller's order.
template <class Real>
class FieldSample {
 public:
  FieldSample(const BodiesView<Host<Real>>& bodies, double softening, int threads);
  // Of the bodies of all partners; this one has a block of them.
  FieldSample(const BodiesView<Host<Real>>& block, const Shared& shared, double softening,
              int threads, Partners& partners);

  // The 99 % error of a field (DESIGN: |a-a_ref|/|a_ref|, and for mixed signs over max(|a_ref|,
  // rms)).
  double error(const Real* x, const Real* y, const Real* z) const;
  // Over all partners.
  double error(const Real* x, const Real* y, const Real* z, Partners& partners) const;

 private:
  std::vector<double> errors(const Real* x, const Real* y, const Real* z) const;
  void take_magnitude(bool mixed_signs, double rms) {
    least_magnitude_ = mixed_signs ? rms : 1e-12 * rms;
  }

  std::vector<std::size_t> number_;
  std::vector<double> x_, y_, z_;
  double least_magnitude_ = 0;
};

}  // namespace apsis::far
