// SPDX-License-Identifier: MIT
// The options that bench and check share.
#pragma once

#include <apsis/measure/bench.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis::cli {

struct BenchArguments {
  BenchOptions options;
  std::vector<std::string> precisions = {"f32"};
  std::vector<std::string> devices = {"auto"};  // each by itself; one word may name several
  std::vector<std::string> variants;            // empty: the fastest known
  std::vector<std::string> reuse;               // on, off: variants with local memory and without
  std::vector<std::int64_t> unrolls;            // empty: the variant's own
  std::vector<int> threads = {0};
  std::string masses;       // empty: the model's own
  std::vector<double> box;  // empty: that of the bodies
  std::optional<double> softening_squared;
  bool json = false;
};

void add_bench_options(CLI::App& command, BenchArguments& arguments);
// Those of them that say what is computed, and how often `what` happens.
void add_input_options(CLI::App& command, BenchArguments& arguments);
void add_repeat_options(CLI::App& command, BenchArguments& arguments, const std::string& what);
void add_file_option(CLI::App& command, BenchArguments& arguments);

// What the library gets: names turned into choices, the first device, variant, unroll factor and
// number of threads.
BenchOptions options_from(const BenchArguments& arguments);
// The same where lists make no sense: wrong_usage where `what` was given one.
BenchOptions single_options_from(const BenchArguments& arguments, const std::string& what);
// One for every device, precision, variant, unroll factor and number of threads.
std::vector<BenchOptions> each_options_from(const BenchArguments& arguments);

// "direct, f32, cpu (native x86-64-v4), 2 threads, 16384 bodies (uniform, spread), softening 0.01"
std::string heading(const BenchResult& result);

// What auto chose, on stderr.
void print_notices(std::span<const BenchResult> results);

// Throws numbers_went_bad for the first result that is not good enough.
void require_good(std::span<const BenchResult> results);

}  // namespace apsis::cli
