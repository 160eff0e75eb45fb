// SPDX-License-Identifier: MIT
// What the arguments of a kernel of the user's own stand for: by type, name and order.
#include <apsis/core/error.hpp>
#include <apsis/engines/step_form.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apsis {
namespace {

using device::KernelOutline;
using device::KernelParameter;
using Place = KernelParameter::Place;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using R = StepRole;

KernelParameter global(const std::string& type, const std::string& name, bool read_only = false) {
  return {Place::global, type + "*", name, read_only};
}
KernelParameter number(const std::string& type, const std::string& name) {
  return {Place::value, type, name, false};
}

StepForm form_of(std::vector<KernelParameter> parameters) {
  return step_form({"nbody", std::move(parameters), 0});
}

std::string complaint(std::vector<KernelParameter> parameters) {
  try {
    form_of(std::move(parameters));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_THAT(error.remedy(), HasSubstr("global float4*"));
    EXPECT_THAT(error.remedy(), HasSubstr("global float*"));
    return error.what();
  }
  return "accepted";
}

TEST(StepForm, of_the_tutorial_has_no_n_and_velocities_in_place) {
  const StepForm form = form_of({number("float", "dt1"),
                                 number("float", "eps"),
                                 global("float4", "pos_old"),
                                 global("float4", "pos_new"),
                                 global("float4", "vel"),
                                 {Place::local, "float4*", "pblock"}});
  EXPECT_THAT(form.roles, ElementsAre(R::step, R::softening, R::positions, R::new_positions,
                                      R::velocities, R::tile));
  EXPECT_FALSE(form.packed);
  EXPECT_FALSE(form.takes(R::count));
  EXPECT_FALSE(form.softening_is_squared.has_value());
}

TEST(StepForm, of_the_course_is_packed_with_masses_of_its_own) {
  const StepForm form =
      form_of({global("float", "p", true), global("float", "v", true),
               global("float", "mass", true), global("float", "p_new"), global("float", "v_new"),
               number("float", "dt"), number("uint", "n")});
  EXPECT_THAT(form.roles, ElementsAre(R::positions, R::velocities, R::masses, R::new_positions,
                                      R::new_velocities, R::step, R::count));
  EXPECT_TRUE(form.packed);
  EXPECT_FALSE(form.takes(R::softening));
}

TEST(StepForm, takes_the_new_array_first_where_its_name_or_const_says_so) {
  EXPECT_THAT(form_of({global("float4", "out"), global("float4", "in"), global("float4", "vel"),
                       number("float", "dt")})
                  .roles,
              ElementsAre(R::new_positions, R::positions, R::velocities, R::step));
  EXPECT_THAT(form_of({global("float4", "a"), global("float4", "b", true), global("float4", "vel"),
                       number("float", "dt")})
                  .roles,
              ElementsAre(R::new_positions, R::positions, R::velocities, R::step));
}

TEST(StepForm, goes_by_order_where_names_say_nothing) {
  EXPECT_THAT(
      form_of({global("float4", "a"), global("float4", "b"), global("float4", "c"),
               number("int", "q"), number("float", "r"), number("float", "s")})
          .roles,
      ElementsAre(R::positions, R::new_positions, R::velocities, R::count, R::step, R::softening));
  EXPECT_THAT(
      form_of({global("float4", "a", true), global("float4", "b", true), global("float4", "c"),
               global("float4", "d"), number("float", "dt")})
          .roles,
      ElementsAre(R::positions, R::velocities, R::new_positions, R::new_velocities, R::step));
}

TEST(StepForm, knows_squares_and_constants_by_name) {
  const StepForm form =
      form_of({global("float4", "p_old"), global("float4", "p_new"), global("float4", "v"),
               number("float", "dt"), number("float", "eps2"), number("float", "G"),
               number("int", "n"), number("int", "tile_size")});
  EXPECT_EQ(form.softening_is_squared, true);
  EXPECT_TRUE(form.takes(R::constant));
  EXPECT_TRUE(form.takes(R::group));
}

TEST(StepForm, that_cannot_be_told_is_refused_with_the_argument_and_the_forms) {
  const auto p = global("float4", "p_old"), q = global("float4", "p_new"),
             v = global("float4", "v");
  const auto dt = number("float", "dt");
  EXPECT_THAT(complaint({p, v, dt}), HasSubstr("one array of positions"));
  EXPECT_THAT(complaint({p, q, dt}), HasSubstr("no velocities"));
  EXPECT_THAT(complaint({p, q, v}), HasSubstr("no length of a step"));
  EXPECT_THAT(complaint({p, q, v, dt, global("float4", "acc")}), HasSubstr("looks like forces"));
  EXPECT_THAT(complaint({p, q, v, dt, global("double4", "more")}),
              HasSubstr("argument 5 of kernel nbody (global double4* more)"));
  EXPECT_THAT(complaint({p, q, v, dt, {Place::value, "image2d_t", "picture"}}),
              HasSubstr("neither a number nor an array"));
  EXPECT_THAT(complaint({p, q, v, dt, number("float", "eps"), number("float", "wind")}),
              HasSubstr("argument 6 of kernel nbody (float wind) can't be told"));
  EXPECT_THAT(complaint({p, q, global("float", "v"), dt}), HasSubstr("does not fit the others"));
  EXPECT_THAT(complaint({p, global("float4", "p_new", true), v, dt}),
              HasSubstr("can't be written"));
  EXPECT_THAT(complaint({p, q, v, dt, number("int", "n"), number("int", "count")}),
              HasSubstr("the same as argument 5"));
  EXPECT_THAT(complaint({p, q, v, dt, number("int", "steps")}), HasSubstr("a number of steps"));
}

TEST(StepForms, of_a_file_leave_out_helpers_and_say_why) {
  const KernelOutline good{
      "move",
      {global("float4", "p"), global("float4", "q"), global("float4", "v"), number("float", "dt")},
      0};
  const KernelOutline other{"clear", {global("float4", "p")}, 0};
  std::vector<std::string> left_out;
  const auto forms = step_forms_in({other, good}, "mine.cl", left_out);
  ASSERT_EQ(forms.size(), 1U);
  EXPECT_EQ(forms[0].kernel, "move");
  EXPECT_THAT(left_out, ElementsAre(HasSubstr("kernel clear")));
  EXPECT_THROW(step_forms_in({other}, "mine.cl", left_out), Error);
  EXPECT_THROW(step_forms_in({}, "mine.cl", left_out), Error);
}

}  // namespace
}  // namespace apsis
