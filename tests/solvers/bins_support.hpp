// SPDX-License-Identifier: MIT
// The solver `bins` in each of its ways to sum, native and on the first OpenCL device, for tests;
// what its sums may be off by; and the reference.
#pragma once

#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/bins/bins_host.hpp>
#include <apsis/solvers/bins/bins_opencl.hpp>
#include <apsis/solvers/reference.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace apsis::bins_test {

enum class Place { host, device };
using Case = std::tuple<Place, Precision>;
inline constexpr std::array<double, 6> around{-1, 1, -1, 1, -1, 1};  // every ball of random_bodies

struct PointField {
  Vec3 field;
  double potential = 0;
  friend bool operator==(const PointField&, const PointField&) = default;
};
using Fields = std::vector<PointField>;

struct Cuts {
  BinsSettings bins;
  double softening = 0.02;
  int threads = 1;
  BinsSum sum = BinsSum::skipping;
  std::size_t targets_a_launch = 0;  // of bin-an-item
};

inline Bodies rounded_to(Bodies b, Precision precision) {
  if (precision != Precision::f32) return b;
  for (const std::span<double> column :
       {b.positions.values(), std::span(b.mass), std::span(b.charge)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
  return b;
}

// Some in one place, some without mass or charge, signs mixed.
inline Bodies awkward_bodies(std::size_t n, bool charged, Precision precision) {
  Bodies b = test::random_bodies(n, 11, charged);
  for (std::size_t i = 7; i < n; i += 16) b.set_position(i, b.position(i - 3));
  for (std::size_t i = 5; i < n; i += 11) (charged ? b.charge : b.mass)[i] = 0;
  return rounded_to(b, precision);
}

inline const std::vector<double>& strengths_of(const Bodies& b) {
  return strengths(b, b.charged() ? Law::coulomb : Law::gravity);
}

template <class State>
Fields on_host(const Bodies& sources, const Bodies* targets, Precision precision, const Cuts& cuts,
               int times) {
  const auto column = [](const auto& values) {
    return std::vector<State>(values.begin(), values.end());
  };
  const Bodies& at = targets == nullptr ? sources : *targets;
  const auto sx = column(sources.x()), sy = column(sources.y()), sz = column(sources.z()),
             strength = column(strengths_of(sources));
  const auto tx = column(at.x()), ty = column(at.y()), tz = column(at.z());
  const BodiesView<Host<State>> from{sx.size(), sx.data(), sy.data(), sz.data(), strength.data()};
  const BodiesView<Host<State>> to{tx.size(), tx.data(), ty.data(), tz.data()};
  const std::size_t n = at.size();
  std::vector<State> x(n), y(n), z(n), potential(n);
  const auto solver = make_bins<State>(
      {with_number(cuts.bins, sources.size()), cuts.softening, cuts.threads, precision, cuts.sum});
  const Field<Host<State>> field{x.data(), y.data(), z.data(), potential.data()};
  for (int i = 0; i < times; ++i) {
    targets == nullptr ? solver->add_self_field(from, field) : solver->add_field(from, to, field);
  }
  Fields out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = {{static_cast<double>(x[i]), static_cast<double>(y[i]), static_cast<double>(z[i])},
              static_cast<double>(potential[i])};
  }
  return out;
}

inline Fields on_device(const Bodies& sources, const Bodies* targets, Precision precision,
                        const Cuts& cuts, int times) {
  const Law law = sources.charged() ? Law::coulomb : Law::gravity;
  const test::DeviceBodies from(sources, law, precision);
  const test::DeviceBodies at(targets == nullptr ? sources : *targets, law, precision);
  PartialSums sums;
  sums.padded = at.padded;
  // not freed: to oclgrind 21.10, buffers that come where others were hold nothing
  static auto& solvers = *new std::vector<std::unique_ptr<Solver<Device>>>;
  solvers.push_back(
      make_bins_opencl(test::context(), {.bins = with_number(cuts.bins, sources.size()),
                                         .softening = cuts.softening,
                                         .precision = precision,
                                         .sum = cuts.sum,
                                         .targets_a_launch = cuts.targets_a_launch}));
  const auto& solver = solvers.back();
  const Field<Device> field{&sums, nullptr, {.potential = true}};
  for (int i = 0; i < times; ++i) {
    targets == nullptr ? solver->add_self_field(from.view(), field)
                       : solver->add_field(from.view(), at.view(), field);
  }
  if (sums.used == 0) return Fields(at.count);
  const auto numbers = test::summed(sums, at.count, precision);
  Fields out(at.count);
  for (std::size_t i = 0; i < at.count; ++i) {
    out[i] = {{numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2]}, numbers[4 * i + 3]};
  }
  return out;
}

