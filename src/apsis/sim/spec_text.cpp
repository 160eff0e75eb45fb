// SPDX-License-Identifier: MIT
// A run spec as text: the values of its keys, and the whole of it as TOML.
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/spec_keys.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace apsis {
namespace {

std::string text_of(const std::string& value) {
  const bool plain = std::none_of(value.begin(), value.end(), [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' || c == 0x7f;
  });
  if (plain) return fmt::format("\"{}\"", value);
  std::ostringstream out;
  out << toml::value<std::string>(value);
  return out.str();
}
std::string text_of(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}
std::string text_of(const Box& value) {
  std::string text;
  for (const double side : value) text += (text.empty() ? "[" : ", ") + text_of(side);
  return text + "]";
}
std::string text_of(bool value) { return value ? "true" : "false"; }
template <class Whole>
requires std::is_integral_v<Whole> std::string text_of(Whole value) {
  return fmt::format("{}", value);
}
template <class Enum>
requires std::is_enum_v<Enum> std::string text_of(Enum value) {
  return fmt::format("\"{}\"", name_of(value));
}
std::string text_of(const AnalysisNames& names) {
  std::string text;
  for (const AnalysisName name : names) text += (text.empty() ? "[" : ", ") + text_of(name);
  return text + "]";
}

// "" where there is nothing to write: not set, or an empty string or list.
template <class T>
std::string written_value(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? text_of(*value) : std::string{};
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, AnalysisNames>) {
    return value.empty() ? std::string{} : text_of(value);
  } else {
    return text_of(value);
  }
}

void append_section(std::string& out, const std::vector<SpecValue>& values,
                    const std::string& section) {
  std::string keys;
  for (const auto& [path, text] : values) {
    if (section_of(path) != section) continue;
    keys +=
        fmt::format("{} = {}\n", section.empty() ? path : path.substr(section.size() + 1), text);
  }
  if (keys.empty()) return;
  out += section.empty() ? keys : fmt::format("\n[{}]\n{}", section, keys);
}

}  // namespace

std::vector<SpecValue> spec_values(const RunSpec& original) {
  RunSpec spec = original;
  if (!spec.initial.file.empty()) spec.initial.model.clear();
  std::vector<SpecValue> values;
  for_each_key(spec, [&](const SpecKey& key, const auto& value) {
    std::string text = written_value(value);
    if (!text.empty()) values.push_back({key.path, std::move(text)});
  });
  for (const auto& [name, option] : spec.initial.options) {
    values.push_back(
        {"initial." + name, std::visit([](const auto& v) { return text_of(v); }, option.value)});
  }
  return values;
}

std::string to_toml(const RunSpec& spec) {
  auto values = spec_values(spec);
  // a file that names code to be run is not read back
  std::erase_if(values, [](const SpecValue& value) { return value.path == "device.kernel_dir"; });
  std::string out;
  append_section(out, values, "");
  for (const std::string& section : spec_sections()) append_section(out, values, section);
  if (!spec.resolved.empty()) {
    out += "\n# what was decided at the start; --resume takes it from here\n[resolved]\n";
    for (const auto& [name, value] : spec.resolved) {
      out += fmt::format("{} = {}\n", name, text_of(value));
    }
  }
  return out;
}

}  // namespace apsis
