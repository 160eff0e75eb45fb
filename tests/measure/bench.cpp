// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/bench_input.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/devices.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace apsis {
namespace {

using Json = nlohmann::json;

BenchOptions small() {
  BenchOptions options;
  options.device.name = "cpu";
  options.bodies = {256};
  options.repeats = 2;
  options.warmup = 1;
  return options;
}

TEST(Bench, json_has_every_key_that_scripts_rely_on) {
  const Json array = Json::parse(to_json(bench(small()), Report::bench));
  ASSERT_EQ(array.size(), 1U);
  for (const char* key : {"device",
                          "driver",
                          "commit",
                          "solver",
                          "variant",
                          "precision",
                          "bodies",
                          "model",
                          "masses",
                          "softening",
                          "threads",
                          "seconds_min",
                          "seconds_median",
                          "seconds_max",
                          "seconds_kernel",
                          "interactions_per_second",
                          "bodies_per_second",
                          "gflops",
                          "samples",
                          "error_median",
                          "error_p99",
                          "error_max"}) {
    EXPECT_TRUE(array[0].contains(key)) << key;
  }
  EXPECT_EQ(array[0]["bodies"], 256);
  EXPECT_EQ(array[0]["model"], "uniform");
  EXPECT_EQ(array[0]["masses"], "spread");
  EXPECT_EQ(array[0]["softening"], 0.01);
  EXPECT_EQ(array[0]["precision"], "f32");
  EXPECT_EQ(array[0]["samples"], 256);
}

TEST(Check, json_adds_the_whole_distribution) {
  const Json array = Json::parse(to_json(check(small()), Report::check));
  for (const char* key : {"error_rms", "error_p90", "error_p999", "error_rms_normalized"}) {
    EXPECT_TRUE(array[0].contains(key)) << key;
    EXPECT_TRUE(array[0].contains(std::string(key) + "_double_inputs")) << key;
  }
}

TEST(Bench, counts_repeats_and_figures_follow_from_the_median) {
  const auto results = bench(small());
  const BenchResult& r = results.at(0);
  EXPECT_EQ(r.whole.warmup.size(), 1U);
  EXPECT_EQ(r.whole.seconds.size(), 2U);
  EXPECT_LE(r.kernel.median(), r.whole.median());
  EXPECT_DOUBLE_EQ(r.interactions_per_second(), 256.0 * 256 / r.whole.median());
  EXPECT_DOUBLE_EQ(r.gflops(), 20e-9 * r.interactions_per_second());
}

TEST(Bench, makes_one_result_per_size_and_precision) {
  BenchOptions options = small();
  options.bodies = {10, 20};
  options.precisions = {Precision::f32, Precision::mixed, Precision::f64};
  const auto results = check(options);
  ASSERT_EQ(results.size(), 6U);
  EXPECT_EQ(results[4].engine.bodies, 20U);
  EXPECT_EQ(results[4].engine.precision, Precision::mixed);
}

TEST(Check, direct_keeps_its_bounds_at_every_size_and_precision) {
  for (const std::uint64_t n : {1, 2, 3, 63, 64, 65, 1000, 4097}) {
    BenchOptions options = small();
    options.bodies = {n};
    options.precisions = {Precision::f32, Precision::mixed, Precision::f64};
    for (const BenchResult& result : check(options)) {
      EXPECT_EQ(result.complaint, "") << n << " " << name_of(result.engine.precision);
    }
  }
}

TEST(Check, cancelled_forces_are_no_reason_to_complain) {
  // in a perfect lattice of charges the forces inside cancel to nothing
  BenchOptions options = small();
  options.model = "lattice";
  options.bodies = {4096};
  options.precisions = {Precision::f32, Precision::f64};
  for (const BenchResult& result : check(options)) {
    EXPECT_EQ(result.complaint, "") << name_of(result.engine.precision);
    EXPECT_EQ(result.law.law, Law::coulomb);
  }
}

TEST(BenchInput, spread_masses_differ_by_a_factor_of_three_and_equal_ones_do_not) {
  BenchOptions options = small();
  const auto spread = bench_input(options, 2000).bodies.mass;
  const auto [low, high] = std::minmax_element(spread.begin(), spread.end());
  // 2000 uniform draws come within 1 % of both ends
  EXPECT_NEAR(*high / *low, 3, 0.05);
  options.masses = Masses::equal;
  const auto equal = bench_input(options, 2000).bodies.mass;
  EXPECT_EQ(*std::min_element(equal.begin(), equal.end()),
            *std::max_element(equal.begin(), equal.end()));
}

TEST(BenchInput, a_model_has_its_own_masses_and_softening_unless_told_otherwise) {
  BenchOptions options = small();
  options.model = "plummer";
  const BenchInput own = bench_input(options, 500);
  const InitialState made = make_model({.model = "plummer", .bodies = 500, .seed = options.seed});
  EXPECT_EQ(own.bodies.mass, made.bodies.mass);
  EXPECT_EQ(own.law.softening, made.defaults.softening);
  EXPECT_EQ(own.masses, "model");
  options.masses = Masses::spread, options.force.softening = 0.01;
  const BenchInput told = bench_input(options, 500);
  EXPECT_NE(told.bodies.mass, made.bodies.mass);
  EXPECT_EQ(told.law.softening, 0.01);
  EXPECT_EQ(told.masses, "spread");
}

TEST(BenchInput, without_a_model_it_is_as_ever) {
  const BenchInput usual = bench_input(small(), 100);
  EXPECT_EQ(usual.model, "uniform");
  EXPECT_EQ(usual.masses, "spread");
  EXPECT_EQ(usual.law.softening, 0.01);
}

TEST(BenchInput, few_body_models_bring_their_own_number) {
  BenchOptions options = small();
  options.model = "figure-eight";
  EXPECT_EQ(bench_input(options, 16384).bodies.size(), 3U);
}

TEST(BenchInput, too_many_bodies_for_memory_name_the_number_that_fits) {
  try {
    bench_input(small(), std::uint64_t{1} << 60);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_NE(error.remedy().find("at most"), std::string::npos);
  }
}

TEST(Bench, a_device_is_timed_to_the_end_of_its_work) {
  APSIS_NEED_DEVICE();
  BenchOptions options = small();
  options.device.name = "opencl";
  options.bodies = {300};
  options.repeats = 3;
  const BenchResult result = bench(options).at(0);
  EXPECT_EQ(result.complaint, "");
  EXPECT_EQ(result.engine.device(), test::discovery().devices.front().name);
  EXPECT_EQ(result.whole.seconds.size(), 3U);
  EXPECT_GT(result.kernel.min(), 0);
  EXPECT_GE(result.evaluations_a_sample, 1);
  const Json json = Json::parse(to_json(std::vector{result}, Report::bench)).at(0);
  EXPECT_EQ(json["threads"], 0);
  EXPECT_TRUE(json.contains("seconds_kernel"));
  // places, velocities, accelerations and a field, four numbers each
  EXPECT_GE(json["device_bytes_per_body"], 64);
}

TEST(Bench, variants_and_sizes_reach_the_device) {
  APSIS_NEED_DEVICE();
  BenchOptions options = small();
  options.device.name = "opencl", options.device.variant = "rows", options.group = 64,
  options.unroll = 4;
  const BenchResult result = check(options).at(0);
  EXPECT_EQ(result.engine.variant(), "rows");
  EXPECT_NE(result.engine.sizes().find("group=64"), std::string::npos) << result.engine.sizes();
  EXPECT_NE(result.engine.sizes().find("unroll=4"), std::string::npos) << result.engine.sizes();
  EXPECT_EQ(result.complaint, "");
}

TEST(Bench, kernels_are_a_part_of_the_evaluations_that_were_timed) {
  APSIS_NEED_DEVICE();
  BenchOptions options = small();
  options.device.name = "opencl", options.repeats = 4;
  const BenchResult result = bench(options).at(0);
  ASSERT_EQ(result.kernel.seconds.size(), result.whole.seconds.size());
  for (std::size_t i = 0; i < result.whole.seconds.size(); ++i) {
    // intervals of one queue within an interval; clocks of different rates may differ by 1 %
    EXPECT_LE(result.kernel.seconds[i], 1.01 * result.whole.seconds[i]) << i;
  }
  EXPECT_EQ(result.unclocked.seconds.size(), 4U);
  ASSERT_TRUE(result.clock_cost());
  const Json row = Json::parse(to_json(std::vector{result}, Report::bench)).at(0);
  EXPECT_TRUE(row.contains("clock_cost"));
  EXPECT_TRUE(row.contains("seconds_unclocked"));
  EXPECT_FALSE(bench(small()).at(0).clock_cost());
}

TEST(Bench, reproducible_says_what_it_costs) {
  APSIS_NEED_DEVICE();
  BenchOptions options = small();
  options.device.name = "opencl", options.device.reproducible = true;
  const BenchResult result = bench(options).at(0);
  ASSERT_TRUE(result.reproducible_cost);
  EXPECT_GT(*result.reproducible_cost, 0);
  EXPECT_TRUE(
      Json::parse(to_json(std::vector{result}, Report::bench)).at(0).contains("reproducible_cost"));
}

TEST(Bench, options_without_meaning_are_refused) {
  const auto code_of = [](const BenchOptions& options) {
    try {
      bench(options);
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::done;
  };
  BenchOptions options = small();
  options.group = 64;
  EXPECT_EQ(code_of(options), ExitCode::wrong_usage);
  options = small(), options.sizes = "rows=4";
  EXPECT_EQ(code_of(options), ExitCode::wrong_usage);
  options = small(), options.device.kernel_dir = "kernels";
  EXPECT_EQ(code_of(options), ExitCode::bad_data);
  options = small(), options.force.far_field.opening_angle = 0.5;
  EXPECT_EQ(code_of(options), ExitCode::wrong_usage);
  options = small(), options.repeats = 0;
  EXPECT_EQ(code_of(options), ExitCode::wrong_usage);
  options = small(), options.solvers = {"dircet"};
  EXPECT_EQ(code_of(options), ExitCode::bad_data);
  options = small(), options.force.softening = -1;
  EXPECT_EQ(code_of(options), ExitCode::bad_data);
}

TEST(Bench, approximate_solvers_count_no_pairs_and_time_their_parts) {
  BenchOptions options = small();
  options.solvers = {"direct", "bins"}, options.force.bins.bins = 6;
  const auto results = bench(options);
  const Json array = Json::parse(to_json(results, Report::bench));
  ASSERT_EQ(array.size(), 2U);
  EXPECT_TRUE(array[0].contains("interactions_per_second"));
  EXPECT_FALSE(array[0].contains("seconds_build"));
  EXPECT_FALSE(array[1].contains("interactions_per_second"));
  EXPECT_FALSE(array[1].contains("gflops"));
  EXPECT_GT(array[1]["seconds_build"], 0);
  EXPECT_GT(array[1]["seconds_force"], 0);
  EXPECT_EQ(array[1]["sizes"], "bins=6");
  EXPECT_FALSE(array[1].contains("order"));
  EXPECT_FALSE(array[1].contains("accuracy"));
  // bins promise no accuracy: whatever the error, that is no complaint
  EXPECT_GT(results[1].error.p99, 1e-3);
  EXPECT_EQ(results[1].complaint, "");
}

TEST(Bench, a_bare_opening_angle_asks_for_no_accuracy) {
  BenchOptions options;
  EXPECT_EQ(wanted_accuracy(options), 1e-3);
  options.force.far_field.opening_angle = 0.7;
  EXPECT_FALSE(wanted_accuracy(options));
  options.force.far_field.accuracy = 1e-4, options.accuracy_given = true;
  EXPECT_EQ(wanted_accuracy(options), 1e-4);
}

TEST(Bench, values_that_no_solver_takes_are_wrong_usage) {
  const auto complaint_of = [](auto change) {
    BenchOptions options = small();
    options.solvers = {"bins"};
    change(options);
    try {
      check(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::wrong_usage);
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(complaint_of([](BenchOptions& o) { o.force.bins.bins = 8; }), "none");
  EXPECT_NE(complaint_of([](BenchOptions& o) { o.force.bins.bins = 257; }).find("--bins 257"),
            std::string::npos);
  EXPECT_NE(complaint_of([](BenchOptions& o) {
              o.force.bins.box = Box{0, 1, 0, 1, 1, 0};
            }).find("is no box"),
            std::string::npos);
  EXPECT_NE(
      complaint_of([](BenchOptions& o) { o.force.far_field.accuracy = 0; }).find("--accuracy 0"),
      std::string::npos);
  EXPECT_NE(complaint_of([](BenchOptions& o) {
              o.force.far_field.order = 4;
            }).find("--order means nothing"),
            std::string::npos);
  EXPECT_NE(complaint_of([](BenchOptions& o) {
              o.solvers = {"direct"}, o.force.bins.bins = 4;
            }).find("--bins means nothing to solver direct"),
            std::string::npos);
}

TEST(Check, counts_bodies_that_share_their_place) {
  BenchOptions options = small();
  EXPECT_EQ(check(options).at(0).coincident, 0U);
}

}  // namespace
}  // namespace apsis
