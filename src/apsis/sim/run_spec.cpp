// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/spec_keys.hpp>
#include <apsis/sim/spec_value.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <type_traits>
#include <utility>

namespace apsis {
namespace {

// False where there is no such key.
bool assign_key(RunSpec& spec, const Written& written) {
  bool known = false;
  for_each_key(spec, [&](const SpecKey& key, auto& value) {
    if (key.path != written.path) return;
    assign(value, written, key.field);
    known = true;
  });
  return known;
}

// [initial] takes keys that only the model knows; initial/ checks them against the model.
void assign_model_option(RunSpec& spec, const std::string& name, const Written& written) {
  OptionValue option{0.0, written.place};
  if (written.node.is_number()) {
    option.value = number(written, FieldInfo{});
  } else if (written.node.is_string()) {
    option.value = written.node.as_string()->get();
  } else if (written.node.is_boolean()) {
    option.value = written.node.as_boolean()->get();
  } else {
    throw written.error("is neither a number, a word nor true or false", "give one of these");
  }
  spec.initial.options[name] = option;
}

// Of a word without a section also the keys that are called so in one: bodies is initial.bodies.
std::string nearest_key(const std::string& path, const std::vector<std::string>& known) {
  if (path.find('.') != std::string::npos) return nearest_name(path, known);
  std::vector<std::string> last_words;
  last_words.reserve(known.size());
  for (const std::string& key : known) last_words.push_back(key.substr(key.rfind('.') + 1));
  const std::string nearest = nearest_name(path, last_words);
  const auto found = std::ranges::find(last_words, nearest);
  return nearest.empty() ? "" : known[static_cast<std::size_t>(found - last_words.begin())];
}

[[noreturn]] void unknown_key(const std::string& place, const std::string& path) {
  auto known = spec_key_paths();
  for (std::string& section : spec_sections()) known.push_back(std::move(section));
  const std::string nearest = nearest_key(path, known);
  throw bad_data(fmt::format("{}: unknown key '{}'", place, path),
                 nearest.empty() ? fmt::format("see `{}` for the keys", typed_command("run --help"))
                                 : fmt::format("did you mean '{}'?", nearest));
}

void read_key(RunSpec& spec, const std::string& section, const std::string& name,
              const toml::node& node, const std::string& place) {
  const std::string path = section.empty() ? name : section + "." + name;
  const Written written{node, place, path};
  if (assign_key(spec, written)) {
    if (const auto square = std::exchange(spec.softening_squared, {})) {
      spec.force.softening = std::sqrt(*square);
    }
    return;
  }
  if (section == "initial") {
    assign_model_option(spec, name, written);
  } else if (section == "resolved") {
    spec.resolved[name] = node.is_string() ? node.as_string()->get() : written.value();
  } else {
    unknown_key(place, path);
  }
}

// Whether keys stand in it, or sections: "external" holds "external.plummer".
bool is_section(const std::string& name) {
  if (name == "resolved") return true;
  const auto sections = spec_sections();
  return std::ranges::any_of(sections, [&](const std::string& section) {
    return section == name || section.starts_with(name + ".");
  });
}

// Two names of one quantity can't both hold.
void require_one_softening(const toml::table& force, const std::string& origin) {
  const toml::node* square = force.get("softening_squared");
  if (square == nullptr || !force.contains("softening")) return;
  throw Written{*square, place_of(*square, origin), "force.softening_squared"}.error(
      "stands beside force.softening", "give one of them");
}

void read_section(RunSpec& spec, const std::string& section, const toml::table& keys,
                  const std::string& origin) {
  if (section == "force") require_one_softening(keys, origin);
  for (const auto& [key, value] : keys) {
    const std::string name{key.str()}, place = place_of(value, origin);
    const std::string path = section.empty() ? name : fmt::format("{}.{}", section, name);
    const toml::table* inner = value.as_table();
    if (inner != nullptr && is_section(path)) {
      read_section(spec, path, *inner, origin);
      continue;
    }
    if (inner != nullptr && section.empty()) unknown_key(place, path);
    read_key(spec, section, name, value, place);
    if (std::string& folder = spec.device.kernel_dir; !folder.empty()) {
      spec.kernels_of_file = {std::exchange(folder, {}), origin, place};
    }
  }
}

template <class T>
std::string type_name() {
  if constexpr (IsOptional<T>::value) return type_name<typename T::value_type>();
  if constexpr (std::is_same_v<T, bool>) return "true/false";
  if constexpr (std::is_same_v<T, double>) return "number";
  if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>) return "word";
  if constexpr (std::is_same_v<T, Box>) return "six numbers";
  if constexpr (std::is_same_v<T, AnalysisNames>) return "list of words";
  return "whole number";
}

// toml++ takes a key of very many parts by a call for each, which ends the process.
constexpr int most_key_parts = 32;  // ours have two or three

// Where a string of one line that begins at `i` ends: at its second quote, or before the line does.
std::size_t end_of_string(std::string_view text, std::size_t i) {
  const char quote = text[i];
  for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
    if (quote == '"' && text[i] == '\\') ++i;
  }
  return i < text.size() && text[i] == quote ? i : i - 1;
}

// The line of the first key that is too long; 0 where there is none.
int line_of_long_key(std::string_view text) {
  int line = 1, parts = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {  // no key: to its end
      const std::size_t end = std::min(text.find(rest.substr(0, 3), i + 3), text.size() - 1);
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end + 2;
    } else if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
    } else if (c == '#') {  // a comment
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++parts > most_key_parts) return line;
    } else if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{') {
      parts = 1;
      if (c == '\n') ++line;
    }
  }
  return 0;
}

