// SPDX-License-Identifier: MIT
// What a rank has and does on devices: an engine on several devices, some of which are at other
// ranks. Every rank has all bodies, and the others' places come with every evaluation.
#include <apsis/core/columns.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/io/state_parts.hpp>
#include <apsis/mpi/device_choice.hpp>
#include <apsis/mpi/rank_part.hpp>

#include <algorithm>

namespace apsis::mpi {
namespace {

// What a list says about device `number` of `all`: nothing where it was made for others that were
// not all alike.
std::string choice_for(const std::string& list, std::size_t number, std::size_t all) {
  const std::vector<std::string> texts = texts_in(list);
  if (texts.size() == all) return texts[number];
  const bool alike =
      std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end();
  return alike && !texts.empty() ? texts.front() : std::string{};
}

SharingDevice sharing(const RankTask& task, const DeviceInfo& device, std::size_t number,
                      std::size_t all) {
  EngineSettings settings = task.settings;
  const std::string variant = choice_for(task.choices.variants, number, all);
  if (!variant.empty()) settings.device.variant = variant;
  if (!variant.empty() && settings.force.solver == "direct") {
    settings.sizes = sizes_from(choice_for(task.choices.sizes, number, all));
  }
  return {device, settings_on(settings, device)};
}

// Where it was for as many bodies and devices.
Shares shares_in(const RankTask& task, std::size_t all) {
  try {
    return shares_from(task.choices.split, task.bodies, all);
  } catch (const Error&) {
    return {};
  }
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
  std::vector<SharingDevice> own;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    own.push_back(sharing(task, devices[d], others_->first() + d, others_->all()));
  }
  auto engine = std::make_unique<SeveralDevicesEngine>(
      own, shares_in(task, others_->all()), OpenclEngine::SolverFactory{}, others_.get());
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

void RankPart::gather_descriptions() {
  if (several_ == nullptr) return;
  using Field = std::string EngineDescription::*;
  constexpr Field lists[] = {&EngineDescription::device, &EngineDescription::driver,
                             &EngineDescription::variant, &EngineDescription::sizes};
  const auto engines = gather_texts(encoded(engine_->describe()));
  EngineDescription all;
  for (const Field list : lists) {
    std::vector<std::string> texts;
    texts.reserve(engines.size());
    for (const Bytes& engine : engines) texts.push_back(decoded_description(engine).*list);
    all.*list = listed(texts);
  }
  answers_.engine = std::move(all);
}

}  // namespace apsis::mpi
