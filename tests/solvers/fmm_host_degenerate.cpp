// SPDX-License-Identifier: MIT
// `tree` and `fmm` where bodies are crowded, lined up, far away or without strength: right, and as
// quick as elsewhere.
#include <gtest/gtest.h>
#include <solvers/fmm_host_support.hpp>
#include <support/bodies.hpp>

#include <cmath>
#include <vector>

namespace apsis {
namespace {

using test::expect_word_kept;
using test::FarColumns;
using test::make;

TEST(FarFieldDegenerate, of_many_bodies_at_one_point_is_zero) {
  const std::size_t n = 100'000;
  for (const bool tree : {false, true}) {
    for (const double softening : {0.0, 0.5}) {
      FarColumns<float> bodies;
      bodies.x.assign(n, 0.3F), bodies.y.assign(n, -0.7F), bodies.z.assign(n, 0.1F);
      bodies.strength.assign(n, 0.25F), bodies.clear();
      make<float>(tree, {}, softening)->add_self_field(bodies.view(), bodies.field_and_potential());
      const double potential = softening > 0 ? 0.25 * static_cast<double>(n - 1) / softening : 0;
      for (std::size_t i = 0; i < n; i += 997) {
        ASSERT_EQ(bodies.fx[i], 0.0F);
        ASSERT_EQ(bodies.fz[i], 0.0F);
        ASSERT_NEAR(static_cast<double>(bodies.potential[i]), potential, 1e-6 * potential);
      }
    }
  }
}

TEST(FarFieldDegenerate, of_a_crowd_at_one_point_among_others) {
  FarColumns<double> bodies(test::random_bodies(2000), false);
  for (int k = 0; k < 300; ++k) bodies.add(0.1, 0.2, 0.3, 1e-3);
  expect_word_kept(bodies, 0, 1e-3);
  expect_word_kept(bodies, 0.05, 1e-3);
}

TEST(FarFieldDegenerate, of_a_line_of_bodies) {
  FarColumns<float> bodies;
  for (int i = 0; i < 3000; ++i) bodies.add(static_cast<float>(i * i) * 1e-6F, 0, 0, 1);
  expect_word_kept(bodies, 0, 1e-3);
  expect_word_kept(bodies, 0.01, 1e-3);
}

TEST(FarFieldDegenerate, of_a_cluster_and_one_far_away) {
  for (const double away : {1e6, 1e12}) {
    SCOPED_TRACE(away);
    FarColumns<double> bodies(test::random_bodies(1500), false);
    FarColumns<float> in_float(test::random_bodies(1500), false);
    for (double& x : bodies.x) x += 50;
    bodies.add(away, -away, away, 1);
    in_float.add(static_cast<float>(away), 0, 0, 1);
    for (const double softening : {0.0, 0.01}) {
      expect_word_kept(bodies, softening, 1e-3);
      expect_word_kept(in_float, softening, 1e-3);
    }
  }
}

// Keys of the whole box do not tell them apart: they are sorted anew.
TEST(FarFieldDegenerate, of_thirty_thousand_bodies_in_one_cell) {
  FarColumns<double> given(test::random_bodies(30'000), false);
  for (auto* column : {&given.x, &given.y, &given.z}) {
    for (double& value : *column) value *= 1e-7;
  }
  given.add(1, 1, 1, 1);
  for (const bool tree : {false, true}) {
    for (const double softening : {0.0, 1e-9}) {
      FarColumns<double> bodies = given;
      make<double>(tree, {}, softening)->add_self_field(bodies.view(), bodies.field());
      FarColumns<double> some;
      for (std::size_t i = 0; i < bodies.x.size(); i += 150) {
        some.add(given.x[i], given.y[i], given.z[i], given.strength[i]);
      }
      ReferenceSolver(softening).add_field(given.view(), some.view(), some.field());
      std::size_t off = 0;
      for (std::size_t k = 0; k < some.x.size(); ++k) {
        const std::size_t i = 150 * k;
        const double error = std::hypot(bodies.fx[i] - some.fx[k], bodies.fy[i] - some.fy[k],
                                        bodies.fz[i] - some.fz[k]);
        if (error > 1e-3 * std::hypot(some.fx[k], some.fy[k], some.fz[k])) ++off;
      }
      EXPECT_LE(off, 6U) << "of " << some.x.size();  // 1 %, and three times its deviation
    }
  }
}

TEST(FarFieldDegenerate, of_two_clusters_ten_thousand_apart) {
  FarColumns<double> bodies(test::random_bodies(4000), false);
  for (std::size_t i = 0; i < bodies.x.size(); i += 2) bodies.x[i] += 1e4;
  expect_word_kept(bodies, 0, 1e-3);
  expect_word_kept(bodies, 0.01, 1e-4);
}

TEST(FarFieldDegenerate, of_masses_from_nothing_to_everything) {
  FarColumns<float> bodies(test::random_bodies(3000), false);
  for (std::size_t i = 0; i < bodies.x.size(); ++i) {
    bodies.strength[i] = i % 3 == 0 ? 0.0F : std::pow(10.0F, -static_cast<float>(i % 12));
  }
  expect_word_kept(bodies, 0.01, 1e-3);
}

TEST(FarFieldDegenerate, of_bodies_without_strength_is_zero) {
  FarColumns<float> bodies(test::random_bodies(3000), false);
  std::fill(bodies.strength.begin(), bodies.strength.end(), 0.0F);
  for (const bool tree : {false, true}) {
    for (const double softening : {0.0, 0.1}) {
      make<float>(tree, {}, softening)->add_self_field(bodies.view(), bodies.field_and_potential());
      for (std::size_t i = 0; i < bodies.x.size(); ++i) {
        ASSERT_EQ(bodies.fx[i], 0.0F);
        ASSERT_EQ(bodies.potential[i], 0.0F);
      }
    }
  }
}

TEST(FarFieldDegenerate, is_indifferent_to_units) {
  FarColumns<double> bodies(test::random_bodies(3000), false);
  for (auto* column : {&bodies.x, &bodies.y, &bodies.z}) {
    for (double& value : *column) value *= 1e20;
  }
  for (double& s : bodies.strength) s *= 1e35;
  expect_word_kept(bodies, 1e18, 1e-3);
}

}  // namespace
}  // namespace apsis
