// SPDX-License-Identifier: MIT
// What is said of a step, of which nobody ran a kernel: it is computed here, right or with one of
// the mistakes that people make.
#include <apsis/lab/step_judge.hpp>
#include <apsis/lab/step_law.hpp>
#include <apsis/solvers/reference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace apsis::lab {
namespace {

using ::testing::HasSubstr;
using R = StepRole;

constexpr double dt = 0x1p-4, eps = 0.0625;

StepForm form_with(bool packed = false, bool masses = true) {
  StepForm form;
  form.packed = packed;
  form.roles = {R::positions, R::new_positions, R::velocities, R::count, R::step, R::softening};
  if (packed && masses) form.roles.push_back(R::masses);
  return form;
}

StepBodies made(std::size_t n, bool with_masses = true) {
  StepBodies bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    const double mass = with_masses ? (1 + 0.5 * std::sin(5 * t)) / static_cast<double>(n) : 1;
    for (const double value : {std::sin(t), std::cos(2 * t), std::sin(3 * t + 1), mass}) {
      bodies.places.push_back(static_cast<float>(value));
    }
    for (const double value : {0.3 * std::cos(t), 0.2 * std::sin(t), 0.1, 0.0}) {
      bodies.velocities.push_back(static_cast<float>(value));
    }
  }
  return bodies;
}

