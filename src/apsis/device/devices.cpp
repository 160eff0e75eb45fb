// SPDX-License-Identifier: MIT
// Which device the user means.
#include <apsis/core/error.hpp>
#include <apsis/device/devices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <optional>

namespace apsis {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool holds(std::string_view text, const std::string& lower_part) {
  return lower(text).find(lower_part) != std::string::npos;
}

std::optional<DeviceKind> kind_named(std::string_view word) {
  for (const auto& [kind, name] : Choice<DeviceKind>::values) {
    if (name == word) return kind;
  }
  return std::nullopt;
}

std::string listed(const Discovery& discovery) {
  if (discovery.devices.empty()) return discovery.why_none;
  std::string text = "there is ";
  for (const DeviceInfo& device : discovery.devices) {
    if (device.index > 0) text += ", ";
    text += fmt::format("opencl:{} = {}", device.index, device.name);
  }
  return text;
}

Error not_there(const std::string& wanted, const Discovery& discovery) {
  return {ExitCode::unavailable,
          fmt::format("there is no OpenCL device '{}': {}", wanted, listed(discovery)),
          discovery.devices.empty()
              ? "install a driver ('apsis doctor' names the packages), or use cpu"
              : "name one of these, or auto"};
}

using Fits = std::function<bool(const DeviceInfo&)>;

DeviceInfo first_that(const Fits& fits, const std::string& wanted, const Discovery& discovery) {
  const auto found = std::ranges::find_if(discovery.devices, fits);
  if (found == discovery.devices.end()) throw not_there(wanted, discovery);
  return *found;
}

int index_in(const std::string& wanted, std::string_view digits) {
  int index = -1;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, index);
  if (error == std::errc::result_out_of_range) return index;
  if (error != std::errc{} || stop != end || index < 0) {
    throw bad_data(fmt::format("device '{}' has no number behind its colon", wanted),
                   "use opencl:0, opencl:1, …; 'apsis devices' lists them");
  }
  return index;
}

// Names first: "Intel" is a card of Intel's before it is a CPU behind a platform of that name.
DeviceInfo by_part_of_name(const std::string& wanted, const Discovery& discovery) {
  const std::string part = lower(wanted);
  const Fits by_name = [&](const DeviceInfo& d) { return holds(d.name, part); };
  const Fits by_maker = [&](const DeviceInfo& d) {
    return holds(d.vendor, part) || holds(d.platform, part) || holds(d.version, part);
  };
  const bool named = std::ranges::any_of(discovery.devices, by_name);
  return first_that(named ? by_name : by_maker, wanted, discovery);
}

}  // namespace

std::string name_with_driver(const DeviceInfo& device) {
  return fmt::format("{} (driver {})", device.name, device.driver);
}

DeviceInfo chosen_device(const std::string& wanted) {
  if (wanted.empty()) throw bad_data("the device has no name", "use auto, cpu, opencl or gpu");
  const std::string word = lower(wanted);
  constexpr std::string_view prefix = "opencl:";
  const bool numbered = word.starts_with(prefix);
  const std::string rest = numbered ? word.substr(prefix.size()) : word;
  const auto kind = kind_named(rest);
  const int index = numbered && !kind ? index_in(wanted, rest) : -1;

  const Discovery discovery = discover_devices();
  if (word == "opencl") return first_that([](const auto&) { return true; }, wanted, discovery);
  if (kind) return first_that([&](const auto& d) { return d.kind == *kind; }, wanted, discovery);
  if (numbered) {
    return first_that([&](const auto& d) { return d.index == index; }, wanted, discovery);
  }
  return by_part_of_name(wanted, discovery);
}

}  // namespace apsis
