// SPDX-License-Identifier: MIT
// With at most four columns every choice of those that may be above zero can be tried: the best one
// without a coefficient below zero is the answer, without a word on convergence.
#include <apsis/measure/scaling_squares.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace apsis {
namespace {

using Columns = std::vector<std::vector<double>>;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Gram and Schmidt on the chosen columns, which have length 1; nothing where one of them follows
// from the others.
std::optional<std::vector<double>> least_squares(const Columns& columns,
                                                 const std::vector<double>& values) {
  constexpr double independent = 1e-6;
  const std::size_t n = columns.size();
  Columns directions;
  Columns triangle(n, std::vector<double>(n, 0));
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<double> rest = columns[c];
    for (std::size_t d = 0; d < c; ++d) {
      triangle[d][c] = dot(directions[d], rest);
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= triangle[d][c] * directions[d][i];
    }
    triangle[c][c] = std::sqrt(dot(rest, rest));
    if (!(triangle[c][c] > independent)) return std::nullopt;
    for (double& value : rest) value /= triangle[c][c];
    directions.push_back(std::move(rest));
  }
  std::vector<double> out(n);
  for (std::size_t c = n; c-- > 0;) {
    double rest = dot(directions[c], values);
    for (std::size_t d = c + 1; d < n; ++d) rest -= triangle[c][d] * out[d];
    out[c] = rest / triangle[c][c];
  }
  return out;
}

double squared_error(const Columns& columns, const std::vector<double>& coefficients,
                     std::vector<double> values) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= coefficients[c] * columns[c][i];
  }
  return dot(values, values);
}

}  // namespace

std::vector<double> nonnegative_least_squares(const std::vector<Equation>& equations,
                                              std::size_t columns) {
  assert(columns <= 4);
  Columns scaled(columns);
  std::vector<double> values, lengths(columns, 0), best(columns, 0);
  for (const Equation& equation : equations) {
    values.push_back(equation.weight * equation.value);
    for (std::size_t c = 0; c < columns; ++c) {
      scaled[c].push_back(equation.weight * equation.columns[c]);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    lengths[c] = std::sqrt(dot(scaled[c], scaled[c]));
    for (double& value : scaled[c]) value /= lengths[c] > 0 ? lengths[c] : 1;
  }
  double least = dot(values, values);
  for (unsigned chosen = 1; chosen < 1U << columns; ++chosen) {
    Columns some;
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < columns; ++c) {
      if ((chosen >> c & 1U) != 0) some.push_back(scaled[c]), places.push_back(c);
    }
    const auto found = least_squares(some, values);
    if (!found || *std::min_element(found->begin(), found->end()) < 0) continue;
    const double error = squared_error(some, *found, values);
    if (!(error < least)) continue;
    least = error;
    std::fill(best.begin(), best.end(), 0);
    for (std::size_t p = 0; p < places.size(); ++p) {
      best[places[p]] = (*found)[p] / lengths[places[p]];
    }
  }
  return best;
}

}  // namespace apsis
