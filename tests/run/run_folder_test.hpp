// SPDX-License-Identifier: MIT
// A folder for the runs of one test, and a small spec for them.
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace apsis {

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = fmt::format("{}_{}_{}", test->test_suite_name(), test->name(), getpid());
    std::replace(name.begin(), name.end(), '/', '_');
    top_ = std::filesystem::temp_directory_path() / ("apsis_" + name);
    std::filesystem::remove_all(top_);
    std::filesystem::create_directories(top_);
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  // 64 bodies, 40 steps, no pictures; the rest by assignments.
  RunSpec spec(const std::string& folder, const std::vector<std::string>& assignments = {}) const {
    RunSpec spec;
    for (const char* fixed :
         {"initial.model=plummer", "initial.bodies=64", "time.step=0.01", "time.until=0.4",
          "output.pictures=false", "output.snapshot_every=0.1", "output.energy_every=0.05"}) {
      set_key(spec, fixed);
    }
    for (const auto& assignment : assignments) set_key(spec, assignment);
    spec.output.directory = (top_ / folder).string();
    return spec;
  }

  std::filesystem::path top_;
};

}  // namespace apsis
