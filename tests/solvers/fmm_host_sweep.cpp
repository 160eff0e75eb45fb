// SPDX-License-Identifier: MIT
// The promise of `tree` and `fmm` on bodies that nobody tuned them for: spheres, disks, a merger
// under way, cubes, clusters far apart, charges. bench_far_accuracy prints the same up to 10^6.
#include <apsis/solvers/fmm/fmm_host.hpp>
#include <apsis/solvers/tree/tree_host.hpp>

#include <gtest/gtest.h>
#include <solvers/fmm_host_data.hpp>

#include <string>
#include <vector>

namespace apsis {
namespace {

using test::FarColumns;
using test::FarData;

template <class Real>
void expect_promise_kept(const FarData& data, const Bodies& given, bool tree) {
  FarColumns<Real> bodies(given, data.charged);
  for (const double softening : {0.0, data.softening}) {
    const test::FarReference<Real> reference(bodies, softening, data.charged);
    for (const double wish : {1e-2, 1e-3, 1e-4, 1e-5}) {
      const FarFieldSettings options{.accuracy = wish};
      const auto solver =
          tree ? make_tree<Real>(options, softening, 2) : make_fmm<Real>(options, softening, 2);
      bodies.clear();
      solver->add_self_field(bodies.view(), bodies.field());
      const double p99 = reference.p99(reference.errors(bodies));
      EXPECT_LE(p99, wish) << solver->name() << " softening " << softening << " "
                           << solver->sizes();
      // what is given beyond the wish costs time
      if (given.size() >= 100'000) {
        EXPECT_TRUE(p99 >= 0.1 * wish || is_cheapest(solver->choice()))
            << p99 << " for " << wish << " " << solver->name() << " " << solver->sizes();
      }
    }
  }
}

class FarFieldSweep : public testing::TestWithParam<FarData> {
 protected:
  void expect_promise_kept_of(std::size_t n) const {
    const Bodies bodies = GetParam().make(n, 11);
    for (const bool tree : {false, true}) expect_promise_kept<float>(GetParam(), bodies, tree);
  }
};
class DeepFarFieldSweep : public FarFieldSweep {};

TEST_P(FarFieldSweep, keeps_its_word_for_a_thousand_bodies) {
  expect_promise_kept_of(1000);
  const Bodies bodies = GetParam().make(1500, 12);
  expect_promise_kept<double>(GetParam(), bodies, false);
}
TEST_P(DeepFarFieldSweep, keeps_its_word_for_ten_thousand_bodies) {
  expect_promise_kept_of(10'000);
}
TEST_P(DeepFarFieldSweep, keeps_its_word_for_a_hundred_thousand_bodies) {
  expect_promise_kept_of(100'000);
}

std::string name_of(const testing::TestParamInfo<FarData>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Quick, FarFieldSweep, testing::ValuesIn(test::far_data()), name_of);
INSTANTIATE_TEST_SUITE_P(All, DeepFarFieldSweep, testing::ValuesIn(test::far_data()), name_of);

}  // namespace
}  // namespace apsis
