// SPDX-License-Identifier: MIT
#include <apsis/engines/device_motion.hpp>

#include <algorithm>

namespace apsis {
namespace {

int as_int(std::size_t value) { return static_cast<int>(value); }

// Like the host, whose State is float or double: rounded where the state is.
double rounded(const DeviceState& state, double value) {
  return state.wide() ? value : static_cast<double>(static_cast<float>(value));
}

}  // namespace

device::Defines precision_define(Precision precision) {
  switch (precision) {
    case Precision::f32:
      return {{"PRECISION", "32"}};
    case Precision::mixed:
      return {{"PRECISION", "48"}};
    case Precision::f64:
      break;
  }
  return {{"PRECISION", "64"}};
}

device::Range over_bodies(const DeviceState& state, const DeviceInfo& device) {
  constexpr std::size_t group = 256;  // divides the padding
  const std::size_t bodies = state.end - state.first;
  const std::size_t items = std::max<std::size_t>((bodies + group - 1) / group, 1) * group;
  if (device.largest_group < group) return {{items, 1, 1}, {0, 0, 0}};
  return {{items, 1, 1}, {group, 1, 1}};
}

DeviceMotion::DeviceMotion(device::Context& context, Precision precision)
    : context_(&context), defines_(precision_define(precision)) {
  const device::Program program = context.program("motion.cl", defines_);
  motion_ = program.kernel<int, int, int, int, Buffer, Buffer, int, Buffer, Buffer, Buffer, int,
                           int, Scalar, Scalar, Scalar, Scalar>("motion");
  couple_ = program.kernel<int, int, int, int, Buffer, Buffer, int, Buffer>("couple_field");
}

void DeviceMotion::move(DeviceState& state, const PartialSums* field,
                        std::span<const Operation> operations) {
  do {
    const std::size_t count = std::min(operations.size(), operations_a_launch);
    std::array<double, operations_a_launch> lengths{};
    int kicks = 0, drifts = 0;
    for (std::size_t k = 0; k < count; ++k) {
      lengths[k] = operations[k].dt;
      (operations[k].kind == Operation::Kind::kick ? kicks : drifts) |= 1 << k;
    }
    // without a field the kernel reads no sums, but it must be given some buffer
    motion_(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
            as_int(field == nullptr ? 0 : field->padded), field == nullptr ? 0 : field->used,
            field == nullptr ? state.place : field->sums, state.coupling, state.coupling_stride,
            state.place, state.velocity, state.acceleration, kicks, drifts,
            state.scalar(lengths[0]), state.scalar(lengths[1]), state.scalar(lengths[2]),
            state.scalar(lengths[3]));
    field = nullptr;
    operations = operations.subspan(count);
  } while (!operations.empty());
}

void DeviceMotion::couple(const DeviceState& state, const PartialSums& field,
                          device::Buffer& result) {
  couple_(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
          as_int(field.padded), field.used, field.used == 0 ? state.place : field.sums,
          state.coupling, state.coupling_stride, result);
}

void DeviceMotion::add_up(const DeviceState& state, const PartialSums& field,
                          device::Buffer& result) {
  if (one_.bytes() == 0) {
    one_ = context_->buffer(sizeof(double), "a factor");
    if (state.wide()) {
      one_.write(std::span<const double>(std::array{1.0}));
    } else {
      one_.write(std::span<const float>(std::array{1.0F}));
    }
  }
  couple_(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
          as_int(field.padded), field.used, field.used == 0 ? state.place : field.sums, one_, 0,
          result);
}

DeviceMotion::SlotKernels& DeviceMotion::slot_kernels() {
  if (slots_.save) return slots_;
  const device::Program program = context_->program("motion_slots.cl", defines_);
  slots_.save = program.kernel<int, int, int, Buffer, Buffer, Buffer, Buffer>("save_slot");
  slots_.combine = program.kernel<int, int, int, Buffer, Buffer, Buffer, int, Buffer, Scalar,
                                  Buffer, Scalar, Buffer, Scalar, Buffer, Scalar>("combine_slots");
  return slots_;
}

void DeviceMotion::save(DeviceState& state, int slot) {
  auto& kernel = slot_kernels().save;
  Buffer& to = made(state.slots[static_cast<std::size_t>(slot)], state, *context_, 3, "a slot");
  kernel(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
         as_int(state.padded), state.place, state.velocity, state.acceleration, to);
}

void DeviceMotion::combine(DeviceState& state, int base, std::span<const SlotTerm> terms) {
  const Buffer& base_slot = state.slots[static_cast<std::size_t>(base)];
  std::array<const Buffer*, most_terms> slots{};
  std::array<double, most_terms> lengths{};
  slots.fill(&base_slot);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    slots[k] = &state.slots[static_cast<std::size_t>(terms[k].slot)];
    lengths[k] = terms[k].coefficient;
  }
  auto& kernel = slot_kernels().combine;
  kernel(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
         as_int(state.padded), state.place, state.velocity, base_slot, as_int(terms.size()),
         *slots[0], state.scalar(lengths[0]), *slots[1], state.scalar(lengths[1]), *slots[2],
         state.scalar(lengths[2]), *slots[3], state.scalar(lengths[3]));
}

DeviceMotion::HermiteKernels& DeviceMotion::hermite_kernels() {
  if (hermite_.predict) return hermite_;
  const device::Program program = context_->program("motion_hermite.cl", defines_);
  hermite_.predict =
      program.kernel<int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar, Scalar, Scalar>(
          "hermite_predict");
  hermite_.correct =
      program.kernel<int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar, Scalar>(
          "hermite_correct");
  return hermite_;
}

void DeviceMotion::predict(DeviceState& state, double step) {
  auto& kernel = hermite_kernels().predict;
  const double h = rounded(state, step);
  Buffer& base = made(state.base, state, *context_, 4, "the accepted state");
  kernel(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
         as_int(state.padded), state.place, state.velocity, state.acceleration, state.jerk, base,
         state.scalar(h), state.scalar(h / 2), state.scalar(h / 3));
}

void DeviceMotion::correct(DeviceState& state, double step) {
  auto& kernel = hermite_kernels().correct;
  const double h = rounded(state, step);
  kernel(over_bodies(state, context_->device()), as_int(state.first), as_int(state.end),
         as_int(state.padded), state.place, state.velocity, state.acceleration, state.jerk,
         state.base, state.scalar(h / 2), state.scalar(rounded(state, h * h) / 12));
}

}  // namespace apsis
