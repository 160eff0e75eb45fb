// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/device/clblast.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/lab/matmul.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace apsis::lab {
namespace {

using device::Buffer;
using Clock = std::chrono::steady_clock;

constexpr std::size_t tile = 16;  // TILE of kernels/matmul_tiled.cl

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::size_t rounded_up(std::int64_t value, std::size_t unit) {
  return (static_cast<std::size_t>(value) + unit - 1) / unit * unit;
}

device::Range range_of(const MatmulKernel& kernel, const MatrixShape& shape) {
  if (kernel.name == "1-D index") {
    return {{rounded_up(shape.rows * shape.columns, 64), 1, 1}, {0, 0, 0}};
  }
  if (kernel.file == "matmul_tiled.cl") {
    return {{rounded_up(shape.columns, tile), rounded_up(shape.rows, tile), 1}, {tile, tile, 1}};
  }
  const bool along_rows = kernel.defines.empty();
  const std::size_t columns = rounded_up(shape.columns, 8), rows = rounded_up(shape.rows, 8);
  return {{along_rows ? columns : rows, along_rows ? rows : columns, 1}, {0, 0, 0}};
}

// Kernels count elements in int.
void require_countable(const MatrixShape& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t largest =
      std::max({shape.rows * shape.inner, shape.inner * shape.columns, shape.rows * shape.columns});
  if (largest <= most) return;
  throw bad_data(
      fmt::format("a matrix of the product {} has {} elements", to_string(shape), largest),
      fmt::format("use shapes with at most {} elements a matrix", most));
}

template <class Element>
std::vector<Element> made_elements(std::size_t count, std::uint64_t seed, std::uint32_t stream) {
  std::vector<Element> elements(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double number = BodyRandom(seed, i, stream).uniform(-1, 1);
    elements[i] = std::is_integral_v<Element> ? static_cast<Element>(std::floor(9.5 * number + 0.5))
                                              : static_cast<Element>(number);
  }
  return elements;
}

}  // namespace

template <class Element>
Matrices<Element> made_matrices(const MatrixShape& shape, std::uint64_t seed) {
  require_countable(shape);
  return {shape,
          made_elements<Element>(static_cast<std::size_t>(shape.rows * shape.inner), seed, 1),
          made_elements<Element>(static_cast<std::size_t>(shape.inner * shape.columns), seed, 2)};
}

template <class Element>
PlainProduct<Element> plain_product(const Matrices<Element>& matrices, int threads) {
  const std::int64_t rows = matrices.shape.rows, inner = matrices.shape.inner;
  const std::int64_t columns = matrices.shape.columns;
  PlainProduct<Element> plain;
  plain.values.resize(static_cast<std::size_t>(rows * columns));
  plain.sizes.resize(plain.values.size());
  const auto begin = Clock::now();
  parallel_tasks(static_cast<std::size_t>(rows), thread_count(threads), [&](std::size_t row) {
    const auto i = static_cast<std::int64_t>(row);
    double* const values = plain.values.data() + i * columns;
    double* const sizes = plain.sizes.data() + i * columns;
    for (std::int64_t k = 0; k < inner; ++k) {
      const auto a = static_cast<double>(matrices.left[static_cast<std::size_t>(i * inner + k)]);
      const Element* const b = matrices.right.data() + k * columns;
      for (std::int64_t j = 0; j < columns; ++j) {
        values[j] += a * static_cast<double>(b[j]);
        sizes[j] += std::abs(a * static_cast<double>(b[j]));
      }
    }
  });
  plain.seconds = seconds_since(begin);
  return plain;
}

template <class Element>
double product_error(const std::vector<Element>& product, const PlainProduct<Element>& plain) {
  double largest = 0;
  for (std::size_t i = 0; i < plain.values.size(); ++i) {
    const double off = std::abs(static_cast<double>(product[i]) - plain.values[i]);
    if (!(off <= std::numeric_limits<double>::max())) return INFINITY;
    if (off > 0) largest = std::max(largest, off / std::max(plain.sizes[i], 1e-300));
  }
  return largest;
}

