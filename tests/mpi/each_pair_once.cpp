// SPDX-License-Identifier: MIT
// Started by mpirun: the half ring around a solver that only counts. Every body must be told of
// every other one, and over all ranks each pair must be met once. Prints what is wrong, exits 1.
#include <apsis/io/state_parts.hpp>
#include <apsis/mpi/rank_solvers.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

namespace apsis {
namespace {

class CountingSolver final : public Solver<Host<double>> {
 public:
  explicit CountingSolver(double& pairs) : pairs_(pairs) {}

  void add_field(const Bodies&, const Bodies&, const FieldOf&) override {
    pairs_ = -1e300;  // nobody shall meet one side alone
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    const auto n = static_cast<double>(bodies.count);
    pairs_ += n * (n - 1) / 2;
    for (std::size_t i = 0; i < bodies.count; ++i) field.x[i] += n - 1;
  }
  void add_mutual_field(const Bodies& a, const Bodies& b, const FieldOf& field_a,
                        const FieldOf& field_b) override {
    const auto of_a = static_cast<double>(a.count), of_b = static_cast<double>(b.count);
    pairs_ += of_a * of_b;
    for (std::size_t i = 0; i < a.count; ++i) field_a.x[i] += of_b;
    for (std::size_t i = 0; i < b.count; ++i) field_b.x[i] += of_a;
  }
  std::string name() const override { return "counting"; }
  std::string variant() const override { return ""; }

 private:
  double& pairs_;
};

bool is_right(mpi::Communicator& ranks, std::size_t n) {
  const mpi::Blocks blocks{even_parts(n, static_cast<std::size_t>(ranks.size()))};
  const std::size_t own = blocks.of(ranks.rank());
  mpi::EvaluationRecord record;
  double pairs = 0;
  const auto ring =
      mpi::ring_of<double>({ranks, blocks, std::make_unique<CountingSolver>(pairs), record});
  const std::vector<double> zeros(own);
  std::vector<double> x(own), y(own), z(own);
  ring->add_self_field({own, zeros.data(), zeros.data(), zeros.data(), zeros.data()},
                       {.x = x.data(), .y = y.data(), .z = z.data()});
  bool right = !record.failure;
  for (const double partners : x) right = right && partners == static_cast<double>(n) - 1;

  const auto all_ranks = static_cast<std::size_t>(ranks.size());
  std::vector<double> all(all_ranks);
  ranks.gather_at_all(std::as_bytes(std::span(&pairs, 1)), std::vector(all_ranks, sizeof pairs),
                      std::as_writable_bytes(std::span(all)));
  double sum = 0, most = 0;
  for (const double of_rank : all) sum += of_rank, most = std::max(most, of_rank);
  const double expected = n == 0 ? 0 : static_cast<double>(n) * (static_cast<double>(n) - 1) / 2;
  // and as evenly as blocks of whole bodies can be
  const bool even = n < 100 || most * static_cast<double>(all_ranks) < 1.1 * expected;
  return right && sum == expected && even;
}

}  // namespace
}  // namespace apsis

int main() {
  apsis::mpi::Communicator ranks;
  int wrong = 0;
  for (const std::size_t n : {0, 1, 2, 3, 5, 17, 100, 1001, 40003}) {
    if (apsis::is_right(ranks, n)) continue;
    fmt::print(stderr, "rank {} of {}: wrong with {} bodies\n", ranks.rank(), ranks.size(), n);
    wrong = 1;
  }
  return ranks.largest(wrong);
}
