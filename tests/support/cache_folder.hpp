// SPDX-License-Identifier: MIT
// A cache folder of its own for each test, in which kernels that were built before are kept.
#pragma once

#include <apsis/files/folders.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace apsis::test {

class CacheFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("apsis_cache_{}", getpid());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const auto programs = cache_folder() / "programs";
    std::filesystem::create_directories(programs);
    if (const char* old = std::getenv("XDG_CACHE_HOME")) before_ = old;
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    std::filesystem::create_directories(cache_folder());
    std::filesystem::create_directory_symlink(programs, cache_folder() / "programs");
  }
  void TearDown() override {
    if (before_.empty()) {
      unsetenv("XDG_CACHE_HOME");
    } else {
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    }
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path folder_;
  std::string before_;
};

}  // namespace apsis::test
