// SPDX-License-Identifier: MIT
// The engine on a device as one of several that share the bodies.
#include <apsis/core/error.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <algorithm>

namespace apsis {

// Pairs that are met once are pairs of one device's bodies; of several each adds up its own.
void OpenclEngine::make_one_sided(SolverSettings& wanted) const {
  if (settings_.force.solver != "direct") return;
  if (settings_.device.variant == "symmetric") {
    throw bad_data("variant symmetric works on one device, not on several",
                   "leave device.variant out, or name one device");
  }
  const std::string would_be =
      wanted.device.variant.empty()
          ? default_direct_variant(context_.device(), wanted.precision(), state_.count)
          : wanted.device.variant;
  if (would_be != "symmetric") return;
  wanted.device.variant = "rows";
  const auto* sizes = std::get_if<DirectSizes>(&wanted.choice);
  wanted.choice = DirectSizes{.group = sizes == nullptr ? 0 : sizes->group};
}

void OpenclEngine::lie_at(const std::vector<std::int32_t>& numbers) {
  write_order(state_, context_, numbers);
}

void OpenclEngine::own(BodyRange range) {
  launch_waiting();
  state_.first = range.first, state_.end = range.end;
  // sums by parts are those of the own bodies alone; other solvers' come for all of them
  const bool own_only = solver_->sums_by_parts();
  for (PartialSums* sums : {&field_, &jerk_field_}) {
    *sums = {};
    sums->first = own_only ? range.first : 0;
    sums->padded = own_only ? std::max(padded_count(range.count()), body_padding) : state_.padded;
  }
}

device::Event OpenclEngine::start_evaluation() {
  launch_waiting();
  field_.used = jerk_field_.used = 0;
  return context_.reached();
}

void OpenclEngine::add_from(const BodiesView<Device>& sources, Wants wants) {
  BodiesView<Device> targets = view(wants.jerk);
  targets.first = state_.first, targets.count = state_.end - state_.first;
  if (targets.count == 0) return;
  solver_->add_field(
      sources, targets,
      {.field = &field_, .jerk = wants.jerk ? &jerk_field_ : nullptr, .wanted = wants});
}

void OpenclEngine::add_all(Wants wants) { add_from(view(wants.jerk), wants); }

void OpenclEngine::add_parts(Wants wants, std::size_t part, std::size_t first, std::size_t end) {
  BodiesView<Device> sources = view(wants.jerk);
  sources.part = part;
  sources.first = first * part;
  sources.count = std::min(end * part, state_.count) - sources.first;
  add_from(sources, wants);
}

void OpenclEngine::keep_scratch(bool coupled) {
  if (state_.scratch.bytes() == 0) require_room_for_more(1);
  device::Buffer& scratch = made(state_.scratch, state_, context_, 1, "accelerations");
  if (coupled) {
    motion_.couple(state_, field_, scratch);
  } else {
    motion_.add_up(state_, field_, scratch);
  }
}

device::Event OpenclEngine::send(Quantity quantity, std::span<std::byte> bytes,
                                 const device::Event& after) {
  return (state_.*quantity).start_reading(bytes, state_.first * state_.entry_bytes(), after);
}

device::Event OpenclEngine::receive(Quantity quantity, std::size_t first,
                                    std::span<const std::byte> bytes, const device::Event& after) {
  return (state_.*quantity).start_writing(bytes, first * state_.entry_bytes(), after);
}

}  // namespace apsis
