// SPDX-License-Identifier: MIT
#include <apsis/engines/device_motion.hpp>
#include <apsis/engines/device_sums.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace apsis {
namespace {

constexpr std::size_t sum_groups = 128, sum_items = 64;
constexpr std::size_t quantities = 4;  // of four numbers each, as sums.cl lays them out

constexpr std::size_t sum_launch = sum_groups * sum_items;

int as_int(std::size_t value) { return static_cast<int>(value); }

}  // namespace

DeviceSums::DeviceSums(device::Context& context, Precision precision)
    : wide_(context.device().has_double) {
  device::Defines defines = precision_define(precision);
  defines.emplace_back("TOTAL", wide_ ? "double" : "float");
  defines.emplace_back("TOTAL4", wide_ ? "double4" : "float4");
  defines.emplace_back("ITEMS", fmt::format("{}", sum_items));
  const device::Program program = context.program("sums.cl", defines);
  sum_energies_ =
      program.kernel<int, int, int, Buffer, Buffer, Buffer, int, Buffer, Buffer>("sum_energies");
  count_bad_ = program.kernel<int, int, Buffer, Buffer, Buffer>("count_bad");
  const std::size_t number = wide_ ? sizeof(double) : sizeof(float);
  figures_ = context.buffer(sum_groups * quantities * 4 * number, "sums");
  bad_ = context.buffer(sum_groups * sizeof(int), "sums");
}

template <class Number>
MotionTotals DeviceSums::read_totals() const {
  std::vector<Number> read(sum_groups * quantities * 4);
  figures_.read(std::span(read));
  MotionTotals out;
  for (std::size_t group = 0; group < sum_groups; ++group) {
    const Number* q = read.data() + group * quantities * 4;
    const auto vector = [](const Number* v) {
      return Vec3{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    };
    out.mass += static_cast<double>(q[0]);
    out.kinetic += static_cast<double>(q[1]);
    out.strength_potential += static_cast<double>(q[2]);
    out.momentum += vector(q + 4);
    out.angular_momentum += vector(q + 8);
    out.moment += vector(q + 12);
  }
  return out;
}

MotionTotals DeviceSums::totals(const DeviceState& state, const device::Buffer& sums,
                                std::size_t padded, int parts) {
  // a buffer that is only read stands in for an order that is not
  const bool ordered = state.order.bytes() > 0;
  sum_energies_({{sum_launch, 1, 1}, {sum_items, 1, 1}}, as_int(state.count), as_int(padded), parts,
                parts == 0 ? state.place : sums, state.place, state.velocity, ordered ? 1 : 0,
                ordered ? state.order : state.place, figures_);
  return wide_ ? read_totals<double>() : read_totals<float>();
}

bool DeviceSums::finite(const DeviceState& state) {
  count_bad_({{sum_launch, 1, 1}, {sum_items, 1, 1}}, as_int(state.first), as_int(state.end),
             state.place, state.velocity, bad_);
  std::array<int, sum_groups> bad{};
  bad_.read(std::span<int>(bad));
  return std::all_of(bad.begin(), bad.end(), [](int count) { return count == 0; });
}

}  // namespace apsis