inline Fields by_bins(const Case& where, const Bodies& sources, const Cuts& cuts,
                      const Bodies* targets = nullptr, int times = 1) {
  const auto& [place, precision] = where;
  if (place == Place::device) return on_device(sources, targets, precision, cuts, times);
  return precision == Precision::f32 ? on_host<float>(sources, targets, precision, cuts, times)
                                     : on_host<double>(sources, targets, precision, cuts, times);
}

inline Fields by_reference(const Bodies& sources, double softening, const Bodies* targets = nullptr,
                           bool magnitudes = false) {
  const Bodies& at = targets == nullptr ? sources : *targets;
  std::vector<double> strength = strengths_of(sources);
  if (magnitudes) {
    for (double& s : strength) s = std::abs(s);
  }
  std::vector<double> x(at.size()), y(x), z(x), potential(x);
  const BodiesView<Host<double>> from{sources.size(), sources.x().data(), sources.y().data(),
                                      sources.z().data(), strength.data()};
  const BodiesView<Host<double>> to{at.size(), at.x().data(), at.y().data(), at.z().data()};
  const Field<Host<double>> field{x.data(), y.data(), z.data(), potential.data()};
  ReferenceSolver reference(softening);
  targets == nullptr ? reference.add_self_field(from, field) : reference.add_field(from, to, field);
  Fields out(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) out[i] = {{x[i], y[i], z[i]}, potential[i]};
  return out;
}

inline double largest_of(const Fields& fields) {
  double largest = 0;
  for (const PointField& f : fields) largest = std::max(largest, norm(f.field));
  return largest;
}

// Rounding alone, as for all pairs: see direct_opencl.cpp.
inline double rounding(const Case& where) {
  return std::get<1>(where) == Precision::f64 ? 2e-14 : 2e-6;
}

inline void expect_equal(const Fields& got, const Fields& expected, const Fields& magnitudes,
                         double tolerance) {
  const double largest = largest_of(expected);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_LE(norm(got[i].field - expected[i].field), tolerance * largest) << "body " << i;
    EXPECT_LE(std::abs(got[i].potential - expected[i].potential),
              tolerance * magnitudes[i].potential)
        << "potential of body " << i;
  }
}

// For every body: Σ over far bins of |s|·3 b²/(R−b)⁴ with b the extent about the centre and R its
// distance, which is what the expansion of 1/r leaves out behind the dipole.
inline std::vector<double> expansion_bounds(const Bodies& bodies, const BinsGrid<double>& grid) {
  struct Bin {
    std::vector<std::size_t> members;
    Vec3 centre;
    double size = 0, extent = 0;
  };
  const auto& strength = strengths_of(bodies);
  std::map<std::size_t, Bin> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    all[grid.bin_of(bodies.x()[i], bodies.y()[i], bodies.z()[i])].members.push_back(i);
  }
  for (auto& [number, bin] : all) {
    Vec3 moment;
    for (const std::size_t i : bin.members) {
      bin.size += std::abs(strength[i]), moment += std::abs(strength[i]) * bodies.position(i);
    }
    bin.centre = moment / bin.size;
    for (const std::size_t i : bin.members) {
      bin.extent = std::max(bin.extent, norm(bodies.position(i) - bin.centre));
    }
  }
  std::vector<double> bounds(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const NearRows near(grid, grid.bin_of(bodies.x()[i], bodies.y()[i], bodies.z()[i]));
    for (const auto& [number, bin] : all) {
      const auto holds = [b = number](const NearRows::Row& r) { return r.begin <= b && b < r.end; };
      if (bin.size == 0 || std::any_of(near.rows.begin(), near.rows.begin() + near.count, holds)) {
        continue;
      }
      const double closest = norm(bodies.position(i) - bin.centre) - bin.extent;
      bounds[i] += closest > 0 ? 3 * bin.size * bin.extent * bin.extent / std::pow(closest, 4)
                               : std::numeric_limits<double>::infinity();
    }
  }
  return bounds;
}

#define NEED_PLACE() \
  if (std::get<0>(GetParam()) == Place::device) APSIS_NEED_DEVICE()

}  // namespace apsis::bins_test
