// SPDX-License-Identifier: MIT
// What the tests of the native solvers `tree` and `fmm` share.
#pragma once

#include <apsis/solvers/fmm/fmm_host.hpp>
#include <apsis/solvers/tree/tree_host.hpp>

#include <gtest/gtest.h>
#include <solvers/far_field_support.hpp>

#include <memory>

namespace apsis::test {

template <class Real>
std::unique_ptr<FarFieldSolver<Real>> make(bool tree, const FarFieldSettings& options,
                                           double softening, int threads = 2) {
  return tree ? make_tree<Real>(options, softening, threads)
              : make_fmm<Real>(options, softening, threads);
}

template <class Real>
void expect_word_kept(const FarColumns<Real>& given, double softening, double accuracy) {
  for (const bool tree : {false, true}) {
    FarColumns<Real> bodies = given;
    const auto solver = make<Real>(tree, {.accuracy = accuracy}, softening);
    solver->add_self_field(bodies.view(), bodies.field_and_potential());
    const FarErrors errors = errors_of(bodies, softening, false);
    EXPECT_LE(errors.p99, accuracy) << solver->name() << " " << solver->sizes();
    EXPECT_LE(errors.potential, accuracy) << solver->name() << " " << solver->sizes();
  }
}

}  // namespace apsis::test
