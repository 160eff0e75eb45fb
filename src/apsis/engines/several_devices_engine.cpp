// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
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

SeveralDevicesEngine::SeveralDevicesEngine(const std::vector<SharingDevice>& devices, Shares shares,
                                           const OpenclEngine::SolverFactory& make_solver)
    : reproducible_(devices.front().settings.reproducible),
      settles_(solver_named(devices.front().settings.solver).takes_accuracy),
      settled_(!devices.front().settings.settled.empty()),
      wanted_shares_(std::move(shares)) {
  for (const SharingDevice& sharing : devices) {
    OpenclEngineSettings settings = sharing.settings;
    settings.shared = true;
    engines_.push_back(std::make_unique<OpenclEngine>(sharing.device, settings, make_solver));
    devices_.push_back(sharing.device);
  }
  outgoing_.resize(engines_.size());
}

// Transfers may still be under way where something failed, and their bytes are ours.
SeveralDevicesEngine::~SeveralDevicesEngine() {
  each([](OpenclEngine& engine) {
    try {
      engine.context().finish();
    } catch (const Error&) {  // it was reported when it happened, or nobody needs it any more
    }
  });
}

// Shares that were meant for another number of bodies say nothing about these.
void SeveralDevicesEngine::apply_shares(std::size_t bodies) {
  bodies_ = bodies;
  const bool fit =
      !wanted_shares_.empty() &&
      std::accumulate(wanted_shares_.begin(), wanted_shares_.end(), std::size_t{0}) == bodies;
  deal_out(fit ? wanted_shares_ : even_shares(bodies, engines_.size()));
  places_known_ = velocities_known_ = true;
}

void SeveralDevicesEngine::use(const Shares& shares) {
  wanted_shares_ = shares;
  deal_out(shares);
}

void SeveralDevicesEngine::deal_out(const Shares& shares) {
  ranges_.clear();
  std::size_t first = 0;
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    ranges_.push_back({first, first + shares[d]});
    first += shares[d];
    engines_[d]->own(ranges_[d]);
    const std::size_t bytes = shares[d] * engines_[d]->state().entry_bytes();
    for (auto* twice : {&outgoing_[d].place, &outgoing_[d].velocity}) {
      for (Bytes& block : *twice) block.resize(bytes);
    }
  }
  part_ = sources_a_part();
}

// The same for all devices. In `reproducible` mode it follows from the sources alone.
std::size_t SeveralDevicesEngine::sources_a_part() const {
  const std::size_t at_most = (bodies_ + least_parts - 1) / least_parts;
  std::size_t length = std::max(chunk, (at_most + chunk - 1) / chunk * chunk);
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    const std::size_t here = part_length(
        devices_[d],
        {.sources = bodies_, .targets = ranges_[d].count(), .reproducible = reproducible_});
    if (reproducible_) return here;
    if (ranges_[d].count() > 0) length = std::min(length, std::max(here, chunk));
  }
  return length;
}

// What one device alone would settle for, by a sample of the bodies in the user's order.
void SeveralDevicesEngine::settle_solvers(const Bodies& bodies) {
  OpenclEngine& first = *engines_.front();
  first.load(bodies);
  first.accelerate({});
  const std::string sizes = first.describe().sizes;
  each([&](OpenclEngine& engine) { engine.settle_for(sizes); });
  settled_ = true;
}

void SeveralDevicesEngine::load(const Bodies& bodies) {
  if (settles_ && !settled_ && bodies.size() > 0) settle_solvers(bodies);
  if (settles_ && !reproducible_) {
    order_ = BodyOrder::along_curve(bodies.x, bodies.y, bodies.z);
  }
  const Bodies ordered = order_.applied(bodies);
  each([&](OpenclEngine& engine) { engine.load(ordered); });
  apply_shares(bodies.size());
}

