// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/engines/several_devices_engine.hpp>
#include <apsis/solvers/direct/direct_opencl_plan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace apsis {
namespace {

// So many parts of the sources at least: few enough to cost little memory, many enough that a
// device has some of its own to begin with while those of others travel.
constexpr std::size_t least_parts = 8;
constexpr std::size_t chunk = 32;  // that parts are whole multiples of

}  // namespace

SeveralDevicesEngine::SeveralDevicesEngine(const std::vector<PlannedDevice>& devices, Shares shares,
                                           const OpenclEngine::SolverFactory& make_solver,
                                           OtherDevices* others)
    : Engine(devices.front().settings),
      others_(others),
      first_(others == nullptr ? 0 : others->first()),
      reproducible_(devices.front().settings.device.reproducible),
      calibrates_(solver_named(devices.front().settings.force.solver).takes_accuracy),
      chosen_(!is_open(devices.front().settings.choice)),
      wanted_shares_(std::move(shares)) {
  for (const PlannedDevice& sharing : devices) {
    engines_.push_back(std::make_unique<OpenclEngine>(sharing.device, sharing.settings, make_solver,
                                                      DeviceUse::shared));
    devices_.push_back(sharing.device);
  }
  outgoing_.resize(others == nullptr ? engines_.size() : others->all());
}

// Transfers may still be under way where something failed, and their bytes are ours.
SeveralDevicesEngine::~SeveralDevicesEngine() {
  for (const auto& engine : engines_) {
    try {
      engine->context().finish();
    } catch (const Error&) {  // it was reported when it happened, or nobody needs it any more
    }
  }
}

// Shares that were meant for another number of bodies say nothing about these.
void SeveralDevicesEngine::deal_out_by_shares(std::size_t bodies) {
  bodies_ = bodies;
  const std::vector<std::int32_t> numbers = order_.numbers();
  each([&](OpenclEngine& engine) { engine.lie_at(numbers); });
  const bool fit =
      !wanted_shares_.empty() &&
      std::accumulate(wanted_shares_.begin(), wanted_shares_.end(), std::size_t{0}) == bodies;
  deal_out(fit ? wanted_shares_ : even_shares(bodies, devices()));
  places_known_ = velocities_known_ = true;
  freshness_ = engines_.front()->accepted() ? Freshness::of_accepted_state() : Freshness{};
}

void SeveralDevicesEngine::use(const Shares& shares) {
  wanted_shares_ = shares;
  deal_out(shares);
}

void SeveralDevicesEngine::deal_out(const Shares& shares) {
  ranges_.clear();
  std::size_t first = 0;
  for (std::size_t number = 0; number < devices(); ++number) {
    ranges_.push_back({first, first + shares[number]});
    first += shares[number];
    const std::size_t bytes = shares[number] * entry_bytes();
    for (auto* twice : {&outgoing_[number].place, &outgoing_[number].velocity}) {
      for (Bytes& block : *twice) block.resize(bytes);
    }
  }
  own_ranges();
  part_ = sources_a_part();
}

void SeveralDevicesEngine::own_ranges() {
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    guarded([&] { engines_[d]->own(ranges_[number_of(d)]); });
  }
}

// The same for all devices here. In `reproducible` mode it follows from the sources alone.
std::size_t SeveralDevicesEngine::sources_a_part() const {
  const std::size_t at_most = (bodies_ + least_parts - 1) / least_parts;
  std::size_t length = std::max(chunk, (at_most + chunk - 1) / chunk * chunk);
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    const std::size_t targets = ranges_[number_of(d)].count();
    const std::size_t here = part_length(
        devices_[d], {.sources = bodies_, .targets = targets, .reproducible = reproducible_});
    if (reproducible_) return here;
    if (targets > 0) length = std::min(length, std::max(here, chunk));
  }
  return length;
}

// What one device alone would take for its accuracy, by a sample of the bodies in the user's order,
// in which the first device is given them.
void SeveralDevicesEngine::calibrate_solvers(const std::function<void(OpenclEngine&)>& give) {
  if (!calibrates_ || chosen_) return;
  SolverChoice choice;
  guarded([&] {
    OpenclEngine& first = *engines_.front();
    give(first);
    request_evaluation(first);
    choice = first.describe().devices.front().choice;
  });
  each([&](OpenclEngine& engine) { engine.take_choice(choice); });
  chosen_ = true;
}

void SeveralDevicesEngine::load(const Bodies& bodies) {
  if (bodies.size() > 0) calibrate_solvers([&](OpenclEngine& first) { first.load(bodies); });
  if (calibrates_) order_ = BodyOrder::along_curve(bodies.positions);
  const Bodies ordered = order_.applied(bodies);
  each([&](OpenclEngine& engine) { engine.load(ordered); });
  deal_out_by_shares(bodies.size());
}

void SeveralDevicesEngine::replace(const Bodies& bodies) {
  each([](OpenclEngine& engine) { engine.keep_choices(); });
  load(bodies);
}

void SeveralDevicesEngine::store(Bodies& bodies) {
  each([](OpenclEngine& engine) { engine.launch_waiting(); });
  engines_.front()->store_from([&](auto quantity) { return gathered(quantity); }, bodies);
  to_users_order(bodies);
}

Vectors SeveralDevicesEngine::gathered(OpenclEngine::Quantity quantity) const {
  Vectors out(bodies_);
  each([&](OpenclEngine& engine) { read_own(engine.state(), engine.state().*quantity, out); });
  return out;
}

