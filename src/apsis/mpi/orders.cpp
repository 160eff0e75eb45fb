// SPDX-License-Identifier: MIT
#include <apsis/io/byte_stream.hpp>
#include <apsis/mpi/field_bytes.hpp>
#include <apsis/mpi/orders.hpp>

namespace apsis::mpi {

Bytes encoded(const RankTask& task) {
  ByteWriter writer;
  const auto& [settings, choices, bodies] = task;
  put_fields(writer, settings);
  for (const auto* list : {&choices.variants, &choices.sizes, &choices.split}) {
    writer.put_text(*list);
  }
  writer.put(std::uint64_t{bodies});
  return writer.take();
}

RankTask decoded_task(std::span<const std::byte> payload) {
  ByteReader reader(payload, "the settings of ranks");
  RankTask task;
  auto& [settings, choices, bodies] = task;
  take_fields(reader, settings);
  for (auto* list : {&choices.variants, &choices.sizes, &choices.split}) *list = reader.take_text();
  bodies = reader.take<std::uint64_t>();
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