void SeveralDevicesEngine::store(Bodies& bodies) {
  each([](OpenclEngine& engine) { engine.settle(); });
  engines_.front()->store_from([&](auto quantity) { return gathered(quantity); }, bodies);
  order_.undo(bodies);
}

Columns SeveralDevicesEngine::gathered(OpenclEngine::Quantity quantity) const {
  Columns out{std::vector<double>(bodies_), std::vector<double>(bodies_),
              std::vector<double>(bodies_)};
  each([&](OpenclEngine& engine) { read_own(engine.state(), engine.state().*quantity, out); });
  return out;
}

void SeveralDevicesEngine::moved() { places_known_ = velocities_known_ = false; }

void SeveralDevicesEngine::drift(double dt) {
  each([&](OpenclEngine& engine) { engine.drift(dt); });
  places_known_ = false;
}
void SeveralDevicesEngine::kick(double dt) {
  each([&](OpenclEngine& engine) { engine.kick(dt); });
  velocities_known_ = false;
}
void SeveralDevicesEngine::save(int slot) {
  each([&](OpenclEngine& engine) { engine.save(slot); });
}
void SeveralDevicesEngine::combine(int base_slot, std::span<const SlotTerm> terms) {
  each([&](OpenclEngine& engine) { engine.combine(base_slot, terms); });
  moved();
}
void SeveralDevicesEngine::predict(double dt) {
  each([&](OpenclEngine& engine) { engine.predict(dt); });
  moved();
}
void SeveralDevicesEngine::correct(double dt) {
  each([&](OpenclEngine& engine) { engine.correct(dt); });
  moved();
}
void SeveralDevicesEngine::accept() {
  each([](OpenclEngine& engine) { engine.accept(); });
}
void SeveralDevicesEngine::warm_up() {
  each([](OpenclEngine& engine) { engine.warm_up(); });
}
void SeveralDevicesEngine::finish() {
  each([](OpenclEngine& engine) { engine.settle(), engine.context().flush(); });
  each([](OpenclEngine& engine) { engine.finish(); });
}

void SeveralDevicesEngine::accelerate(Wants wants) {
  if (engines_.front()->up_to_date(wants)) return;
  evaluate({.acceleration = true, .potential = false, .jerk = wants.jerk});
  each([&](OpenclEngine& engine) { engine.keep_accelerations(wants); });
}

bool SeveralDevicesEngine::is_known(const std::vector<bool>& known, std::size_t first,
                                    std::size_t end) const {
  for (std::size_t d = 0; d < ranges_.size(); ++d) {
    const bool needed = ranges_[d].first < end && first < ranges_[d].end;
    if (needed && !known[d]) return false;
  }
  return true;
}

// The parts of the sources that have become complete, in runs; or all, where that is one piece.
void SeveralDevicesEngine::add_known(Exchange& exchange, std::size_t device) {
  OpenclEngine& engine = *engines_[device];
  const std::vector<bool>& known = exchange.known[device];
  if (!engine.sums_by_parts()) {
    if (is_known(known, 0, bodies_)) engine.add_all(exchange.wants);
    return;
  }
  std::vector<bool>& added = exchange.added[device];
  const auto is_new = [&](std::size_t k) {
    return !added[k] && is_known(known, k * part_, std::min((k + 1) * part_, bodies_));
  };
  for (std::size_t k = 0; k < added.size();) {
    const std::size_t first = k;
    for (; k < added.size() && is_new(k); ++k) added[k] = true;
    if (k > first) engine.add_parts(exchange.wants, part_, first, k);
    k = std::max(k, first + 1);
  }
}

