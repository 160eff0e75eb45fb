// SPDX-License-Identifier: MIT
#include <apsis/viewer/addresses.hpp>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace apsis::viewer {
namespace {

std::string number_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool v6 = address->sa_family == AF_INET6;
  sockaddr_in in4{};
  sockaddr_in6 in6{};
  if (v6) {
    std::memcpy(&in6, address, sizeof in6);
  } else {
    std::memcpy(&in4, address, sizeof in4);
  }
  const void* bytes = v6 ? static_cast<const void*>(&in6.sin6_addr) : &in4.sin_addr;
  return ::inet_ntop(address->sa_family, bytes, text.data(), text.size()) != nullptr ? text.data()
                                                                                     : "";
}

// A datagram socket that is connected sends nothing, but has its own address chosen.
template <class Address>
std::string sent_from(int family, Address to) {
  const int socket = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return {};
  Address from{};
  socklen_t size = sizeof from;
  const bool known = ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&from), &size) == 0;
  ::close(socket);
  return known ? number_of(reinterpret_cast<const sockaddr*>(&from)) : std::string();
}

bool of_one_link(const InterfaceAddress& address) {
  const std::string_view number = address.number;
  return address.v6 && number.size() > 3 && number.starts_with("fe") &&
         std::string_view("89ab").find(number[2]) != std::string_view::npos;
}

}  // namespace

std::vector<InterfaceAddress> interface_addresses() {
  std::vector<InterfaceAddress> all;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return all;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr) continue;
    const int family = each->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const unsigned flags = each->ifa_flags;
    all.push_back({number_of(each->ifa_addr), family == AF_INET6,
                   (flags & IFF_UP) != 0 && (flags & IFF_RUNNING) != 0,
                   (flags & IFF_LOOPBACK) != 0});
  }
  ::freeifaddrs(list);
  return all;
}

// Towards addresses that nobody has: those of documentation (RFC 5737, RFC 3849).
std::string outward_address(bool v6) {
  if (v6) {
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6, to.sin6_port = htons(9);
    ::inet_pton(AF_INET6, "2001:db8::1", &to.sin6_addr);
    return sent_from(AF_INET6, to);
  }
  sockaddr_in to{};
  to.sin_family = AF_INET, to.sin_port = htons(9);
  ::inet_pton(AF_INET, "198.51.100.1", &to.sin_addr);
  return sent_from(AF_INET, to);
}

std::vector<std::string> hosts_for_others(const std::vector<InterfaceAddress>& all, bool with_v6,
                                          const std::vector<std::string>& outward) {
  std::vector<InterfaceAddress> usable;
  for (const InterfaceAddress& each : all) {
    if (each.number.empty() || !each.up || each.loopback || of_one_link(each)) continue;
    if (each.v6 && !with_v6) continue;
    usable.push_back(each);
  }
  const auto rank = [&](const InterfaceAddress& each) {
    const auto place = std::find(outward.begin(), outward.end(), each.number);
    const bool last = place == outward.end();
    return (last ? 2 : 0) + (each.v6 ? 1 : 0);
  };
  std::stable_sort(usable.begin(), usable.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<std::string> hosts;
  for (const InterfaceAddress& each : usable) {
    std::string host = each.v6 ? fmt::format("[{}]", each.number) : each.number;
    if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) {
      hosts.push_back(std::move(host));
    }
  }
  return hosts;
}

std::vector<std::string> hosts_of(std::string_view bound) {
  const bool v6 = bound.find(':') != std::string_view::npos;
  const bool everywhere = bound == "0.0.0.0" || bound == "::";
  if (!everywhere) return {v6 ? fmt::format("[{}]", bound) : std::string(bound)};
  auto hosts =
      hosts_for_others(interface_addresses(), v6, {outward_address(false), outward_address(true)});
  if (hosts.empty()) hosts.emplace_back(v6 ? "[::1]" : "127.0.0.1");
  return hosts;
}

}  // namespace apsis::viewer
