// SPDX-License-Identifier: MIT
// The OpenCL device that tests use: the first there is, PoCL where nothing else is installed.
#pragma once

#include <apsis/device/devices.hpp>

#include <gtest/gtest.h>

namespace apsis::test {

inline const Discovery& discovery() {
  static const Discovery found = discover_devices();
  return found;
}

}  // namespace apsis::test

// Tests that need a device say why they do not run without one.
#define APSIS_NEED_DEVICE()                                                    \
  if (apsis::test::discovery().devices.empty()) {                              \
    GTEST_SKIP() << "no OpenCL device: " << apsis::test::discovery().why_none; \
  }