// x = x0 + dt (old v0 + fresh v1 + change (v1 - v0)), v1 by the law.
struct Moves {
  double old = 0, fresh = 1, change = 0;
};
StepTrace step_by(const StepBodies& before, StepLaw law, Moves moves = {}) {
  if (law.end == 0) law.end = before.size();
  StepTrace trace;
  trace.before = trace.after = before;
  std::vector<std::size_t> all(before.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto pulled = pulls(before, law, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 a = pulled[i].acceleration;
    const double parts[] = {a.x, a.y, a.z};
    for (std::size_t k = 0; k < 3; ++k) {
      const double v0 = before.velocities[4 * i + k], v1 = v0 + dt * parts[k];
      trace.after.velocities[4 * i + k] = static_cast<float>(v1);
      trace.after.places[4 * i + k] =
          static_cast<float>(before.places[4 * i + k] +
                             dt * (moves.old * v0 + moves.fresh * v1 + moves.change * (v1 - v0)));
    }
  }
  return trace;
}

StepJudgement judge(const StepTrace& trace, const StepForm& form = form_with(),
                    std::size_t group = 64) {
  return judged(trace, {form, {.step = dt, .softening = eps}, group});
}

constexpr std::size_t odd = 293;

TEST(StepLaw, of_the_right_kind_is_the_reference) {
  const StepBodies bodies = made(odd);
  Bodies plain(odd);
  for (std::size_t i = 0; i < odd; ++i) {
    plain.set_position(i,
                       {bodies.places[4 * i], bodies.places[4 * i + 1], bodies.places[4 * i + 2]});
    plain.mass[i] = bodies.places[4 * i + 3];
  }
  std::vector<std::size_t> all(odd);
  for (std::size_t i = 0; i < odd; ++i) all[i] = i;
  const Accelerations wanted =
      reference_accelerations(plain, {Law::gravity, 1, std::sqrt(eps)}, all, 1);
  const auto found = pulls(bodies, {.under_root = eps, .end = odd}, all);
  for (std::size_t i = 0; i < odd; ++i) {
    const Vec3 off = found[i].acceleration - Vec3{wanted.x()[i], wanted.y()[i], wanted.z()[i]};
    EXPECT_LT(norm(off), 1e-13 * found[i].sizes) << i;
  }
}

TEST(StepJudge, knows_both_schemes_and_both_meanings_of_eps) {
  StepJudgement judgement = judge(step_by(made(odd), {.under_root = eps}));
  EXPECT_TRUE(judgement.right) << judgement.cause;
  EXPECT_EQ(judgement.scheme, "symplectic-euler");
  EXPECT_TRUE(judgement.softening_is_squared);
  EXPECT_LT(judgement.error, 1e-4);  // the velocities are floats: 6e-8 of 0.3 over dt a
  judgement = judge(step_by(made(odd), {.under_root = eps * eps}, {1, 0, 0.5}));
  EXPECT_TRUE(judgement.right) << judgement.cause;
  EXPECT_EQ(judgement.scheme, "taylor2");
  EXPECT_FALSE(judgement.softening_is_squared);
}

struct Mistake {
  std::string name, words;
  StepLaw law;
  Moves moves = {};
};

class StepMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(StepMistakes, are_named) {
  const Mistake& mistake = GetParam();
  const StepJudgement judgement = judge(step_by(made(odd), mistake.law, mistake.moves));
  EXPECT_FALSE(judgement.right);
  EXPECT_THAT(judgement.cause, HasSubstr(mistake.words));
  EXPECT_EQ(judgement.scheme, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, StepMistakes,
    testing::Values(
        Mistake{"no_softening", "eps is not used", {.under_root = 0}},
        Mistake{"softening_of_its_own", "0.01 of its own is added", {.under_root = 0.01}},
        Mistake{"beside_the_root", "eps is added to r:", {.beside_root = eps}},
        Mistake{"one_power_less", "falls off as 1/r:", {.under_root = eps, .power = 2}},
        Mistake{"one_power_more", "falls off as 1/r³", {.under_root = eps, .power = 4}},
        Mistake{"no_masses",
                "masses of the others are left out",
                {.under_root = eps, .with_masses = false}},
        Mistake{"force", "not the acceleration", {.under_root = eps, .with_own_mass = true}},
        Mistake{"repelling", "push each other away", {.under_root = eps, .constant = -1}},
        Mistake{
            "other_constant", "2 times what they should be", {.under_root = eps, .constant = 2}},
        Mistake{
            "si_constant", "does not change the velocities", {.under_root = eps, .constant = 0}},
        Mistake{"last_left_out", "leaves out the last 37 bodies", {.under_root = eps, .end = 256}},
        Mistake{"one_tile", "only over the first 64 bodies", {.under_root = eps, .end = 64}},
        Mistake{"own_group", "of its own group", {.under_root = eps, .own_group = 64}},
        Mistake{"forward_euler", "forward Euler", {.under_root = eps}, {1, 0, 0}},
        Mistake{"mixed", "a dt²/2 besides", {.under_root = eps}, {0, 1, 0.5}},
        Mistake{"still", "x += v dt is missing", {.under_root = eps}, {0, 0, 0}},
        Mistake{"nothing_known", "follow neither", {.under_root = eps}, {0.3, 0.3, 0}}),
    [](const auto& test) { return test.param.name; });

TEST(StepJudge, of_velocities_that_stay_says_so) {
  StepTrace trace = step_by(made(odd), {.under_root = eps});
  trace.after.velocities = trace.before.velocities;
  EXPECT_THAT(judge(trace).cause, HasSubstr("does not change the velocities"));
}

TEST(StepJudge, finds_the_one_body_that_is_wrong) {
  StepTrace trace = step_by(made(odd), {.under_root = eps});
  trace.after.velocities[std::size_t{4} * 217] += 0.01F;
  trace.after.places[std::size_t{4} * 217] += 0.01F * static_cast<float>(dt);
  const StepJudgement judgement = judge(trace);
  EXPECT_FALSE(judgement.right);
  EXPECT_EQ(judgement.first_wrong, 217U);
}

TEST(StepJudge, sees_masses_that_are_lost_before_the_next_step_does) {
  StepTrace trace = step_by(made(odd), {.under_root = eps});
  trace.after.places[std::size_t{4} * 5 + 3] = 0;
  EXPECT_THAT(judge(trace).cause, HasSubstr("does not carry the mass of body 5 over"));
  EXPECT_TRUE(judge(trace, form_with(true)).right);  // there masses have an array of their own
}

TEST(StepJudge, of_a_packed_kernel_without_masses_takes_each_for_one) {
  StepForm form = form_with(true, false);
  StepTrace trace = step_by(made(odd, false), {.under_root = eps, .with_masses = false});
  EXPECT_TRUE(judge(trace, form).right) << judge(trace, form).cause;
}

TEST(StepJudge, of_places_that_were_not_or_wrongly_written_says_which) {
  const StepTrace right = step_by(made(odd), {.under_root = eps});
  StepTrace trace = right;
  trace.behind_last = 300, trace.behind_array = "pos_new";
  EXPECT_THAT(judge(trace).cause, HasSubstr("pos_new[300] where there are 293"));
  trace = right;
  trace.unwritten_positions = 37, trace.unwritten_position = 256;
  EXPECT_THAT(judge(trace).cause, HasSubstr("37 bodies get no new position"));
  EXPECT_THAT(judge(trace).cause, HasSubstr("no multiple of the group of 64"));
  trace = right;
  trace.unwritten_positions = odd, trace.unwritten_position = 0;
  EXPECT_THAT(judge(trace).cause, HasSubstr("writes no new positions"));
  trace.changed_old = 0;
  EXPECT_THAT(judge(trace).cause, HasSubstr("over the old ones"));
  trace = right;
  trace.changed_old = 3;
  EXPECT_THAT(judge(trace).cause, HasSubstr("changes the old positions"));
  trace = right;
  trace.unwritten_velocity = 9;
  EXPECT_THAT(judge(trace).cause, HasSubstr("body 9 gets no new velocity"));
  trace = right;
  trace.after.places[std::size_t{4} * 8] = NAN;
  EXPECT_THAT(judge(trace).cause, HasSubstr("body 8 gets no finite numbers"));
}

TEST(StepJudge, takes_a_body_alone_for_right_where_it_goes_on_and_for_wrong_where_it_stays) {
  EXPECT_TRUE(judge(step_by(made(1), {.under_root = eps})).right);
  EXPECT_FALSE(judge(step_by(made(1), {.under_root = eps}, {0, 0, 0})).right);
}

TEST(StepJudge, looks_at_all_of_few_bodies_and_at_fewer_of_the_more_there_are) {
  EXPECT_EQ(targets_among(0).size(), 0);
  EXPECT_EQ(targets_among(1), std::vector<std::size_t>{0});
  EXPECT_EQ(targets_among(1000).size(), 1000);
  for (const std::size_t bodies : {2000, 65'536, 262'144, 10'000'000}) {
    const auto targets = targets_among(bodies);
    EXPECT_GE(targets.size(), 64) << bodies;
    EXPECT_LE(targets.size(), 1100) << bodies;
    // what lies between the last ones and the rest is spread evenly
    if (bodies > 200'000) {
      EXPECT_LE(targets.size(), 600) << bodies;
    }
    EXPECT_EQ(targets.front(), 0);
    EXPECT_EQ(targets.back(), bodies - 1);
  }
}

TEST(StepJudge, of_no_bodies_has_nothing_to_complain_about) {
  EXPECT_TRUE(judge(step_by(made(0), {.under_root = eps})).right);
}

}  // namespace
}  // namespace apsis::lab
