// SPDX-License-Identifier: MIT
#include <apsis/engines/evaluation_time.hpp>

#include <chrono>

namespace apsis {

void request_evaluation(Engine& engine) {
  engine.apply({Operation::drift(0), Operation::accelerate(0)});
}

double seconds_an_evaluation(Engine& engine, int count) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  for (int i = 0; i < count; ++i) request_evaluation(engine);
  engine.finish();
  return std::chrono::duration<double>(Clock::now() - begin).count() / count;
}

}  // namespace apsis
