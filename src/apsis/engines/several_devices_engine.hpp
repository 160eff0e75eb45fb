// SPDX-License-Identifier: MIT
// Several OpenCL devices that share the bodies of one run (ADR 13).
//
// Each device holds all bodies as sources and advances its own: a range of them. Before forces are
// computed the new places of each range travel to the others, through the host and beside the
// kernels: a device first computes what its own sources do to its own bodies, then what those do
// that have arrived. The sums over sources have one order, whatever the split. Solvers with a tree
// get all at once; devices then hold the bodies along a curve through space, so that each has a
// region of its own to walk for. In `reproducible` mode they do not: the order of bodies in a leaf
// is that of its sums.
#pragma once

#include <apsis/engines/body_order.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/split.hpp>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace apsis {

struct SharingDevice {
  DeviceInfo device;
  OpenclEngineSettings settings;
};

class SeveralDevicesEngine final : public Engine {
 public:
  // Without shares bodies are dealt out evenly.
  SeveralDevicesEngine(const std::vector<SharingDevice>& devices, Shares shares,
                       const OpenclEngine::SolverFactory& make_solver = {});
  SeveralDevicesEngine(const SeveralDevicesEngine&) = delete;
  SeveralDevicesEngine& operator=(const SeveralDevicesEngine&) = delete;
  ~SeveralDevicesEngine() override;

  void load(const Bodies& bodies) override;
  void store(Bodies& bodies) override;
  void drift(double dt) override;
  void kick(double dt) override;
  void accelerate(Wants wants) override;
  void save(int slot) override;
  void combine(int base_slot, std::span<const SlotTerm> terms) override;
  void predict(double dt) override;
  void correct(double dt) override;
  void accept() override;
  void warm_up() override;
  void finish() override;
  Energies energies() override;
  Accelerations accelerations() override;
  bool finite() override;
  // Of the device that computed longest.
  std::optional<double> kernel_seconds() override;
  void record_timeline() override;
  std::vector<DeviceTimeline> timeline() override;
  std::optional<std::uint64_t> device_bytes() const override;
  bool gives_jerk() const override;
  EngineDescription describe() const override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

  // For the search of a split: only after a load, before anything has moved. Shares stay in use
  // for all further loads of as many bodies.
  void use(const Shares& shares);
  // Seconds of kernels that each device takes for one evaluation at the first bodies of its share.
  std::vector<double> seconds_for_first(std::span<const std::size_t> bodies);
  std::size_t bodies() const { return bodies_; }
  std::size_t devices() const { return engines_.size(); }

 private:
  using Bytes = std::vector<std::byte>;
  // What one device sends, in turn to one of two places: while others still take the last one from
  // its place the next one comes to the other.
  struct Outgoing {
    std::array<Bytes, 2> place, velocity;
  };
  struct Exchange {
    Wants wants;
    bool places = false, velocities = false;  // that others have to be told
    std::vector<device::Event> settled;       // by device
    std::vector<device::Event> sent;
    std::vector<std::vector<bool>> known, added;  // by device: whose places, which parts
  };

  template <class Action>
  void each(const Action& action) const {
    for (const auto& engine : engines_) action(*engine);
  }
  void moved();
  void settle_solvers(const Bodies& bodies);
  void apply_shares(std::size_t bodies);
  void deal_out(const Shares& shares);
  void evaluate(Wants wants);
  void start(Exchange& exchange, std::size_t device);
  void pass_on(Exchange& exchange, std::size_t from);
  void add_known(Exchange& exchange, std::size_t device);
  std::size_t sources_a_part() const;
  bool is_known(const std::vector<bool>& known, std::size_t first, std::size_t end) const;
  Columns gathered(OpenclEngine::Quantity quantity) const;
  // Own values of all devices into the buffer of one.
  void bring_together(OpenclEngine::Quantity quantity, std::size_t to);
  std::string listed_of(std::string EngineDescription::*field) const;

  std::vector<std::unique_ptr<OpenclEngine>> engines_;
  std::vector<DeviceInfo> devices_;
  bool reproducible_;
  bool settles_, settled_;  // the solver settles for something to reach its accuracy, and has
  BodyOrder order_;         // that devices hold the bodies in
  Shares wanted_shares_;
  std::vector<BodyRange> ranges_;
  std::vector<Outgoing> outgoing_;
  std::size_t bodies_ = 0;
  std::size_t part_ = 0;  // sources a part of the sums
  int turn_ = 0;
  bool places_known_ = true, velocities_known_ = true;  // of all, by all
};

}  // namespace apsis
