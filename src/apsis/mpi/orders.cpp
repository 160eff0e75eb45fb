// SPDX-License-Identifier: MIT
#include <apsis/io/byte_stream.hpp>
#include <apsis/mpi/field_bytes.hpp>
#include <apsis/mpi/operation_bytes.hpp>
#include <apsis/mpi/orders.hpp>

#include <algorithm>
#include <array>

namespace apsis::mpi {
namespace {

// Nearly all batches fit one message of fixed length, so that nobody has to be told theirs first:
// 24 operations are some 800 bytes.
constexpr std::size_t short_message = 1024;
struct FirstMessage {
  std::uint64_t length = 0;  // of the whole
  std::array<std::byte, short_message> begin{};
};

std::size_t length_of_begin(std::uint64_t length) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(length, short_message));
}

}  // namespace

void tell(Communicator& ranks, const Batch& batch) {
  Bytes bytes = encoded(batch);
  FirstMessage first{bytes.size(), {}};
  const std::size_t begin = length_of_begin(bytes.size());
  std::copy_n(bytes.begin(), begin, first.begin.begin());
  ranks.broadcast(std::as_writable_bytes(std::span(&first, 1)));
  ranks.broadcast(std::span(bytes).subspan(begin));
}

Batch told(Communicator& ranks) {
  FirstMessage first;
  ranks.broadcast(std::as_writable_bytes(std::span(&first, 1)));
  Bytes bytes(static_cast<std::size_t>(first.length));
  const std::size_t begin = length_of_begin(first.length);
  std::copy_n(first.begin.begin(), begin, bytes.begin());
  ranks.broadcast(std::span(bytes).subspan(begin));
  return decoded_batch(bytes);
}

Bytes encoded(const Batch& batch) {
  ByteWriter writer;
  const auto& [operations, question, step, payload] = batch;
  put_operations(writer, operations);
  put_value(writer, question), put_value(writer, step);
  writer.put(std::uint64_t{payload.size()}), writer.put_bytes(payload);
  return writer.take();
}

Batch decoded_batch(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a batch of operations");
  Batch batch;
  auto& [operations, question, step, payload] = batch;
  operations = take_operations(reader);
  take_value(reader, question), take_value(reader, step);
  const auto taken = reader.take_bytes(reader.take<std::uint64_t>());
  payload.assign(taken.begin(), taken.end());
  return batch;
}

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