template <class Element>
double allowed_error(const MatrixShape& shape) {
  if (std::is_integral_v<Element>) return 0;
  // n roundings of partial sums, one of each product and one of the reference to float
  return static_cast<double>(shape.inner + 2) * 0x1p-24;
}

std::vector<MatmulKernel> matmul_kernels() {
  std::vector<MatmulKernel> kernels{{"1-D index", "matmul_index1.cl", {}},
                                    {"2-D down columns", "matmul_index2.cl", {{"ALONG_ROWS", "0"}}},
                                    {"2-D along rows", "matmul_index2.cl", {}},
                                    {"tiled", "matmul_tiled.cl", {}}};
  if (device::clblast_built_in()) kernels.push_back({"CLBlast", "", {}, true});
  return kernels;
}

template <class Element>
MatmulResult<Element> multiply(device::Context& context, const MatmulKernel& kernel,
                               const Matrices<Element>& matrices, int warmup, int steps) {
  const MatrixShape& shape = matrices.shape;
  const auto count = static_cast<std::size_t>(shape.rows * shape.columns);
  Buffer left = context.buffer(matrices.left.size() * sizeof(Element), "the left matrix");
  Buffer right = context.buffer(matrices.right.size() * sizeof(Element), "the right matrix");
  const Buffer product = context.buffer(count * sizeof(Element), "the product");
  device::Kernel<Buffer, Buffer, Buffer, int, int, int> launch;
  if (!kernel.file.empty()) {
    device::Defines defines = kernel.defines;
    defines.emplace_back("ELEMENT", std::is_integral_v<Element> ? "int" : "float");
    launch = context.program(kernel.file, defines)
                 .kernel<Buffer, Buffer, Buffer, int, int, int>("matmul");
  }
  MatmulResult<Element> result;
  result.product.resize(count);
  const auto run = [&] {
    if (kernel.file.empty()) {
      context.multiply_by_clblast(
          left, right, product,
          {static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.inner),
           static_cast<std::size_t>(shape.columns)});
    } else {
      launch(range_of(kernel, shape), left, right, product, static_cast<int>(shape.rows),
             static_cast<int>(shape.inner), static_cast<int>(shape.columns));
    }
  };
  const auto whole = [&] {
    const auto begin = Clock::now();
    left.write(std::span<const Element>(matrices.left));
    right.write(std::span<const Element>(matrices.right));
    run();
    product.read(std::span<Element>(result.product));
    return seconds_since(begin);
  };
  for (int i = 0; i < warmup; ++i) result.whole.warmup.push_back(whole());
  context.kernel_seconds();
  const double waited = seconds_waited_for_cores().value_or(0);
  for (int i = 0; i < steps; ++i) {
    result.whole.seconds.push_back(whole());
    result.kernel.seconds.push_back(context.kernel_seconds());
  }
  context.stop_counting();
  result.waited = std::max(0.0, seconds_waited_for_cores().value_or(0) - waited) /
                  (static_cast<double>(steps) * result.whole.mean());
  return result;
}

template Matrices<int> made_matrices(const MatrixShape&, std::uint64_t);
template Matrices<float> made_matrices(const MatrixShape&, std::uint64_t);
template PlainProduct<int> plain_product(const Matrices<int>&, int);
template PlainProduct<float> plain_product(const Matrices<float>&, int);
template double product_error(const std::vector<int>&, const PlainProduct<int>&);
template double product_error(const std::vector<float>&, const PlainProduct<float>&);
template double allowed_error<int>(const MatrixShape&);
template double allowed_error<float>(const MatrixShape&);
template MatmulResult<int> multiply(device::Context&, const MatmulKernel&, const Matrices<int>&,
                                    int, int);
template MatmulResult<float> multiply(device::Context&, const MatmulKernel&, const Matrices<float>&,
                                      int, int);

}  // namespace apsis::lab
