// SPDX-License-Identifier: MIT
// The solver `bins`, native and on the first OpenCL device, by the same claims: exact where all
// bins are near, one body with a dipole where they are not, and every body in exactly one bin.
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/bins/bins_host.hpp>
#include <apsis/solvers/bins/bins_opencl.hpp>
#include <apsis/solvers/reference.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace apsis {
namespace {

enum class Place { host, device };
using Case = std::tuple<Place, Precision>;
constexpr std::array<double, 6> around{-1, 1, -1, 1, -1, 1};  // every ball of random_bodies

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
};

Bodies rounded_to(Bodies b, Precision precision) {
  if (precision != Precision::f32) return b;
  for (const std::span<double> column :
       {b.positions.values(), std::span(b.mass), std::span(b.charge)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
  return b;
}

// Some in one place, some without mass or charge, signs mixed.
Bodies awkward_bodies(std::size_t n, bool charged, Precision precision) {
  Bodies b = test::random_bodies(n, 11, charged);
  for (std::size_t i = 7; i < n; i += 16) b.set_position(i, b.position(i - 3));
  for (std::size_t i = 5; i < n; i += 11) (charged ? b.charge : b.mass)[i] = 0;
  return rounded_to(b, precision);
}

const std::vector<double>& strengths_of(const Bodies& b) {
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
      {with_number(cuts.bins, sources.size()), cuts.softening, cuts.threads, precision});
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

Fields on_device(const Bodies& sources, const Bodies* targets, Precision precision,
                 const Cuts& cuts, int times) {
  const Law law = sources.charged() ? Law::coulomb : Law::gravity;
  const test::DeviceBodies from(sources, law, precision);
  const test::DeviceBodies at(targets == nullptr ? sources : *targets, law, precision);
  PartialSums sums;
  sums.padded = at.padded;
  // not freed: to oclgrind 21.10, buffers that come where others were hold nothing
  static auto& solvers = *new std::vector<std::unique_ptr<Solver<Device>>>;
  solvers.push_back(make_bins_opencl(
      test::context(), {with_number(cuts.bins, sources.size()), cuts.softening, precision}));
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

Fields by_bins(const Case& where, const Bodies& sources, const Cuts& cuts,
               const Bodies* targets = nullptr, int times = 1) {
  const auto& [place, precision] = where;
  if (place == Place::device) return on_device(sources, targets, precision, cuts, times);
  return precision == Precision::f32 ? on_host<float>(sources, targets, precision, cuts, times)
                                     : on_host<double>(sources, targets, precision, cuts, times);
}

Fields by_reference(const Bodies& sources, double softening, const Bodies* targets = nullptr,
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

double largest_of(const Fields& fields) {
  double largest = 0;
  for (const PointField& f : fields) largest = std::max(largest, norm(f.field));
  return largest;
}

// Rounding alone, as for all pairs: see direct_opencl.cpp.
double rounding(const Case& where) { return std::get<1>(where) == Precision::f64 ? 2e-14 : 2e-6; }

void expect_equal(const Fields& got, const Fields& expected, const Fields& magnitudes,
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

void expect_exact_where_all_is_near(const Case& where, std::size_t n, double softening,
                                    bool charged, const std::vector<int>& numbers = {1, 2}) {
  SCOPED_TRACE(fmt::format("{} bodies, softening {}, charged {}", n, softening, charged));
  const Bodies bodies = awkward_bodies(n, charged, std::get<1>(where));
  const Fields expected = by_reference(bodies, softening);
  const Fields magnitudes = by_reference(bodies, softening, nullptr, true);
  for (const int bins : numbers) {
    const Cuts cuts{{.box = {}, .bins = bins}, softening};
    expect_equal(by_bins(where, bodies, cuts), expected, magnitudes, rounding(where));
  }
}

#define NEED_PLACE() \
  if (std::get<0>(GetParam()) == Place::device) APSIS_NEED_DEVICE()

const auto precisions = testing::Values(Precision::f32, Precision::mixed, Precision::f64);
std::string case_name(const testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}", std::get<0>(info.param) == Place::host ? "cpu" : "opencl",
                     name_of(std::get<1>(info.param)));
}

class BinsTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Places, BinsTest,
                         testing::Combine(testing::Values(Place::host, Place::device), precisions),
                         case_name);

// A few bodies: also what a checker that interprets kernels has time for.
class BinsOpenclSmallTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Places, BinsOpenclSmallTest,
                         testing::Combine(testing::Values(Place::device), precisions), case_name);

TEST_P(BinsOpenclSmallTest, few_bodies_agree_with_the_reference_and_with_the_native_solver) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  expect_exact_where_all_is_near(GetParam(), 3, 0.0, true, {1});
  expect_exact_where_all_is_near(GetParam(), 65, 0.02, true, {2});
  const Bodies bodies = awkward_bodies(65, true, precision);
  const Cuts cuts{{.box = around, .bins = 4}, 0.0};
  expect_equal(by_bins(GetParam(), bodies, cuts), by_bins({Place::host, precision}, bodies, cuts),
               by_reference(bodies, 0, nullptr, true), rounding(GetParam()));
}

