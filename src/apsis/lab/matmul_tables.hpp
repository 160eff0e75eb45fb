// SPDX-License-Identifier: MIT
// Inside lab/: the tables of matrix products: their times, and small ones to look at, which
// work-item computes which element, and a product.
#pragma once

#include <apsis/lab/matmul.hpp>
#include <apsis/lab/recorder.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace apsis::lab {

// Empty, of all columns.
ResultTable times_table();

// Larger products are checked, but not printed.
inline constexpr std::int64_t most_printed_rows = 16, most_printed_columns = 10;
bool is_printed(const MatrixShape& shape);

// Of the elements of the product: the work-item's number in a 1-D index space, and its two in a 2-D
// one, with what it reads.
ResultTable index_table(const MatrixShape& shape);
void add_index_rows(Recorder& recorder, std::size_t table, const MatrixShape& shape);

ResultTable product_table(const MatrixShape& shape, const std::string& who);
template <class Element>
void add_product_rows(Recorder& recorder, std::size_t table, const MatrixShape& shape,
                      const std::vector<Element>& product);

}  // namespace apsis::lab