toml::table parsed_toml(const std::string& text, const std::string& origin) {
  if (const int line = line_of_long_key(text); line > 0) {
    throw bad_data(fmt::format("{}:{}: a key of more than {} parts", origin, line, most_key_parts),
                   "keys of a spec have two or three, as time.step");
  }
  try {
    return toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    throw bad_data(
        fmt::format("{}:{}:{}: {}", origin, begin.line, begin.column, error.description()),
        "mend the TOML there");
  }
}

}  // namespace

RunSpec parse_run_spec(const std::string& text, const std::string& origin) {
  RunSpec spec;
  read_section(spec, "", parsed_toml(text, origin), origin);
  return spec;
}

void set_key(RunSpec& spec, const std::string& assignment, const std::string& given_place) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ExitCode::wrong_usage, fmt::format("--set {} is not key=value", assignment),
                "write for example --set time.step=0.01");
  }
  const std::string path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  const std::string section = section_of(path);
  const std::string name = section.empty() ? path : path.substr(section.size() + 1);
  const std::string place = given_place.empty() ? "--set " + assignment : given_place;
  const auto sections = spec_sections();
  if (!section.empty() && std::count(sections.begin(), sections.end(), section) == 0) {
    unknown_key(place, path);
  }
  toml::table parsed;
  try {
    parsed = parsed_toml("value = " + value, place);
  } catch (const Error&) {
    parsed.insert("value", value);  // a bare word needs no quotes on the command line
  }
  read_key(spec, section, name, *parsed.get("value"), place);
}

Units units_of(const RunSpec& spec) {
  const auto& u = spec.units;
  const bool any = u.length_in_cm || u.mass_in_g || u.velocity_in_cm_per_s;
  const bool all = u.length_in_cm && u.mass_in_g && u.velocity_in_cm_per_s;
  if (*u.system == "custom") {
    if (all) return custom_units(*u.length_in_cm, *u.mass_in_g, *u.velocity_in_cm_per_s);
    throw bad_data("units.system = \"custom\" without all three sizes",
                   "give length_in_cm, mass_in_g and velocity_in_cm_per_s");
  }
  if (any) {
    throw bad_data(fmt::format("sizes of units with units.system = \"{}\"", *u.system),
                   "leave them out, or use system = \"custom\"");
  }
  return units_named(*u.system);
}

std::string default_directory(const RunSpec& spec) {
  return "out/" + (spec.initial.file.empty()
                       ? spec.initial.model
                       : std::filesystem::path(spec.initial.file).stem().string());
}

void fill_in(RunSpec& spec, const RunDefaults& defaults) {
  const auto fill = [](auto& key, const auto& value) {
    if (!key) key = value;
  };
  if (spec.force.solver == "auto" && !defaults.solver.empty()) spec.force.solver = defaults.solver;
  if (defaults.on_contact) fill(spec.contacts.on, *defaults.on_contact);
  if (defaults.walls) fill(spec.space.walls, *defaults.walls);
  if (!spec.units.system && defaults.custom_units) {
    fill(spec.units.length_in_cm, defaults.custom_units->length_in_cm);
    fill(spec.units.mass_in_g, defaults.custom_units->mass_in_g);
    fill(spec.units.velocity_in_cm_per_s, defaults.custom_units->velocity_in_cm_per_s);
  }
  // a constant belongs to its units and its law: with others the new system's own holds
  const bool as_given = !spec.units.system && (!spec.force.law || *spec.force.law == defaults.law);
  if (as_given && defaults.constant) fill(spec.force.constant, *defaults.constant);
  fill(spec.units.system, defaults.units);
  fill(spec.force.law, defaults.law);
  const Units units = units_of(spec);
  fill(spec.force.constant, *spec.force.law == Law::gravity ? units.gravity : units.coulomb);
  fill(spec.force.softening, defaults.softening);
  // newton goes without saying, as in the specs of 0.1
  if (defaults.radial.radial != newton) fill(spec.force.radial, defaults.radial.radial);
  const bool as_in_file = spec.force.radial.value_or(newton) == defaults.radial.radial;
  if (as_in_file && defaults.radial.range > 0) fill(spec.force.range, defaults.radial.range);
  fill(spec.time.step, defaults.step);
  fill(spec.time.until, defaults.until);
  fill(spec.device.precision, defaults.precision);
  const double asked_burst = static_cast<double>(spec.time.burst.value_or(0)) * *spec.time.step;
  fill(spec.output.snapshot_every, std::max(*spec.time.until / 20, asked_burst));
  fill(spec.output.energy_every, std::max(*spec.time.until / 100, asked_burst));
  if (!spec.output.analyse.empty()) fill(spec.output.analyse_every, *spec.output.energy_every);
  fill(spec.time.burst, 20);
  if (spec.output.directory.empty()) spec.output.directory = default_directory(spec);
}

std::vector<SpecKeyInfo> spec_key_table() {
  std::vector<SpecKeyInfo> rows;
  const RunSpec any;
  for_each_key(any, [&]<class T>(const SpecKey& key, const T&) {
    rows.push_back({key.path, type_name<T>(), std::string(key.field.default_text),
                    std::string(key.field.meaning)});
  });
  return rows;
}

}  // namespace apsis