TEST_P(BinsTest, is_exact_where_all_bins_are_near) {
  NEED_PLACE();
  for (const std::size_t n : {1, 2, 3, 63, 64, 65, 1000}) {
    for (const double softening : {0.0, 0.02}) {
      for (const bool charged : {false, true}) {
        expect_exact_where_all_is_near(GetParam(), n, softening, charged);
      }
    }
  }
}

// For every body: Σ over far bins of |s|·3 b²/(R−b)⁴ with b the extent about the centre and R its
// distance, which is what the expansion of 1/r leaves out behind the dipole.
std::vector<double> expansion_bounds(const Bodies& bodies, const BinsGrid<double>& grid) {
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

TEST_P(BinsTest, far_bins_err_no_more_than_their_expansion_leaves_out) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  for (const bool charged : {false, true}) {
    const Bodies bodies = awkward_bodies(600, charged, precision);
    const BinsGrid<double> grid(8, {-1, -1, -1}, {1, 1, 1});
    const auto bounds = expansion_bounds(bodies, grid);
    const Fields expected = by_reference(bodies, 0.02);
    const Fields got = by_bins(GetParam(), bodies, {{.box = around, .bins = 8}});
    double error = 0, largest = largest_of(expected);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double own = norm(got[i].field - expected[i].field);
      EXPECT_LE(own, bounds[i] + rounding(GetParam()) * largest) << "body " << i;
      error = std::max(error, own / norm(expected[i].field));
    }
    EXPECT_GT(error, 1e-4);
  }
}

TEST_P(BinsTest, a_far_bin_of_masses_is_one_body_at_their_centre) {
  NEED_PLACE();
  Bodies bodies(3);
  bodies.mass = {1, 1, 3};
  bodies.set_position(1, {0.75, 0, 0}), bodies.set_position(2, {0.875, 0, 0});
  const Fields got = by_bins(GetParam(), bodies, {{.box = around, .bins = 8}, 0.0});
  const double centre = (0.75 + 3 * 0.875) / 4;
  EXPECT_NEAR(got[0].field.x, 4 / (centre * centre), 1e-5);
  EXPECT_NEAR(got[0].potential, 4 / centre, 1e-5);
}

TEST_P(BinsTest, a_far_bin_of_opposite_charges_is_a_dipole) {
  NEED_PLACE();
  Bodies bodies(3, true);
  bodies.mass = {1, 1, 1};
  bodies.charge = {1, 2, -2};
  bodies.set_position(1, {0.75, 0, 0}), bodies.set_position(2, {0.875, 0.125, 0});
  const Vec3 r{0.8125, 0.0625, 0}, dipole{-0.25, -0.25, 0};
  for (const double softening : {0.0, 0.25}) {
    const double rho = std::sqrt(dot(r, r) + softening * softening), cube = rho * rho * rho;
    const Vec3 field = (1 / cube) * dipole - (3 * dot(dipole, r) / (cube * rho * rho)) * r;
    const Fields got = by_bins(GetParam(), bodies, {{.box = around, .bins = 8}, softening});
    EXPECT_LE(norm(got[0].field - field), 1e-6);
    EXPECT_NEAR(got[0].potential, -dot(dipole, r) / cube, 1e-6);
  }
}

TEST_P(BinsTest, bodies_outside_the_box_count_with_the_bins_at_its_border) {
  NEED_PLACE();
  const Bodies bodies = awkward_bodies(100, false, std::get<1>(GetParam()));
  const Fields expected = by_reference(bodies, 0.02);
  // all of them in the corners of a box beside them, and so near to each other
  const Cuts cuts{{.box = {{0.25, 0.375, 0.25, 0.375, 0.25, 0.375}}, .bins = 2}};
  expect_equal(by_bins(GetParam(), bodies, cuts), expected, expected, rounding(GetParam()));
}

