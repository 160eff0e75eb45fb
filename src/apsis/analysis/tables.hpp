// SPDX-License-Identifier: MIT
// What each analysis says of a state, as figures under named columns: the one table from which
// `apsis analyse` prints and runs write.
#pragma once

#include <apsis/analysis/bound.hpp>
#include <apsis/analysis/centres.hpp>
#include <apsis/analysis/groups.hpp>
#include <apsis/analysis/profile.hpp>
#include <apsis/core/choices.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace apsis::analysis {

// A measured value (NaN: nothing to say), a number of things or an id, or a word.
using Figure = std::variant<double, std::uint64_t, std::string>;
using Row = std::vector<Figure>;

// With all digits, as CSV has it; nothing for NaN.
std::string exact_text(const Figure& figure);
std::string csv_line(const Row& row);

enum class CentreKind { density, sphere, mass, origin };
std::string_view words_for(CentreKind centre);  // "density centre"
Centre centre_of(const Bodies& bodies, CentreKind centre, int threads = 0);

// What may be chosen about analyses; each takes what concerns it.
struct TableChoice {
  CentreKind centre = CentreKind::density;
  std::vector<double> shares{0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9};
  ShellChoice shells;
  std::optional<double> linking_length;  // left open: the usual one
  std::size_t least = 20;                // bodies of a group
  std::optional<std::uint64_t> about;    // id of the body that others go round; the heaviest
  int threads = 0;
};

struct AnalysedState {
  const Bodies& bodies;
  double time = 0;
  double gravity = 1;          // its constant
  PotentialsOf potentials_of;  // of `bound`
};

struct StateTable {
  Row of_state;  // what is said of the state as a whole
  std::vector<Row> rows;
};

struct Analysis {
  std::string name;
  // Each state gives one row, that begins with its time. Others give a table for each.
  bool one_row = false;
  bool needs_gravity = false;
  bool about_a_centre = false;                            // that may be chosen
  std::vector<std::pair<std::string, std::string>> says;  // of its figures: ("angles", "degrees")
  std::vector<std::string> of_state;
  std::vector<std::string> (*columns)(const TableChoice& choice);
  StateTable (*of)(const AnalysedState& state, const TableChoice& choice);
};

const std::vector<Analysis>& analyses();
const Analysis& analysis_named(const std::string& name);

// The same of one state after another: what stands for a state as a whole stands in each of its
// rows, after the time; a state that gives no row otherwise has one with nothing behind that.
std::vector<std::string> series_columns(const Analysis& analysis, const TableChoice& choice);
std::vector<Row> series_rows(const Analysis& analysis, const AnalysedState& state,
                             const TableChoice& choice);

// Groups, and by which linking length; it is NaN where so many bodies share their places that none
// follows from them. `members`: numbers of the bodies of those that are shown.
struct FoundGroups {
  double linking_length = 0;
  Groups groups;
  std::vector<std::vector<std::size_t>> members;
};
FoundGroups groups_in(const Bodies& bodies, const TableChoice& choice);
StateTable table_of(const Bodies& bodies, const FoundGroups& found, int threads = 0);
StateTable table_of(const Bodies& bodies, double time, const BoundPart& part);

// The number of the body that orbits are about; nothing where there is no such body.
std::optional<std::size_t> primary_of(const Bodies& bodies, const TableChoice& choice);

}  // namespace apsis::analysis

namespace apsis {
template <>
struct Choice<analysis::CentreKind> {
  static constexpr const char* what = "centre";
  static constexpr std::pair<analysis::CentreKind, std::string_view> values[] = {
      {analysis::CentreKind::density, "density"},
      {analysis::CentreKind::sphere, "sphere"},
      {analysis::CentreKind::mass, "mass"},
      {analysis::CentreKind::origin, "origin"}};
};
}  // namespace apsis
