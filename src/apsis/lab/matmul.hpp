// SPDX-License-Identifier: MIT
// Inside lab/: matrix products on OpenCL devices, timed and held against a plain one on the host.
#pragma once

#include <apsis/device/context.hpp>
#include <apsis/lab/options.hpp>
#include <apsis/measure/timing.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace apsis::lab {

// Row by row.
template <class Element>
struct Matrices {
  MatrixShape shape;
  std::vector<Element> left, right;
};

// Whole numbers from -9 to 9, or floats in [-1, 1): the same for the same seed.
template <class Element>
Matrices<Element> made_matrices(const MatrixShape& shape, std::uint64_t seed = 42);

// The plain product: what the others must give, and how far floats may be off.
template <class Element>
struct PlainProduct {
  std::vector<double> values;  // exact for whole numbers, summed in double for floats
  std::vector<double> sizes;   // Σ |a||b|, for bounds of rounding
  double seconds = 0;
};
template <class Element>
PlainProduct<Element> plain_product(const Matrices<Element>& matrices, int threads);

// The largest |c - plain| relative to Σ |a||b|; and what it may be: nothing for whole numbers, one
// rounding a term and one a sum for floats.
template <class Element>
double product_error(const std::vector<Element>& product, const PlainProduct<Element>& plain);
template <class Element>
double allowed_error(const MatrixShape& shape);

struct MatmulKernel {
  std::string name;
  std::string file;  // of kernels/; empty: CLBlast
  device::Defines defines;
  bool floats_only = false;
};
// From the simplest to the bar.
std::vector<MatmulKernel> matmul_kernels();

template <class Element>
struct MatmulResult {
  std::vector<Element> product;
  Timings whole;      // from matrices in the host's memory to their product there
  Timings kernel;     // of the same products by the device's clock
  double waited = 0;  // seconds that threads waited for a core for every second of them
};
// bad_data for shapes that the device has no memory for.
template <class Element>
MatmulResult<Element> multiply(device::Context& context, const MatmulKernel& kernel,
                               const Matrices<Element>& matrices, int warmup, int steps);

}  // namespace apsis::lab
