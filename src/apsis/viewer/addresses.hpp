// SPDX-License-Identifier: MIT
// Under which addresses a server is reached, in the form that links have: 192.168.1.20, [fd00::2].
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apsis::viewer {

// One network interface's address in numbers, and what decides whether others can reach it.
struct InterfaceAddress {
  std::string number;
  bool v6 = false, up = true, loopback = false;
};

// Of this machine, in the order in which it lists them.
std::vector<InterfaceAddress> interface_addresses();
// The one that it sends from, towards the world; empty where it knows no way there. Sends nothing.
std::string outward_address(bool v6);

// Those that other machines can use of a server that listens everywhere: not loopback, not what is
// down, and no IPv6 address of one link (its zone has no place in a link). Outward ones come first.
std::vector<std::string> hosts_for_others(const std::vector<InterfaceAddress>& all, bool with_v6,
                                          const std::vector<std::string>& outward);

// Of a server that is bound to this address: itself, or all of this machine's where it stands for
// all of them (0.0.0.0, ::); loopback where there is no other.
std::vector<std::string> hosts_of(std::string_view bound);

}  // namespace apsis::viewer
