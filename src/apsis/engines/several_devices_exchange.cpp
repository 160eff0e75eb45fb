// SPDX-License-Identifier: MIT
// How devices that share bodies learn of each other's, while they compute what they can.
#include <apsis/core/error.hpp>
#include <apsis/engines/several_devices_engine.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {

bool SeveralDevicesEngine::is_known(const std::vector<bool>& known, std::size_t first,
                                    std::size_t end) const {
  for (std::size_t d = 0; d < ranges_.size(); ++d) {
    const bool needed = ranges_[d].count() > 0 && ranges_[d].first < end && first < ranges_[d].end;
    if (needed && !known[d]) return false;
  }
  return true;
}

// The parts of the sources that have become complete, in runs; or all, where that is one piece.
void SeveralDevicesEngine::add_known(Exchange& exchange, std::size_t device) {
  OpenclEngine& engine = *engines_[device];
  const std::vector<bool>& known = exchange.known[device];
  std::vector<bool>& added = exchange.added[device];
  if (!engine.sums_by_parts()) {
    if (!is_known(known, 0, bodies_)) return;
    engine.add_all(exchange.wants);
    return added.assign(added.size(), true);
  }
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
  Outgoing& outgoing = outgoing_[number_of(device)];
  device::Event& moved = exchange.moved[device];
  moved = engine.start_evaluation();
  const auto turn = static_cast<std::size_t>(turn_);
  if (exchange.places) {
    exchange.sent[device] = engine.send(&DeviceState::place, outgoing.place[turn], moved);
  }
  if (exchange.velocities) {  // behind the places, on the same queue
    exchange.sent[device] = engine.send(&DeviceState::velocity, outgoing.velocity[turn], moved);
  }
  // the cores of a CPU copy as well as compute, and would take the longer task first
  if (devices_[device].kind == DeviceKind::cpu) engine.context().begin_after(exchange.sent[device]);
  add_known(exchange, device);
  engine.context().flush();
}

// Of devices that other processes drive.
void SeveralDevicesEngine::start_receiving(const Exchange& exchange) {
  const auto turn = static_cast<std::size_t>(turn_);
  for (std::size_t number = 0; number < devices(); ++number) {
    if (is_ours(number)) continue;
    if (exchange.places) others_->start_receive(number, outgoing_[number].place[turn]);
    if (exchange.velocities) others_->start_receive(number, outgoing_[number].velocity[turn]);
  }
}

// The block of one device has come to the host. Others take it once they have done with the old
// one: that is when their own bodies have moved.
void SeveralDevicesEngine::pass_on(Exchange& exchange, std::size_t from) {
  Outgoing& outgoing = outgoing_[from];
  const auto turn = static_cast<std::size_t>(turn_);
  if (others_ != nullptr && is_ours(from)) {
    if (exchange.places) others_->start_send(from, outgoing.place[turn]);
    if (exchange.velocities) others_->start_send(from, outgoing.velocity[turn]);
  }
  for (std::size_t d = 0; d < engines_.size(); ++d) {
    if (number_of(d) == from || ranges_[number_of(d)].count() == 0) continue;
    guarded([&] {
      OpenclEngine& engine = *engines_[d];
      device::Event arrived = exchange.moved[d];
      if (exchange.places) {
        arrived = engine.receive(&DeviceState::place, ranges_[from].first, outgoing.place[turn],
                                 exchange.moved[d]);
      }
      if (exchange.velocities) {
        arrived = engine.receive(&DeviceState::velocity, ranges_[from].first,
                                 outgoing.velocity[turn], exchange.moved[d]);
      }
      engine.context().begin_after(arrived);
      exchange.known[d][from] = true;
      add_known(exchange, d);
      engine.context().flush();
    });
  }
}

bool SeveralDevicesEngine::has_come(const Exchange& exchange, std::size_t number) const {
  if (!is_ours(number)) return others_->arrived(number);
  bool over = true;
  guarded([&] { over = exchange.sent[number - first_].over(); });
  return over;
}

void SeveralDevicesEngine::wait_for(const Exchange& exchange, std::size_t number) {
  if (!is_ours(number)) return others_->wait_for(number);
  guarded([&] { exchange.sent[number - first_].wait(); });
}

// Whoever comes first is passed on first; our own are waited for first, as other processes wait for
// them.
void SeveralDevicesEngine::finish_exchange(Exchange& exchange) {
  std::vector<std::size_t> waited_for;
  for (std::size_t number = 0; number < devices(); ++number) {
    if (ranges_[number].count() > 0) waited_for.push_back(number);
  }
  std::stable_partition(waited_for.begin(), waited_for.end(),
                        [&](std::size_t number) { return is_ours(number); });
  while (!waited_for.empty()) {
    auto next = std::ranges::find_if(
        waited_for, [&](std::size_t number) { return has_come(exchange, number); });
    if (next == waited_for.end()) next = waited_for.begin();
    wait_for(exchange, *next);
    pass_on(exchange, *next);
    waited_for.erase(next);
  }
  if (others_ != nullptr) others_->wait_for_sends();
}

void SeveralDevicesEngine::evaluate(Wants wants) {
  const std::size_t own = engines_.size(), parts = (bodies_ + part_ - 1) / part_;
  Exchange exchange{.wants = wants,
                    .places = !places_known_,
                    .velocities = wants.jerk && !velocities_known_,
                    .moved = std::vector<device::Event>(own),
                    .sent = std::vector<device::Event>(own),
                    .known = {},
                    .added = {}};
  const bool sends = exchange.places || exchange.velocities;
  exchange.known.assign(own, std::vector<bool>(devices(), !sends));
  exchange.added.assign(own, std::vector<bool>(parts, false));
  for (std::size_t d = 0; d < own; ++d) exchange.known[d][number_of(d)] = true;
  turn_ = 1 - turn_;
  if (sends) start_receiving(exchange);
  for (std::size_t d = 0; d < own; ++d) guarded([&] { start(exchange, d); });
  if (!sends) return;
  finish_exchange(exchange);
  for (std::size_t d = 0; d < own; ++d) {
    guarded([&] {
      if (ranges_[number_of(d)].count() == 0 ||
          std::ranges::all_of(exchange.added[d], [](bool added) { return added; })) {
        return;
      }
      throw Error(ExitCode::internal_error,  // the old forces would stay, and look like new ones
                  fmt::format("device {} has not met all bodies", number_of(d)));
    });
  }
  places_known_ = places_known_ || exchange.places;
  velocities_known_ = velocities_known_ || exchange.velocities;
}

// Own values of one device through the host to another, which may be in another process.
void SeveralDevicesEngine::bring_together(OpenclEngine::Quantity quantity, std::size_t to) {
  for (std::size_t d = 0; d < devices(); ++d) {
    if (d == to || ranges_[d].count() == 0 || (!is_ours(d) && !is_ours(to))) continue;
    Bytes bytes(ranges_[d].count() * entry_bytes());
    if (is_ours(d)) {
      guarded([&] {
        OpenclEngine& from = engine_of(d);
        from.send(quantity, bytes, from.context().reached()).wait();
      });
    }
    if (is_ours(d) != is_ours(to)) others_->bring_to_first(d, bytes);
    if (!is_ours(to)) continue;
    guarded([&] {
      OpenclEngine& there = engine_of(to);
      there.receive(quantity, ranges_[d].first, bytes, there.context().reached()).wait();
    });
  }
}

}  // namespace apsis