// What a device can do without the others. Its places go first: they are waited for.
void SeveralDevicesEngine::start(Exchange& exchange, std::size_t device) {
  OpenclEngine& engine = *engines_[device];
  device::Event& settled = exchange.settled[device];
  settled = engine.start_evaluation();
  const auto turn = static_cast<std::size_t>(turn_);
  if (exchange.places) {
    exchange.sent[device] =
        engine.send(&DeviceState::place, outgoing_[device].place[turn], settled);
  }
  if (exchange.velocities) {  // behind the places, on the same queue
    exchange.sent[device] =
        engine.send(&DeviceState::velocity, outgoing_[device].velocity[turn], settled);
  }
  // the cores of a CPU copy as well as compute, and would take the longer task first
  if (devices_[device].kind == DeviceKind::cpu) engine.context().begin_after(exchange.sent[device]);
  add_known(exchange, device);
  engine.context().flush();
}

// The block of one device has come to the host. Others take it once they have done with the old
// one: that is when their own bodies have moved.
void SeveralDevicesEngine::pass_on(Exchange& exchange, std::size_t from) {
  const auto turn = static_cast<std::size_t>(turn_);
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    if (d == from || ranges_[d].count() == 0) continue;
    OpenclEngine& engine = *engines_[d];
    device::Event arrived = exchange.settled[d];
    if (exchange.places) {
      arrived = engine.receive(&DeviceState::place, ranges_[from].first,
                               outgoing_[from].place[turn], exchange.settled[d]);
    }
    if (exchange.velocities) {
      arrived = engine.receive(&DeviceState::velocity, ranges_[from].first,
                               outgoing_[from].velocity[turn], exchange.settled[d]);
    }
    engine.context().begin_after(arrived);
    exchange.known[d][from] = true;
    add_known(exchange, d);
    engine.context().flush();
  }
}

void SeveralDevicesEngine::evaluate(Wants wants) {
  const std::size_t devices = engines_.size(), parts = (bodies_ + part_ - 1) / part_;
  Exchange exchange{.wants = wants,
                    .places = !places_known_,
                    .velocities = wants.jerk && !velocities_known_,
                    .settled = std::vector<device::Event>(devices),
                    .sent = std::vector<device::Event>(devices),
                    .known = {},
                    .added = {}};
  const bool sends = exchange.places || exchange.velocities;
  exchange.known.assign(devices, std::vector<bool>(devices, !sends));
  exchange.added.assign(devices, std::vector<bool>(parts, false));
  for (std::size_t d = 0; d < devices; ++d) exchange.known[d][d] = true;
  turn_ = 1 - turn_;
  for (std::size_t d = 0; d < devices; ++d) start(exchange, d);
  if (!sends) return;

  std::vector<std::size_t> waited_for;
  for (std::size_t d = 0; d < devices; ++d) {
    if (ranges_[d].count() > 0) waited_for.push_back(d);
  }
  while (!waited_for.empty()) {  // whoever comes first is passed on first
    auto next = std::ranges::find_if(
        waited_for, [&](std::size_t device) { return exchange.sent[device].over(); });
    if (next == waited_for.end()) next = waited_for.begin();
    exchange.sent[*next].wait();
    pass_on(exchange, *next);
    waited_for.erase(next);
  }
  places_known_ = places_known_ || exchange.places;
  velocities_known_ = velocities_known_ || exchange.velocities;
}

void SeveralDevicesEngine::bring_together(OpenclEngine::Quantity quantity, std::size_t to) {
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    if (d == to || ranges_[d].count() == 0) continue;
    Bytes bytes(ranges_[d].count() * engines_[d]->state().entry_bytes());
    engines_[d]->send(quantity, bytes, engines_[d]->context().reached()).wait();
    engines_[to]
        ->receive(quantity, ranges_[d].first, bytes, engines_[to]->context().reached())
        .wait();
  }
}

// One device adds up, as it would if it had all: the order of the sums is the same.
Energies SeveralDevicesEngine::energies() {
  evaluate({.acceleration = false, .potential = true});
  each([](OpenclEngine& engine) { engine.keep_scratch(false); });
  const auto one = std::ranges::find_if(ranges_, [](BodyRange r) { return r.count() > 0; });
  const std::size_t lead =
      one == ranges_.end() ? 0 : static_cast<std::size_t>(one - ranges_.begin());
  bring_together(&DeviceState::velocity, lead);
  bring_together(&DeviceState::scratch, lead);
  const DeviceState& state = engines_[lead]->state();
  return engines_[lead]->energies_from(state.scratch, state.padded, bodies_ > 0 ? 1 : 0);
}

