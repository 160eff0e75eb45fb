// SPDX-License-Identifier: MIT
// Which device the user means.
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/device/devices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <iterator>
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
              ? fmt::format("install a driver ('{}' names the packages), or use cpu",
                            typed_command("doctor"))
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
    throw bad_data(
        fmt::format("device '{}' has no number behind its colon", wanted),
        fmt::format("use opencl:0, opencl:1, …; '{}' lists them", typed_command("devices")));
  }
  return index;
}

// What stands behind the slash of "opencl:0/2" and "opencl:0/2:1".
struct PartsWanted {
  int parts = 1;
  std::optional<int> part;
};

int number_in(const std::string& wanted, std::string_view digits) {
  int number = -1;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error == std::errc{} && stop == end && number >= 0) return number;
  throw bad_data(fmt::format("device '{}' does not say in how many parts", wanted),
                 "use opencl:0/2 for both halves of a device, opencl:0/2:1 for the second one");
}

// Names of devices may have a slash, but do not begin like this.
std::size_t slash_in(const std::string& word) {
  return lower(word).starts_with("opencl") ? word.find('/') : std::string::npos;
}

PartsWanted parts_in(const std::string& word) {
  const std::size_t slash = slash_in(word);
  if (slash == std::string::npos) return {};
  const std::string_view behind = std::string_view(word).substr(slash + 1);
  const std::size_t colon = behind.find(':');
  PartsWanted wanted{number_in(word, behind.substr(0, colon)), {}};
  if (colon != std::string_view::npos) wanted.part = number_in(word, behind.substr(colon + 1));
  if (wanted.parts < 1 || wanted.part.value_or(0) >= wanted.parts) {
    throw bad_data(fmt::format("device '{}' names a part that there is not", word),
                   "parts are counted from 0: opencl:0/2:0 and opencl:0/2:1");
  }
  return wanted;
}

std::vector<DeviceInfo> parts_named(const std::string& word) {
  const PartsWanted wanted = parts_in(word);
  const DeviceInfo whole = chosen_device(word.substr(0, slash_in(word)));
  if (wanted.parts == 1) return {whole};
  if (wanted.part) return {part_of(whole, *wanted.part, wanted.parts)};
  std::vector<DeviceInfo> parts{part_of(whole, 0, wanted.parts)};  // where there are so many
  parts.reserve(static_cast<std::size_t>(wanted.parts));
  for (int part = 1; part < wanted.parts; ++part) {
    parts.push_back(part_of(whole, part, wanted.parts));
  }
  return parts;
}

// Devices that are there to be computed on; a simulator only where there is nothing else.
std::vector<DeviceInfo> all_devices() {
  Discovery discovery = discover_devices();
  std::vector<DeviceInfo> devices;
  std::ranges::copy_if(discovery.devices, std::back_inserter(devices), [](const DeviceInfo& d) {
    return d.name.find("Oclgrind") == std::string::npos;
  });
  if (devices.empty()) devices = discovery.devices;
  if (devices.empty()) throw not_there("all", discovery);
  return devices;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::size_t first = std::min(list.find_first_not_of(' ', begin), end);
    const std::size_t last = list.find_last_not_of(' ', end == 0 ? 0 : end - 1);
    words.push_back(first == end ? "" : list.substr(first, last + 1 - first));
    begin = end + 1;
  }
  return words;
}

void require_device_word(const std::string& word, const std::string& list) {
  if (word.empty()) {
    throw bad_data(fmt::format("device '{}' has an empty place between its commas", list),
                   "use for example opencl:0,opencl:1");
  }
  for (const char* other : {"auto", "cpu", "all"}) {
    if (word != other) continue;
    throw bad_data(fmt::format("device '{}': {} can't be one of several devices", list, word),
                   word == std::string("cpu")
                       ? fmt::format("name the CPU's OpenCL device instead ('{}' lists them)",
                                     typed_command("devices"))
                       : "name OpenCL devices, or use all or auto alone");
  }
}

// Parts of different cuts of one device would share its units.
bool share_units(const DeviceInfo& a, const DeviceInfo& b) {
  return a.index == b.index && (a.parts != b.parts || a.part == b.part);
}

void require_each_once(const std::vector<DeviceInfo>& devices, const std::string& list) {
  for (auto device = devices.begin(); device != devices.end(); ++device) {
    const auto before = std::find_if(devices.begin(), device, [&](const DeviceInfo& other) {
      return share_units(other, *device);
    });
    if (before == device) continue;
    throw bad_data(fmt::format("device '{}' names {} twice", list, device->name),
                   "name each device once");
  }
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
  if (slash_in(wanted) != std::string::npos) {
    const auto parts = parts_named(wanted);
    if (parts.size() == 1) return parts.front();
    throw bad_data(fmt::format("device '{}' is {} devices", wanted, parts.size()),
                   fmt::format("name one of its parts, {}:0", wanted));
  }
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

std::string word_for(const DeviceInfo& device) {
  const std::string place = fmt::format("opencl:{}", device.index);
  return device.parts == 1 ? place : fmt::format("{}/{}:{}", place, device.parts, device.part);
}

DeviceInfo part_of(const DeviceInfo& device, int part, int parts) {
  DeviceInfo cut = device;
  cut.part = part, cut.parts = parts;
  if (parts == 1) return cut;
  cut.compute_units = device.compute_units / parts;
  if (cut.compute_units == 0) {
    throw bad_data(fmt::format("{} has {} compute units, which make no {} parts", device.name,
                               device.compute_units, parts),
                   fmt::format("use opencl:{}/{} at most", device.index, device.compute_units));
  }
  cut.name += fmt::format(" part {} of {}", part + 1, parts);
  return cut;
}

bool names_several(const std::string& wanted) {
  if (wanted == "all" || wanted.find(',') != std::string::npos) return true;
  const PartsWanted parts = parts_in(wanted);
  return parts.parts > 1 && !parts.part;
}

std::vector<DeviceInfo> chosen_devices(const std::string& wanted) {
  if (wanted == "all") return all_devices();
  std::vector<DeviceInfo> devices;
  const auto words = words_of(wanted);
  for (const std::string& word : words) require_device_word(word, wanted);
  for (const std::string& word : words) {
    for (DeviceInfo& device : parts_named(word)) devices.push_back(std::move(device));
  }
  require_each_once(devices, wanted);
  return devices;
}

}  // namespace apsis
