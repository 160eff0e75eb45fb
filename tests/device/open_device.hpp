// SPDX-License-Identifier: MIT
// For tests that need an OpenCL device: they are skipped by name where there is none. Caches of
// programs, ours and PoCL's, go to a folder of the test's own.
#pragma once

#include "files/scratch_folder.hpp"
#include <apsis/device/context.hpp>
#include <apsis/files/file.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace apsis {

class OpenDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    static const ScratchFolder pocl;  // which remembers its folder for the whole process
    ::setenv("POCL_CACHE_DIR", pocl.path().c_str(), 1);
    if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    ::setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
    const Discovery discovery = discover_devices();
    if (discovery.devices.empty()) {
      GTEST_SKIP() << "no OpenCL device: " << discovery.why_none << " (pocl-opencl-icd brings one)";
    }
    info = discovery.devices.front();
  }
  void TearDown() override {
    if (before_) {
      ::setenv("XDG_CACHE_HOME", before_->c_str(), 1);
    } else {
      ::unsetenv("XDG_CACHE_HOME");
    }
  }

  // A context whose kernels come from a folder that holds this one file.
  device::Context context_with(const std::string& file, const std::string& text) {
    write_text(kernels / file, text);
    return device::Context(info, {kernels.path()});
  }
  std::filesystem::path program_folder() const { return cache_ / "apsis" / "programs"; }

  DeviceInfo info;
  ScratchFolder kernels;

 private:
  ScratchFolder cache_;
  std::optional<std::string> before_;
};

}  // namespace apsis
