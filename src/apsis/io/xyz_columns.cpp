// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/io/xyz_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <utility>

namespace apsis {
namespace {

// A property of XYZ and the columns that it fills.
struct Known {
  std::string name;
  CsvColumns columns;
};

const CsvColumn* column_of(std::string_view quantity) {
  return &*std::ranges::find(csv_columns(), quantity, &CsvColumn::quantity);
}

template <class Names>
CsvColumns columns_of_all(const Names& quantities) {
  CsvColumns columns;
  for (const std::string_view quantity : quantities) columns.push_back(column_of(quantity));
  return columns;
}

// In the order in which they are written: columns of bodies by their names, but for those that
// have another one in XYZ.
const std::vector<Known>& known_properties() {
  static const std::vector<Known> all = [] {
    std::vector<Known> made;
    for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
      std::string name(column.name);
      if (name == "position") name = "pos";
      if (name == "velocity") name = "velo";
      if (name == "type") name = "species";
      const auto place =
          name == "species" ? made.begin() : made.end();  // which readers expect first
      made.insert(place, {std::move(name), columns_of_all(column.components)});
    });
    made.push_back({"potential", columns_of_all(std::array{"potential"})});
    made.push_back({"acceleration", columns_of_all(std::array{"ax", "ay", "az"})});
    return made;
  }();
  return all;
}

// What other programs call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> other_names{
    {{"position", "pos"},
     {"positions", "pos"},
     {"vel", "velo"},
     {"velocity", "velo"},
     {"velocities", "velo"},
     {"masses", "mass"},
     {"charges", "charge"},
     {"type", "species"},
     {"accelerations", "acceleration"}}};

const Known* known(std::string_view given) {
  std::string name(given);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [other, ours] : other_names) {
    if (name == other) name = ours;
  }
  const auto found = std::ranges::find(known_properties(), name, &Known::name);
  return found != known_properties().end() ? &*found : nullptr;
}

bool is_species(const Known& property) { return property.name == "species"; }

bool may_be_of_kind(const Known& property, char kind) {
  if (is_species(property)) return kind == 'S' || kind == 'I';
  return kind == 'I' || (kind == 'R' && property.name != "id");
}

char kind_of(const Known& property) {
  return is_species(property) ? 'S' : property.name == "id" ? 'I' : 'R';
}

XyzProperty as_written(const Known& property) {
  return {property.name, kind_of(property), property.columns.size(), property.columns};
}

std::size_t width_in(std::string_view text, const TextPlace& place) {
  constexpr std::size_t widest = 10000;
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error != std::errc{} || end != text.data() + text.size() || width == 0 || width > widest) {
    fail_at(place, fmt::format("'{}' is no number of columns of a property", text.substr(0, 40)),
            "write each as name:R:columns, for example pos:R:3");
  }
  return width;
}

// Whether it is one that we know, and what it says of itself fits.
void take_columns(XyzProperty& property, const XyzProperties& before, const TextPlace& place) {
  const Known* found = known(property.name);
  if (found == nullptr) return;  // forces, colours: what others put there
  if (property.width != found->columns.size() || !may_be_of_kind(*found, property.kind)) {
    fail_at(place,
            fmt::format("property {}:{}:{} is not {}:{}:{}", property.name, property.kind,
                        property.width, found->name, kind_of(*found), found->columns.size()),
            "mend that line");
  }
  for (const XyzProperty& other : before) {
    if (other.columns != found->columns) continue;
    fail_at(place, fmt::format("properties {} and {} are the same", other.name, property.name),
            "take one of them out");
  }
  property.columns = found->columns;
}

constexpr std::array<std::string_view, 6> names_of_types{"gas",   "dark", "disk",
                                                         "bulge", "star", "hole"};

}  // namespace

XyzProperties properties_named(std::string_view text, const TextPlace& place) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  XyzProperties properties;
  for (std::size_t k = 0; k < parts.size(); k += 3) {
    if (k + 2 >= parts.size() || parts[k].empty() || parts[k + 1].size() != 1 ||
        std::string_view("SRIL").find(parts[k + 1]) == std::string_view::npos) {
      fail_at(place,
              fmt::format("'{}' in Properties is no name with a type S, R, I or L and a number of "
                          "columns",
                          parts[k].substr(0, 40)),
              "write each as name:R:columns, for example pos:R:3");
    }
    XyzProperty property{std::string(parts[k].substr(0, 40)), parts[k + 1][0],
                         width_in(parts[k + 2], place)};
    take_columns(property, properties, place);
    properties.push_back(std::move(property));
  }
  const auto* places = known("pos");
  if (std::ranges::count(properties, places->columns, &XyzProperty::columns) == 0) {
    fail_at(place, "Properties has no pos:R:3", "bodies need places");
  }
  return properties;
}

XyzProperties properties_counted(std::size_t fields, const TextPlace& place) {
  const auto made = [](std::initializer_list<std::string_view> names) {
    XyzProperties properties;
    for (const std::string_view name : names) properties.push_back(as_written(*known(name)));
    return properties;
  };
  if (fields == 3) return made({"pos"});
  if (fields == 4) return made({"species", "pos"});
  if (fields == 7) return made({"species", "pos", "velo"});
  fail_at(place,
          fmt::format("{} columns, and the comment above does not say what they are", fields),
          "only 4 (species x y z), 7 (with vx vy vz) or 3 (x y z) go without "
          "Properties=species:S:1:pos:R:3:... in the second line");
}

XyzProperties properties_of(const Snapshot& snapshot) {
  const CsvColumns filled = columns_of(snapshot);
  XyzProperties properties;
  for (const Known& property : known_properties()) {
    const bool given = std::ranges::count(filled, property.columns.front()) > 0;
    if (given || is_species(property)) properties.push_back(as_written(property));
  }
  return properties;
}

std::string text_of(const XyzProperties& properties) {
  std::string text;
  for (const XyzProperty& property : properties) {
    fmt::format_to(std::back_inserter(text), "{}{}:{}:{}", text.empty() ? "" : ":", property.name,
                   property.kind, property.width);
  }
  return text;
}

std::size_t fields_in(const XyzProperties& properties) {
  std::size_t fields = 0;
  for (const XyzProperty& property : properties) fields += property.width;
  return fields;
}

std::optional<std::uint8_t> type_of_species(std::string_view species) {
  const auto named = std::ranges::find(names_of_types, species);
  if (named != names_of_types.end()) {
    return static_cast<std::uint8_t>(named - names_of_types.begin());
  }
  if (species.starts_with("type")) species.remove_prefix(4);
  unsigned number = 0;
  const auto [end, error] =
      std::from_chars(species.data(), species.data() + species.size(), number);
  if (error != std::errc{} || end != species.data() + species.size() || number >= type_count) {
    return std::nullopt;
  }
  return static_cast<std::uint8_t>(number);
}

std::string species_of(const Bodies& bodies, std::size_t i) {
  if (bodies.type.empty()) return "X";
  const std::uint8_t type = bodies.type[i];
  if (type < names_of_types.size()) return std::string(names_of_types[type]);
  return fmt::format("type{}", type);
}

}  // namespace apsis
