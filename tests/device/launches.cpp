// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "open_device.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace apsis {
namespace {

using device::Buffer;
using device::Context;
using device::Range;
using device::Scalar;
using ::testing::ElementsAre;

class Launches : public OpenDevice {
 protected:
  const std::string text_ = R"(
kernel void fill(global int* out, int first, float step) {
  out[get_global_id(0)] = first + (int)(step * get_global_id(0));
}
kernel void places(global int* out) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int at = x + get_global_size(0) * (y + get_global_size(1) * z);
  out[at] = 100 * get_local_size(0) + 10 * get_local_size(1) + get_local_size(2);
}
)";
};

std::vector<int> held_by(const Buffer& buffer) {
  std::vector<int> values(buffer.bytes() / sizeof(int), -1);
  buffer.read(std::span(values));
  return values;
}

TEST_F(Launches, pass_buffers_and_numbers) {
  Context context = context_with("fill.cl", text_);
  auto fill = context.program("fill.cl", {}).kernel<Buffer, int, Scalar>("fill");
  Buffer out = context.buffer(4 * sizeof(int), "numbers");
  fill({.global = {4, 1, 1}}, out, 7, Scalar{2.5});
  EXPECT_THAT(held_by(out), ElementsAre(7, 9, 12, 14));
  fill({.global = {2, 1, 1}, .group = {2, 1, 1}}, out, -1, Scalar{1});
  EXPECT_THAT(held_by(out), ElementsAre(-1, 0, 12, 14));
}

TEST_F(Launches, take_doubles_where_the_device_has_them) {
  if (!info.has_double) GTEST_SKIP() << info.name << " has no double";
  Context context = context_with("wide.cl", R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void wide(global double* out, double value) { out[0] = value; })");
  auto kernel = context.program("wide.cl", {}).kernel<Buffer, Scalar>("wide");
  Buffer out = context.buffer(sizeof(double), "number");
  kernel({}, out, Scalar{0.1, true});
  std::vector<double> value(1);
  out.read(std::span(value));
  EXPECT_EQ(value[0], 0.1);
}

TEST_F(Launches, have_up_to_three_dimensions) {
  Context context = context_with("fill.cl", text_);
  auto places = context.program("fill.cl", {}).kernel<Buffer>("places");
  Buffer out = context.buffer(8 * sizeof(int), "numbers");
  places({{4, 2, 1}, {2, 2, 1}}, out);
  EXPECT_THAT(held_by(out), ::testing::Each(221));
  places({{2, 2, 2}, {1, 1, 2}}, out);
  EXPECT_THAT(held_by(out), ::testing::Each(112));
}

TEST_F(Launches, of_nothing_do_nothing) {
  Context context = context_with("fill.cl", text_);
  auto fill = context.program("fill.cl", {}).kernel<Buffer, int, Scalar>("fill");
  Buffer out = context.buffer(sizeof(int), "numbers");
  out.clear();
  fill({.global = {0, 1, 1}}, out, 7, Scalar{1});
  EXPECT_THAT(held_by(out), ElementsAre(0));
}

TEST_F(Launches, are_timed_from_the_first_question_on) {
  Context context = context_with("fill.cl", text_);
  auto fill = context.program("fill.cl", {}).kernel<Buffer, int, Scalar>("fill");
  Buffer out = context.buffer(4 * sizeof(int), "numbers");
  fill({.global = {4, 1, 1}}, out, 7, Scalar{1});
  EXPECT_EQ(context.kernel_seconds(), 0);
  // more than are kept in flight
  for (int i = 0; i < 3000; ++i) fill({.global = {4, 1, 1}}, out, 7, Scalar{1});
  EXPECT_GT(context.kernel_seconds(), 0);
  EXPECT_EQ(context.kernel_seconds(), 0);
}

TEST_F(Launches, with_impossible_groups_name_the_call_the_code_and_the_device) {
  Context context = context_with("fill.cl", text_);
  auto fill = context.program("fill.cl", {}).kernel<Buffer, int, Scalar>("fill");
  Buffer out = context.buffer(4 * sizeof(int), "numbers");
  EXPECT_GE(fill.largest_group(), 1U);
  EXPECT_GE(fill.group_multiple(), 1U);
  const auto text = error_text(ExitCode::unavailable, [&] {
    fill({.global = {4, 1, 1}, .group = {info.largest_group * 64, 1, 1}}, out, 7, Scalar{1});
  });
  EXPECT_THAT(text, ::testing::HasSubstr("clEnqueueNDRangeKernel"));
  EXPECT_THAT(text, ::testing::HasSubstr("CL_INVALID_WORK_"));
  EXPECT_THAT(text, ::testing::HasSubstr(info.name));
}

TEST_F(Launches, need_the_kernel_and_its_arguments) {
  Context context = context_with("fill.cl", text_);
  const auto program = context.program("fill.cl", {});
  expect_error(ExitCode::bad_data, "'flil'", [&] { program.kernel<Buffer>("flil"); });
  expect_error(ExitCode::bad_data, "3 arguments instead of 1",
               [&] { program.kernel<Buffer>("fill"); });
}

}  // namespace
}  // namespace apsis
