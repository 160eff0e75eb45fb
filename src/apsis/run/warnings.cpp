// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/run/warnings.hpp>
#include <apsis/run/warnings_json.hpp>

#include <algorithm>

namespace apsis {

void WarningLog::add(Warning warning) {
  if (std::find(all_.begin(), all_.end(), warning) != all_.end()) return;
  if (tell_) tell_(warning);
  all_.push_back(std::move(warning));
}

bool WarningLog::has(WarningCode code) const {
  return std::any_of(all_.begin(), all_.end(),
                     [code](const Warning& warning) { return warning.code == code; });
}

std::string codes_of(const std::vector<Warning>& warnings, WarningClass kind) {
  std::vector<std::string_view> names;
  for (const Warning& warning : warnings) {
    const bool listed = std::find(names.begin(), names.end(), warning.name()) != names.end();
    if (warning.kind() == kind && !listed) names.push_back(warning.name());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void require_good_input(const std::vector<Warning>& warnings) {
  const auto bad = std::find_if(warnings.begin(), warnings.end(), [](const Warning& warning) {
    return warning.kind() == WarningClass::input;
  });
  if (bad == warnings.end()) return;
  throw bad_data(fmt::format("--strict refuses {}: {}", bad->name(), bad->text),
                 "mend that, or leave --strict out");
}

nlohmann::ordered_json to_array(const std::vector<Warning>& warnings) {
  auto list = nlohmann::ordered_json::array();
  for (const Warning& warning : warnings) {
    list.push_back(
        {{"code", warning.name()}, {"class", name_of(warning.kind())}, {"text", warning.text}});
  }
  return list;
}

std::string to_text(const std::vector<Warning>& warnings) {
  // names of files need not be UTF-8
  return to_array(warnings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Warning> warnings_from_text(const std::string& text) {
  std::vector<Warning> warnings;
  for (const auto& entry : nlohmann::json::parse(text)) {
    const WarningInfo* known = find_warning(entry.at("code").get<std::string>());
    if (known != nullptr) warnings.push_back({known->code, entry.at("text")});
  }
  return warnings;
}

}  // namespace apsis
