// SPDX-License-Identifier: MIT
// Devices that other processes drive: what an engine on several devices asks of whoever knows the
// way to them. All processes number all devices alike, and take the same steps; what fails in one
// of them must not keep the others waiting. It is no seam: nobody chooses it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace apsis {

class OtherDevices {
 public:
  using Bytes = std::span<std::byte>;
  using ConstBytes = std::span<const std::byte>;

  OtherDevices() = default;
  OtherDevices(const OtherDevices&) = delete;
  OtherDevices& operator=(const OtherDevices&) = delete;
  virtual ~OtherDevices() = default;

  virtual std::size_t all() const = 0;    // devices of all processes
  virtual std::size_t first() const = 0;  // number of the first that is driven here

  // Does what concerns this process alone. A failure is kept, and from then on nothing is done any
  // more; messages go on.
  virtual void guard(const std::function<void()>& work) = 0;

  // What one of our devices has to tell all other processes, and one of theirs us. The bytes stay
  // where they are until it has arrived, and until all is sent.
  virtual void start_send(std::size_t device, ConstBytes bytes) = 0;
  virtual void start_receive(std::size_t device, Bytes bytes) = 0;
  virtual bool arrived(std::size_t device) = 0;
  virtual void wait_for(std::size_t device) = 0;
  virtual void wait_for_sends() = 0;

  // From the process of this device to that of device 0. Both call it, and nobody else.
  virtual void bring_to_first(std::size_t device, Bytes bytes) = 0;
  // A number for each device of ours becomes one for each of all, everywhere.
  virtual std::vector<double> of_all(const std::vector<double>& own) = 0;
};

}  // namespace apsis
