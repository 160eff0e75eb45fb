// SPDX-License-Identifier: MIT
// The native solvers `tree` and `fmm` against the reference: sizes, signs, softening, accuracies,
// two sets, degenerate bodies, threads and instruction sets.
#include <apsis/core/error.hpp>
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/sampled_quantile.hpp>
#include <apsis/solvers/tree/evaluation.hpp>
#include <apsis/solvers/tree/far_settings.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <solvers/fmm_host_support.hpp>
#include <support/bodies.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::expect_word_kept;
using test::FarColumns;
using test::FarErrors;
using test::make;

struct Case {
  bool tree;
  std::size_t bodies;
  double softening;
  bool charged;
};

class FarFieldTest : public testing::TestWithParam<Case> {
 protected:
  template <class Real>
  void expect_accuracy(double accuracy) const {
    const Case& c = GetParam();
    FarColumns<Real> bodies(test::random_bodies(c.bodies, 17, c.charged), c.charged);
    const auto solver = make<Real>(c.tree, {.accuracy = accuracy}, c.softening);
    solver->add_self_field(bodies.view(), bodies.field_and_potential());
    const FarErrors errors = test::errors_of(bodies, c.softening, c.charged);
    EXPECT_LE(errors.p99, accuracy) << solver->sizes();
    // the worst of a few thousand bodies lies within some times the 99 % error
    EXPECT_LE(errors.max, 20 * accuracy) << solver->sizes();
    EXPECT_LE(errors.potential, accuracy) << solver->sizes();
  }
};

TEST_P(FarFieldTest, float_keeps_its_word) { expect_accuracy<float>(1e-3); }
TEST_P(FarFieldTest, double_keeps_its_word) { expect_accuracy<double>(1e-4); }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const bool tree : {false, true}) {
    for (const std::size_t n : {0U, 1U, 2U, 3U, 63U, 64U, 65U, 1000U, 4097U}) {
      for (const double softening : {0.0, 0.05}) {
        for (const bool charged : {false, true}) cases.push_back({tree, n, softening, charged});
      }
    }
  }
  return cases;
}
std::string case_name(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return fmt::format("{}_{}_bodies_{}_{}", c.tree ? "tree" : "fmm", c.bodies,
                     c.softening > 0 ? "softened" : "plain", c.charged ? "charges" : "masses");
}
INSTANTIATE_TEST_SUITE_P(All, FarFieldTest, testing::ValuesIn(all_cases()), case_name);

TEST(FarField, reaches_every_accuracy_it_offers) {
  for (const bool tree : {false, true}) {
    for (const double accuracy : {1e-2, 3e-3, 3e-4, 3e-5, 1e-5}) {
      for (const double softening : {0.0, 0.02}) {
        FarColumns<double> bodies(test::random_bodies(2500, 23), false);
        const auto solver = make<double>(tree, {.accuracy = accuracy}, softening);
        solver->add_self_field(bodies.view(), bodies.field_and_potential());
        const FarErrors errors = test::errors_of(bodies, softening, false);
        EXPECT_LE(errors.p99, accuracy) << solver->name() << " " << solver->sizes();
      }
    }
  }
}

// Of 8000 bodies every other is one that the choice is made on. Those between are on a line, where
// forces cancel.
TEST(FarField, what_is_chosen_on_some_bodies_is_confirmed_on_others) {
  FarColumns<float> given(test::random_bodies(8000), false);
  for (std::size_t i = 1; i < given.x.size(); i += 2) given.y[i] = given.z[i] = 0;
  test::expect_word_kept(given, 0.01, 5e-3);
}

TEST(FarFieldChoice, is_as_bad_as_on_the_bodies_that_do_not_confirm_it) {
  EXPECT_EQ(far::unless_confirmed(7e-4, 9.9e-4, 1e-3), 7e-4);
  EXPECT_EQ(far::unless_confirmed(7e-4, 1.1e-3, 1e-3), 1.1e-3);
  EXPECT_EQ(far::unless_confirmed(2e-3, 9.5e-4, 1e-3), 2e-3);
}

TEST(SampledError, of_some_bodies_has_room_for_the_others) {
  std::vector<double> errors(4000);
  for (std::size_t k = 0; k < errors.size(); ++k) errors[k] = static_cast<double>((k * 7) % 4000);
  EXPECT_EQ(error_at_99_percent(errors), 3959);
  // 40 are expected to be larger than 99 %, give or take 6.3
  EXPECT_EQ(confident_error_at_99_percent(errors), 3968);
  EXPECT_EQ(confident_error_at_99_percent({3, 1, 2}), 3);
  EXPECT_EQ(confident_error_at_99_percent({}), 0);
}

