// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/device_state.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace apsis {
namespace {

// Kernels count entries of three or four planes in int.
constexpr std::uint64_t most_bodies = (std::uint64_t{1} << 29) - body_padding;
// The direct solver's partial sums: at most max(64 MiB, 64 bytes a body).
constexpr std::uint64_t solver_bytes_per_body = 64;

// Calls action with a value of the type that the state is stored in.
template <class Action>
auto with_state_type(Precision precision, Action&& action) {
  return precision == Precision::f32 ? action(float{}) : action(double{});
}

template <class Number>
std::vector<Number> interleaved(const DeviceState& state, const Vectors& columns,
                                const std::vector<double>& w) {
  std::vector<Number> quads(4 * state.padded);
  const auto x = columns.x(), y = columns.y(), z = columns.z();
  for (std::size_t i = 0; i < state.count; ++i) {
    quads[4 * i] = static_cast<Number>(x[i]);
    quads[4 * i + 1] = static_cast<Number>(y[i]);
    quads[4 * i + 2] = static_cast<Number>(z[i]);
    if (!w.empty()) quads[4 * i + 3] = static_cast<Number>(w[i]);
  }
  return quads;
}

template <class Number>
void write_to(device::Buffer& buffer, const std::vector<Number>& values) {
  buffer.write(std::span<const Number>(values));
}

}  // namespace

void require_device_memory(const DeviceInfo& device, Precision precision, std::size_t bodies,
                           std::size_t entries) {
  const std::uint64_t entry = 4 * state_bytes(precision);
  const std::uint64_t each = entries * entry + solver_bytes_per_body;
  // a buffer holds up to four planes of entries
  const std::uint64_t fits =
      std::min({device.memory / each, device.largest_buffer / (4 * entry), most_bodies}) /
      body_padding * body_padding;
  if (padded_count(bodies) <= fits) return;
  throw bad_data(fmt::format("{} bodies need about {} on {}, which has {} and buffers of {}",
                             bodies, readable_size(padded_count(bodies) * each), device.name,
                             readable_size(device.memory), readable_size(device.largest_buffer)),
                 fmt::format("at most {} bodies fit", fits));
}

void allocate(DeviceState& state, device::Context& context, std::size_t bodies) {
  require_device_memory(context.device(), state.precision, bodies, entries_at_least);
  DeviceState fresh;
  fresh.precision = state.precision;
  fresh.count = fresh.end = bodies;
  fresh.padded = std::max(padded_count(bodies), body_padding);
  state = std::move(fresh);  // the old buffers go before the new ones come
  const std::size_t bytes = state.padded * state.entry_bytes();
  state.place = context.buffer(bytes, "positions");
  state.velocity = context.buffer(bytes, "velocities");
  state.acceleration = context.buffer(bytes, "accelerations");
  write_columns(state, state.acceleration, Vectors(bodies));
}

device::Buffer& made(device::Buffer& buffer, const DeviceState& state, device::Context& context,
                     std::size_t planes, const char* what) {
  const std::size_t bytes = planes * state.padded * state.entry_bytes();
  if (buffer.bytes() == bytes) return buffer;
  buffer = context.buffer(bytes, what);
  return buffer;
}

void write_columns(const DeviceState& state, device::Buffer& buffer, const Vectors& columns,
                   const std::vector<double>& w) {
  with_state_type(state.precision, [&](auto number) {
    write_to(buffer, interleaved<decltype(number)>(state, columns, w));
  });
}

void write_places(DeviceState& state, const Vectors& columns, const std::vector<double>& strength) {
  with_state_type(state.precision, [&](auto number) {
    using Number = decltype(number);
    auto quads = interleaved<Number>(state, columns, strength);
    const auto far_away = static_cast<Number>(padding_place(state.precision));
    for (std::size_t i = state.count; i < state.padded; ++i) quads[4 * i] = far_away;
    write_to(state.place, quads);
  });
}

void write_order(DeviceState& state, device::Context& context,
                 const std::vector<std::int32_t>& at) {
  state.order = {};
  if (at.empty()) return;
  state.order = context.buffer(at.size() * sizeof(std::int32_t), "the order of the bodies");
  write_to(state.order, at);
}

void write_coupling(DeviceState& state, device::Context& context,
                    const std::vector<double>& values) {
  state.coupling_stride = values.size() > 1 ? 1 : 0;
  with_state_type(state.precision, [&](auto number) {
    using Number = decltype(number);
    std::vector<Number> narrowed(std::max<std::size_t>(1, values.size()));
    std::transform(values.begin(), values.end(), narrowed.begin(),
                   [](double value) { return static_cast<Number>(value); });
    state.coupling = context.buffer(narrowed.size() * sizeof(Number), "coupling");
    write_to(state.coupling, narrowed);
  });
}

Vectors read_columns(const DeviceState& state, const device::Buffer& buffer) {
  Vectors out(state.count);
  read_own(state, buffer, out);
  return out;
}

std::vector<double> read_fourth(const DeviceState& state, const device::Buffer& buffer) {
  std::vector<double> out(state.count);
  with_state_type(state.precision, [&](auto number) {
    std::vector<decltype(number)> quads(4 * state.count);
    if (!quads.empty()) buffer.read(std::span(quads));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = quads[4 * i + 3];
  });
  return out;
}

void read_own(const DeviceState& state, const device::Buffer& buffer, Vectors& columns) {
  const std::size_t first = state.first, n = state.end - state.first;
  if (n == 0) return;
  const auto x = columns.x(), y = columns.y(), z = columns.z();
  with_state_type(state.precision, [&](auto number) {
    std::vector<decltype(number)> quads(4 * n);
    buffer.read(std::span(quads), first * state.entry_bytes());
    for (std::size_t i = 0; i < n; ++i) {
      x[first + i] = quads[4 * i], y[first + i] = quads[4 * i + 1], z[first + i] = quads[4 * i + 2];
    }
  });
}

void add_columns(EngineState& saved, const DeviceState& state, const Vectors& columns,
                 const std::array<const char*, 3>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::span<const double> values = columns.component(k);
    if (state.wide()) {
      saved.arrays.push_back(array_of(names[k], values));
    } else {
      saved.arrays.push_back(array_of(names[k], std::vector<float>(values.begin(), values.end())));
    }
  }
}

Vectors taken_columns(const EngineState& saved, const DeviceState& state,
                      const std::array<const char*, 3>& names) {
  Vectors out(state.count);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (state.wide()) {
      take_array(saved, names[k], out.component(k));
    } else {
      std::vector<float> values;
      take_array(saved, names[k], state.count, values);
      std::ranges::copy(values, out.component(k).begin());
    }
  }
  return out;
}

}  // namespace apsis
