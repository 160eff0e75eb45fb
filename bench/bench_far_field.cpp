// SPDX-License-Identifier: MIT
// The native far field against its yardstick: direct-equivalents per body = seconds per evaluation
// × interactions/s of the one-sided f32 direct solver (65,536 unequal masses, same threads,
// alternated with it) ÷ N, beside the 99 % force error of a thousand bodies that the solver's own
// calibration did not look at.
//   bench_far_field MODEL N SOFTENING ACCURACY [fmm|tree] [SEED] [CHOICE|auto] [AVX2|...]
#include <apsis/initial/model.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/fmm/fmm_host.hpp>
#include <apsis/solvers/tree/tree_host.hpp>

#include <fmt/format.h>
#include <solvers/fmm_host_data.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

namespace apsis {
namespace {

using Columns = test::FarColumns<float>;

double seconds_of(Solver<Host<float>>& solver, Columns& bodies) {
  bodies.clear();
  const auto start = std::chrono::steady_clock::now();
  solver.add_self_field(bodies.view(), bodies.field());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Bytes of this process by the kernel's count, "VmRSS" now or "VmHWM" at most since the last reset.
double resident_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ":")) return 1024 * std::stod(line.substr(key.size() + 1));
  }
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Of bodies in the middle between those that the calibration takes.
void print_errors(const Columns& bodies, bool charged, double softening) {
  const auto errors = test::FarReference<float>(bodies, softening, charged).errors(bodies);
  fmt::print("  errors: median {:.2e}, 99 % {:.2e}, max {:.2e}\n", errors[errors.size() / 2],
             test::FarReference<float>::p99(errors), errors.back());
}

int bench(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr,
               "usage: {} MODEL N SOFTENING ACCURACY [fmm|tree] [SEED] [CHOICE|auto] [AVX2|...]\n",
               argv[0]);
    return 64;
  }
  const double softening = std::stod(argv[3]);
  const std::string name = argc > 5 ? argv[5] : "fmm";
  ModelRequest request{.model = argv[1], .bodies = static_cast<std::uint64_t>(std::stod(argv[2]))};
  if (argc > 6) request.seed = std::stoull(argv[6]);
  const InitialState state = make_model(request);
  const Law law = state.defaults.law;
  Columns bodies(state.bodies, law == Law::coulomb);
  const int threads = default_threads();
  const FarFieldSettings options{.accuracy = std::stod(argv[4])};
  const auto solver = name == "tree" ? make_tree<float>(options, softening, threads)
                                     : make_fmm<float>(options, softening, threads);
  if (argc > 8) direct::use_simd_target(argv[8]);  // of both solvers
  if (argc > 7 && std::string(argv[7]) != "auto") solver->use(far_field_choice(argv[7]));
  reset_peak();
  const double before = resident_bytes("VmRSS");
  const double first = seconds_of(*solver, bodies);
  const double bytes = (resident_bytes("VmHWM") - before) / static_cast<double>(bodies.x.size());

  constexpr std::size_t direct_bodies = 65536;
  Columns yardstick(make_model({.model = "uniform", .bodies = direct_bodies}).bodies, false);
  for (std::size_t i = 0; i < direct_bodies; ++i) {
    yardstick.strength[i] *= 1 + static_cast<float>(i % 100) / 50;
  }
  const auto direct = make_direct_host<float>(
      {.force = {.softening = 0.01},
       .device = {.precision = Precision::f32, .threads = threads, .variant = "simd"}});
  std::vector<double> far, near, build, force;
  for (int repeat = 0; repeat < 7; ++repeat) {
    far.push_back(seconds_of(*solver, bodies));
    build.push_back(solver->times().build), force.push_back(solver->times().force);
    near.push_back(seconds_of(*direct, yardstick));
  }
  const double n = static_cast<double>(bodies.x.size());
  const double rate = static_cast<double>(direct_bodies) * direct_bodies / median(near);
  fmt::print("{} {} N={:g} softening={:g} accuracy={:g} threads={}: {}\n", name, argv[1], n,
             softening, options.accuracy, threads, solver->sizes());
  fmt::print("  seconds: median {:.4f}, best {:.4f}, build {:.4f}, force {:.4f}; first {:.2f}\n",
             median(far), *std::min_element(far.begin(), far.end()), median(build), median(force),
             first);
  fmt::print("  direct {:.3e} interactions/s, direct-equivalents per body {:.0f}\n", rate,
             median(far) * rate / n);
  fmt::print("  memory beyond the bodies and their fields: at most {:.0f} bytes per body\n", bytes);
  print_errors(bodies, law == Law::coulomb, softening);
  return 0;
}

}  // namespace
}  // namespace apsis

int main(int argc, char** argv) { return apsis::bench(argc, argv); }
