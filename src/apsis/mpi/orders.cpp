// SPDX-License-Identifier: MIT
#include <apsis/io/byte_stream.hpp>
#include <apsis/mpi/field_bytes.hpp>
#include <apsis/mpi/orders.hpp>

namespace apsis::mpi {

Bytes encoded(const RankTask& task) {
  ByteWriter writer;
  put_fields(writer, task);
  return writer.take();
}

RankTask decoded_task(std::span<const std::byte> payload) {
  ByteReader reader(payload, "the settings of ranks");
  RankTask task;
  take_fields(reader, task);
  return task;
}

Bytes encoded(const Resolution& resolution) {
  ByteWriter writer;
  put_fields(writer, resolution);
  return writer.take();
}

Resolution decoded_resolution(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the engine of a rank");
  Resolution resolution;
  take_fields(reader, resolution);
  return resolution;
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
