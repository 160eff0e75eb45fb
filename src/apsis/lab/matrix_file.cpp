// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/lab/matrix_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace apsis::lab {
namespace {

constexpr double largest_int = std::numeric_limits<int>::max();
constexpr const char* remedy =
    "write a row of the matrix a line, with blanks or commas between its numbers";

double number_from(std::string_view word, const std::string& place) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value) ||
      std::abs(value) > std::numeric_limits<float>::max()) {
    constexpr std::size_t longest = 40;
    throw bad_data(
        fmt::format("{}: '{}' is no number that a float holds", place, word.substr(0, longest)),
        remedy);
  }
  return value;
}

// "1, 2 ,3" and "1 2 3" and "1;2;3": a comma or a semicolon ends a number, and blanks do.
std::vector<double> row_from(std::string_view line, const std::string& place) {
  constexpr std::string_view blanks = " \t\r", commas = ",;";
  std::vector<double> row;
  bool wanted = true;  // a number, not a comma
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) break;
    if (commas.find(line.front()) != std::string_view::npos) {
      if (wanted) throw bad_data(fmt::format("{}: a number is missing", place), remedy);
      wanted = true;
      line.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(" \t\r,;"), line.size());
    row.push_back(number_from(line.substr(0, end), place));
    wanted = false;
    line.remove_prefix(end);
  }
  if (wanted && !row.empty()) throw bad_data(fmt::format("{}: a number is missing", place), remedy);
  return row;
}

bool is_whole(double value) { return value == std::rint(value) && std::abs(value) <= largest_int; }

// Σ |a||b| of every element, the largest: int must hold it, and every partial sum then fits.
bool sums_fit_int(const WrittenProduct& product) {
  const auto& [rows, inner, columns] = product.shape;
  std::vector<double> sums(static_cast<std::size_t>(columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::int64_t k = 0; k < inner; ++k) {
      const double a = product.left.values[static_cast<std::size_t>(i * inner + k)];
      for (std::int64_t j = 0; j < columns; ++j) {
        sums[static_cast<std::size_t>(j)] +=
            std::abs(a * product.right.values[static_cast<std::size_t>(k * columns + j)]);
      }
    }
    if (*std::max_element(sums.begin(), sums.end()) > largest_int) return false;
  }
  return true;
}

}  // namespace

WrittenMatrix matrix_from(const std::string& text, const std::string& file) {
  WrittenMatrix matrix;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const std::string place = fmt::format("{}:{}", file, ++number);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (line[line.find_first_not_of(" \t\r")] == '#') continue;
    const std::vector<double> row = row_from(line, place);
    const auto columns = static_cast<std::int64_t>(row.size());
    if (matrix.rows > 0 && columns != matrix.columns) {
      throw bad_data(fmt::format("{}: {} numbers in a row, where the first has {}", place, columns,
                                 matrix.columns),
                     remedy);
    }
    matrix.columns = columns;
    ++matrix.rows;
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  }
  if (matrix.rows == 0) throw bad_data(fmt::format("{} holds no matrix", file), remedy);
  matrix.whole = std::all_of(matrix.values.begin(), matrix.values.end(), is_whole);
  return matrix;
}

WrittenProduct written_product(const std::string& left_file, const std::string& right_file) {
  WrittenProduct product{matrix_from(read_text(left_file), left_file),
                         matrix_from(read_text(right_file), right_file),
                         {},
                         true};
  const WrittenMatrix &a = product.left, &b = product.right;
  if (a.columns != b.rows) {
    throw bad_data(fmt::format("{} is {}x{} and {} is {}x{}: {} columns meet {} rows", left_file,
                               a.rows, a.columns, right_file, b.rows, b.columns, a.columns, b.rows),
                   "the right matrix needs as many rows as the left one has columns");
  }
  product.shape = {a.rows, a.columns, b.columns};
  product.whole = a.whole && b.whole && sums_fit_int(product);
  return product;
}

template <class Element>
Matrices<Element> matrices_of(const WrittenProduct& product) {
  const auto elements = [](const std::vector<double>& values) {
    std::vector<Element> out;
    out.reserve(values.size());
    for (const double value : values) out.push_back(static_cast<Element>(value));
    return out;
  };
  return {product.shape, elements(product.left.values), elements(product.right.values)};
}

template Matrices<int> matrices_of(const WrittenProduct&);
template Matrices<float> matrices_of(const WrittenProduct&);

}  // namespace apsis::lab