Accelerations SeveralDevicesEngine::accelerations() {
  each([](OpenclEngine& engine) { engine.settle(); });
  OpenclEngine& first = *engines_.front();
  const bool known = first.exact();
  if (!known) {
    evaluate({.acceleration = true});
    each([](OpenclEngine& engine) { engine.keep_scratch(true); });
  }
  Accelerations all = first.accelerations_from(
      gathered(known ? &DeviceState::acceleration : &DeviceState::scratch));
  order_.undo(all);
  return all;
}

bool SeveralDevicesEngine::finite() {
  return std::ranges::all_of(engines_, [](const auto& engine) { return engine->finite(); });
}

std::optional<double> SeveralDevicesEngine::kernel_seconds() {
  double longest = 0;
  each([&](OpenclEngine& engine) { longest = std::max(longest, *engine.kernel_seconds()); });
  return longest;
}

void SeveralDevicesEngine::record_timeline() {
  each([](OpenclEngine& engine) { engine.record_timeline(); });
}

std::vector<DeviceTimeline> SeveralDevicesEngine::timeline() {
  std::vector<DeviceTimeline> all;
  each([&](OpenclEngine& engine) { all.push_back(engine.timeline().front()); });
  return all;
}

std::optional<std::uint64_t> SeveralDevicesEngine::device_bytes() const {
  std::uint64_t sum = 0;
  each([&](OpenclEngine& engine) { sum += *engine.device_bytes(); });
  return sum;
}

bool SeveralDevicesEngine::gives_jerk() const { return engines_.front()->gives_jerk(); }

std::string SeveralDevicesEngine::listed_of(std::string EngineDescription::*field) const {
  std::vector<std::string> texts;
  each([&](OpenclEngine& engine) { texts.push_back(engine.describe().*field); });
  return listed(texts);
}

EngineDescription SeveralDevicesEngine::describe() const {
  EngineDescription out = engines_.front()->describe();
  for (auto field : {&EngineDescription::device, &EngineDescription::driver,
                     &EngineDescription::variant, &EngineDescription::sizes}) {
    out.*field = listed_of(field);
  }
  Shares shares;
  for (const BodyRange& range : ranges_) shares.push_back(range.count());
  out.split = to_string(shares);
  return out;
}

EngineState SeveralDevicesEngine::save_state() {
  each([](OpenclEngine& engine) { engine.settle(); });
  EngineState state =
      engines_.front()->state_from([&](auto quantity) { return gathered(quantity); });
  order_.undo(state);
  return state;
}

void SeveralDevicesEngine::restore_state(const EngineState& state) {
  if (settles_ && !reproducible_) order_ = BodyOrder::along_curve(state);
  const EngineState ordered = order_.applied(state);
  each([&](OpenclEngine& engine) { engine.restore_state(ordered); });
  apply_shares(state.bodies);
}

std::vector<double> SeveralDevicesEngine::seconds_for_first(std::span<const std::size_t> bodies) {
  const std::vector<BodyRange> whole = ranges_;
  finish();
  each([](OpenclEngine& engine) { engine.kernel_seconds(); });
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    ranges_[d].end = ranges_[d].first + std::min(bodies[d], whole[d].count());
    engines_[d]->own(ranges_[d]);
  }
  evaluate({.acceleration = true});
  std::vector<double> seconds;
  each([&](OpenclEngine& engine) { seconds.push_back(*engine.kernel_seconds()); });
  each([](OpenclEngine& engine) { engine.context().stop_counting(); });
  ranges_ = whole;
  for (std::size_t d = 0; d < engines_.size(); ++d) engines_[d]->own(ranges_[d]);
  return seconds;
}

}  // namespace apsis
