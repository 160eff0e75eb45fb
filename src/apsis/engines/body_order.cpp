// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
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

template <class Values>
void scatter(Values& values, const Numbers& to) {
  if (values.empty()) return;
  Values out(values.size());
  const auto sources = components_of(values);
  const auto targets = components_of(out);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    for (std::size_t k = 0; k < to.size(); ++k) targets[c][to[k]] = sources[c][k];
  }
  values = std::move(out);
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

Vectors places_in(const EngineState& state) {
  const std::size_t n = state.bodies;
  const auto found = std::ranges::find(state.arrays, "x", &StateArray::name);
  const bool wide = found != state.arrays.end() && found->bytes.size() == n * sizeof(double);
  array_named(state, "x", n * (wide ? sizeof(double) : sizeof(float)));  // so many there are
  Vectors out(n);
  for (std::size_t k = 0; k < 3; ++k) {
    const char* name = position_column.components[k];
    if (wide) {
      take_array(state, name, out.component(k));
    } else {
      std::vector<float> narrow;
      take_array(state, name, n, narrow);
      std::ranges::copy(narrow, out.component(k).begin());
    }
  }
  return out;
}

}  // namespace

BodyOrder BodyOrder::along_curve(const Vectors& places) {
  BodyOrder order;
  if (places.empty()) return order;
  const auto x = places.x(), y = places.y(), z = places.z();
  const auto side = [](std::span<const double> values) {
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

BodyOrder BodyOrder::along_curve(const EngineState& state) { return along_curve(places_in(state)); }

std::vector<std::int32_t> BodyOrder::numbers() const {
  std::vector<std::int32_t> out(user_number_.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[user_number_[k]] = static_cast<std::int32_t>(k);
  return out;
}

Bodies BodyOrder::applied(const Bodies& bodies) const {
  return user_number_.empty() ? bodies : picked(bodies, user_number_);
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
  for_each_column(bodies,
                  [&](const auto& /*column*/, auto& values) { scatter(values, user_number_); });
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
  if (!user_number_.empty()) scatter(accelerations, user_number_);
}

}  // namespace apsis
