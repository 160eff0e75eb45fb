// SPDX-License-Identifier: MIT
#include <apsis/lab/matmul_tables.hpp>

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace apsis::lab {
namespace {

std::string column_key(std::int64_t column) { return fmt::format("c{}", column); }

}  // namespace

bool is_printed(const MatrixShape& shape) {
  return shape.rows <= most_printed_rows && shape.columns <= most_printed_columns;
}

ResultTable times_table() {
  return {
      "results",
      "Products of rows x inner x columns; end to end counts the copies",
      {{"device", "device", "where it ran", Look::text},
       {"kind", "", "native, or an OpenCL device's: cpu, gpu", Look::text},
       {"element", "element", "int or float", Look::text},
       {"shape", "shape", "rows x inner x columns", Look::text},
       {"operations", "", "multiplications and additions", Look::whole},
       {"variant", "kernel", "how the product is taken", Look::text},
       {"steps", "", "products that count", Look::whole},
       {"seconds", "end to end", "seconds from host memory to host memory, median", Look::seconds},
       {"seconds_deviation", "±", "seconds, standard deviation of the former", Look::seconds},
       {"seconds_kernel", "kernels", "seconds by the device's clock, median", Look::seconds},
       {"seconds_kernel_deviation", "", "seconds, standard deviation of the former", Look::seconds},
       {"gops", "GOP/s kernels", "1e9 multiplications and additions a second by kernel time",
        Look::rate},
       {"error", "error", "largest error relative to the sum of |a||b|", Look::error},
       {"waited", "", "seconds that threads waited for a core for every second of the row",
        Look::ratio},
       {"complaint", "", "why the product is wrong", Look::text}}};
}

ResultTable index_table(const MatrixShape& shape) {
  return {
      "index",
      fmt::format("Who computes what of c = a b, {}: work-item, index, element", to_string(shape)),
      {{"item", "work-item", "get_global_id(0) in a 1-D index space", Look::whole},
       {"index", "index", "of the element of c, which lies row by row", Look::whole},
       {"row", "row", "index / columns; get_global_id(1) in a 2-D space along rows", Look::whole},
       {"column", "column", "index % columns; get_global_id(0) in a 2-D space along rows",
        Look::whole},
       {"item_2d", "2-D item", "(get_global_id(0), get_global_id(1)) along rows", Look::text},
       {"element", "computes", "the element, and what of a and b it reads", Look::text}}};
}

void add_index_rows(Recorder& recorder, std::size_t table, const MatrixShape& shape) {
  for (std::int64_t item = 0; item < shape.rows * shape.columns; ++item) {
    const std::int64_t row = item / shape.columns, column = item % shape.columns;
    recorder.add(table, {{"item", static_cast<double>(item)},
                         {"index", static_cast<double>(item)},
                         {"row", static_cast<double>(row)},
                         {"column", static_cast<double>(column)},
                         {"item_2d", fmt::format("({}, {})", column, row)},
                         {"element",
                          fmt::format("c[{0}][{1}]: row {0} of a, column {1} of b", row, column)}});
  }
}

ResultTable product_table(const MatrixShape& shape, const std::string& who) {
  std::vector<Column> columns{{"row", "row", "of the product", Look::whole}};
  for (std::int64_t j = 0; j < shape.columns; ++j) {
    columns.push_back(
        {column_key(j), column_key(j), "element of the product in this column", Look::text});
  }
  return {"product", fmt::format("c = a b, {}, {}", to_string(shape), who), std::move(columns)};
}

template <class Element>
void add_product_rows(Recorder& recorder, std::size_t table, const MatrixShape& shape,
                      const std::vector<Element>& product) {
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    std::vector<std::string> keys;
    for (std::int64_t j = 0; j < shape.columns; ++j) keys.push_back(column_key(j));
    ResultTable::Entries entries{{"row", static_cast<double>(i)}};
    for (std::int64_t j = 0; j < shape.columns; ++j) {
      const Element value = product[static_cast<std::size_t>(i * shape.columns + j)];
      entries.emplace_back(keys[static_cast<std::size_t>(j)],
                           std::is_integral_v<Element>
                               ? fmt::format("{}", value)
                               : fmt::format("{:.6g}", static_cast<double>(value)));
    }
    recorder.add(table, entries);
  }
}

template void add_product_rows(Recorder&, std::size_t, const MatrixShape&, const std::vector<int>&);
template void add_product_rows(Recorder&, std::size_t, const MatrixShape&,
                               const std::vector<float>&);

}  // namespace apsis::lab
