// SPDX-License-Identifier: MIT
// Solvers by name: the table, and the engines that follow from it.
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/devices.hpp>

namespace apsis {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

std::pair<ExitCode, std::string> complaint(const EngineSettings& settings) {
  try {
    make_loaded_engine(settings, test::random_bodies(10));
  } catch (const Error& error) {
    return {error.code(), std::string(error.what()) + "; " + error.remedy()};
  }
  return {ExitCode::done, ""};
}

TEST(SolverTable, every_row_can_be_made_where_it_says) {
  const Bodies bodies = test::random_bodies(20);
  for (const SolverInfo& solver : solver_table()) {
    EXPECT_FALSE(solver.summary.empty()) << solver.name;
    EXPECT_FALSE(solver.on_cpu.empty() && solver.on_device.empty()) << solver.name;
    for (const Precision precision : solver.on_cpu) {
      const auto made =
          make_loaded_engine({.force = {.softening = 0.1, .solver = solver.name},
                              .device = {.name = "cpu", .precision = precision, .threads = 1}},
                             bodies);
      const Resolution engine = made.engine->describe();
      EXPECT_EQ(engine.solver, solver.name);
      EXPECT_EQ(engine.precision, precision);
      EXPECT_EQ(engine.sums_all_pairs(), solver.acts && solver.exact) << solver.name;
      EXPECT_EQ(made.engine->gives_jerk(), solver.gives_jerk) << solver.name;
      EXPECT_EQ(made.engine->accelerations(0).size(), bodies.size());
    }
  }
}

TEST(SolverTable, every_row_can_be_made_on_a_device_where_it_says) {
  APSIS_NEED_DEVICE();
  const Bodies bodies = test::random_bodies(20);
  for (const SolverInfo& solver : solver_table()) {
    for (const Precision precision : solver.on_device) {
      const auto made = make_loaded_engine({.force = {.softening = 0.1, .solver = solver.name},
                                            .device = {.name = "opencl", .precision = precision}},
                                           bodies);
      EXPECT_EQ(made.engine->describe().solver, solver.name);
      EXPECT_EQ(made.engine->describe().sums_all_pairs(), solver.acts && solver.exact)
          << solver.name;
      EXPECT_EQ(made.engine->gives_jerk(), solver.gives_jerk) << solver.name;
      EXPECT_EQ(made.engine->accelerations(0).size(), bodies.size());
    }
  }
}

TEST(SolverTable, names_begin_with_auto_and_are_all_known) {
  const auto names = solver_names();
  EXPECT_EQ(names.front(), "auto");
  EXPECT_THAT(names, AllOf(Contains("direct"), Contains("bins"), Contains("reference")));
  for (std::size_t i = 1; i < names.size(); ++i) EXPECT_NE(find_solver(names[i]), nullptr);
  EXPECT_EQ(find_solver("auto"), nullptr);
}

TEST(SolverChoice, an_unknown_name_is_refused_with_those_that_there_are) {
  const auto wrong =
      complaint({.force = {.solver = "binns"}, .device = {.precision = Precision::f64}});
  EXPECT_EQ(wrong.first, ExitCode::bad_data);
  EXPECT_THAT(wrong.second, AllOf(HasSubstr("unknown solver 'binns'"),
                                  HasSubstr("did you mean 'bins'?"), HasSubstr("auto, direct")));
}

TEST(SolverChoice, a_precision_that_a_solver_lacks_is_refused_with_what_would_do) {
  const auto wrong =
      complaint({.force = {.solver = "reference"}, .device = {.precision = Precision::f32}});
  EXPECT_EQ(wrong.first, ExitCode::bad_data);
  EXPECT_THAT(wrong.second, AllOf(HasSubstr("solver reference works in f64"),
                                  HasSubstr("precision = \"f64\""), HasSubstr("direct")));
}

TEST(SolverChoice, options_without_a_use_are_refused_by_name) {
  EXPECT_THAT(complaint({.force = {.solver = "direct", .far_field = {.order = 4}},
                         .device = {.precision = Precision::f64}})
                  .second,
              HasSubstr("force.order means nothing to solver direct"));
  EXPECT_THAT(complaint({.force = {.solver = "bins", .far_field = {.opening_angle = 0.5}},
                         .device = {.precision = Precision::f64}})
                  .second,
              HasSubstr("force.opening_angle means nothing to solver bins"));
  EXPECT_THAT(
      complaint({.force = {.solver = "direct", .bins = {.bins = 4}},
                 .device = {.precision = Precision::f64}})
          .second,
      AllOf(HasSubstr("force.bins means nothing to solver direct"), HasSubstr("use solver bins")));
  EXPECT_EQ(complaint({.force = {.solver = "bins", .bins = {.bins = 4}},
                       .device = {.precision = Precision::f64}})
                .first,
            ExitCode::done);
}

// So that a key which comes later is neither passed over nor in the way of auto.
TEST(SolverChoice, every_optional_key_of_tree_and_fmm_is_refused_by_others_and_leads_auto_to_fmm) {
  int keys = 0;
  const FarFieldSettings none;
  for_each_field(none, [&](const FieldInfo& asked, const auto& /*value*/) {
    FarFieldSettings given;
    for_each_field(given, [&]<class T>(const FieldInfo& field, T& value) {
      if constexpr (IsOptional<T>::value) {
        if (field.name == asked.name) value = typename T::value_type(1);
      }
    });
    if (!any_given(given)) return;
    ++keys;
    EXPECT_THAT(complaint({.force = {.solver = "direct", .far_field = given},
                           .device = {.precision = Precision::f64}})
                    .second,
                HasSubstr(fmt::format("force.{} means nothing to solver direct", asked.name)));
    EXPECT_EQ(chosen_solver({.force = {.solver = "auto", .far_field = given}}).name, "fmm");
  });
  EXPECT_GE(keys, 2);
}

TEST(SolverChoice, a_variant_that_a_solver_lacks_is_refused) {
  const auto wrong =
      complaint({.force = {.solver = "bins"},
                 .device = {.name = "cpu", .precision = Precision::f64, .variant = "simd"}});
  EXPECT_EQ(wrong.first, ExitCode::bad_data);
  EXPECT_THAT(wrong.second, HasSubstr("solver bins has no variant 'simd'"));
}

TEST(SolverChoice, bodies_outside_a_box_are_counted) {
  const Bodies bodies = test::random_bodies(50);
  const EngineSettings settings{.force = {.softening = 0.1,
                                          .solver = "bins",
                                          .bins = {.box = {{0, 0.5, 0, 0.5, 0, 0.5}}, .bins = 2}},
                                .device = {.precision = Precision::f64}};
  const LoadedEngine made = make_loaded_engine(settings, bodies);
  // two bins along a side all touch: the sums are exact, also of those outside
  const auto exact = make_loaded_engine({.force = forces(law_of(settings.force), "reference"),
                                         .device = {.precision = Precision::f64}},
                                        bodies);
  const Accelerations got = made.engine->accelerations(0), all = exact.engine->accelerations(0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LE(norm(got.at(i) - all.at(i)), 1e-12 * norm(all.at(i)));
  }
}

// In metres: a box is scaled as the bodies are.
TEST(SolverChoice, a_box_is_in_the_lengths_of_the_bodies) {
  Bodies bodies = test::random_bodies(300), far = bodies;
  for (std::size_t i = 0; i < far.size(); ++i) far.set_position(i, 1e11 * bodies.position(i));
  const auto one = make_loaded_engine(
      {.force = {.solver = "bins", .bins = {.box = {{-1, 1, -1, 1, -1, 1}}, .bins = 5}},
       .device = {.precision = Precision::f64}},
      bodies);
  const auto other = make_loaded_engine(
      {.force = {.solver = "bins",
                 .bins = {.box = {{-1e11, 1e11, -1e11, 1e11, -1e11, 1e11}}, .bins = 5}},
       .device = {.precision = Precision::f64}},
      far);
  EXPECT_TRUE(one.notices.empty() && other.notices.empty());
  const Accelerations a = one.engine->accelerations(0), b = other.engine->accelerations(0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LE(norm(a.at(i) - 1e22 * b.at(i)), 1e-9 * norm(a.at(i)));
  }
}

TEST(SolverChoice, auto_places_approximate_solvers_too) {
  const LoadedEngine made =
      make_loaded_engine({.force = {.softening = 0.05, .solver = "bins"},
                          .device = {.precision = Precision::f32, .threads = 1}},
                         test::random_bodies(3000));
  EXPECT_EQ(made.engine->describe().solver, "bins");
  EXPECT_EQ(made.engine->describe().bodies, 3000U);
}

TEST(SolverChoice, parts_of_an_evaluation_are_timed_where_there_are_such) {
  const Bodies bodies = test::random_bodies(500);
  const auto parts_of = [&](const char* solver, const char* device) {
    return make_loaded_engine({.force = {.solver = solver},
                               .device = {.name = device, .precision = Precision::f64}},
                              bodies)
        .engine->instruments()
        .evaluation_parts();
  };
  EXPECT_FALSE(parts_of("direct", "cpu"));
  ASSERT_TRUE(parts_of("bins", "cpu"));
  EXPECT_GT(parts_of("bins", "cpu")->build, 0);
  EXPECT_GT(parts_of("bins", "cpu")->force, 0);
  APSIS_NEED_DEVICE();
  EXPECT_FALSE(parts_of("direct", "opencl"));
  ASSERT_TRUE(parts_of("bins", "opencl"));
  EXPECT_GT(parts_of("bins", "opencl")->force, 0);
}

}  // namespace
}  // namespace apsis
