// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/resolution.hpp>
#include <apsis/engines/split.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace apsis {
namespace {

constexpr std::string_view separator = " + ";

std::vector<std::string> texts_in(const std::string& list) {
  std::vector<std::string> texts;
  std::size_t begin = 0;
  for (std::size_t end = list.find(separator); end != std::string::npos;
       end = list.find(separator, begin)) {
    texts.push_back(list.substr(begin, end - begin));
    begin = end + separator.size();
  }
  texts.push_back(list.substr(begin));
  return texts;
}

template <class Text>
std::vector<std::string> texts_of_devices(const Resolution& resolution, const Text& text) {
  std::vector<std::string> texts;
  texts.reserve(resolution.devices.size());
  for (const DeviceResolution& at : resolution.devices) texts.push_back(text(at));
  return texts;
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, separator));
}

// Where nothing is said, nothing is said of each.
bool all_empty(const std::vector<std::string>& texts) {
  return std::ranges::all_of(texts, [](const std::string& text) { return text.empty(); });
}

template <class Number>
Number number_in(const ResolvedTexts& texts, const std::string& key) {
  const std::string& text = texts.at(key);
  Number value{};
  const char* const end = text.data() + text.size();
  if (!text.empty() && std::from_chars(text.data(), end, value).ptr == end) return value;
  throw bad_data(fmt::format("resolved.{} = '{}' is no whole number", key, text),
                 "leave the section [resolved] out, and everything is decided anew");
}

// One text for each of the devices.
std::vector<std::string> texts_for(const ResolvedTexts& texts, const char* key,
                                   std::size_t devices) {
  const auto found = texts.find(key);
  if (found == texts.end()) return std::vector<std::string>(devices);
  if (devices == 1) return {found->second};
  std::vector<std::string> list = texts_in(found->second);
  if (list.size() == devices) return list;
  throw bad_data(fmt::format("resolved.device names {} devices, and resolved.{} has {} parts",
                             devices, key, list.size()),
                 "resume from the other checkpoint, or start the run again");
}

// The kinds of devices, however many of each there are: parts of one are of its kind.
std::set<std::string> kinds_of(const std::vector<std::string>& texts) {
  std::set<std::string> kinds;
  for (const std::string& text : texts) kinds.insert(text.substr(0, text.find(" part ")));
  return kinds;
}

struct TextOfDevice {
  const char* field;
  std::string (*text)(const DeviceResolution&);
};
constexpr TextOfDevice texts_that_matter[] = {
    {"device", [](const DeviceResolution& at) { return at.device; }},
    {"driver", [](const DeviceResolution& at) { return at.driver; }},
    {"variant", [](const DeviceResolution& at) { return at.variant; }},
    {"sizes", [](const DeviceResolution& at) { return to_string(at.choice); }}};

}  // namespace

bool Resolution::sums_all_pairs() const { return apsis::sums_all_pairs(solver); }

std::string Resolution::device() const {
  return joined(texts_of_devices(*this, [](const auto& at) { return at.device; }));
}
std::string Resolution::driver() const {
  return joined(texts_of_devices(*this, [](const auto& at) { return at.driver; }));
}
std::string Resolution::variant() const {
  return joined(texts_of_devices(*this, [](const auto& at) { return at.variant; }));
}
std::string Resolution::sizes() const {
  const auto texts = texts_of_devices(*this, [](const auto& at) { return to_string(at.choice); });
  return all_empty(texts) ? std::string{} : joined(texts);
}
std::string Resolution::split() const {
  return devices.size() < 2 ? std::string{} : to_string(shares_of(*this));
}

Shares shares_of(const Resolution& resolution) {
  Shares shares;
  for (const DeviceResolution& at : resolution.devices) shares.push_back(at.bodies);
  return shares;
}

ResolvedTexts texts_of(const Resolution& resolution) {
  ResolvedTexts texts{{"device", resolution.device()},
                      {"driver", resolution.driver()},
                      {"solver", resolution.solver},
                      {"variant", resolution.variant()},
                      {"precision", std::string(name_of(resolution.precision))},
                      {"threads", std::to_string(resolution.threads)},
                      {"bodies", std::to_string(resolution.bodies)}};
  if (const std::string sizes = resolution.sizes(); !sizes.empty()) texts["sizes"] = sizes;
  if (const std::string split = resolution.split(); !split.empty()) texts["split"] = split;
  if (resolution.ranks > 1) texts["ranks"] = std::to_string(resolution.ranks);
  return texts;
}

std::optional<std::string> missing_key(const ResolvedTexts& texts) {
  for (const char* key :
       {"device", "driver", "solver", "variant", "precision", "threads", "bodies"}) {
    if (!texts.contains(key)) return key;
  }
  return std::nullopt;
}

std::optional<Resolution> resolution_in(const ResolvedTexts& texts) {
  if (missing_key(texts)) return std::nullopt;
  Resolution out{.solver = texts.at("solver"),
                 .precision = choice_from<Precision>(texts.at("precision")),
                 .threads = number_in<int>(texts, "threads"),
                 .bodies = number_in<std::size_t>(texts, "bodies"),
                 .ranks = texts.contains("ranks") ? number_in<int>(texts, "ranks") : 1,
                 .devices = {}};
  const SolverInfo& solver = solver_named(out.solver);
  const bool several = texts.contains("split");
  const auto names = several ? texts_in(texts.at("device")) : std::vector{texts.at("device")};
  const auto drivers = texts_for(texts, "driver", names.size());
  const auto variants = texts_for(texts, "variant", names.size());
  const auto choices = texts_for(texts, "sizes", names.size());
  const Shares shares =
      several ? shares_from(texts.at("split"), out.bodies, names.size()) : Shares{out.bodies};
  for (std::size_t d = 0; d < names.size(); ++d) {
    out.devices.push_back({names[d], drivers[d], variants[d],
                           solver_choice_from(solver, names[d] == "cpu", choices[d]), shares[d]});
  }
  return out;
}

std::optional<BitsDifference> difference_in_bits(const Resolution& then, const Resolution& now,
                                                 bool reproducible) {
  if (then.solver != now.solver) return BitsDifference{"solver", then.solver, now.solver};
  if (then.precision != now.precision) {
    return BitsDifference{"precision", std::string(name_of(then.precision)),
                          std::string(name_of(now.precision))};
  }
  const bool tree = solver_named(now.solver).takes_accuracy;
  const bool on_devices = !then.on_cpu() && !now.on_cpu();
  // the same sums however many devices or ranks share the bodies
  const bool by_kinds = reproducible || now.solver == "bins" || (tree && on_devices);
  for (const auto& [field, text] : texts_that_matter) {
    const auto before = texts_of_devices(then, text), here = texts_of_devices(now, text);
    if (before == here || (by_kinds && kinds_of(before) == kinds_of(here))) continue;
    return BitsDifference{field, joined(before), joined(here)};
  }
  // pairs are met in another order, trees are of other pieces
  if ((now.solver == "direct" || tree) && !by_kinds && then.ranks != now.ranks) {
    return BitsDifference{"ranks", std::to_string(then.ranks), std::to_string(now.ranks)};
  }
  return std::nullopt;
}

}  // namespace apsis
