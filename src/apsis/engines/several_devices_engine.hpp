// SPDX-License-Identifier: MIT
// Several OpenCL devices that share the bodies of one run (ADR 13).
//
// Each device holds all bodies as sources and advances its own: a range of them. Before forces are
// computed the new places of each range travel to the others, through the host and beside the
// kernels: a device first computes what its own sources do to its own bodies, then what those do
// that have arrived. The sums over sources have one order, whatever the split. Solvers with a tree
// get all at once; devices then hold the bodies along a curve through space, so that each has a
// region of its own to walk for. Sums are taken in the user's order all the same, which devices are
// told.
//
// Some of the devices may be driven by other processes (ADR 14). Those are known by their bodies
// alone; ours hold and advance a part of all, and what is stored here is right for that part.
#pragma once

#include <apsis/engines/body_order.hpp>
#include <apsis/engines/engine_plan.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/other_devices.hpp>

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace apsis {

class SeveralDevicesEngine final : public Engine {
 public:
  // Without shares bodies are dealt out evenly. Shares are those of all devices, wherever they are;
  // where there are `others`, bodies are given back in the order that devices have, not the user's.
  SeveralDevicesEngine(const std::vector<PlannedDevice>& devices, Shares shares,
                       const OpenclEngine::SolverFactory& make_solver = {},
                       OtherDevices* others = nullptr);
  SeveralDevicesEngine(const SeveralDevicesEngine&) = delete;
  SeveralDevicesEngine& operator=(const SeveralDevicesEngine&) = delete;
  ~SeveralDevicesEngine() override;

  void load(const Bodies& bodies) override;
  void store(Bodies& bodies) override;
  void replace(const Bodies& bodies) override;
  using Engine::apply;
  void apply(std::span<const Operation> operations) override;
  void warm_up() override;
  void finish() override;
  Energies pair_energies() override;  // where device 0 is
  Accelerations pair_accelerations() override;
  bool finite() override;
  bool gives_jerk() const override;
  Resolution describe() const override;
  Instruments instruments() override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

  // For the search of a split: only after a load, before anything has moved. Shares stay in use
  // for all further loads of as many bodies.
  void use(const Shares& shares);
  // Seconds of kernels that each device takes for one evaluation at the first bodies of its share.
  std::vector<double> seconds_for_first(std::span<const std::size_t> bodies);
  std::size_t bodies() const { return bodies_; }
  std::size_t devices() const { return outgoing_.size(); }  // of all processes
  // Of all devices.
  const std::vector<BodyRange>& ranges() const { return ranges_; }
  const BodyOrder& order() const { return order_; }

 private:
  using Bytes = std::vector<std::byte>;
  // What one device sends, in turn to one of two places: while others still take the last one from
  // its place the next one comes to the other.
  struct Outgoing {
    std::array<Bytes, 2> place, velocity;
  };
  // By our devices, where nothing else is said.
  struct Exchange {
    Wants wants;
    bool places = false, velocities = false;  // that others have to be told
    std::vector<device::Event> moved;         // once all that waited is launched and done
    std::vector<device::Event> sent;
    std::vector<std::vector<bool>> known, added;  // whose places of all, which parts
  };

  template <class Work>
  void guarded(const Work& work) const {
    if (others_ == nullptr) return work();
    others_->guard(work);
  }
  template <class Action>
  void each(const Action& action) const {
    for (const auto& engine : engines_) guarded([&] { action(*engine); });
  }
  // Numbers among all devices, and of ours.
  std::size_t number_of(std::size_t device) const { return first_ + device; }
  bool is_ours(std::size_t number) const {
    return number >= first_ && number < first_ + engines_.size();
  }
  OpenclEngine& engine_of(std::size_t number) const { return *engines_[number - first_]; }
  std::size_t entry_bytes() const { return engines_.front()->state().entry_bytes(); }
  template <class Values>
  void to_users_order(Values& values) const {
    if (others_ == nullptr) order_.undo(values);  // with others they are not yet all here
  }
  void accelerate(const Operation& operation);
  void calibrate_solvers(const std::function<void(OpenclEngine&)>& give);
  void deal_out_by_shares(std::size_t bodies);
  void deal_out(const Shares& shares);
  void own_ranges();
  void evaluate(Wants wants);
  void start(Exchange& exchange, std::size_t device);
  void start_receiving(const Exchange& exchange);
  void finish_exchange(Exchange& exchange);
  bool has_come(const Exchange& exchange, std::size_t number) const;
  void wait_for(const Exchange& exchange, std::size_t number);
  void pass_on(Exchange& exchange, std::size_t from);
  void add_known(Exchange& exchange, std::size_t device);
  std::size_t sources_a_part() const;
  bool is_known(const std::vector<bool>& known, std::size_t first, std::size_t end) const;
  Vectors gathered(OpenclEngine::Quantity quantity) const;
  // Own values of all devices into the buffer of one; of device 0 where there are others.
  void bring_together(OpenclEngine::Quantity quantity, std::size_t to);

  OtherDevices* others_;
  std::size_t first_ = 0;  // number of our first device
  std::vector<std::unique_ptr<OpenclEngine>> engines_;
  std::vector<DeviceInfo> devices_;
  bool reproducible_;
  bool calibrates_, chosen_;  // the solver chooses something to reach its accuracy, and has
  BodyOrder order_;           // that devices hold the bodies in
  Shares wanted_shares_;
  std::vector<BodyRange> ranges_;   // of all devices
  std::vector<Outgoing> outgoing_;  // of all devices
  std::size_t bodies_ = 0;
  std::size_t part_ = 0;  // sources a part of the sums
  int turn_ = 0;
  bool places_known_ = true, velocities_known_ = true;  // of all, by all
  // As each engine has it, but the same in all processes also where one of them has failed.
  Freshness freshness_;
};

}  // namespace apsis
