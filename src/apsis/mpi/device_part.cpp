// SPDX-License-Identifier: MIT
// What a rank has and does on devices: an engine on several devices, some of which are at other
// ranks. Every rank has all bodies, and the others' places come with every evaluation.
#include <apsis/core/columns.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/io/state_parts.hpp>
#include <apsis/mpi/device_choice.hpp>
#include <apsis/mpi/rank_part.hpp>

#include <algorithm>
#include <numeric>

namespace apsis::mpi {
namespace {

// What was decided before about device `number` of `all`: nothing where it was decided about others
// that were not all alike.
template <class Field>
Field recorded_for(const std::vector<DeviceResolution>& recorded, Field DeviceResolution::*field,
                   std::size_t number, std::size_t all) {
  if (recorded.size() == all) return recorded[number].*field;
  const bool alike = std::ranges::all_of(
      recorded, [&](const DeviceResolution& at) { return at.*field == recorded.front().*field; });
  return alike && !recorded.empty() ? recorded.front().*field : Field{};
}

PlannedDevice planned(const RankTask& task, const DeviceInfo& device, std::size_t number,
                      std::size_t all) {
  EngineSettings settings = task.settings;
  const auto variant = recorded_for(task.recorded, &DeviceResolution::variant, number, all);
  if (!variant.empty()) settings.device.variant = variant;
  if (!variant.empty() && settings.force.solver == "direct") {
    settings.choice = recorded_for(task.recorded, &DeviceResolution::choice, number, all);
  }
  return plan_on(settings, {device}).devices.front();
}

// Where they are for as many bodies and devices.
Shares shares_in(const RankTask& task, std::size_t all) {
  Shares shares;
  for (const DeviceResolution& at : task.recorded) shares.push_back(at.bodies);
  const auto sum = std::accumulate(shares.begin(), shares.end(), std::size_t{0});
  return shares.size() == all && sum == task.bodies ? shares : Shares{};
}

}  // namespace

// The whole state from rank 0.
EngineState RankPart::everywhere(const EngineState* state) {
  Bytes bytes = leads() ? encoded(*state) : Bytes{};
  std::uint64_t size = bytes.size();
  ranks_.broadcast(std::as_writable_bytes(std::span(&size, 1)));
  bytes.resize(size);
  ranks_.broadcast(bytes);
  EngineState whole;
  record_.guard([&] { whole = decoded_state(bytes); });
  return whole;
}

void RankPart::restore_on_devices(const RankTask& task, const EngineState* state) {
  const EngineState whole = everywhere(state);
  std::vector<DeviceInfo> devices;
  record_.guard([&] {
    devices = devices_of_rank(devices_to_share(task.settings.device.name), ranks_.number_here(),
                              ranks_.ranks_here());
  });
  record_.guard([&] {  // also where the rest fails
    ordered_ = solver_named(task.settings.force.solver).takes_accuracy;
  });
  others_ = std::make_unique<DeviceBlocks>(ranks_, devices.size(), record_);
  record_.guard([&] { build_on_devices(task, devices, whole); });
}

void RankPart::build_on_devices(const RankTask& task, const std::vector<DeviceInfo>& devices,
                                const EngineState& whole) {
  EnginePlan plan{task.settings, {}, shares_in(task, others_->all())};
  for (std::size_t d = 0; d < devices.size(); ++d) {
    plan.devices.push_back(planned(task, devices[d], others_->first() + d, others_->all()));
  }
  auto engine = build_shared(plan, others_.get());
  several_ = engine.get();
  engine_ = std::move(engine);
  engine_->restore_state(whole);
  order_ = several_->order();
  engine_->warm_up();
  take_blocks();
}

void RankPart::take_blocks() {
  std::fill(blocks_.counts.begin(), blocks_.counts.end(), 0U);
  const auto& ranges = several_->ranges();
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    blocks_.counts[static_cast<std::size_t>(others_->owner_of(d))] += ranges[d].count();
  }
}

void RankPart::keep_own_bodies() {
  if (several_ == nullptr) return;
  const int rank = ranks_.rank();
  own_.bodies = part_of(own_.bodies, blocks_.first(rank), blocks_.of(rank));
}

void RankPart::keep_own_accelerations() {
  if (several_ == nullptr) return;
  const int rank = ranks_.rank();
  own_.accelerations = part_of(own_.accelerations, blocks_.first(rank), blocks_.of(rank));
}

void RankPart::gather_resolutions() {
  if (several_ == nullptr) return;
  answers_.devices.clear();
  for (const Bytes& bytes : gather_texts(encoded(engine_->describe()))) {
    const auto there = decoded_resolution(bytes).devices;
    answers_.devices.insert(answers_.devices.end(), there.begin(), there.end());
  }
}

}  // namespace apsis::mpi
