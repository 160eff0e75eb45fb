// SPDX-License-Identifier: MIT
// Inside mpi/: devices of other ranks, and the way to them.
#pragma once

#include <apsis/engines/other_devices.hpp>
#include <apsis/mpi/communicator.hpp>
#include <apsis/mpi/rank_solvers.hpp>

#include <vector>

namespace apsis::mpi {

class DeviceBlocks final : public OtherDevices {
 public:
  // All ranks make theirs together; `own` is the number of devices of this one.
  DeviceBlocks(Communicator& ranks, std::size_t own, EvaluationRecord& record);

  std::size_t all() const override { return owners_.size(); }
  std::size_t first() const override { return first_; }
  // The rank that drives a device.
  int owner_of(std::size_t device) const { return owners_[device]; }

  void guard(const std::function<void()>& work) override { record_.guard(work); }
  void start_send(std::size_t device, ConstBytes bytes) override;
  void start_receive(std::size_t device, Bytes bytes) override;
  bool arrived(std::size_t device) override;
  void wait_for(std::size_t device) override;
  void wait_for_sends() override;
  void bring_to_first(std::size_t device, Bytes bytes) override;
  std::vector<double> of_all(const std::vector<double>& own) override;

 private:
  Communicator& ranks_;
  EvaluationRecord& record_;
  std::vector<int> owners_;          // by device
  std::vector<std::size_t> counts_;  // of devices, by rank
  std::size_t first_ = 0;
  std::vector<std::vector<Transfer>> coming_;  // by device
  std::vector<Transfer> going_;
};

}  // namespace apsis::mpi
