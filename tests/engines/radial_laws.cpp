// SPDX-License-Identifier: MIT
// Radial laws in engines: forces and energies are those of the reference in the user's own lengths,
// and what cannot be had is refused by name.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/device/kernel_text.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/files/file.hpp>
#include <apsis/solvers/reference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/cache_folder.hpp>
#include <support/devices.hpp>
#include <support/radial_laws.hpp>

#include <numeric>

namespace apsis {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// Lengths of a galaxy in metres: engines compute in others.
constexpr double galaxy = 3e20;

Bodies far_apart(std::size_t n) {
  Bodies bodies = test::random_bodies(n, 4);
  for (double& value : bodies.positions.values()) value *= galaxy;
  return bodies;
}

EngineSettings settings(const std::string& device, Precision precision, const RadialLaw& law) {
  return {.force = forces({Law::gravity, 6.7e-11, 0.1 * galaxy, law}, "direct"),
          .device = {.name = device, .precision = precision}};
}

void expect_forces_of_the_reference(const EngineSettings& asked, std::size_t n, double tolerance) {
  const Bodies bodies = far_apart(n);
  const auto engine = make_loaded_engine(asked, bodies).engine;
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  const PairLaw law = law_of(asked.force);
  const Accelerations expected = reference_accelerations(bodies, law, all);
  const Accelerations got = engine->accelerations(0);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LE(norm(got.at(i) - expected.at(i)), tolerance * norm(expected.at(i))) << i;
  }
  const double potential = reference_potential_energy(bodies, law);
  EXPECT_NEAR(engine->energies(0).potential, potential, tolerance * std::abs(potential));
}

class RadialEngineTest : public testing::TestWithParam<RadialLaw> {
 protected:
  RadialLaw law() const { return {GetParam().radial, GetParam().range * galaxy}; }
};

// Positions are rounded to float first, whose neighbours at a hundredth of the ball lose two
// digits.
constexpr double float_tolerance = 1e-4, double_tolerance = 1e-12;

TEST_P(RadialEngineTest, natively_forces_and_energies_are_those_of_the_reference) {
  expect_forces_of_the_reference(settings("cpu", Precision::f32, law()), 100, float_tolerance);
  expect_forces_of_the_reference(settings("cpu", Precision::f64, law()), 100, double_tolerance);
}

TEST_P(RadialEngineTest, on_a_device_forces_and_energies_are_those_of_the_reference) {
  APSIS_NEED_DEVICE();
  expect_forces_of_the_reference(settings("opencl", Precision::f32, law()), 100, float_tolerance);
  expect_forces_of_the_reference(settings("opencl", Precision::f64, law()), 100, double_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Laws, RadialEngineTest, testing::ValuesIn(test::radial_laws()),
                         test::name_of_law);

std::string complaint(const EngineSettings& asked) {
  return error_text(ExitCode::bad_data, [&] { make_loaded_engine(asked, far_apart(20)); });
}

TEST(RadialLaws, solvers_that_know_newton_alone_refuse_others_with_those_that_do) {
  for (const char* solver : {"tree", "fmm", "bins"}) {
    EngineSettings asked = settings("cpu", Precision::f32, test::yukawa(galaxy));
    asked.force.solver = solver;
    EXPECT_THAT(complaint(asked),
                AllOf(HasSubstr(std::string("solver ") + solver), HasSubstr("yukawa"),
                      HasSubstr("force.solver = direct or reference")));
  }
}

TEST(RadialLaws, a_range_is_asked_for_and_refused_where_it_means_nothing) {
  EngineSettings asked = settings("cpu", Precision::f32, {});
  asked.force.range = 1.0;
  EXPECT_THAT(complaint(asked), AllOf(HasSubstr("force.range"), HasSubstr("newton")));
  asked.force.range.reset(), asked.force.radial = test::yukawa(1).radial;
  EXPECT_THAT(complaint(asked), HasSubstr("needs force.range"));
}

class RadialAutoTest : public test::CacheFolderTest {};

TEST_F(RadialAutoTest, a_solver_that_knows_the_law_is_taken_and_it_says_why) {
  EngineSettings asked = settings("cpu", Precision::f32, test::yukawa(galaxy));
  asked.force.solver = "auto";
  const LoadedEngine made = make_loaded_engine(asked, far_apart(2500));
  EXPECT_EQ(made.engine->describe().solver, "direct");
  EXPECT_THAT(made.notices, Contains(HasSubstr("fmm does not know the radial law")));
}

std::string built_in(std::string_view file) {
  for (const auto& [name, text] : embedded_kernels()) {
    if (name == file) return std::string(text);
  }
  return {};
}

EngineSettings with_kernels(const ScratchFolder& folder, const RadialLaw& law) {
  EngineSettings asked = settings("opencl", Precision::f32, law);
  asked.device.kernel_dir = folder.path();
  return asked;
}

TEST(RadialLaws, an_edited_radial_law_acts_and_an_edited_pair_beside_one_is_refused) {
  APSIS_NEED_DEVICE();
  const RadialLaw law = test::yukawa(galaxy);
  const Bodies bodies = far_apart(20);
  const auto first_force = [&](const EngineSettings& asked) {
    return norm(make_loaded_engine(asked, bodies).engine->accelerations(0).at(0));
  };
  const double usual = first_force(settings("opencl", Precision::f32, law));
  {
    const ScratchFolder folder;
    std::string text = built_in("radial_yukawa.cl");
    const std::string line = "return newtons * ((1 + u) * exp_of_minus(u));";
    ASSERT_NE(text.find(line), std::string::npos);
    text.replace(text.find(line), line.size(), "return 2 * newtons * ((1 + u) * exp_of_minus(u));");
    write_text(folder / "radial_yukawa.cl", text);
    EXPECT_NEAR(first_force(with_kernels(folder, law)) / usual, 2, 1e-5);
    EXPECT_THAT(complaint(with_kernels(folder, {})),
                AllOf(HasSubstr("radial_yukawa.cl would not be read"), HasSubstr("yukawa")));
  }
  const ScratchFolder folder;
  write_text(folder / "pair.cl", built_in("pair.cl") + "// mine\n");
  EXPECT_THAT(complaint(with_kernels(folder, law)),
              AllOf(HasSubstr("pair.cl is a law of its own"), HasSubstr("edit radial_yukawa.cl")));
}

TEST(RadialLaws, a_kernel_of_ones_own_that_does_not_read_the_law_is_refused) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  std::string text = built_in("direct_symmetric.cl");
  const std::string line = "#include \"radial.cl\"";
  ASSERT_NE(text.find(line), std::string::npos);
  text.replace(text.find(line), line.size(),
               "#include \"pair.cl\"\n#define pair_force falloff\n"
               "#define pair_potential potential_falloff");
  write_text(folder / "direct_symmetric.cl", text);
  EngineSettings asked = with_kernels(folder, {});
  asked.device.variant = "symmetric";
  EXPECT_NO_THROW(make_loaded_engine(asked, far_apart(20)).engine->accelerations(0));
  asked = with_kernels(folder, test::yukawa(galaxy)), asked.device.variant = "symmetric";
  const std::string told = error_text(ExitCode::bad_data, [&] {
    make_loaded_engine(asked, far_apart(20)).engine->accelerations(0);
  });
  EXPECT_THAT(
      told, AllOf(HasSubstr("direct_symmetric.cl does not read"), HasSubstr("include radial.cl")));
}

}  // namespace
}  // namespace apsis
