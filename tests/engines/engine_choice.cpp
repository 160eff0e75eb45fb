// SPDX-License-Identifier: MIT
// Which engine a name, `auto` or an earlier tuning leads to.
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/tuned.hpp>
#include <apsis/files/file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/cache_folder.hpp>
#include <support/devices.hpp>

#include <algorithm>

namespace apsis {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::pair<ExitCode, std::string> complaint(const EngineSettings& settings, std::size_t bodies) {
  try {
    make_loaded_engine(settings, test::random_bodies(bodies));
  } catch (const Error& error) {
    return {error.code(), std::string(error.what()) + "; " + error.remedy()};
  }
  return {ExitCode::done, ""};
}

TEST(EngineChoice, few_bodies_go_to_the_native_cpu_without_a_word) {
  const LoadedEngine made = make_loaded_engine(
      {.device = {.precision = Precision::f64, .threads = 1}}, test::random_bodies(100));
  EXPECT_EQ(made.engine->describe().device(), "cpu");
  EXPECT_EQ(made.engine->describe().bodies, 100U);
  EXPECT_TRUE(made.notices.empty());
}

TEST(EngineChoice, many_bodies_are_measured_and_the_choice_is_explained) {
  const LoadedEngine made = make_loaded_engine(
      {.force = {.softening = 0.05}, .device = {.precision = Precision::f32, .threads = 1}},
      test::random_bodies(2500));
  EXPECT_EQ(made.engine->describe().bodies, 2500U);
  const bool native = made.engine->describe().device() == "cpu";
  const std::string place = native ? "the native cpu" : made.engine->describe().device();
  EXPECT_THAT(made.notices, Contains(HasSubstr("device auto: " + place)));
  EXPECT_THAT(made.notices, Contains(HasSubstr("solver auto: ")));
}

TEST(EngineChoice, auto_leaves_a_device_that_is_the_cpu_to_those_who_name_it) {
  APSIS_NEED_DEVICE();
  const auto& devices = test::discovery().devices;
  const auto on_cpu = std::ranges::find(devices, DeviceKind::cpu, &DeviceInfo::kind);
  if (on_cpu == devices.end()) GTEST_SKIP() << "no OpenCL device that is the cpu";
  const EngineSettings settings{.force = {.softening = 0.05},
                                .device = {.precision = Precision::f32}};
  const LoadedEngine made = make_loaded_engine(settings, test::random_bodies(2500));
  EXPECT_NE(made.engine->describe().device(), on_cpu->name);
  if (std::ranges::count(devices, DeviceKind::cpu, &DeviceInfo::kind) ==
      static_cast<std::ptrdiff_t>(devices.size())) {
    EXPECT_EQ(made.engine->describe().device(), "cpu");
    EXPECT_THAT(made.notices, Contains(HasSubstr("is the same cores")));
  }
  EngineSettings named = settings;
  named.device.name = on_cpu->name;
  EXPECT_EQ(make_loaded_engine(named, test::random_bodies(2500)).engine->describe().device(),
            on_cpu->name);
}

TEST(EngineChoice, the_sample_of_many_bodies_is_not_what_runs) {
  const Bodies bodies = test::random_bodies(16'500);
  const LoadedEngine made = make_loaded_engine(
      {.force = {.softening = 0.05}, .device = {.precision = Precision::f32}}, bodies);
  EXPECT_EQ(made.engine->describe().bodies, bodies.size());
  Bodies back;
  made.engine->store(back);
  EXPECT_EQ(back.id, bodies.id);
}

TEST(EngineChoice, the_reference_runs_on_the_cpu_only) {
  EXPECT_EQ(make_loaded_engine(
                {.force = {.solver = "reference"}, .device = {.precision = Precision::f64}},
                test::random_bodies(3000))
                .engine->describe()
                .solver,
            "reference");
  APSIS_NEED_DEVICE();
  EXPECT_EQ(complaint({.force = {.solver = "reference"},
                       .device = {.name = "opencl", .precision = Precision::f64}},
                      10)
                .first,
            ExitCode::bad_data);
}

TEST(EngineChoice, a_device_that_is_not_there_is_unavailable) {
  EXPECT_EQ(complaint({.device = {.name = "Voodoo 2", .precision = Precision::f64}}, 10).first,
            ExitCode::unavailable);
}

TEST(EngineChoice, variants_find_the_engine_that_has_them) {
  const auto wrong =
      complaint({.device = {.precision = Precision::f64, .variant = "symetric"}}, 10);
  EXPECT_EQ(wrong.first, ExitCode::bad_data);
  EXPECT_THAT(wrong.second, HasSubstr("did you mean 'symmetric'?"));
  EXPECT_EQ(
      complaint({.device = {.name = "cpu", .precision = Precision::f64, .variant = "rows"}}, 10)
          .first,
      ExitCode::bad_data);
  EXPECT_EQ(
      complaint({.device = {.name = "cpu", .precision = Precision::f64, .kernel_dir = "here"}}, 10)
          .first,
      ExitCode::bad_data);
  EXPECT_EQ(complaint({.device = {.precision = Precision::f64, .variant = "soa"}}, 10).first,
            ExitCode::done);
  APSIS_NEED_DEVICE();
  const LoadedEngine made = make_loaded_engine(
      {.device = {.precision = Precision::f64, .variant = "rows"}}, test::random_bodies(10));
  EXPECT_EQ(made.engine->describe().variant(), "rows");
  const auto by_bins =
      make_loaded_engine({.force = {.solver = "bins"},
                          .device = {.precision = Precision::f64, .variant = "bin-an-item"}},
                         test::random_bodies(10));
  EXPECT_EQ(by_bins.engine->describe().variant(), "bin-an-item");
  EXPECT_FALSE(by_bins.engine->describe().on_cpu());
  EXPECT_EQ(
      complaint({.device = {.name = "opencl", .precision = Precision::f64, .variant = "soa"}}, 10)
          .first,
      ExitCode::bad_data);
}

class TunedTest : public test::CacheFolderTest {
 protected:
  static DeviceInfo card() {
    DeviceInfo device;
    device.name = "Some card", device.driver = "1.2";
    return device;
  }
  static TunedChoice choice(std::size_t bodies, const char* variant) {
    return {.variant = variant, .sizes = {.rows = 4, .unroll = 8}, .bodies = bodies};
  }
};

TEST_F(TunedTest, what_was_found_is_found_again_for_about_as_many_bodies) {
  EXPECT_FALSE(tuned_choice(card(), Precision::f32, 1000));
  remember_tuned(card(), Precision::f32, choice(1024, "rows"));
  remember_tuned(card(), Precision::f32, choice(65536, "symmetric"));
  EXPECT_EQ(tuned_choice(card(), Precision::f32, 1000)->variant, "rows");
  EXPECT_EQ(tuned_choice(card(), Precision::f32, 4096)->variant, "rows");
  EXPECT_EQ(tuned_choice(card(), Precision::f32, 100'000)->variant, "symmetric");
  EXPECT_EQ(tuned_choice(card(), Precision::f32, 65536)->sizes,
            (DirectSizes{.rows = 4, .unroll = 8}));
  EXPECT_FALSE(tuned_choice(card(), Precision::f32, 10));
  EXPECT_FALSE(tuned_choice(card(), Precision::f32, 1 << 20));
  EXPECT_EQ(tuned_choices(card(), Precision::f32).size(), 2U);
}

TEST_F(TunedTest, belongs_to_one_device_driver_and_precision) {
  remember_tuned(card(), Precision::f32, choice(1024, "rows"));
  EXPECT_FALSE(tuned_choice(card(), Precision::f64, 1024));
  DeviceInfo other = card();
  other.driver = "1.3";
  EXPECT_FALSE(tuned_choice(other, Precision::f32, 1024));
}

TEST_F(TunedTest, a_new_finding_takes_the_place_of_the_old_one) {
  remember_tuned(card(), Precision::f32, choice(1024, "rows"));
  remember_tuned(card(), Precision::f32, choice(1024, "tiled"));
  EXPECT_EQ(tuned_choices(card(), Precision::f32).size(), 1U);
  EXPECT_EQ(tuned_choice(card(), Precision::f32, 1024)->variant, "tiled");
}

TEST_F(TunedTest, a_damaged_file_and_unknown_variants_are_as_good_as_none) {
  for (const char* text : {"", "{", "[1, {}, []]", "{\"a\": 1}",
                           R"([{"device": "Some card", "driver": "1.2", "precision": "f32",
                                "bodies": 1024, "variant": "magic", "sizes": "rows=4"}])",
                           R"([{"device": "Some card", "driver": "1.2", "precision": "f32",
                                "bodies": "many", "variant": "rows", "sizes": 4}])",
                           R"([{"device": 7, "driver": [], "precision": {}}])"}) {
    write_text(tuned_file(), text);
    EXPECT_FALSE(tuned_choice(card(), Precision::f32, 1024)) << text;
  }
  remember_tuned(card(), Precision::f32, choice(1024, "rows"));
  EXPECT_TRUE(tuned_choice(card(), Precision::f32, 1024));
}

TEST_F(TunedTest, an_engine_takes_what_was_found_unless_told_otherwise) {
  APSIS_NEED_DEVICE();
  const DeviceInfo& device = test::discovery().devices.front();
  remember_tuned(
      device, Precision::f32,
      {.variant = "rows", .sizes = {.group = 64, .rows = 2, .unroll = 4}, .bodies = 128});
  EngineSettings settings{.device = {.name = "opencl", .precision = Precision::f32}};
  const Bodies bodies = test::random_bodies(100);
  const auto tuned = make_loaded_engine(settings, bodies).engine->describe();
  EXPECT_EQ(tuned.variant(), "rows");
  EXPECT_EQ(tuned.devices.front().choice,
            SolverChoice(DirectSizes{.group = 64, .rows = 2, .unroll = 4}));
  settings.device.variant = "float4";
  EXPECT_EQ(make_loaded_engine(settings, bodies).engine->describe().variant(), "float4");
}

}  // namespace
}  // namespace apsis
