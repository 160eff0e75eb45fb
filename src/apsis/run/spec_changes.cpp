// SPDX-License-Identifier: MIT
#include <apsis/run/spec_changes.hpp>
#include <apsis/sim/spec_keys.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <type_traits>

namespace apsis {
namespace {

std::map<std::string, std::string> by_key(const RunSpec& spec) {
  std::map<std::string, std::string> values;
  for (auto& [path, text] : spec_values(spec)) values[path] = std::move(text);
  values.erase("output.directory");
  return values;
}

std::string value_in(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string{} : found->second;
}

std::string or_none(const std::string& value) { return value.empty() ? "left open" : value; }

}  // namespace

std::vector<KeyChange> key_changes(const RunSpec& then, const RunSpec& now,
                                   const std::optional<std::string>& left_open_then) {
  const auto before = by_key(then), after = by_key(now);
  std::set<std::string> keys;
  for (const auto* values : {&before, &after}) {
    for (const auto& [key, text] : *values) keys.insert(key);
  }
  std::istringstream words(left_open_then.value_or(""));
  std::set<std::string> open;
  for (std::string word; words >> word;) open.insert(word);
  std::vector<KeyChange> changes;
  for (const std::string& key : keys) {
    const std::string a = value_in(before, key), b = value_in(after, key);
    const bool still_open = b.empty() && (!left_open_then || open.contains(key));
    if (a != b && !still_open) changes.push_back({key, a, b});
  }
  return changes;
}

std::string left_open(const RunSpec& given, const RunSpec& filled) {
  const auto before = by_key(given);
  std::string keys;
  for (const auto& [key, text] : by_key(filled)) {
    if (!before.contains(key)) keys += (keys.empty() ? "" : " ") + key;
  }
  return keys;
}

const std::vector<std::string>& changeable_keys() {
  static const std::vector<std::string> keys{"time.until",
                                             "time.burst",
                                             "time.energy_limit",
                                             "output.checkpoint_minutes",
                                             "output.checkpoint_steps",
                                             "output.max_minutes",
                                             "output.pictures",
                                             "output.plain",
                                             "device.threads"};
  return keys;
}

bool is_changeable(const std::string& key) {
  return std::count(changeable_keys().begin(), changeable_keys().end(), key) > 0;
}

void take_changes(RunSpec& to, const RunSpec& from, const std::vector<KeyChange>& changes) {
  for_each_key(to, [&]<class T>(const SpecKey& key, T& value) {
    if (std::ranges::count(changes, key.path, &KeyChange::key) == 0) return;
    for_each_key(from, [&](const SpecKey& other, const auto& theirs) {
      if constexpr (std::is_same_v<decltype(theirs), const T&>) {
        if (other.path == key.path) value = theirs;
      }
    });
  });
}

std::string text_of(const std::vector<KeyChange>& changes, const std::string& there,
                    const std::string& here) {
  std::string text;
  for (const auto& [key, then, now] : changes) {
    text += fmt::format("{}{} = {} in {} and {} in {}", text.empty() ? "" : "; ", key,
                        or_none(then), there, or_none(now), here);
  }
  return text;
}

}  // namespace apsis
