// SPDX-License-Identifier: MIT
#include <apsis/lab/recorder.hpp>

#include <algorithm>

namespace apsis::lab {

std::size_t Recorder::declare(ResultTable table) {
  results_.tables.push_back(std::move(table));
  return results_.tables.size() - 1;
}

void Recorder::add(std::size_t table, const ResultTable::Entries& entries) {
  results_.tables[table].add(entries);
  if (listener_.row_added) listener_.row_added(results_.tables[table]);
}

void Recorder::measuring(const std::string& what) {
  if (listener_.stop_requested && listener_.stop_requested()) throw StopRequested{};
  if (listener_.measuring) listener_.measuring(what);
}

void Recorder::notice(const std::string& text) {
  auto& notices = results_.notices;
  if (std::find(notices.begin(), notices.end(), text) != notices.end()) return;
  notices.push_back(text);
  if (listener_.notice) listener_.notice(text);
}

void Recorder::about(const std::string& key, const std::string& value) {
  auto& about = results_.about;
  const auto found = std::find_if(about.begin(), about.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  if (found == about.end()) {
    about.emplace_back(key, value);
  } else {
    found->second = value;
  }
}

}  // namespace apsis::lab
