// SPDX-License-Identifier: MIT
// Both ways take the operation apart, which does not compile once it gets another member.
#include <apsis/core/error.hpp>
#include <apsis/mpi/field_bytes.hpp>
#include <apsis/mpi/operation_bytes.hpp>

#include <cstdint>

namespace apsis::mpi {
namespace {

void put_operation(ByteWriter& writer, const Operation& operation) {
  const auto& [kind, with_jerk, keep, slot, dt, time, term_count, term, active] = operation;
  put_value(writer, kind), put_value(writer, with_jerk), put_value(writer, keep);
  put_value(writer, slot), put_value(writer, dt), put_value(writer, time);
  put_value(writer, term_count);
  for (const SlotTerm& used : operation.terms()) {
    put_value(writer, used.slot), put_value(writer, used.coefficient);
  }
  put_value(writer, active.all());
  if (active.all()) return;
  writer.put(std::uint64_t{active.numbers().size()});
  writer.put_bytes(std::as_bytes(active.numbers()));
}

ActiveBodies take_active(ByteReader& reader) {
  bool all = true;
  take_value(reader, all);
  if (all) return {};
  std::vector<std::uint32_t> numbers(reader.take_count(sizeof(std::uint32_t)));
  for (std::uint32_t& number : numbers) take_value(reader, number);
  return ActiveBodies::only(std::move(numbers));
}

Operation take_operation(ByteReader& reader) {
  Operation operation;
  auto& [kind, with_jerk, keep, slot, dt, time, term_count, term, active] = operation;
  take_value(reader, kind), take_value(reader, with_jerk), take_value(reader, keep);
  take_value(reader, slot), take_value(reader, dt), take_value(reader, time);
  take_value(reader, term_count);
  if (term_count < 0 || term_count > most_terms) {
    throw Error(ExitCode::internal_error, "an operation came with more terms than there are slots");
  }
  for (SlotTerm& used : std::span(term).first(static_cast<std::size_t>(term_count))) {
    take_value(reader, used.slot), take_value(reader, used.coefficient);
  }
  active = take_active(reader);
  return operation;
}

}  // namespace

void put_operations(ByteWriter& writer, std::span<const Operation> operations) {
  writer.put(std::uint64_t{operations.size()});
  for (const Operation& operation : operations) put_operation(writer, operation);
}

std::vector<Operation> take_operations(ByteReader& reader) {
  constexpr std::uint64_t least = 24;  // bytes of one
  std::vector<Operation> operations(reader.take_count(least));
  for (Operation& operation : operations) operation = take_operation(reader);
  return operations;
}

}  // namespace apsis::mpi
