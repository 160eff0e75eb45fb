// SPDX-License-Identifier: MIT
#include <apsis/lab/class_checks.hpp>
#include <apsis/lab/class_ranking.hpp>
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace apsis::lab {
namespace {

constexpr double operations_a_pair = 20;

// What the rows of a lesson are ranked by.
struct Contest {
  std::string by, label;
  bool smallest = true;
  std::string rate_label, error, error_label;  // error: a column
};

bool has(const ResultTable& table, std::string_view key) { return table.place_of(key).has_value(); }

std::optional<Contest> contest_of(const Results& results, const ResultTable& table) {
  if (results.lesson == "integrators") {
    return Contest{
        .by = "error", .label = "energy error", .rate_label = {}, .error = {}, .error_label = {}};
  }
  if (!has(table, "seconds") || !has(table, "device")) return std::nullopt;
  const bool steps = has(table, "steps_per_second");
  Contest contest{.by = steps ? "steps_per_second" : "seconds",
                  .label = steps ? "steps/s" : "time",
                  .smallest = !steps,
                  .rate_label = {},
                  .error = {},
                  .error_label = {}};
  if (has(table, "shape")) contest.rate_label = "GOP/s";
  if (has(table, "gflops")) contest.rate_label = "GFLOP/s";
  if (has(table, "error")) contest.error = "error", contest.error_label = "error";
  if (has(table, "error_p99")) contest.error = "error_p99", contest.error_label = "99 % error";
  return contest;
}

// Rows that nobody in the class has made: what was published, bars, the host's check.
bool is_no_entry(const Row& row) {
  return row.text("kind") == "published" || row.text("device") == "host" ||
         row.text("variant") == "CLBlast";
}

bool is_own_kernel(const Row& row) {
  return row.text("edited") == "yes" || row.text("own") == "yes" ||
         row.text("variant").ends_with("(edited)");
}

struct DeviceClass {
  std::string_view kind, words;
};
constexpr std::array<DeviceClass, 3> device_classes{
    {{"gpu", "GPU"}, {"cpu", "CPU by OpenCL"}, {"native", "native CPU"}}};

// Rows with equal ones are ranked against each other, and they stand in this order.
struct GroupKey {
  std::size_t lesson = 0;
  bool built_in = true;
  std::size_t device_class = 0;
  double size = 0;
  std::string what, solver, precision, version, by;

  friend bool operator<(const GroupKey& a, const GroupKey& b) {
    const auto all = [](const GroupKey& k) {
      return std::tie(k.lesson, k.built_in, k.device_class, k.size, k.what, k.solver, k.precision,
                      k.version, k.by);
    };
    return all(a) < all(b);
  }
};

std::size_t number_of(const std::string& lesson) {
  const auto all = lessons();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Lesson& one) { return one.name == lesson; });
  return static_cast<std::size_t>(found - all.begin());
}

// "0.2.0" of "0.2.0 (1234abcd)": what a commit changes is no matter of the contest.
std::string version_of(const Results& results) {
  for (const auto& [key, value] : results.about) {
    if (key == "version") return value.substr(0, value.find(' '));
  }
  return "unknown";
}

std::string what_of(const Row& row) {
  if (!row.text("shape").empty()) return row.text("element") + " " + row.text("shape");
  if (row.text("problem").empty()) return {};
  return fmt::format("{} over {:.3g} units of time", row.text("problem"),
                     row.value("steps") * row.value("step"));
}

GroupKey key_of(const Results& results, const Row& row, const std::string& by) {
  GroupKey key{.lesson = number_of(results.lesson),
               .built_in = !is_own_kernel(row),
               .device_class = device_classes.size() - 1,
               .size = row.number("bodies").value_or(0),
               .what = short_text(what_of(row)),
               .solver = short_text(row.text("solver")),
               .precision = short_text(row.text("precision")),
               .version = short_text(version_of(results)),
               .by = by};
  if (!(key.size >= 1 && key.size < 1e9)) key.size = 0;  // a size that cannot be has a fault
  for (std::size_t i = 0; i < device_classes.size(); ++i) {
    if (device_classes[i].kind == row.text("kind")) key.device_class = i;
  }
  return key;
}

