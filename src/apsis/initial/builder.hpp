// SPDX-License-Identifier: MIT
// Inside initial/: what a model gets, what it gives, and the table of all of them.
#pragma once

#include <apsis/initial/model.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis::initial {

// The request with every option filled in and checked.
struct ModelInput {
  std::size_t bodies = 0;
  std::uint64_t seed = 0;
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> words;
  RunDefaults defaults;

  double number(std::string_view option) const { return numbers.at(std::string(option)); }
  const std::string& word(std::string_view option) const { return words.at(std::string(option)); }
};

struct Model {
  ModelInfo info;
  InitialState (*make)(const ModelInput&);
};

// One family per source file.
std::vector<Model> box_models();        // uniform, tutorial, lab, bins-box
std::vector<Model> sphere_models();     // sphere, plummer, hernquist, king
std::vector<Model> galaxy_models();     // disk, galaxy-merger
std::vector<Model> few_body_models();   // kepler, figure-eight, pythagorean
std::vector<Model> solar_models();      // solar-system
std::vector<Model> ring_models();       // ring
std::vector<Model> lattice_models();    // lattice
std::vector<Model> hard_body_models();  // billiard, planetesimals
// In the order in which they are listed.
inline constexpr std::array model_families{galaxy_models,  sphere_models, few_body_models,
                                           solar_models,   ring_models,   hard_body_models,
                                           lattice_models, box_models};

inline ModelOption number_option(std::string name, double value, double minimum, double maximum,
                                 std::string description) {
  return {std::move(name), value, minimum, maximum, std::move(description), {}};
}
inline ModelOption word_option(std::string name, std::vector<std::string> choices,
                               std::string description) {
  return {std::move(name), 0, 0, 0, std::move(description), std::move(choices)};
}

// Streams of BodyRandom, so that one body's quantities are independent of each other.
enum Stream : std::uint32_t { position_stream, velocity_stream, mass_stream };

}  // namespace apsis::initial
