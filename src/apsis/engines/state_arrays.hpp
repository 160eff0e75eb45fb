// SPDX-License-Identifier: MIT
// Inside engines/: the arrays of a saved state. Engines of one precision write the same arrays, so
// that a run whose device is gone can go on with another engine.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/engines/scale.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// "host f32", "opencl f64".
std::string state_layout(const char* engine, Precision precision);
// bad_data for a state of another precision, for arrays that are not of its bodies, and for numbers
// that no state has. Looks at what is there and allocates nothing.
void require_sound(const EngineState& state, Precision precision);

// Whether there is such an array with something in it; no bodies have nothing.
bool has_array(const EngineState& state, const char* name);

// bad_data when it is missing or not of this many bytes.
const StateArray& array_named(const EngineState& state, const char* name, std::size_t bytes);

template <class Value>
StateArray array_of(const char* name, std::span<const Value> values) {
  StateArray out{name, std::vector<std::byte>(values.size_bytes())};
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}
template <class Value>
StateArray array_of(const char* name, const std::vector<Value>& values) {
  return array_of(name, std::span<const Value>(values));
}

template <class Value>
void take_array(const EngineState& state, const char* name, std::span<Value> values) {
  const StateArray& found = array_named(state, name, values.size_bytes());
  if (!values.empty()) std::memcpy(values.data(), found.bytes.data(), found.bytes.size());
}
template <class Value>
void take_array(const EngineState& state, const char* name, std::size_t n,
                std::vector<Value>& values) {
  array_named(state, name, n * sizeof(Value));  // before memory is taken for it
  values.resize(n);
  take_array(state, name, std::span(values));
}

// From field to acceleration in internal units: one value for gravity, one per body for charges.
std::vector<double> internal_couplings(const Bodies& constants, const PairLaw& law,
                                       const Scale& scale);

// The scale and the bodies' constant columns: the beginning of every state. Of `constants` the
// other columns are empty.
void add_constants(EngineState& state, const Scale& scale, const Bodies& constants);
void take_constants(const EngineState& state, Law law, Scale& scale, Bodies& constants);

}  // namespace apsis
