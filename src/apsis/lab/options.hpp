// SPDX-License-Identifier: MIT
// What a user can ask a lesson for; the names are those of the source documents.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apsis::lab {

// A product of rows × inner and inner × columns.
struct MatrixShape {
  std::int64_t rows = 0, inner = 0, columns = 0;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

struct LabOptions {
  std::vector<std::uint64_t> bodies;  // empty: the lesson's own, by the speed of the device
  std::vector<std::string> devices;   // empty: the native cpu and every OpenCL device
  std::optional<bool> reuse;          // through local memory; both where nothing is said
  std::vector<std::int64_t> unroll;   // factors; empty: the lesson's own
  std::optional<std::int64_t> group;  // work-items a work-group
  std::optional<std::int64_t> steps;  // that count; default: 10, fewer where each takes long
  std::int64_t warmup = 3;            // steps before those
  int threads = 0;                    // of the native cpu; 0: all
  std::vector<MatrixShape> shapes;    // of the matrix lesson; empty: its own
  std::string left_file, right_file;  // matrices of the user's own; both or none
  std::string kernel_dir;             // edited kernels, measured beside the built-in ones
  std::vector<std::string> kernels;   // files with whole-step kernels of the user's own
  double time_limit = 60;             // seconds that a trial of one of them may take
  // The program that makes such trials in a process of its own; empty: this process does.
  std::vector<std::string> trial_program;
  std::function<bool()> stop_requested;  // asked during a trial
  bool quick = false;                    // all lessons in less than a minute
  std::vector<std::string> given;        // options that the user gave
};

// "17x31x5": rows × inner × columns. wrong_usage for anything else.
MatrixShape shape_from(const std::string& text);
// "3x2" and "2x5", the two matrices; wrong_usage where the columns of the left are not the rows of
// the right.
MatrixShape shape_of_product(const std::string& left, const std::string& right);
std::string to_string(const MatrixShape& shape);  // "17x31x5"

}  // namespace apsis::lab