std::string title_of(const GroupKey& key) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(key.size > 0 || !key.what.empty() ? key.what : "of no size that can be");
  if (key.size > 0) add(bodies_in_words(key.size));
  if (key.solver != "direct" || lessons()[key.lesson].name == "far-field") add(key.solver);
  add(key.precision);
  add(std::string(device_classes[key.device_class].words));
  add(key.built_in ? "" : "own kernels");
  add("version " + key.version);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string machine_of(const Results& results, const std::string& device) {
  for (const auto& [key, value] : results.about) {
    if (key == "device " + device) return value;
  }
  return {};
}

// By the row's own time, not by what the file says of it.
std::optional<double> rate_of(const Row& row, double seconds) {
  const double bodies = row.value("bodies");
  if (!row.text("shape").empty()) {
    const auto operations = row.number("operations");
    return operations ? std::optional(1e-9 * *operations / seconds) : std::nullopt;
  }
  // rows that say how many pairs they do have been checked for it
  const bool all_pairs =
      row.number("interactions_per_second") || sums_all_pairs(row.text("solver"));
  if (!std::isfinite(bodies) || !all_pairs) return std::nullopt;
  return 1e-9 * operations_a_pair * bodies * bodies / seconds;
}

// A row of the ranking with the row that it was made of.
struct Entrant {
  ClassRow shown;
  Row row;
};
struct Field {
  Contest contest;
  std::vector<Entrant> right;
  std::vector<ClassRow> wrong;
};

Entrant entrant_of(const ClassEntry& entry, const Row& row, const Contest& contest) {
  ClassRow shown;
  shown.who = entry.who, shown.file = entry.file;
  shown.device = short_text(row.text("device"));
  shown.machine = short_text(machine_of(entry.results, row.text("device")));
  shown.variant = short_text(row.text("variant"));
  if (shown.variant.empty()) shown.variant = short_text(row.text("integrator"));
  if (const auto burst = row.number("burst")) shown.variant = fmt::format("burst {:g}", *burst);
  shown.value = row.number(contest.by);
  shown.seconds = row.number("seconds");
  shown.seconds_deviation = row.number("seconds_deviation");
  if (!contest.error.empty()) shown.error = row.number(contest.error);
  shown.busy = was_busy(row);
  shown.fault = short_text(fault_of(row), 200);
  if (shown.fault.empty() && !contest.rate_label.empty()) {
    shown.rate = rate_of(row, *shown.seconds);
  }
  return {std::move(shown), row};
}

bool better(const Contest& contest, const ClassRow& a, const ClassRow& b) {
  return contest.smallest ? *a.value < *b.value : *a.value > *b.value;
}

// Each person's best on each device.
std::vector<Entrant> best_of_each(const Field& field) {
  std::vector<Entrant> best;
  for (const Entrant& entrant : field.right) {
    const auto same = std::find_if(best.begin(), best.end(), [&](const Entrant& other) {
      return other.shown.who == entrant.shown.who && other.shown.device == entrant.shown.device;
    });
    if (same == best.end()) {
      best.push_back(entrant);
    } else if (better(field.contest, entrant.shown, same->shown)) {
      *same = entrant;
    }
  }
  std::stable_sort(best.begin(), best.end(), [&](const Entrant& a, const Entrant& b) {
    return better(field.contest, a.shown, b.shown);
  });
  return best;
}

std::string words_against(const Contest& contest, const Row& first, const Row& row) {
  if (contest.by == "error") return {};
  const auto step = compared(row, first);
  if (!step) return {};
  return step->verdict == Verdict::lost || step->verdict == Verdict::gained
             ? times(*step) + " as long"
         : step->verdict == Verdict::alike ? "alike"
                                           : "unclear: " + doubt(*step);
}

