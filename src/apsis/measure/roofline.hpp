// SPDX-License-Identifier: MIT
// The roofline of this machine (Williams, Waterman and Patterson 2009) with the rungs of the native
// direct solver under it.
#pragma once

#include <apsis/measure/bench.hpp>
#include <apsis/measure/chart.hpp>

#include <string>
#include <vector>

namespace apsis {

struct RooflinePoint {
  std::string variant;
  double intensity = 0;  // floating-point operations a byte of source data that is loaded
  double gflops = 0;     // measured, 20 operations an interaction
};

struct Roofline {
  int threads = 0;
  double peak_gflops = 0;             // multiply-adds out of registers
  double memory_bytes_a_second = 0;   // out of memory
  std::vector<RooflinePoint> points;  // the simplest rung first

  double ridge() const { return 1e9 * peak_gflops / memory_bytes_a_second; }
};

// Operations a byte: a source of four numbers is loaded once for as many targets as the rung works
// on at a time.
double intensity_of(const std::string& variant, Precision precision);

// Measures the machine and every rung with the first number of bodies and precision of `options`.
Roofline measure_roofline(const BenchOptions& options);

Chart roofline_chart(const Roofline& roofline);

}  // namespace apsis
