// SPDX-License-Identifier: MIT
// The other ways to sum of the solver `bins`: adding all bins and taking the near ones off again,
// and a work-item for each bin. They compute what the usual way computes, to the digits that adding
// and taking off leave.
#include "bins_support.hpp"
#include "files/expect_error.hpp"
#include <apsis/core/random.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace apsis {
namespace {

using namespace bins_test;
using testing::HasSubstr;

struct Way {
  Place place;
  BinsSum sum;
};
using WayCase = std::tuple<Way, Precision>;

class BinsVariantsTest : public testing::TestWithParam<WayCase> {
 protected:
  Place place() const { return std::get<0>(GetParam()).place; }
  BinsSum sum() const { return std::get<0>(GetParam()).sum; }
  Precision precision() const { return std::get<1>(GetParam()); }
  Case where() const { return {place(), precision()}; }
  Fields by_this(const Bodies& sources, Cuts cuts, const Bodies* targets = nullptr) const {
    cuts.sum = sum();
    return by_bins(where(), sources, cuts, targets);
  }
};

constexpr Way ways[] = {{Place::host, BinsSum::subtracting},
                        {Place::device, BinsSum::subtracting},
                        {Place::device, BinsSum::by_bins}};
std::string name_of_case(const testing::TestParamInfo<WayCase>& info) {
  const auto& [way, precision] = info.param;
  std::string name(variant_of(way.sum).name);
  std::ranges::replace(name, '-', '_');
  return fmt::format("{}_{}_{}", name, way.place == Place::host ? "cpu" : "opencl",
                     name_of(precision));
}
INSTANTIATE_TEST_SUITE_P(Ways, BinsVariantsTest,
                         testing::Combine(testing::ValuesIn(ways),
                                          testing::Values(Precision::f32, Precision::mixed,
                                                          Precision::f64)),
                         name_of_case);

#define NEED_THE_PLACE() \
  if (place() == Place::device) APSIS_NEED_DEVICE()

// What near bins add to a body from afar before it is taken off again: at most its bound for each
// near bin of strength s and dipole d at distance ρ, s/ρ² + 3d/ρ³ of the field and s/ρ + d/ρ² of
// the potential. Of each a rounding stays.
struct Passing {
  double field = 0, potential = 0;
};
std::vector<Passing> passing_by(const Bodies& bodies, const BinsGrid<double>& grid,
                                double softening) {
  struct Bin {
    double size = 0, whole = 0;
    Vec3 moment, absolute;
  };
  const auto& strength = strengths_of(bodies);
  std::map<std::size_t, Bin> bins;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Bin& bin = bins[grid.bin_of(bodies.x()[i], bodies.y()[i], bodies.z()[i])];
    bin.size += std::abs(strength[i]), bin.whole += strength[i];
    bin.moment += strength[i] * bodies.position(i);
    bin.absolute += std::abs(strength[i]) * bodies.position(i);
  }
  std::vector<Passing> out(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const NearRows near(grid, grid.bin_of(bodies.x()[i], bodies.y()[i], bodies.z()[i]));
    for (const auto& [number, bin] : bins) {
      const auto holds = [b = number](const NearRows::Row& r) { return r.begin <= b && b < r.end; };
      if (bin.size == 0 || std::none_of(near.rows.begin(), near.rows.begin() + near.count, holds)) {
        continue;
      }
      const Vec3 centre = bin.absolute / bin.size;
      const double dipole = norm(bin.moment - bin.whole * centre);
      // where rounding decides whether it is the body's place, by how far off it can be
      const double rho = std::max(std::hypot(norm(bodies.position(i) - centre), softening), 1e-7);
      out[i].field += std::abs(bin.whole) / (rho * rho) + 3 * dipole / (rho * rho * rho);
      out[i].potential += std::abs(bin.whole) / rho + dipole / (rho * rho);
    }
  }
  return out;
}

// Bodies in near bins alone, so that nothing is approximated. A rounding for each of the sums that
// the passing numbers take part in: their row, the chunks and the total, coming and going.
void expect_reference(const Fields& got, const Bodies& bodies, const BinsGrid<double>& grid,
                      double softening, double rounding) {
  const Fields expected = by_reference(bodies, softening);
  const Fields magnitudes = by_reference(bodies, softening, nullptr, true);
  const auto passing = passing_by(bodies, grid, softening);
  const double largest = largest_of(expected);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_LE(norm(got[i].field - expected[i].field), rounding * (largest + passing[i].field))
        << "body " << i;
    EXPECT_LE(std::abs(got[i].potential - expected[i].potential),
              rounding * (magnitudes[i].potential + passing[i].potential))
        << "potential of body " << i;
  }
}

