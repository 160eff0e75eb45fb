// SPDX-License-Identifier: MIT
// What charts of analyses have in common: titles, units on axes, bodies seen from one side.
#pragma once

#include <apsis/measure/analysis_charts.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// "cluster.csv: TITLE", and below it how many bodies, which time, which units.
Chart titled(const ChartSubject& subject, const std::string& title);

// "radius [kpc]"; without the brackets where units have no name.
std::string with_unit(const std::string& quantity, const std::string& unit);
Axis length_axis(const ChartSubject& subject, const std::string& quantity);
Axis time_axis(const ChartSubject& subject);

// Every k-th of so many, at most `most`: a picture of 3,000 dots shows where a million bodies are.
inline constexpr std::size_t most_dots = 3000;
std::vector<std::size_t> every_kth(std::size_t count, std::size_t most = most_dots);

std::vector<std::size_t> some_of(std::span<const std::size_t> numbers,
                                 std::size_t most = most_dots);

// What of the values a picture shows: a margin about all but the outermost hundredths, so that
// runaways do not make a point of the rest.
struct Window {
  double low = -1, high = 1;
};
Window window_of(std::vector<double> values);
void set(Axis& axis, Window window);

// Two of the three components: 0 is x.
using Side = std::array<std::size_t, 2>;
double component(Vec3 v, std::size_t k);

// Places as seen along the third axis, in an equal scale about all of them.
Panel projection(const ChartSubject& subject, Side side);
void set_window(Panel& panel, const Bodies& bodies, Side side);
Series dots(const Bodies& bodies, std::span<const std::size_t> numbers, Side side);

}  // namespace apsis
