// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/measure/chart.hpp>
#include <apsis/measure/energy_chart.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace apsis {
namespace {

// Width and height from the first chunk of a PNG; 0 where it is none.
std::array<int, 2> png_size(const std::vector<std::byte>& png) {
  constexpr unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (png.size() < 24) return {0, 0};
  for (std::size_t i = 0; i < 8; ++i) {
    if (std::to_integer<unsigned char>(png[i]) != signature[i]) return {0, 0};
  }
  const auto big_endian = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value * 256 + std::to_integer<int>(png[at + i]);
    return value;
  };
  return {big_endian(16), big_endian(20)};
}

std::vector<EnergyRow> oscillation() {
  std::vector<EnergyRow> rows(50);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].step = i;
    rows[i].time = 0.1 * static_cast<double>(i);
    rows[i].energies.kinetic = 0.5 + 0.1 * std::sin(rows[i].time);
    rows[i].energies.potential = -1 - 0.1 * std::sin(rows[i].time);
    rows[i].error = 1e-6 * static_cast<double>(i);  // the first is 0, which no logarithm has
  }
  return rows;
}

class DrawnByGnuplot : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  }
};

TEST_F(DrawnByGnuplot, energy_chart_is_a_png_of_the_wanted_size) {
  const DrawnChart drawn = draw(energy_chart(oscillation(), "It's a \"test\"", "yr"));
  EXPECT_EQ(drawn.problem, "");
  EXPECT_EQ(png_size(drawn.picture), (std::array<int, 2>{1280, 800}));
  EXPECT_GT(drawn.picture.size(), 5000U);
}

TEST_F(DrawnByGnuplot, nothing_to_show_is_still_a_picture) {
  for (auto rows :
       {std::vector<EnergyRow>{}, std::vector<EnergyRow>(1), std::vector<EnergyRow>(3)}) {
    const DrawnChart drawn = draw(energy_chart(rows, "empty"));
    EXPECT_EQ(drawn.problem, "");
    EXPECT_EQ(png_size(drawn.picture)[0], 1280);
  }
}