TEST_P(BinsVariantsTest, is_exact_where_all_bins_are_near) {
  NEED_THE_PLACE();
  for (const std::size_t n : {0, 1, 2, 3, 63, 64, 65, 1000}) {
    for (const double softening : {0.0, 0.02}) {
      for (const bool charged : {false, true}) {
        for (const int bins : {1, 2}) {
          SCOPED_TRACE(fmt::format("{} bodies, softening {}, charged {}, {} bins", n, softening,
                                   charged, bins));
          const Bodies bodies = awkward_bodies(n, charged, precision());
          expect_reference(by_this(bodies, {{.box = around, .bins = bins}, softening}), bodies,
                           {bins, {-1, -1, -1}, {1, 1, 1}}, softening, rounding(where()));
        }
      }
    }
  }
}

TEST_P(BinsVariantsTest, empty_bins_and_one_that_holds_all_bodies_change_nothing) {
  NEED_THE_PLACE();
  for (const std::size_t n : {1, 5, 65}) {
    for (const double size : {0.0, 0.05}) {  // 0: all in one place
      Bodies bodies = test::random_bodies(n, 3);
      for (std::size_t i = 0; i < n; ++i) {
        bodies.set_position(i, Vec3{0.6, -0.6, 0.1} + size * bodies.position(i));
      }
      bodies = rounded_to(bodies, precision());
      for (const double softening : {0.0, 0.02}) {
        SCOPED_TRACE(fmt::format("{} bodies over {}, softening {}", n, size, softening));
        expect_reference(by_this(bodies, {{.box = around, .bins = 8}, softening}), bodies,
                         {8, {-1, -1, -1}, {1, 1, 1}}, softening, rounding(where()));
      }
    }
  }
}

TEST_P(BinsVariantsTest, far_bins_err_no_more_than_their_expansion_leaves_out) {
  NEED_THE_PLACE();
  for (const bool charged : {false, true}) {
    const Bodies bodies = awkward_bodies(600, charged, precision());
    const BinsGrid<double> grid(8, {-1, -1, -1}, {1, 1, 1});
    const auto bounds = expansion_bounds(bodies, grid);
    const auto passing = passing_by(bodies, grid, 0.02);
    const Fields expected = by_reference(bodies, 0.02);
    const Fields got = by_this(bodies, {{.box = around, .bins = 8}});
    const double largest = largest_of(expected);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_LE(norm(got[i].field - expected[i].field),
                bounds[i] + rounding(where()) * (largest + passing[i].field))
          << "body " << i;
    }
  }
}

TEST_P(BinsVariantsTest, two_sets_act_on_each_other_as_in_the_usual_way) {
  NEED_THE_PLACE();
  const Bodies sources = awkward_bodies(200, false, precision());
  Bodies targets = rounded_to(test::random_bodies(77, 5), precision());
  targets.set_position(3, sources.position(8));
  const Cuts cuts{{.box = around, .bins = 6}};
  const Fields expected = by_reference(sources, 0.02, &targets);
  const Fields usual = by_bins(where(), sources, cuts, &targets);
  const Fields got = by_this(sources, cuts, &targets);
  // nobody of either set is nearer to a centre than the softening: what passes by is a few
  // strengths over its square
  const double passing = sum() == BinsSum::subtracting ? 10 / (0.02 * 0.02) : 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    EXPECT_LE(norm(got[i].field - usual[i].field),
              rounding(where()) * (largest_of(expected) + passing))
        << "body " << i;
  }
}

// A thousand bodies all over the box, another thousand in one of its 64 bins, and one more a
// thousandth beside the centre of these.
Bodies beside_a_centre(Precision precision) {
  constexpr std::size_t n = 1000;
  Bodies bodies(2 * n + 1);
  Vec3 centre;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    BodyRandom random(5, i);
    const double low = i < n ? 0.55 : -1, high = i < n ? 0.95 : 1;
    const double x = random.uniform(low, high), y = random.uniform(low, high);
    bodies.mass[i] = 1;
    bodies.set_position(i, {x, y, random.uniform(low, high)});
    if (i < n) centre += bodies.position(i) / static_cast<double>(n);
  }
  bodies.mass[2 * n] = 1;
  bodies.set_position(2 * n, centre + Vec3{1e-3, 0, 0});
  return rounded_to(bodies, precision);
}

