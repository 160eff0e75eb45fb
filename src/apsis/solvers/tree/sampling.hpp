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

// A choice is made on some bodies and confirmed on others.
enum class SampleOf { choice, confirmation };

// Some bodies with their fields in double, evenly spaced in the caller's order. Those that confirm
// a choice lie between those it is made on, or are all bodies where there are too few between; none
// where it is made on all.
template <class Real>
class FieldSample {
 public:
  FieldSample(SampleOf what, const BodiesView<Host<Real>>& bodies, double softening, int threads);
  // Of the bodies of all partners; this one has a block of them.
  FieldSample(SampleOf what, const BodiesView<Host<Real>>& block, const Shared& shared,
              double softening, int threads, Partners& partners);

  // The 99 % error of a field (|a-a_ref|/|a_ref|, and for mixed signs over max(|a_ref|, rms)); of
  // bodies that confirm a choice, what that of all bodies is most likely below.
  double error(const Real* x, const Real* y, const Real* z) const;
  // Over all partners.
  double error(const Real* x, const Real* y, const Real* z, Partners& partners) const;

 private:
  std::vector<double> errors(const Real* x, const Real* y, const Real* z) const;
  double error_of(std::vector<double> errors) const;
  void take_magnitude(bool mixed_signs, double rms) {
    least_magnitude_ = mixed_signs ? rms : 1e-12 * rms;
  }

  bool confident_ = false;  // some bodies of many, and none that a choice was made on
  std::vector<std::size_t> number_;
  std::vector<double> x_, y_, z_;
  double least_magnitude_ = 0;
};

}  // namespace apsis::far