TEST_F(DrawnByGnuplot, values_that_are_no_numbers_are_left_out) {
  Chart chart{.title = "gaps",
              .panels = {{.x = {.label = "x"}, .y = {.label = "y"}, .series = {}}}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  chart.panels[0].series.push_back({.name = "s", .x = {1, 2, 3}, .y = {1, nan, INFINITY}});
  chart.panels[0].series.push_back(
      {.name = "bars", .x = {0, 1}, .y = {2, 1}, .look = Series::Look::bars});
  EXPECT_EQ(draw(chart).problem, "");
}

std::string text_of(const DrawnChart& drawn) {
  std::string text;
  for (const std::byte byte : drawn.picture) text += static_cast<char>(byte);
  return text;
}

Chart two_panels() {
  Panel left{.x = {.label = "x [kpc]", .low = -1, .high = 1},
             .y = {.label = "y [kpc]", .low = -1, .high = 1},
             .series = {},
             .equal_scale = true};
  left.series.push_back(
      {.name = "bodies & <others>", .x = {0, 0.5}, .y = {0, 0.2}, .look = Series::Look::dots});
  Series circles{.name = "circles", .x = {0.1}, .y = {0.2}, .look = Series::Look::circles};
  circles.radius = {0.3};
  left.series.push_back(circles);
  Panel right{.x = {.label = "a", .logarithmic = true}, .y = {.label = "e"}, .series = {}};
  right.series.push_back({.name = "bodies & <others>", .x = {1, 30}, .y = {0.1, 0.2}});
  Chart chart{.title = "two 'panels' & <more>", .panels = {left, right}};
  chart.subtitle = "10 bodies · time 0";
  chart.side_by_side = true;
  return chart;
}

TEST_F(DrawnByGnuplot, a_chart_is_a_png_a_pdf_or_an_svg) {
  const DrawnChart png = draw(two_panels()), pdf = draw(two_panels(), ChartFormat::pdf),
                   svg = draw(two_panels(), ChartFormat::svg);
  EXPECT_EQ(png.problem + pdf.problem + svg.problem, "");
  EXPECT_EQ(png_size(png.picture), (std::array<int, 2>{1280, 800}));
  EXPECT_TRUE(text_of(pdf).starts_with("%PDF-"));
  EXPECT_NE(text_of(pdf).find("%%EOF"), std::string::npos);
  const std::string text = text_of(svg);
  EXPECT_TRUE(text.starts_with("<?xml"));
  EXPECT_NE(text.find("</svg>"), std::string::npos);
  for (const char* word : {"two 'panels' &amp; &lt;more", "10 bodies · time 0", "x [kpc]",
                           "bodies &amp; &lt;others"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(Chart, panels_side_by_side_have_one_key_with_each_name_once) {
  const std::string script = gnuplot_script(two_panels());
  const std::string name = "set label 'bodies & <others>'";
  const auto first = script.find(name);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(script.find(name, first + 1), std::string::npos);
}

// Margins and ranges as the script has them: pixels along x and y for one unit of length.
TEST(Chart, lengths_are_as_long_along_both_axes_where_they_have_one_scale) {
  Chart chart = two_panels();
  chart.panels[0].x.high = 9;  // 10 wide, 2 high
  const std::string script = gnuplot_script(chart);
  const auto number_after = [&](const std::string& words) {
    return std::stod(script.substr(script.find(words) + words.size()));
  };
  const auto range = [&](const std::string& axis) {
    const auto begin = script.find("set " + axis + "range [") + 12;
    const auto middle = script.find(':', begin);
    return std::stod(script.substr(middle + 1)) - std::stod(script.substr(begin));
  };
  const double wide =
      (number_after("set rmargin at screen ") - number_after("set lmargin at screen ")) * 1280;
  const double high =
      (number_after("set tmargin at screen ") - number_after("set bmargin at screen ")) * 800;
  EXPECT_NEAR(range("x"), 10, 1e-9);
  EXPECT_NEAR(wide / range("x"), high / range("y"), 0.01 * wide / range("x"));  // 4 digits
}

TEST(Chart, a_line_with_gaps_ends_where_there_is_no_number) {
  Chart chart{.title = "t", .panels = {{.series = {}}}};
  Series line{.x = {1, 2, NAN, NAN, 3, 4}, .y = {1, 1, 0, 0, 2, 2}};
  chart.panels[0].series = {line};
  EXPECT_NE(gnuplot_script(chart).find("1 1\n2 1\n3 2\n4 2\n"), std::string::npos);
  line.gaps = true;
  chart.panels[0].series = {line};
  EXPECT_NE(gnuplot_script(chart).find("1 1\n2 1\n\n3 2\n4 2\n"), std::string::npos);
}

TEST(Chart, formats_are_known_by_their_endings) {
  EXPECT_EQ(chart_format("a/b.png"), ChartFormat::png);
  EXPECT_EQ(chart_format("b.pdf"), ChartFormat::pdf);
  EXPECT_EQ(chart_format("b.c.svg"), ChartFormat::svg);
  for (const char* name : {"b", "b.jpg", ".png", "b.png~"}) {
    EXPECT_THROW(chart_format(name), Error) << name;
  }
}

TEST(EnergyChart, shows_every_curve_also_where_they_coincide) {
  std::vector<EnergyRow> rows = oscillation();
  for (EnergyRow& row : rows) row.energies.potential = 0;  // total and kinetic are one line
  const Panel panel = energy_chart(rows, "t").panels.front();
  ASSERT_EQ(panel.series.size(), 3U);
  // the one below is wider, the one above has gaps
  EXPECT_GT(panel.series[0].width, panel.series[1].width);
  EXPECT_TRUE(panel.series[2].dashed);
  EXPECT_EQ(panel.series[2].y, panel.series[0].y);

  rows.back().lost = 0.1;
  const Panel with_lost = energy_chart(rows, "t").panels.front();
  ASSERT_EQ(with_lost.series.size(), 5U);
  EXPECT_EQ(with_lost.series[4].name, "total + lost");
  EXPECT_DOUBLE_EQ(with_lost.series[4].y.back(), rows.back().energies.kinetic + 0.1);
}

TEST(EnergyChart, shows_a_single_row_as_points) {
  const Chart chart = energy_chart(std::vector<EnergyRow>(1), "t");
  for (const Series& series : chart.panels.front().series) {
    EXPECT_EQ(series.look, Series::Look::lines_and_points);
  }
  EXPECT_EQ(energy_chart(oscillation(), "t").panels.front().series[0].look, Series::Look::lines);
}

TEST_F(DrawnByGnuplot, error_bars_and_keys_that_are_shared) {
  for (const bool logarithmic : {false, true}) {
    for (const auto look : {Series::Look::lines_and_points, Series::Look::points,
                            Series::Look::bars, Series::Look::lines}) {
      Panel panel{
          .x = {.label = "x"}, .y = {.label = "y", .logarithmic = logarithmic}, .series = {}};
      panel.series.push_back({.x = {1, 2}, .y = {1, 3}, .look = look, .spread = {0.1, 5}});
      panel.series.push_back({.x = {1, 2}, .y = {2, 3}, .look = look, .spread = {NAN, 0}});
      add_shared_key(panel, {"a", "", "b"}, {"only"});
      EXPECT_EQ(panel.series.size(), 4U);
      const Chart chart{.title = "bars", .panels = {panel}};
      EXPECT_EQ(draw(chart).problem, "");
    }
  }
}

TEST(Chart, error_bars_end_above_zero_on_a_logarithmic_axis) {
  Chart chart{.title = "t", .panels = {{.y = {.logarithmic = true}, .series = {}}}};
  chart.panels[0].series.push_back(
      {.x = {1}, .y = {10}, .look = Series::Look::points, .spread = {20}});
  EXPECT_NE(gnuplot_script(chart).find("\n1 10 1 30\n"), std::string::npos);
  chart.panels[0].y.logarithmic = false;
  EXPECT_NE(gnuplot_script(chart).find("\n1 10 -10 30\n"), std::string::npos);
}

TEST(Chart, bars_with_error_bars_keep_their_width) {
  Chart chart{.title = "t", .panels = {{.series = {}}}};
  chart.panels[0].series.push_back(
      {.x = {0}, .y = {10}, .look = Series::Look::bars, .spread = {2}});
  EXPECT_NE(gnuplot_script(chart).find("using 1:2:3:4:(0.7) with boxerrorbars"), std::string::npos);
}

TEST(Chart, script_keeps_quotes_and_line_ends_of_titles_harmless) {
  const Chart chart{.title = "a 'quoted'\nset output '/etc/passwd'", .panels = {}};
  const std::string script = gnuplot_script(chart);
  EXPECT_NE(script.find("'a ''quoted'' set output ''/etc/passwd'''"), std::string::npos);
}

TEST(Chart, without_gnuplot_says_what_to_install) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", "/nonexistent", 1);
  const DrawnChart drawn = draw(energy_chart(oscillation(), "t"));
  setenv("PATH", before.c_str(), 1);
  EXPECT_TRUE(drawn.picture.empty());
  EXPECT_NE(drawn.problem.find("gnuplot-nox"), std::string::npos);
}

}  // namespace
}  // namespace apsis
