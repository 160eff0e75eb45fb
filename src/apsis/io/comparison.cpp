// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/percentile.hpp>
#include <apsis/io/comparison.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace apsis {
namespace {

// Numbers of the same bodies in both states, in the order of their ids.
struct Matches {
  std::vector<std::size_t> first, second;
  std::vector<std::uint64_t> names;  // ids, or rows
};

bool gives(const Snapshot& snapshot, std::string_view quantity) {
  return std::ranges::find(snapshot.not_given, quantity) == snapshot.not_given.end();
}

std::vector<std::size_t> order_by_id(const Bodies& bodies) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return bodies.id[i]; });
  return order;
}

void require_unique(const Bodies& bodies, const std::vector<std::size_t>& order,
                    const std::string& name) {
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (bodies.id[order[k]] != bodies.id[order[k - 1]]) continue;
    throw bad_data(fmt::format("two bodies of {} have the id {}", name, bodies.id[order[k]]),
                   "give every body an id of its own, or remove the column");
  }
}

Matches matches_by_id(const Bodies& first, const Bodies& second, const ComparisonNames& names,
                      Comparison& comparison) {
  const auto in_first = order_by_id(first), in_second = order_by_id(second);
  require_unique(first, in_first, names.first), require_unique(second, in_second, names.second);
  Matches matches;
  auto a = in_first.begin();
  auto b = in_second.begin();
  while (a != in_first.end() || b != in_second.end()) {
    const bool a_left = a != in_first.end(), b_left = b != in_second.end();
    if (a_left && (!b_left || first.id[*a] < second.id[*b])) {
      comparison.only_in_first.push_back(first.id[*a++]);
    } else if (b_left && (!a_left || second.id[*b] < first.id[*a])) {
      comparison.only_in_second.push_back(second.id[*b++]);
    } else {
      matches.names.push_back(first.id[*a]);
      matches.first.push_back(*a++), matches.second.push_back(*b++);
    }
  }
  return matches;
}

Matches matches_by_row(const Bodies& first, const Bodies& second, const ComparisonNames& names) {
  if (first.size() != second.size()) {
    throw bad_data(
        fmt::format("{} and {} bodies, and one of the two has no ids: {} has {} rows, {} has {}",
                    first.size(), second.size(), names.first, first.size(), names.second,
                    second.size()),
        "give both a column id, or as many rows");
  }
  Matches matches;
  matches.first.resize(first.size()), matches.names.resize(first.size());
  std::iota(matches.first.begin(), matches.first.end(), std::size_t{0});
  std::iota(matches.names.begin(), matches.names.end(), std::uint64_t{0});
  matches.second = matches.first;
  return matches;
}

// Also of numbers whose squares are none.
double length_of(Vec3 v) { return std::hypot(v.x, v.y, v.z); }

double root_mean_square(const std::vector<double>& values) {
  const double largest = *std::ranges::max_element(values);
  if (!(largest > 0) || !std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double value : values) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum / static_cast<double>(values.size()));
}

double share_of(double difference, double scale) {
  if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
  if (difference == 0) return 0;
  return scale > 0 ? difference / scale : std::numeric_limits<double>::infinity();
}

// A quantity of the matched bodies, as vectors; of plain numbers y and z are 0.
struct Values {
  std::vector<Vec3> first, second;
};

bool same_bits(Vec3 a, Vec3 b) { return std::memcmp(&a, &b, sizeof a) == 0; }

QuantityDifference difference_in(std::string quantity, DifferenceScale scale, const Values& values,
                                 bool about_mean, const std::vector<std::uint64_t>& names) {
  const std::size_t n = names.size();
  Vec3 mean;
  if (about_mean) {
    for (const Vec3& value : values.first) mean += value / static_cast<double>(n);
  }
  std::vector<double> size(n), share(n);
  for (std::size_t k = 0; k < n; ++k) size[k] = length_of(values.first[k] - mean);
  QuantityDifference out;
  out.quantity = std::move(quantity), out.scale = scale, out.typical = root_mean_square(size);
  for (std::size_t k = 0; k < n; ++k) {
    const double apart = length_of(values.second[k] - values.first[k]);
    // one that cancels to rounding has no digits of its own
    const bool own = scale == DifferenceScale::own_size && size[k] > 1e-12 * out.typical;
    share[k] = share_of(apart, own ? size[k] : out.typical);
    // also where the largest one is no number
    if (k == 0 || !(share[k] <= out.max)) {
      out.max = share[k], out.worst = names[k];
      out.worst_first = values.first[k], out.worst_second = values.second[k];
    }
    if (k == 0 || !(apart <= out.max_absolute)) out.max_absolute = apart;
    if (!same_bits(values.first[k], values.second[k])) ++out.differing;
  }
  std::ranges::sort(share);
  out.median = percentile(share, 0.5), out.rms = root_mean_square(share);
  out.p90 = percentile(share, 0.9), out.p99 = percentile(share, 0.99);
  out.p999 = percentile(share, 0.999);
  return out;
}

template <class Column>
Vec3 value_at(const Column& column, std::size_t i) {
  if constexpr (std::is_same_v<Column, Vectors>) {
    return column.at(i);
  } else {
    return {static_cast<double>(column[i]), 0, 0};
  }
}