TEST(FarField, adds_and_never_clears) {
  for (const bool tree : {false, true}) {
    FarColumns<float> bodies(test::random_bodies(500), false);
    const auto solver = make<float>(tree, {}, 0.01);
    solver->add_self_field(bodies.view(), bodies.field_and_potential());
    const FarColumns<float> once = bodies;
    solver->add_self_field(bodies.view(), bodies.field_and_potential());
    EXPECT_EQ(bodies.fx[77], 2 * once.fx[77]);
    EXPECT_EQ(bodies.potential[77], 2 * once.potential[77]);
  }
}

TEST(FarField, of_other_sources_agrees_with_the_reference) {
  for (const bool tree : {false, true}) {
    for (const double softening : {0.0, 0.03}) {
      const FarColumns<double> sources(test::random_bodies(3000, 3), false);
      FarColumns<double> targets(test::random_bodies(700, 4), false);
      targets.x[0] = sources.x[5], targets.y[0] = sources.y[5], targets.z[0] = sources.z[5];
      FarColumns<double> expected = targets;
      const auto solver = make<double>(tree, {.accuracy = 1e-4}, softening);
      solver->add_field(sources.view(), targets.view(), targets.field_and_potential());
      ReferenceSolver(softening).add_field(sources.view(), expected.view(),
                                           expected.field_and_potential());
      double worst = 0, worst_potential = 0;
      for (std::size_t i = 0; i < 700; ++i) {
        const double off =
            std::hypot(targets.fx[i] - expected.fx[i], targets.fy[i] - expected.fy[i],
                       targets.fz[i] - expected.fz[i]);
        worst = std::max(worst, off / std::hypot(expected.fx[i], expected.fy[i], expected.fz[i]));
        worst_potential =
            std::max(worst_potential, std::abs(targets.potential[i] - expected.potential[i]) /
                                          expected.potential[i]);
      }
      EXPECT_LE(worst, 2e-3);  // the worst body against a wish for 99 % of 1e-4
      EXPECT_LE(worst_potential, 1e-4);
    }
  }
}

// --- the same bits ---

TEST(FarField, has_the_same_bits_for_any_number_of_threads_and_again) {
  for (const bool tree : {false, true}) {
    for (const double softening : {0.0, 0.02}) {
      std::vector<FarColumns<float>> results;
      for (const int threads : {1, 2, 3, 8}) {
        FarColumns<float> bodies(test::random_bodies(10000, 9), false);
        const auto solver = make<float>(tree, {}, softening, threads);
        for (int repeat = 0; repeat < 2; ++repeat) {
          bodies.clear();
          solver->add_self_field(bodies.view(), bodies.field_and_potential());
          results.push_back(bodies);
        }
      }
      for (const auto& other : results) {
        EXPECT_EQ(other.fx, results[0].fx);
        EXPECT_EQ(other.fy, results[0].fy);
        EXPECT_EQ(other.fz, results[0].fz);
        EXPECT_EQ(other.potential, results[0].potential);
      }
    }
  }
}

TEST(FarField, has_the_same_bits_with_a_stored_choice) {
  FarColumns<double> first(test::random_bodies(5000), false), again = first;
  const auto solver = make<double>(false, {.accuracy = 3e-4}, 0.01);
  solver->add_self_field(first.view(), first.field());
  const auto resumed = make<double>(false, {.accuracy = 3e-4}, 0.01);
  resumed->use(far_field_choice(solver->sizes()));
  resumed->add_self_field(again.view(), again.field());
  EXPECT_EQ(first.fx, again.fx);
  EXPECT_EQ(resumed->sizes(), solver->sizes());
  EXPECT_GT(resumed->times().build, 0);
  EXPECT_GT(resumed->times().force, 0);
}

#ifdef APSIS_HAS_HIGHWAY
TEST(FarField, keeps_its_word_on_every_instruction_set) {
  for (const std::string& target : direct::simd_targets()) {
    SCOPED_TRACE(target);
    direct::use_simd_target(target);
    for (const double accuracy : {1e-3, 1e-5}) {
      FarColumns<float> bodies(test::random_bodies(1200), false);
      expect_word_kept(bodies, 0, accuracy);
      expect_word_kept(bodies, 0.02, accuracy);
    }
  }
  direct::use_simd_target("");
}
#endif

// --- wishes ---

int code_of(const FarFieldSettings& options) {
  try {
    make<float>(false, options, 0);
  } catch (const Error& error) {
    EXPECT_FALSE(error.remedy().empty());
    return static_cast<int>(error.code());
  }
  return 0;
}

TEST(FarField, refuses_what_it_cannot_reach) {
  EXPECT_EQ(code_of({.accuracy = 1e-5}), 0);
  EXPECT_EQ(code_of({.accuracy = 1e-6}), 65);
  EXPECT_EQ(code_of({.accuracy = std::nan("")}), 65);
  EXPECT_EQ(code_of({.opening_angle = 0.5}), 0);
  EXPECT_EQ(code_of({.opening_angle = 0}), 65);
  EXPECT_EQ(code_of({.opening_angle = 1.5}), 65);
  EXPECT_EQ(code_of({.order = 4}), 0);
  EXPECT_EQ(code_of({.order = 99}), 65);
}