TEST_P(BinsTest, two_sets_act_on_each_other) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  const Bodies sources = awkward_bodies(200, false, precision);
  const Bodies targets = rounded_to(test::random_bodies(77, 5), precision);
  const Fields expected = by_reference(sources, 0.02, &targets);
  expect_equal(by_bins(GetParam(), sources, {{.box = {}, .bins = 2}}, &targets), expected, expected,
               rounding(GetParam()));
  const Cuts fine{{.box = around, .bins = 6}};
  expect_equal(by_bins(GetParam(), sources, fine, &targets),
               by_bins({Place::host, precision}, sources, fine, &targets), expected,
               rounding(GetParam()));
}

TEST_P(BinsTest, places_and_threads_agree) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  const Bodies bodies = awkward_bodies(1000, true, precision);
  const Cuts cuts{{.box = around, .bins = 8}, 0.0};
  const Fields got = by_bins(GetParam(), bodies, cuts);
  expect_equal(got, by_bins({Place::host, precision}, bodies, cuts),
               by_reference(bodies, 0, nullptr, true), rounding(GetParam()));
  for (const int threads : {2, 3}) {
    Cuts other = cuts;
    other.threads = threads;
    EXPECT_EQ(by_bins(GetParam(), bodies, other), got) << threads << " threads";
  }
}

TEST_P(BinsTest, adds_to_what_is_there) {
  NEED_PLACE();
  const Bodies bodies = awkward_bodies(65, false, std::get<1>(GetParam()));
  const Cuts cuts{{.box = around, .bins = 4}};
  Fields twice = by_bins(GetParam(), bodies, cuts, nullptr, 2);
  for (PointField& f : twice) f = {0.5 * f.field, 0.5 * f.potential};
  expect_equal(twice, by_bins(GetParam(), bodies, cuts), by_reference(bodies, 0.02),
               rounding(GetParam()));
}

Bodies stretched(std::size_t n, Vec3 by, double outlier) {
  Bodies b = test::random_bodies(n, 3, true);
  for (std::size_t i = 0; i < n; ++i) {
    b.set_position(i, {by.x * b.x()[i], by.y * b.y()[i], by.z * b.z()[i]});
  }
  if (n > 0) b.x()[0] += outlier;
  return b;
}

TEST_P(BinsTest, degenerate_bodies_give_finite_fields) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  for (const Bodies& shape : {stretched(50, {0, 0, 0}, 0), stretched(50, {1, 0, 0}, 0),
                              stretched(50, {1e-7, 1e-7, 1e-7}, 1), stretched(50, {1, 1, 0}, 1e4),
                              stretched(0, {1, 1, 1}, 0)}) {
    for (const double softening : {0.0, 0.02}) {
      for (const std::optional<int> bins : {std::optional<int>{}, std::optional(7)}) {
        const Fields got = by_bins(GetParam(), rounded_to(shape, precision),
                                   {{.box = {}, .bins = bins}, softening});
        EXPECT_EQ(got.size(), shape.size());
        for (const PointField& f : got) {
          EXPECT_TRUE(std::isfinite(dot(f.field, f.field)) && std::isfinite(f.potential));
        }
      }
    }
  }
}

TEST(Bins, their_number_follows_from_that_of_the_bodies) {
  EXPECT_EQ(bins_for(0), 1);
  EXPECT_EQ(bins_for(32'000), 10);
  EXPECT_EQ(bins_for(320'000), 14);
  EXPECT_EQ(bins_for(std::size_t{1} << 62), most_bins);
}

TEST(Bins, bodies_outside_are_counted_and_told) {
  Bodies bodies(3);
  bodies.set_position(1, {0.5, 0, 0}), bodies.set_position(2, {0, 0, -2});
  EXPECT_EQ(bodies_outside(bodies, around), 1U);
  EXPECT_THAT(outside_notice(1), testing::HasSubstr("a body outside the box"));
  EXPECT_THAT(outside_notice(12), testing::HasSubstr("12 bodies outside the box"));
}

TEST(Bins, every_place_is_in_one_bin) {
  const BinsGrid<float> grid(3, {0, 0, 0}, {3, 3, 0});
  EXPECT_EQ(grid.bin_of(0, 0, 0), 0U);
  EXPECT_EQ(grid.bin_of(3, 3, 0), 8U);
  EXPECT_EQ(grid.bin_of(-1e30F, 1e30F, 7), 6U);
  EXPECT_EQ(grid.bin_of(std::nanf(""), 1.5F, 0), 3U);
}

}  // namespace
}  // namespace apsis
