// SPDX-License-Identifier: MIT
#include <apsis/io/byte_stream.hpp>
#include <apsis/mpi/orders.hpp>

namespace apsis::mpi {
namespace {

using Box = std::array<double, 6>;

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

// What engines of ranks have a use for.
Bytes encoded(const RankTask& task) {
  const EngineSettings& settings = task.settings;
  ByteWriter writer;
  writer.put(std::uint64_t{task.bodies});
  for (const auto* list : {&task.choices.variants, &task.choices.sizes, &task.choices.split}) {
    writer.put_text(*list);
  }
  writer.put_text(settings.device), writer.put_text(settings.kernel_folder.string());
  writer.put(static_cast<int>(settings.law.law));
  writer.put(settings.law.constant), writer.put(settings.law.softening);
  writer.put_text(settings.solver), writer.put_text(settings.variant);
  writer.put_text(settings.settled);
  writer.put(static_cast<int>(settings.precision)), writer.put(settings.threads);
  writer.put(std::uint8_t{settings.reproducible});
  writer.put(settings.far_field.accuracy);
  put(writer, settings.far_field.opening_angle), put(writer, settings.far_field.order);
  writer.put(settings.bins.bins), writer.put(std::uint8_t{settings.bins.box.has_value()});
  for (const double side : settings.bins.box.value_or(Box{})) writer.put(side);
  return writer.take();
}

RankTask decoded_task(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the settings of ranks");
  RankTask task;
  EngineSettings& settings = task.settings;
  task.bodies = reader.take<std::uint64_t>();
  for (auto* list : {&task.choices.variants, &task.choices.sizes, &task.choices.split}) {
    *list = reader.take_text();
  }
  settings.device = reader.take_text(), settings.kernel_folder = reader.take_text();
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
  settings.bins.bins = reader.take<int>();
  const bool boxed = reader.take<std::uint8_t>() != 0;
  Box box{};
  for (double& side : box) side = reader.take<double>();
  if (boxed) settings.bins.box = box;
  return task;
}

Bytes encoded(const EngineDescription& engine) {
  ByteWriter writer;
  for (const auto* text : {&engine.device, &engine.driver, &engine.solver, &engine.variant,
                           &engine.sizes, &engine.split}) {
    writer.put_text(*text);
  }
  return writer.take();
}

EngineDescription decoded_description(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the engine of a rank");
  EngineDescription engine;
  for (auto* text : {&engine.device, &engine.driver, &engine.solver, &engine.variant, &engine.sizes,
                     &engine.split}) {
    *text = reader.take_text();
  }
  return engine;
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