TEST(FarField, takes_a_bare_angle_and_an_order) {
  FarColumns<float> wide(test::random_bodies(5000), false), narrow = wide;
  const auto loose = make<float>(true, {.opening_angle = 0.9, .order = 4}, 0.01);
  const auto tight = make<float>(true, {.opening_angle = 0.4, .order = 4}, 0.01);
  loose->add_self_field(wide.view(), wide.field_and_potential());
  tight->add_self_field(narrow.view(), narrow.field_and_potential());
  EXPECT_EQ(loose->choice().angle, 0.9);
  EXPECT_EQ(loose->choice().order, 4);
  EXPECT_LT(test::errors_of(narrow, 0.01, false).p99, 0.1 * test::errors_of(wide, 0.01, false).p99);
}

TEST(FarFieldChoice, goes_through_text) {
  const FarFieldChoice choice{6, 0.7, 1.0 / 3, 48, 128, true, false};
  EXPECT_EQ(far_field_choice(text_of(choice)), choice);
  const FarFieldChoice careful{7, 0.6, 1e-6, 48, 128, false, true};
  EXPECT_EQ(far_field_choice(text_of(careful)), careful);
  for (const char* text : {"", "order=5", "order=5 angle=0.7 tolerance=1 leaf=3/4 roots=more",
                           "order=5 angle=7 tolerance=1 leaf=3/4 roots=full",
                           "order=5 angle=0.7 tolerance=1 leaf=3/4 roots=full sums=hasty"}) {
    EXPECT_THROW(far_field_choice(text), Error) << text;
  }
}

// --- every pair exactly once ---

// Adds up who met whom through cells and bodies.
std::vector<int> meetings_of(const FarColumns<float>& bodies,
                             const far::EvaluationSettings& given) {
  far::Meetings meetings;
  far::EvaluationSettings settings = given;
  settings.meetings = &meetings;
  FarColumns<float> sums = bodies;
  far::Evaluation evaluation;
  evaluation.add_field<float>(bodies.view(), nullptr, sums.field(), settings);
  const auto& cells = evaluation.scene().tree.cells();
  const std::size_t n = bodies.x.size();
  std::vector<int> met(n * n, 0);
  const auto meet = [&](far::Cell target, const std::vector<far::Meetings::Pair>& pairs,
                        bool of_bodies) {
    for (const auto& pair : pairs) {
      if (of_bodies) target.begin = pair.target, target.count = 1;
      if (!of_bodies) target = cells[pair.target];
      const far::Cell& source = cells[pair.source];
      for (std::size_t i = target.begin; i < target.begin + target.count; ++i) {
        for (std::size_t j = source.begin; j < source.begin + source.count; ++j) ++met[i * n + j];
      }
    }
  };
  meet({}, meetings.cell_cell, false), meet({}, meetings.near, false);
  meet({}, meetings.body_cell, true), meet({}, meetings.body_near, true);
  return met;
}

RC_GTEST_PROP(FarField, counts_every_pair_exactly_once, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 400));
  const auto crowds = *rc::gen::inRange(0, 3);
  FarColumns<float> bodies;
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(static_cast<std::uint64_t>(*rc::gen::arbitrary<std::uint32_t>()), i);
    const double size = i % 2 == 0 ? 1 : std::pow(10.0, -3.0 * crowds);
    const Vec3 p = size * random.in_ball();
    bodies.add(static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 1);
  }
  far::EvaluationSettings settings;
  settings.choice = {4, 0.9, *rc::gen::element(0.0, 1e-2, 1e-4), *rc::gen::inRange(1, 8),
                     *rc::gen::inRange(1, 40)};
  settings.softening = *rc::gen::element(0.0, 1e-3);
  settings.bodies_only = *rc::gen::arbitrary<bool>();
  const std::vector<int> met = meetings_of(bodies, settings);
  RC_ASSERT(std::all_of(met.begin(), met.end(), [](int times) { return times == 1; }));
}

// A large sparse leaf beside a crowd: its bodies walk the crowd's cells alone.
TEST(FarField, counts_every_pair_once_where_bodies_walk_alone) {
  FarColumns<float> bodies;
  for (std::size_t i = 0; i < 3000; ++i) {
    BodyRandom random(8, i);
    const Vec3 p = (i < 2950 ? 0.05 : 1.0) * random.in_ball();
    bodies.add(static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 1);
  }
  far::EvaluationSettings settings;
  settings.choice = {4, 0.9, 1e-3, 8, 90};
  const std::vector<int> met = meetings_of(bodies, settings);
  EXPECT_TRUE(std::all_of(met.begin(), met.end(), [](int times) { return times == 1; }));
}

}  // namespace
}  // namespace apsis