TEST_P(BinsVariantsTest, digits_are_lost_beside_the_centre_of_the_own_bin_by_subtracting_alone) {
  NEED_THE_PLACE();
  const Bodies bodies = beside_a_centre(precision());
  const Cuts cuts{{.box = around, .bins = 4}, 0.0};
  const Vec3 exact = by_bins({Place::host, Precision::f64}, bodies, cuts).back().field;
  const auto error = [&](const Fields& fields) {
    return norm(fields.back().field - exact) / norm(exact);
  };
  const double usual = error(by_bins(where(), bodies, cuts)), own = error(by_this(bodies, cuts));
  // a sum of a thousand pulls that partly cancel
  EXPECT_LE(usual, 10 * rounding(where()));
  if (sum() == BinsSum::subtracting && precision() == Precision::f32) {
    // 1000/(1e-3)² comes and goes, which is some 1e6 times the pull of the others
    EXPECT_GT(own, 1e-3);
    EXPECT_LE(own, 1e6 * rounding(where()));
  } else if (sum() == BinsSum::subtracting) {
    // of mixed precision the sums of chunks are doubles: only a row of bins loses digits
    EXPECT_GT(own, 3 * usual);
    EXPECT_LE(own, 1e6 * rounding(where()));
  } else {
    EXPECT_LE(own, 10 * rounding(where()));
  }
}

TEST_P(BinsVariantsTest, degenerate_bodies_give_finite_fields) {
  NEED_THE_PLACE();
  for (const double size : {0.0, 1e-7, 1.0}) {
    for (const bool charged : {false, true}) {
      Bodies bodies = test::random_bodies(50, 3, charged);
      for (std::size_t i = 1; i < 50; ++i) bodies.set_position(i, size * bodies.position(i));
      for (const double softening : {0.0, 0.02}) {
        for (const PointField& f :
             by_this(rounded_to(bodies, precision()), {{.box = {}, .bins = 7}, softening})) {
          EXPECT_TRUE(std::isfinite(dot(f.field, f.field)) && std::isfinite(f.potential));
        }
      }
    }
  }
}

TEST_P(BinsVariantsTest, threads_change_no_bit) {
  NEED_THE_PLACE();
  const Bodies bodies = awkward_bodies(1000, true, precision());
  Cuts cuts{{.box = around, .bins = 8}, 0.02};
  const Fields got = by_this(bodies, cuts);
  cuts.threads = 3;
  EXPECT_EQ(by_this(bodies, cuts), got);
}

// What a checker that interprets kernels has time for.
TEST(BinsOpenclSmallVariants, of_few_bodies_agree_with_the_reference) {
  APSIS_NEED_DEVICE();
  const Case device{Place::device, Precision::f32};
  const Bodies bodies = awkward_bodies(65, true, Precision::f32);
  for (const BinsSum sum : {BinsSum::subtracting, BinsSum::by_bins}) {
    const Cuts cuts{{.box = around, .bins = 2}, 0.02, 1, sum, sum == BinsSum::by_bins ? 5U : 0U};
    expect_reference(by_bins(device, bodies, cuts), bodies, {2, {-1, -1, -1}, {1, 1, 1}}, 0.02,
                     rounding(device));
  }
}

TEST(BinsVariants, a_work_item_a_bin_gives_the_bits_of_one_a_body_in_any_number_of_launches) {
  APSIS_NEED_DEVICE();
  const Bodies bodies = awkward_bodies(700, true, Precision::f32);
  const Bodies targets = rounded_to(test::random_bodies(77, 5, true), Precision::f32);
  for (const int bins : {1, 3, 8}) {
    Cuts cuts{{.box = around, .bins = bins}};
    const Case device{Place::device, Precision::f32};
    const Fields usual = by_bins(device, bodies, cuts);
    const Fields of_two = by_bins(device, bodies, cuts, &targets);
    cuts.sum = BinsSum::by_bins;
    for (const std::size_t most : {0, 1, 7, 1000}) {
      cuts.targets_a_launch = most;
      EXPECT_EQ(by_bins(device, bodies, cuts), usual) << bins << " bins, " << most << " a launch";
      EXPECT_EQ(by_bins(device, bodies, cuts, &targets), of_two);
    }
  }
}

TEST(BinsVariants, go_by_names_and_others_are_refused_with_those_that_there_are) {
  EXPECT_EQ(bins_sum_named("", true), BinsSum::skipping);
  for (const BinsVariant& variant : bins_variants) {
    EXPECT_EQ(bins_sum_named(std::string(variant.name), false), variant.sum);
    EXPECT_EQ(variant_of(variant.sum).name, variant.name);
  }
  EXPECT_EQ(bins_sum_named("subtract", true), BinsSum::subtracting);
  const auto refused = [](const char* name, bool on_cpu) {
    return error_text(ExitCode::bad_data, [&] { bins_sum_named(name, on_cpu); });
  };
  EXPECT_THAT(refused("bin-an-item", true), HasSubstr("'bin-an-item' on the native cpu"));
  EXPECT_THAT(refused("bin-an-item", true), HasSubstr("with device opencl"));
  EXPECT_THAT(refused("substract", false), HasSubstr("did you mean 'subtract'"));
  EXPECT_THAT(refused("substract", false), HasSubstr("cells, subtract or bin-an-item"));
}

}  // namespace
}  // namespace apsis