void SeveralDevicesEngine::apply(std::span<const Operation> operations) {
  require_all_active(operations, "OpenCL devices");
  for (const Operation& operation : operations) {
    if (operation.kind == Operation::Kind::accelerate) {
      accelerate(operation);
      continue;
    }
    each([&](OpenclEngine& engine) { engine.apply({operation}); });
    if (operation.changes_positions()) places_known_ = false;
    if (operation.changes_velocities()) velocities_known_ = false;
    freshness_.after(operation);
  }
}

void SeveralDevicesEngine::warm_up() {
  each([](OpenclEngine& engine) { engine.warm_up(); });
}
void SeveralDevicesEngine::finish() {
  each([](OpenclEngine& engine) { engine.launch_waiting(), engine.context().flush(); });
  each([](OpenclEngine& engine) { engine.finish(); });
}

void SeveralDevicesEngine::accelerate(const Operation& operation) {
  if (freshness_.serves(operation)) return;
  evaluate({.acceleration = true, .potential = false, .jerk = operation.with_jerk});
  each([&](OpenclEngine& engine) { engine.keep_accelerations(operation); });
  freshness_.after(operation);
}

// One device adds up, as it would if it had all: the order of the sums is the same.
Energies SeveralDevicesEngine::pair_energies() {
  evaluate({.acceleration = false, .potential = true});
  each([](OpenclEngine& engine) { engine.keep_scratch(false); });
  const auto one = std::ranges::find_if(ranges_, [](BodyRange r) { return r.count() > 0; });
  const bool first = others_ != nullptr || one == ranges_.end();
  const std::size_t lead = first ? 0 : static_cast<std::size_t>(one - ranges_.begin());
  bring_together(&DeviceState::velocity, lead);
  bring_together(&DeviceState::scratch, lead);
  // places are not told to a device that has no bodies to move
  if (ranges_[lead].count() == 0) bring_together(&DeviceState::place, lead);
  Energies energies;
  if (!is_ours(lead)) return energies;
  guarded([&] {
    const DeviceState& state = engine_of(lead).state();
    energies = engine_of(lead).energies_from(state.scratch, state.padded, bodies_ > 0 ? 1 : 0);
  });
  return energies;
}

Accelerations SeveralDevicesEngine::pair_accelerations() {
  each([](OpenclEngine& engine) { engine.launch_waiting(); });
  OpenclEngine& first = *engines_.front();
  const bool known = freshness_.exact() && !has_external();
  if (!known) {
    evaluate({.acceleration = true});
    each([](OpenclEngine& engine) { engine.keep_scratch(true); });
  }
  Accelerations all = first.accelerations_from(
      gathered(known ? &DeviceState::acceleration : &DeviceState::scratch));
  to_users_order(all);
  return all;
}

bool SeveralDevicesEngine::finite() {
  return std::ranges::all_of(engines_, [](const auto& engine) { return engine->finite(); });
}

Instruments SeveralDevicesEngine::instruments() {
  Instruments out;
  out.kernel_seconds = [this] {
    double longest = 0;
    each([&](OpenclEngine& engine) {
      longest = std::max(longest, engine.context().kernel_seconds());
    });
    return longest;
  };
  out.record_timeline = [this] {
    each([](OpenclEngine& engine) { engine.context().record_timeline(); });
  };
  out.timeline = [this] {
    std::vector<DeviceTimeline> all;
    each([&](OpenclEngine& engine) {
      all.push_back({engine.context().device().name, engine.context().timeline()});
    });
    return all;
  };
  out.device_bytes = [this] {
    std::uint64_t sum = 0;
    each([&](OpenclEngine& engine) { sum += engine.context().allocated_bytes(); });
    return sum;
  };
  return out;
}

bool SeveralDevicesEngine::gives_jerk() const { return engines_.front()->gives_jerk(); }

// Of the devices here; how many bodies those of others have, they say themselves.
Resolution SeveralDevicesEngine::describe() const {
  Resolution out = engines_.front()->describe();
  out.devices.clear();
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    guarded([&] {
      DeviceResolution at = engines_[d]->describe().devices.front();
      at.bodies = ranges_.empty() ? 0 : ranges_[number_of(d)].count();
      out.devices.push_back(std::move(at));
    });
  }
  return out;
}

EngineState SeveralDevicesEngine::save_state() {
  each([](OpenclEngine& engine) { engine.launch_waiting(); });
  EngineState state =
      engines_.front()->state_from([&](auto quantity) { return gathered(quantity); });
  to_users_order(state);
  return state;
}

void SeveralDevicesEngine::restore_state(const EngineState& state) {
  if (state.bodies > 0) calibrate_solvers([&](OpenclEngine& first) { first.restore_state(state); });
  if (calibrates_) order_ = BodyOrder::along_curve(state);
  const EngineState ordered = order_.applied(state);
  each([&](OpenclEngine& engine) { engine.restore_state(ordered); });
  deal_out_by_shares(state.bodies);
}

std::vector<double> SeveralDevicesEngine::seconds_for_first(std::span<const std::size_t> bodies) {
  const std::vector<BodyRange> whole = ranges_;
  finish();
  each([](OpenclEngine& engine) { engine.context().kernel_seconds(); });
  for (std::size_t d = 0; d < devices(); ++d) {
    ranges_[d].end = ranges_[d].first + std::min(bodies[d], whole[d].count());
  }
  own_ranges();
  evaluate({.acceleration = true});
  std::vector<double> seconds(engines_.size(), 1.0);  // where it fails any will do
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    guarded([&] { seconds[d] = engines_[d]->context().kernel_seconds(); });
  }
  each([](OpenclEngine& engine) { engine.context().stop_counting(); });
  ranges_ = whole;
  own_ranges();
  return others_ == nullptr ? seconds : others_->of_all(seconds);
}

}  // namespace apsis
