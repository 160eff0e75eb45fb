// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/engines/sampled_timing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace apsis {
namespace {

// As many as a GPU needs to show what it can, fewer where an evaluation would take longer.
constexpr std::size_t first_sample = 2048, smallest_sample = 4096, largest_sample = 16384;
constexpr double sample_seconds = 0.1;
// Solvers that do not meet all pairs show at such numbers what they do at larger ones.
constexpr std::size_t largest_far_field_sample = 262'144;
constexpr double seconds_to_measure = 0.2;  // each
constexpr double seconds_a_round = 0.05;
constexpr int most_evaluations = 5;

double fastest_within(double limit, Engine& engine) {
  double fastest = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < most_evaluations && total < limit; ++i) {
    const double seconds = seconds_an_evaluation(engine);
    fastest = std::min(fastest, seconds);
    total += seconds;
  }
  return fastest;
}

Bodies sample_of(const Bodies& bodies, std::size_t size) {
  if (bodies.size() <= size) return bodies;
  std::vector<std::size_t> numbers(size);
  for (std::size_t k = 0; k < size; ++k) numbers[k] = k * bodies.size() / size;
  return picked(bodies, numbers);
}

std::size_t sample_size(Engine& engine, bool all_pairs, const Bodies& bodies) {
  if (!all_pairs) return largest_far_field_sample;
  if (bodies.size() <= smallest_sample) return bodies.size();
  engine.load(sample_of(bodies, first_sample));
  const double size =
      static_cast<double>(first_sample) * std::sqrt(sample_seconds / evaluation_seconds(engine));
  return static_cast<std::size_t>(
      std::clamp(size, static_cast<double>(smallest_sample), static_cast<double>(largest_sample)));
}

}  // namespace

double evaluation_seconds(Engine& engine) {
  seconds_an_evaluation(engine);
  return fastest_within(seconds_to_measure, engine);
}

double short_evaluation_seconds(Engine& engine) { return fastest_within(seconds_a_round, engine); }

Bodies load_sample(Engine& engine, bool all_pairs, const Bodies& bodies) {
  Bodies sample = sample_of(bodies, sample_size(engine, all_pairs, bodies));
  engine.load(sample);
  return sample;
}

double seconds_for_all(double seconds, const Resolution& sample, std::size_t bodies) {
  const double factor = static_cast<double>(bodies) / static_cast<double>(sample.bodies);
  return seconds * (sample.sums_all_pairs() ? factor * factor : factor);
}

double disagreement(const Accelerations& a, const Accelerations& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Vec3 d = a.at(i) - b.at(i);
    difference += dot(d, d);
    size += dot(b.at(i), b.at(i));
  }
  if (difference == 0) return 0;
  return std::sqrt(difference / size);
}

}  // namespace apsis