ClassGroup ranked(const GroupKey& key, const Field& field) {
  ClassGroup group{.lesson = lessons()[key.lesson].name,
                   .title = title_of(key),
                   .value_label = field.contest.label,
                   .rate_label = field.contest.rate_label,
                   .error_label = field.contest.error_label,
                   .ranked = {},
                   .disqualified = field.wrong};
  const std::vector<Entrant> best = best_of_each(field);
  for (std::size_t i = 0; i < best.size(); ++i) {
    ClassRow row = best[i].shown;
    const bool level = i > 0 && *row.value == *best[i - 1].shown.value;
    row.place = level ? group.ranked.back().place : static_cast<int>(i) + 1;
    const double first = *best.front().shown.value;
    const double ratio = field.contest.smallest ? first / *row.value : *row.value / first;
    row.share = std::isfinite(ratio) ? std::clamp(ratio, 0.0, 1.0) : 1;
    if (i > 0) row.against_first = words_against(field.contest, best.front().row, best[i].row);
    group.ranked.push_back(std::move(row));
  }
  const bool counted =
      std::ranges::any_of(group.ranked, [](const ClassRow& row) { return row.rate.has_value(); });
  if (!counted) group.rate_label.clear();
  return group;
}

std::vector<ClassPerson> people_in(const ClassFiles& files, const std::vector<ClassGroup>& groups) {
  std::map<std::string, ClassPerson> people;
  std::map<std::string, std::set<std::string>> files_of;
  for (const ClassEntry& entry : files.entries) {
    people[entry.who].who = entry.who;
    files_of[entry.who].insert(entry.file);
  }
  for (const ClassGroup& group : groups) {
    std::set<std::string> seen;
    for (const ClassRow& row : group.ranked) {
      ClassPerson& person = people[row.who];
      if (seen.insert(row.who).second) ++person.groups, person.firsts += row.place == 1 ? 1 : 0;
    }
    for (const ClassRow& row : group.disqualified) ++people[row.who].disqualified;
  }
  std::vector<ClassPerson> all;
  for (auto& [who, person] : people) {
    person.files = static_cast<int>(files_of[who].size());
    all.push_back(std::move(person));
  }
  return all;
}

void add_rows(const ClassEntry& entry, const ResultTable& table, const Contest& contest,
              std::map<GroupKey, Field>& fields) {
  for (const Row& row : table.rows()) {
    if (is_no_entry(row)) continue;
    // a scheme whose orbit was lost altogether has no error, and nobody's kernel is to blame
    if (contest.by == "error" && !row.number("error")) continue;
    Entrant entrant = entrant_of(entry, row, contest);
    Field& field = fields[key_of(entry.results, row, contest.by)];
    field.contest = contest;
    if (entrant.shown.fault.empty() && !entrant.shown.value) {
      entrant.shown.fault = fmt::format("it has no {}", contest.label);
    }
    if (entrant.shown.fault.empty()) {
      field.right.push_back(std::move(entrant));
    } else {
      field.wrong.push_back(std::move(entrant.shown));
    }
  }
}

}  // namespace

ClassRanking rank_class(const ClassFiles& files) {
  std::map<GroupKey, Field> fields;
  std::set<std::string> not_ranked;
  for (const ClassEntry& entry : files.entries) {
    const ResultTable& table = entry.results.table("results");
    const auto contest = contest_of(entry.results, table);
    if (contest) {
      add_rows(entry, table, *contest, fields);
    } else {
      not_ranked.insert(entry.results.lesson);
    }
  }
  ClassRanking ranking;
  ranking.left_out = files.left_out;
  for (const std::string& lesson : not_ranked) {
    ranking.notes.push_back(
        fmt::format("{}: nothing to rank, since it times nobody's kernels", lesson));
  }
  for (const auto& [key, field] : fields) ranking.groups.push_back(ranked(key, field));
  ranking.people = people_in(files, ranking.groups);
  return ranking;
}

}  // namespace apsis::lab
