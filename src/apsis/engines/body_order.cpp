// SPDX-License-Identifier: MIT
#include <apsis/engines/body_order.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/solvers/tree/morton_sort.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

namespace apsis {
namespace {

constexpr int levels = 21;  // three bits each in a key of 63

using Numbers = std::vector<std::uint32_t>;

template <class Value>
std::vector<Value> gathered(const std::vector<Value>& values, const Numbers& from) {
  if (values.empty()) return {};
  std::vector<Value> out(values.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = values[from[k]];
  return out;
}

template <class Value>
void scatter(std::vector<Value>& values, const Numbers& to) {
  if (values.empty()) return;
  std::vector<Value> out(values.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[to[k]] = values[k];
  values = std::move(out);
}

template <class Action>
void each_column(Bodies& bodies, const Action& action) {
  for (auto* column : {&bodies.x, &bodies.y, &bodies.z, &bodies.vx, &bodies.vy, &bodies.vz,
                       &bodies.mass, &bodies.charge}) {
    action(*column);
  }
  action(bodies.id);
}

// Moves entry k of one array to entry to(k) of another, whatever their type.
template <class To>
void move_entries(StateArray& array, std::size_t bodies, const To& to) {
  if (array.name == "scale" || array.bytes.empty() || bodies == 0) return;
  const std::size_t size = array.bytes.size() / bodies;
  std::vector<std::byte> out(array.bytes.size());
  for (std::size_t k = 0; k < bodies; ++k) {
    const auto [from, there] = to(k);
    std::memcpy(out.data() + there * size, array.bytes.data() + from * size, size);
  }
  array.bytes = std::move(out);
}

std::vector<double> numbers_in(const EngineState& state, const char* name) {
  const auto found = std::ranges::find(state.arrays, std::string_view(name), &StateArray::name);
  const bool wide = found != state.arrays.end() && found->bytes.size() == state.bodies * 8;
  std::vector<double> out;
  if (wide) {
    take_array(state, name, state.bodies, out);
  } else {
    std::vector<float> narrow;
    take_array(state, name, state.bodies, narrow);
    out.assign(narrow.begin(), narrow.end());
  }
  return out;
}

}  // namespace

BodyOrder BodyOrder::along_curve(const std::vector<double>& x, const std::vector<double>& y,
                                 const std::vector<double>& z) {
  BodyOrder order;
  if (x.empty()) return order;
  const auto side = [](const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return std::pair{*low, *high - *low};
  };
  const auto [x0, width] = side(x);
  const auto [y0, depth] = side(y);
  const auto [z0, height] = side(z);
  const far::MortonKeys key_of({x0, y0, z0, std::max({width, depth, height})}, levels);
  std::vector<std::uint64_t> keys(x.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key_of(x[i], y[i], z[i]);
  order.user_number_.resize(x.size());
  std::iota(order.user_number_.begin(), order.user_number_.end(), 0U);
  std::ranges::stable_sort(order.user_number_, {}, [&](std::uint32_t i) { return keys[i]; });
  return order;
}

BodyOrder BodyOrder::along_curve(const EngineState& state) {
  return along_curve(numbers_in(state, "x"), numbers_in(state, "y"), numbers_in(state, "z"));
}

std::vector<std::int32_t> BodyOrder::numbers() const {
  std::vector<std::int32_t> out(user_number_.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[user_number_[k]] = static_cast<std::int32_t>(k);
  return out;
}

Bodies BodyOrder::applied(const Bodies& bodies) const {
  Bodies out = bodies;
  if (user_number_.empty()) return out;
  each_column(out, [&](auto& column) { column = gathered(column, user_number_); });
  return out;
}

EngineState BodyOrder::applied(const EngineState& state) const {
  EngineState out = state;
  if (user_number_.empty()) return out;
  for (StateArray& array : out.arrays) {
    move_entries(array, out.bodies, [&](std::size_t k) {
      return std::pair<std::size_t, std::size_t>{user_number_[k], k};
    });
  }
  return out;
}

void BodyOrder::undo(Bodies& bodies) const {
  if (user_number_.empty()) return;
  each_column(bodies, [&](auto& column) { scatter(column, user_number_); });
}

void BodyOrder::undo(EngineState& state) const {
  if (user_number_.empty()) return;
  for (StateArray& array : state.arrays) {
    move_entries(array, state.bodies, [&](std::size_t k) {
      return std::pair<std::size_t, std::size_t>{k, user_number_[k]};
    });
  }
}

void BodyOrder::undo(Accelerations& accelerations) const {
  if (user_number_.empty()) return;
  for (auto* column : {&accelerations.x, &accelerations.y, &accelerations.z}) {
    scatter(*column, user_number_);
  }
}

}  // namespace apsis
