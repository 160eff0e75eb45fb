// SPDX-License-Identifier: MIT
// Products of all kernels against the plain one: exact for int, to rounding for float.
#include <apsis/core/error.hpp>
#include <apsis/device/clblast.hpp>
#include <apsis/lab/matmul.hpp>

#include <gtest/gtest.h>
#include <support/devices.hpp>

#include <cmath>

namespace apsis::lab {
namespace {

device::Context& context() {
  // never closed: drivers have wound up before static objects go
  static device::Context& opened = *new device::Context(test::discovery().devices.front());
  return opened;
}

template <class Element>
void expect_all_kernels_right(const MatrixShape& shape) {
  const auto matrices = made_matrices<Element>(shape);
  const auto plain = plain_product(matrices, 0);
  for (const MatmulKernel& kernel : matmul_kernels()) {
    if (kernel.floats_only) continue;
    const auto result = multiply(context(), kernel, matrices, 0, 1);
    EXPECT_LE(product_error(result.product, plain), allowed_error<Element>(shape))
        << kernel.name << " " << to_string(shape);
  }
}

// Under oclgrind too (./test kernels), so small, and our own kernels alone.
class MatmulOpenclSmall : public testing::TestWithParam<MatrixShape> {};

TEST_P(MatmulOpenclSmall, reads_and_writes_nothing_but_its_matrices) {
  APSIS_NEED_DEVICE();
  const auto matrices = made_matrices<int>(GetParam());
  const auto plain = plain_product(matrices, 1);
  for (const MatmulKernel& kernel : matmul_kernels()) {
    if (kernel.floats_only) continue;
    EXPECT_EQ(product_error(multiply(context(), kernel, matrices, 0, 1).product, plain), 0)
        << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatmulOpenclSmall,
                         testing::Values(MatrixShape{1, 1, 1}, MatrixShape{3, 2, 2},
                                         MatrixShape{17, 31, 5}),
                         [](const auto& test) { return "shape_" + to_string(test.param); });

class MatmulTest : public testing::TestWithParam<MatrixShape> {};

TEST_P(MatmulTest, of_whole_numbers_is_exact) {
  APSIS_NEED_DEVICE();
  expect_all_kernels_right<int>(GetParam());
}
TEST_P(MatmulTest, of_floats_is_right_to_rounding) {
  APSIS_NEED_DEVICE();
  expect_all_kernels_right<float>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatmulTest,
                         testing::Values(MatrixShape{1, 1, 1}, MatrixShape{3, 2, 2},
                                         MatrixShape{17, 31, 5}, MatrixShape{1, 100, 1},
                                         MatrixShape{16, 16, 16}, MatrixShape{512, 512, 512},
                                         MatrixShape{1000, 37, 999}),
                         [](const auto& test) { return "shape_" + to_string(test.param); });

// One test for all shapes: its kernels take PoCL a quarter of a minute to build.
TEST(Matmul, by_clblast_is_right_to_rounding) {
  APSIS_NEED_DEVICE();
  if (!device::clblast_built_in()) GTEST_SKIP() << "built without CLBlast";
  const MatmulKernel clblast = matmul_kernels().back();
  ASSERT_EQ(clblast.name, "CLBlast");
  for (const MatrixShape& shape : {MatrixShape{1, 1, 1}, {17, 31, 5}, {100, 37, 99}}) {
    const auto matrices = made_matrices<float>(shape);
    const auto result = multiply(context(), clblast, matrices, 0, 1);
    EXPECT_LE(product_error(result.product, plain_product(matrices, 0)),
              allowed_error<float>(shape))
        << to_string(shape);
    EXPECT_GT(result.kernel.median(), 0);
  }
}

TEST(Matmul, plain_product_of_known_matrices) {
  const Matrices<int> matrices{{2, 3, 2}, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
  const auto plain = plain_product(matrices, 1);
  EXPECT_EQ(plain.values, (std::vector<double>{58, 64, 139, 154}));
}

TEST(Matmul, a_wrong_element_is_an_error_beyond_the_bound) {
  const Matrices<float> matrices{{1, 2, 1}, {1, 1}, {1, 1}};
  const auto plain = plain_product(matrices, 1);
  EXPECT_EQ(product_error<float>({2}, plain), 0);
  EXPECT_GT(product_error<float>({2.001F}, plain), allowed_error<float>(matrices.shape));
  EXPECT_TRUE(std::isinf(product_error<float>({NAN}, plain)));
}

TEST(Matmul, whole_numbers_are_small_and_of_both_signs) {
  const auto matrices = made_matrices<int>({64, 64, 64});
  EXPECT_EQ(*std::min_element(matrices.left.begin(), matrices.left.end()), -9);
  EXPECT_EQ(*std::max_element(matrices.left.begin(), matrices.left.end()), 9);
}

TEST(Matmul, more_elements_than_kernels_can_count_are_refused) {
  EXPECT_THROW(made_matrices<float>({1 << 20, 1 << 20, 1}), Error);
}

}  // namespace
}  // namespace apsis::lab
