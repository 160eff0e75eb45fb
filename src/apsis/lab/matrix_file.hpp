// SPDX-License-Identifier: MIT
// Inside lab/: matrices that people write into a file: a row a line, numbers with blanks or commas
// between them.
#pragma once

#include <apsis/lab/matmul.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace apsis::lab {

struct WrittenMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values;  // row by row
  bool whole = true;           // all of them are whole numbers that an int holds
};

// bad_data with file and line for what is no matrix; `file` is named in messages. Empty lines and
// those that begin with # are passed over.
WrittenMatrix matrix_from(const std::string& text, const std::string& file);

// The two matrices of a product. bad_data where the columns of the left are not the rows of the
// right.
struct WrittenProduct {
  WrittenMatrix left, right;
  MatrixShape shape;
  bool whole = true;  // so that int is exact, and no sum leaves it
};
WrittenProduct written_product(const std::string& left_file, const std::string& right_file);

template <class Element>
Matrices<Element> matrices_of(const WrittenProduct& product);

}  // namespace apsis::lab
