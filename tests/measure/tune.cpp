// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/tuned.hpp>
#include <apsis/measure/tune.hpp>

#include <gtest/gtest.h>
#include <support/cache_folder.hpp>
#include <support/opencl.hpp>

#include <filesystem>

namespace apsis {
namespace {

// Neither tests nor users see what another one found.
class TuneTest : public test::CacheFolderTest {
 protected:
  void SetUp() override {
    APSIS_NEED_DEVICE();
    CacheFolderTest::SetUp();
  }

  static const DeviceInfo& device() { return test::discovery().devices.front(); }
};

TEST_F(TuneTest, tries_what_is_asked_for_and_remembers_the_fastest) {
  const auto results = tune({.device = "opencl", .bodies = {300}, .variants = {"naive", "tiled"}});
  ASSERT_EQ(results.size(), 1U);
  const TuneResult& result = results.front();
  ASSERT_EQ(result.trials.size(), 2U);
  ASSERT_TRUE(result.found());
  EXPECT_LE(result.trials[0].seconds, result.trials[1].seconds);
  EXPECT_GT(result.interactions_per_second(), 0);
  const auto choice = tuned_choice(device(), Precision::f32, 300);
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(choice->variant, result.trials[0].variant);
  EXPECT_EQ(choice->sizes, result.trials[0].sizes);
}

TEST_F(TuneTest, a_dry_run_remembers_nothing) {
  tune({.device = "opencl", .bodies = {100}, .variants = {"naive"}, .remember = false});
  EXPECT_FALSE(tuned_choice(device(), Precision::f32, 100).has_value());
  EXPECT_FALSE(std::filesystem::exists(tuned_file()));
}

TEST_F(TuneTest, progress_names_every_trial_before_it_runs) {
  int told = 0;
  tune({.device = "opencl", .bodies = {100}, .variants = {"naive", "float4"}, .remember = false},
       [&](const TuneResult& so_far, const TuneTrial& next) {
         EXPECT_EQ(so_far.trials.size(), static_cast<std::size_t>(told++));
         EXPECT_FALSE(next.variant.empty());
       });
  EXPECT_EQ(told, 2);
}

TEST_F(TuneTest, unknown_variants_and_devices_are_refused) {
  EXPECT_THROW(tune({.variants = {"fastest"}}), Error);
  EXPECT_THROW(tune({.device = "no such device"}), Error);
}

}  // namespace
}  // namespace apsis