class Comparer {
 public:
  Comparer(const Snapshot& first, const Snapshot& second, const std::vector<std::string>& wanted,
           const ComparisonNames& names, Comparison& comparison)
      : first_(first), second_(second), wanted_(wanted), comparison_(comparison) {
    comparison_.by_id = gives(first, "id") && gives(second, "id");
    matches_ = comparison_.by_id ? matches_by_id(first.bodies, second.bodies, names, comparison_)
                                 : matches_by_row(first.bodies, second.bodies, names);
    comparison_.bodies = matches_.names.size();
  }

  // Where a state has none of it, all of its bodies have `absent`.
  template <class Column>
  void look_at(std::string_view quantity, const Column& first, const Column& second,
               DifferenceScale scale, bool about_mean = false) {
    if (!wanted_.empty() && std::ranges::find(wanted_, quantity) == wanted_.end()) return;
    const bool in_first = !first.empty() && gives(first_, quantity);
    const bool in_second = !second.empty() && gives(second_, quantity);
    if (in_first != in_second) comparison_.left_out.emplace_back(quantity);
    if (!in_first || !in_second || matches_.names.empty()) return;
    Values values;
    for (const std::size_t i : matches_.first) values.first.push_back(value_at(first, i));
    for (const std::size_t i : matches_.second) values.second.push_back(value_at(second, i));
    comparison_.differences.push_back(
        difference_in(std::string(quantity), scale, values, about_mean, matches_.names));
  }

 private:
  const Snapshot &first_, &second_;
  const std::vector<std::string>& wanted_;
  Comparison& comparison_;
  Matches matches_;
};

void require_known(const std::vector<std::string>& wanted) {
  const auto known = comparable_quantities();
  for (const std::string& name : wanted) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw Error(ExitCode::wrong_usage,
                fmt::format("unknown quantity '{}'{}", name, did_you_mean(name, known)),
                "quantities are " + list_of(known));
  }
}

// Files that name none may be in any.
void require_same_units(const Snapshot& first, const Snapshot& second) {
  const auto known = [](const Snapshot& s) {
    return !s.units_assumed && s.units.name != "dimensionless";
  };
  const Units &a = first.units, &b = second.units;
  const bool same = a.length_in_cm == b.length_in_cm && a.mass_in_g == b.mass_in_g &&
                    a.velocity_in_cm_per_s == b.velocity_in_cm_per_s;
  if (same || !known(first) || !known(second)) return;
  throw bad_data(fmt::format("the two are in other units: {} and {}", a.name, b.name),
                 "compare files of the same units");
}

bool has(const Snapshot& snapshot, const std::string& quantity) {
  bool found = quantity == "acceleration" ? !snapshot.accelerations.empty()
               : quantity == "potential"  ? !snapshot.potential.empty()
                                          : false;
  for_each_column(snapshot.bodies, [&](const auto& column, const auto& values) {
    found = found || (column.name == quantity && !values.empty() && gives(snapshot, quantity));
  });
  return found;
}

void require_all(const std::vector<std::string>& wanted, const Comparison& comparison,
                 const Snapshot& first, const ComparisonNames& names) {
  for (const std::string& quantity : wanted) {
    const auto& found = comparison.differences;
    if (std::ranges::find(found, quantity, &QuantityDifference::quantity) != found.end()) continue;
    const bool one = std::ranges::count(comparison.left_out, quantity) > 0;
    if (!one) {
      throw bad_data(fmt::format("neither of the two has {}", quantity),
                     "leave it out of what is compared");
    }
    const std::string& lacking = has(first, quantity) ? names.second : names.first;
    throw bad_data(fmt::format("only one of the two has {}: {} has none", quantity, lacking),
                   quantity == "acceleration" ? "give it columns ax, ay and az"
                                              : "leave it out of what is compared");
  }
}

}  // namespace

std::vector<std::string> comparable_quantities() {
  std::vector<std::string> names;
  for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
    if (column.name != "id") names.emplace_back(column.name);
  });
  names.insert(names.end(), {"acceleration", "potential"});
  return names;
}

Comparison compare(const Snapshot& first, const Snapshot& second,
                   const std::vector<std::string>& wanted, const ComparisonNames& names) {
  require_known(wanted);
  require_same_units(first, second);
  Comparison out;
  out.first_time = first.time, out.second_time = second.time;
  Comparer comparer(first, second, wanted, names, out);
  for_each_column(first.bodies, second.bodies,
                  [&](const auto& column, const auto& a, const auto& b) {
                    if (column.name == "id") return;
                    comparer.look_at(column.name, a, b, DifferenceScale::typical,
                                     column.role == ColumnRole::state);
                  });
  comparer.look_at("acceleration", first.accelerations, second.accelerations,
                   DifferenceScale::own_size);
  comparer.look_at("potential", first.potential, second.potential, DifferenceScale::typical);
  if (out.bodies > 0) require_all(wanted, out, first, names);
  if (out.differences.empty() && !(first.bodies.empty() && second.bodies.empty())) {
    throw bad_data(
        out.bodies == 0 ? "the two have no body in common"
                        : "the two have no quantity in common that is compared",
        "compare states of the same bodies; quantities are " + list_of(comparable_quantities()));
  }
  return out;
}

}  // namespace apsis
