// SPDX-License-Identifier: MIT
// Centres, sizes and moments of all nodes on the first OpenCL device against sums over their bodies
// in double.
#include <apsis/device/kernel_text.hpp>
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace apsis {
namespace {

using namespace fmm_opencl;
using Four = std::array<float, 4>;

template <class Value>
std::vector<Value> contents(const device::Buffer& buffer, int count) {
  std::vector<Value> values(static_cast<std::size_t>(count));
  buffer.read(std::span(values));
  return values;
}

struct Summed {
  double strength = 0, weight = 0, largest = 0, mean2 = 0;
  std::vector<double> moments, scale;  // and the sums of their terms' magnitudes
};

// Σ s (-d)ⁿ/n! about `centre`, in the order of the kernels: by degree, x before y before z.
Summed summed_over(const std::vector<Four>& places, std::array<std::uint32_t, 2> range,
                   const std::array<double, 3>& centre, const ExpansionShape& shape) {
  Summed sums;
  for (std::uint32_t i = range[0]; i < range[1]; ++i) {
    const double s = places[i][3];
    const std::array d{centre[0] - places[i][0], centre[1] - places[i][1],
                       centre[2] - places[i][2]};
    const double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    sums.strength += s, sums.weight += std::abs(s), sums.mean2 += std::abs(s) * d2;
    sums.largest = std::max(sums.largest, std::sqrt(d2));
    std::size_t slot = 0;
    for (int degree = shape.dipole ? 1 : 2; degree < shape.order; ++degree) {
      for (int a = degree; a >= 0; --a) {
        for (int b = degree - a; b >= 0; --b, ++slot) {
          const int c = degree - a - b;
          if (sums.moments.size() <= slot) sums.moments.push_back(0), sums.scale.push_back(0);
          const double term = s * std::pow(d[0], a) * std::pow(d[1], b) * std::pow(d[2], c) /
                              (std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1));
          sums.moments[slot] += term;
          sums.scale[slot] += std::abs(s) * std::pow(std::sqrt(d2), degree);
        }
      }
    }
  }
  if (sums.weight > 0) sums.mean2 /= sums.weight;
  return sums;
}

void expect_moments(const Bodies& bodies, Law law, int order, int leaf) {
  SCOPED_TRACE(fmt::format("order {}, {} bodies", order, bodies.size()));
  const PassSettings settings{.context = &test::context(),
                              .signed_strengths = law == Law::coulomb,
                              .choice = {.order = order, .leaf = leaf}};
  Tree tree(test::context(), {.leaf = leaf});
  Multipoles multipoles(settings);
  const test::DeviceBodies there(bodies, law, Precision::f32);
  tree.build({.sources = there.view(), .targets = {}});
  multipoles.find(tree);
  const auto places = contents<Four>(tree.places(), tree.bodies());
  const auto range = contents<std::array<std::uint32_t, 2>>(tree.range(), tree.nodes());
  const auto centre = contents<Four>(multipoles.centre, tree.nodes());
  const auto low = contents<Four>(multipoles.low, tree.nodes());
  const auto size = contents<Four>(multipoles.size, tree.nodes());
  const ExpansionShape shape = settings.shape(false);
  const auto moments = contents<float>(multipoles.moments, tree.nodes() * shape.moment_room());
  for (std::size_t s = 0; s < range.size(); ++s) {
    std::array<double, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = double{centre[s][k]} + low[s][k];
    const Summed expected = summed_over(places, range[s], at, shape);
    // sums of up to a thousand floats
    const double rounding = 3e-5;
    EXPECT_NEAR(centre[s][3], expected.strength, rounding * expected.weight) << "node " << s;
    EXPECT_NEAR(size[s][3], expected.weight, rounding * expected.weight) << "node " << s;
    // a mean over a higher power than the square
    EXPECT_GE(size[s][1], std::sqrt(expected.mean2) * (1 - rounding)) << "node " << s;
    EXPECT_LE(size[s][1], size[s][0] * (1 + rounding)) << "node " << s;
    EXPECT_GE(size[s][0], expected.largest * (1 - rounding)) << "node " << s;
    for (std::size_t n = 0; n < expected.moments.size(); ++n) {
      const auto got = moments[s * static_cast<std::size_t>(shape.moment_room()) + n];
      ASSERT_NEAR(got, expected.moments[n], 4 * rounding * expected.scale[n])
          << "node " << s << ", moment " << n;
    }
  }
}

TEST(FmmOpenclMultipoles, are_those_of_the_bodies) {
  APSIS_NEED_DEVICE();
  for (const int order : {2, 5, 6}) {
    expect_moments(test::random_bodies(1000), Law::gravity, order, 16);
  }
  expect_moments(test::random_bodies(700, 4, true), Law::coulomb, 5, 16);
}

TEST(FmmOpenclMultipoles, of_bodies_without_strength_are_nothing) {
  APSIS_NEED_DEVICE();
  Bodies bodies = test::random_bodies(100);
  std::fill(bodies.mass.begin(), bodies.mass.end(), 0.0);
  expect_moments(bodies, Law::gravity, 5, 8);
}

TEST(FmmExpansionText, of_the_default_shape_is_the_file_among_the_kernels) {
  const auto kernels = embedded_kernels();
  const auto found = std::find_if(kernels.begin(), kernels.end(), [](const auto& file) {
    return file.first == "fmm_expansion.cl";
  });
  ASSERT_NE(found, kernels.end());
  EXPECT_EQ(std::string(found->second), expansion_text({}));
}

}  // namespace
}  // namespace apsis
