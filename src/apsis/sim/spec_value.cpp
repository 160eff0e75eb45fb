// SPDX-License-Identifier: MIT
#include <apsis/core/choices.hpp>
#include <apsis/core/names.hpp>
#include <apsis/sim/spec_value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace apsis {
namespace {

std::string range_text(const FieldInfo& field) {
  return fmt::format(
      "give a number {} {}{}", field.above_minimum ? ">" : ">=", field.minimum,
      std::isfinite(field.maximum) ? fmt::format(" and <= {}", field.maximum) : std::string{});
}

// Without the blanks about them; none in an empty text.
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream parts(text);
  for (std::string word; std::getline(parts, word, ',');) {
    const auto first = word.find_first_not_of(' ');
    words.push_back(first == std::string::npos
                        ? ""
                        : word.substr(first, word.find_last_not_of(' ') + 1 - first));
  }
  return words;
}

}  // namespace

std::string Written::value() const {
  std::ostringstream text;
  node.visit([&](const auto& n) { text << n; });
  return text.str();
}

Error Written::error(const std::string& what, const std::string& remedy) const {
  return bad_data(fmt::format("{}: {} = {} {}", place, path, value(), what), remedy);
}

std::string place_of(const toml::node& node, const std::string& origin) {
  const auto& begin = node.source().begin;
  if (!begin) return origin;
  return fmt::format("{}:{}:{}", origin, begin.line, begin.column);
}

double number(const Written& written, const FieldInfo& field) {
  if (!written.node.is_number()) throw written.error("is not a number", "give a number");
  const double value = written.node.is_integer()
                           ? static_cast<double>(written.node.as_integer()->get())
                           : written.node.as_floating_point()->get();
  const bool bounded = std::isfinite(field.minimum);
  if (!std::isfinite(value)) {
    throw written.error("is not a finite number", bounded ? range_text(field) : "give a number");
  }
  if (!is_in_range(field, value)) throw written.error("is out of range", range_text(field));
  return value;
}

std::int64_t whole_number(const Written& written, const FieldInfo& field) {
  const double value = number(written, field);
  if (value != std::floor(value) || std::abs(value) > 0x1p62) {
    throw written.error("is not a whole number", "give a whole number");
  }
  return written.node.is_integer() ? written.node.as_integer()->get()
                                   : static_cast<std::int64_t>(value);
}

std::string word(const Written& written, const std::vector<std::string>& words) {
  if (!written.node.is_string()) throw written.error("is not a string", "put it in quotes");
  std::string value = written.node.as_string()->get();
  const bool known = words.empty() || std::find(words.begin(), words.end(), value) != words.end();
  if (!known) {
    throw written.error("is not known" + did_you_mean(value, words), "choose " + list_of(words));
  }
  return value;
}

Box box(const Written& written) {
  const char* const remedy = "give [x0, x1, y0, y1, z0, z1]";
  const toml::array* sides = written.node.as_array();
  Box value{};
  if (sides == nullptr || sides->size() != value.size()) {
    throw written.error("is not a list of six numbers", remedy);
  }
  for (std::size_t k = 0; k < value.size(); ++k) {
    value[k] = number({*sides->get(k), written.place, written.path}, FieldInfo{});
    if (k % 2 == 1 && !(value[k - 1] < value[k])) {
      throw written.error(fmt::format("has no width along {}", "xyz"[k / 2]), remedy);
    }
  }
  return value;
}

// ["bound", "centre"], or the same as "bound,centre", as device.name has several devices.
AnalysisNames analysis_names(const Written& written) {
  const auto known = choice_names<AnalysisName>();
  const auto refuse = [&](const std::string& what) -> Error {
    return written.error(what, fmt::format("name some of {}, each once", list_of(known)));
  };
  std::vector<std::string> words;
  if (const toml::array* list = written.node.as_array()) {
    for (const toml::node& one : *list) {
      if (!one.is_string()) throw refuse("is not a list of words");
      words.push_back(one.as_string()->get());
    }
  } else if (written.node.is_string()) {
    words = split_words(written.node.as_string()->get());
  } else {
    throw refuse("is not a list of words");
  }
  AnalysisNames names;
  for (const std::string& word : words) {
    if (std::ranges::find(known, word) == known.end()) {
      throw refuse(
          fmt::format("names '{}', which is no analysis{}", word, did_you_mean(word, known)));
    }
    const auto name = choice_from<AnalysisName>(word);
    if (std::ranges::find(names, name) != names.end()) {
      throw refuse(fmt::format("names {} twice", word));
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace apsis
