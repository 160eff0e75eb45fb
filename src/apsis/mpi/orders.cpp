// SPDX-License-Identifier: MIT
#include <apsis/io/byte_stream.hpp>
#include <apsis/mpi/orders.hpp>

namespace apsis::mpi {
namespace {

template <class Value>
void put(ByteWriter& writer, const std::optional<Value>& value) {
  writer.put(std::uint8_t{value.has_value()});
  writer.put(value.value_or(Value{}));
}

template <class Value>
std::optional<Value> take(ByteReader& reader) {
  const bool there = reader.take<std::uint8_t>() != 0;
  const auto value = reader.take<Value>();
  return there ? std::optional(value) : std::nullopt;
}

}  // namespace

// What the native engine has a use for.
Bytes encoded(const EngineSettings& settings, std::size_t bodies) {
  ByteWriter writer;
  writer.put(std::uint64_t{bodies});
  writer.put(static_cast<int>(settings.law.law));
  writer.put(settings.law.constant), writer.put(settings.law.softening);
  writer.put_text(settings.solver), writer.put_text(settings.variant);
  writer.put_text(settings.settled);
  writer.put(static_cast<int>(settings.precision)), writer.put(settings.threads);
  writer.put(std::uint8_t{settings.reproducible});
  writer.put(settings.far_field.accuracy);
  put(writer, settings.far_field.opening_angle), put(writer, settings.far_field.order);
  return writer.take();
}

EngineSettings decoded_settings(std::span<const std::byte> bytes, std::size_t& bodies) {
  ByteReader reader(bytes, "the settings of ranks");
  EngineSettings settings;
  bodies = reader.take<std::uint64_t>();
  settings.law.law = static_cast<Law>(reader.take<int>());
  settings.law.constant = reader.take<double>();
  settings.law.softening = reader.take<double>();
  settings.solver = reader.take_text(), settings.variant = reader.take_text();
  settings.settled = reader.take_text();
  settings.precision = static_cast<Precision>(reader.take<int>());
  settings.threads = reader.take<int>();
  settings.reproducible = reader.take<std::uint8_t>() != 0;
  settings.far_field.accuracy = reader.take<double>();
  settings.far_field.opening_angle = take<double>(reader);
  settings.far_field.order = take<int>(reader);
  settings.device = "cpu";
  return settings;
}

Bytes encoded(const EngineState& state) {
  ByteWriter writer;
  writer.put_text(state.layout);
  writer.put(std::uint64_t{state.bodies}), writer.put(std::uint64_t{state.arrays.size()});
  for (const StateArray& array : state.arrays) {
    writer.put_text(array.name);
    writer.put(std::uint64_t{array.bytes.size()}), writer.put_bytes(array.bytes);
  }
  return writer.take();
}

EngineState decoded_state(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the state of a rank");
  EngineState state;
  state.layout = reader.take_text();
  state.bodies = reader.take<std::uint64_t>();
  const auto arrays = reader.take_count(16);
  for (std::uint64_t a = 0; a < arrays; ++a) {
    StateArray array{reader.take_text(), {}};
    const auto taken = reader.take_bytes(reader.take<std::uint64_t>());
    array.bytes.assign(taken.begin(), taken.end());
    state.arrays.push_back(std::move(array));
  }
  return state;
}

}  // namespace apsis::mpi
