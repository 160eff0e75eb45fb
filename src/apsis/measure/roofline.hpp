// SPDX-License-Identifier: MIT
// The roofline of this machine (Williams, Waterman and Patterson 2009) with the rungs of the native
// direct solver under it.
#pragma once

#include <apsis/measure/bench.hpp>
#include <apsis/measure/chart.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apsis {

// What a rung does for one of the N² interactions on this machine, counted in its source: a root or
// a power is one operation, a multiply-add two, and a pair that is met once counts once. Bytes are
// those of bodies and sums that its loops load and store, which the first cache serves.
struct PairWork {
  double operations = 0, bytes = 0;
  double intensity() const { return operations / bytes; }
};
PairWork work_of(const std::string& variant, Precision precision, std::uint64_t bodies);
// Of the loop that gives forces with their change in time.
PairWork work_with_jerk(Precision precision);

// By the custom of 20 operations an interaction: of a byte of source data that is loaded.
double intensity_of(const std::string& variant, Precision precision);
// The same of a body that is loaded, as the OpenMP lab counts it: 20 in a plain loop, 320 where 16
// targets share the load.
double operations_a_body(const std::string& variant, Precision precision);

struct RooflinePoint {
  std::string variant;
  double intensity = 0;       // operations done a byte moved
  double gflops = 0;          // done
  double nominal_gflops = 0;  // 20 operations an interaction, whatever was done
};

struct Roofline {
  int threads = 0;
  double peak_gflops = 0;                  // multiply-adds out of registers
  double memory_bytes_a_second = 0;        // out of memory
  double cache_bytes_a_second = 0;         // out of the first cache; 0: not measured
  std::vector<RooflinePoint> points = {};  // the simplest rung first

  double ridge() const { return 1e9 * peak_gflops / memory_bytes_a_second; }
  double cache_ridge() const { return 1e9 * peak_gflops / cache_bytes_a_second; }
  // The limit at this intensity, of bytes that come from the first cache.
  double roof_at(double intensity) const;
  // Faster than the machine was ever seen to be: what was measured of it is a lower bound.
  bool is_above(const RooflinePoint& point) const;
};

// Measures the machine, before and after, and every rung with the first number of bodies and
// precision of `options`.
Roofline measure_roofline(const BenchOptions& options);
// Of the machine alone; a second look takes the larger of both.
Roofline measured_roof(Precision precision, int threads);
void look_again(Roofline& roofline, Precision precision);

Chart roofline_chart(const Roofline& roofline);
// What the figures count, in sentences: the same wherever they are shown.
std::string roofline_caveats();

}  // namespace apsis
