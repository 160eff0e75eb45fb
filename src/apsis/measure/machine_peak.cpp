// SPDX-License-Identifier: MIT
#include <apsis/core/clones.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/measure/machine_peak.hpp>
#ifdef APSIS_HAS_HIGHWAY
#include <apsis/measure/machine_peak_simd.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace apsis {
namespace {

// Rounds are short, so that some of them fall between what else runs on the machine, and many.
constexpr int fewest_rounds = 5;
constexpr double usual_seconds = 0.25;

double seconds_of(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The best of many: other programs can only make it slower.
double best_seconds(const std::function<void()>& work) {
  work();
  double best = seconds_of(work), spent = best;
  for (int i = 1; i < fewest_rounds || spent < usual_seconds; ++i) {
    const double seconds = seconds_of(work);
    best = std::min(best, seconds), spent += seconds;
  }
  return best;
}

// Independent chains, enough to hide the latency of a multiply-add (4 to 5 cycles on two units) in
// vectors of up to 64 bytes: 12 of them, which stay in registers.
template <class Real>
struct Chains {
  static constexpr std::size_t lanes = 64 / sizeof(Real), count = 12;
  Real values[count][lanes];
};

template <class Real>
[[gnu::always_inline]] inline void advance(Chains<Real>& chains, std::size_t rounds) {
  Chains<Real> c = chains;
  const Real factor = Real(0.999999), term = Real(1e-6);
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (std::size_t k = 0; k < Chains<Real>::count; ++k) {
#pragma omp simd
      for (std::size_t l = 0; l < Chains<Real>::lanes; ++l) {
        c.values[k][l] = c.values[k][l] * factor + term;
      }
    }
  }
  chains = c;
}

APSIS_CLONES void advance_float(Chains<float>& chains, std::size_t rounds) {
  advance(chains, rounds);
}
APSIS_CLONES void advance_double(Chains<double>& chains, std::size_t rounds) {
  advance(chains, rounds);
}

template <class Real>
double peak_of(void (*advance_chains)(Chains<Real>&, std::size_t), int threads) {
  constexpr std::size_t rounds = 500'000;
  std::vector<Chains<Real>> chains(static_cast<std::size_t>(threads));
  const double seconds = best_seconds([&] {
    parallel_pieces(chains.size(), 1, threads,
                    [&](std::size_t t, std::size_t, int) { advance_chains(chains[t], rounds); });
  });
  return 2.0 * Chains<Real>::count * Chains<Real>::lanes * rounds * threads / seconds;
}

#ifdef APSIS_HAS_HIGHWAY
// The same in the vectors of the solvers' own loops.
double vector_peak(bool in_double, int threads) {
  constexpr std::size_t rounds = 250'000;
  std::vector<double> operations(static_cast<std::size_t>(threads));
  const double seconds = best_seconds([&] {
    parallel_pieces(operations.size(), 1, threads, [&](std::size_t t, std::size_t, int) {
      operations[t] = peak::multiply_adds(in_double, rounds);
    });
  });
  return std::accumulate(operations.begin(), operations.end(), 0.0) / seconds;
}

double bytes_loaded(const float* from, std::size_t count, std::size_t rounds) {
  return peak::loads(from, count, rounds);
}
#else
double vector_peak(bool /*in_double*/, int /*threads*/) { return 0; }

APSIS_CLONES double bytes_loaded(const float* from, std::size_t count, std::size_t rounds) {
  float sum = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += from[i];
    // the next round is another sum
    asm volatile("" : "+m"(*const_cast<float*>(from)));
  }
  volatile float seen = sum;
  static_cast<void>(seen);
  return sizeof(float) * static_cast<double>(count) * static_cast<double>(rounds);
}
#endif

}  // namespace

double peak_flops(bool in_double, int threads) {
  const int count = thread_count(threads);
  const double by_compiler =
      in_double ? peak_of(&advance_double, count) : peak_of(&advance_float, count);
  return std::max(by_compiler, vector_peak(in_double, count));
}

double cache_bandwidth(int threads) {
  constexpr std::size_t floats = 4096, rounds = 4000;
  struct alignas(64) Block {
    float values[floats];
  };
  const int count = thread_count(threads);
  std::vector<Block> blocks(static_cast<std::size_t>(count));
  std::vector<double> bytes(blocks.size());
  const double seconds = best_seconds([&] {
    parallel_pieces(blocks.size(), 1, count, [&](std::size_t t, std::size_t, int) {
      bytes[t] = bytes_loaded(blocks[t].values, floats, rounds);
    });
  });
  return std::accumulate(bytes.begin(), bytes.end(), 0.0) / seconds;
}

double memory_bandwidth(int threads) {
  constexpr std::size_t values = std::size_t{1} << 24;  // 128 MiB an array
  const int count = thread_count(threads);
  std::vector<double> a(values), b(values, 1), c(values, 2);
  double* to = a.data();
  const double *x = b.data(), *y = c.data();
  const double seconds = best_seconds([&] {
    parallel_pieces(values, values / static_cast<std::size_t>(count) + 1, count,
                    [=](std::size_t begin, std::size_t end, int) {
#pragma omp simd
                      for (std::size_t i = begin; i < end; ++i) to[i] = x[i] + 0.5 * y[i];
                    });
  });
  return 3.0 * sizeof(double) * static_cast<double>(values) / seconds;
}

}  // namespace apsis
