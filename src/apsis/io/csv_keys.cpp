// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/io/csv_keys.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/text_table.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

namespace apsis {
namespace {

constexpr std::string_view provenance_prefix = "provenance.";

// Keeps values with line breaks (a whole run spec) on one line, and keys before their '='.
std::string escaped(std::string_view text, bool is_key = false) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\\\";
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '=' && is_key) {
      result += "\\e";
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    result += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'e' ? '=' : c;
  }
  return result;
}

}  // namespace

std::string csv_comments(const Snapshot& s) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "# apsis snapshot\n# bodies = {}\n# time = {:.17g}\n", s.bodies.size(),
                 s.time);
  fmt::format_to(out, "# units = {}\n# length_in_cm = {:.17g}\n# mass_in_g = {:.17g}\n",
                 escaped(s.units.name), s.units.length_in_cm, s.units.mass_in_g);
  fmt::format_to(out,
                 "# velocity_in_cm_per_s = {:.17g}\n# gravity = {:.17g}\n# coulomb = {:.17g}\n",
                 s.units.velocity_in_cm_per_s, s.units.gravity, s.units.coulomb);
  fmt::format_to(out, "# law = {}\n# constant = {:.17g}\n# softening = {:.17g}\n",
                 name_of(s.law.law), s.law.constant, s.law.softening);
  if (s.law.radial.radial != newton) {  // which files without it have
    fmt::format_to(out, "# radial = {}\n# range = {:.17g}\n", name_of(s.law.radial.radial),
                   s.law.radial.range);
  }
  for (const auto& [key, value] : s.provenance) {
    fmt::format_to(out, "# {}{} = {}\n", provenance_prefix, escaped(key, true), escaped(value));
  }
  return text;
}

void CsvKeys::comment(std::string_view line, std::size_t number) {
  const std::string_view text = line.substr(line.find('#') + 1);
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view key = trimmed(text.substr(0, equals));
  const std::string_view value = trimmed(text.substr(equals + 1));
  if (key.starts_with(provenance_prefix)) {
    provenance_.emplace_back(unescaped(key.substr(provenance_prefix.size())), unescaped(value));
    return;
  }
  const auto column =
      value.empty() ? line.size() : static_cast<std::size_t>(value.data() - line.data());
  values_[std::string(key)] = {value, number, column + 1};
}

bool CsvKeys::number(const char* key, double& value) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return false;
  const auto& [text, line, column] = found->second;
  value = number_in({text, column}, {file_, line, column});
  if (!std::isfinite(value)) {
    fail_at({file_, line, column}, fmt::format("{} = {} is not finite", key, text),
            "mend that line");
  }
  return true;
}

template <class Enum>
void CsvKeys::word(const char* key, Enum& value) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return;
  try {
    value = choice_from<Enum>(found->second.text);
  } catch (const Error& error) {
    fail_at({file_, found->second.line, found->second.column}, error.what(), error.remedy());
  }
}

void CsvKeys::require_rows(std::size_t rows, bool whole_last_line) const {
  const auto found = values_.find("bodies");
  if (found == values_.end()) return;
  const auto& [text, line, column] = found->second;
  const auto claimed = whole_number_in({text, column}, {file_, line, column});
  if (claimed == rows && whole_last_line) return;
  throw bad_data(
      fmt::format("{} holds {}{} where its line {} says {}", file_,
                  claimed == rows ? "only a part of " : "", counted(rows, "body"), line, claimed),
      "the file was cut or edited: get it anew, or remove that line");
}

void CsvKeys::apply_units(Snapshot& snapshot) const {
  Units& units = snapshot.units;
  const auto named = values_.find("units");
  bool has_factors = number("length_in_cm", units.length_in_cm);
  has_factors = number("mass_in_g", units.mass_in_g) || has_factors;
  has_factors = number("velocity_in_cm_per_s", units.velocity_in_cm_per_s) || has_factors;
  has_factors = number("gravity", units.gravity) || has_factors;
  has_factors = number("coulomb", units.coulomb) || has_factors;
  if (named == values_.end()) {
    if (has_factors) units.name = "custom";
    snapshot.units_assumed = !has_factors;
    return;
  }
  units.name = unescaped(named->second.text);
  if (has_factors) {
    units = recognised(units);
    return;
  }
  try {
    units = units_named(units.name);
  } catch (const Error& error) {
    fail_at({file_, named->second.line, named->second.column}, error.what(), error.remedy());
  }
}

void CsvKeys::apply(Snapshot& snapshot) const {
  number("time", snapshot.time);
  apply_units(snapshot);
  word("law", snapshot.law.law);
  word("radial", snapshot.law.radial.radial);
  snapshot.law.constant =
      snapshot.law.law == Law::gravity ? snapshot.units.gravity : snapshot.units.coulomb;
  number("constant", snapshot.law.constant);
  number("softening", snapshot.law.softening);
  if (snapshot.law.radial.radial != newton) number("range", snapshot.law.radial.range);
  snapshot.provenance = provenance_;
}

}  // namespace apsis
