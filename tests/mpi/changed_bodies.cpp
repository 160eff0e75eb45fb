// SPDX-License-Identifier: MIT
// Bodies that change between steps where they are spread over ranks.
#include "on_ranks.hpp"
#include <apsis/sim/simulation.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace apsis {
namespace {

// Takes a third of the bodies away after five steps.
const std::vector<Action> thinning{
    {"thinning", Cadence(0.05, 0.01, 8),
     [](Bodies& bodies, std::uint64_t step, double) -> std::optional<std::string> {
       if (step != 5) return std::nullopt;
       std::vector<std::size_t> numbers(bodies.size() / 3);
       std::iota(numbers.begin(), numbers.end(), std::size_t{7});
       bodies.remove(numbers);
       return "thinner";
     }}};

TEST(ChangedBodies, ranks_share_those_that_are_left_and_end_with_the_bits_of_one_engine) {
  for (const char* solver : {"direct", "bins"}) {
    EngineSettings settings = test::settings_of(Precision::f64, 0.02);
    settings.force.solver = solver;
    settings.device.reproducible = true;
    settings = mpi::settings_on_ranks(settings);
    const Bodies start = test::random_bodies(211);
    const auto one = test::alone(settings, start);
    const auto many = test::spread(settings, start);
    for (Engine* engine : {one.get(), static_cast<Engine*>(many.get())}) {
      const auto end = simulate(
          *engine, integrator_named("leapfrog"), {.step = 0.01, .last_step = 8}, {},
          [](const Frame&) { return LoopControl::go_on(); }, thinning);
      EXPECT_EQ(end.reason, SimulationEnd::Reason::finished);
    }
    Bodies expected, got;
    one->store(expected), many->store(got);
    EXPECT_EQ(got.size(), 211U - 70U);
    EXPECT_EQ(got, expected) << solver;
  }
}

}  // namespace
}  // namespace apsis
