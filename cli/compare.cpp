// SPDX-License-Identifier: MIT
// apsis compare: how far two states of the same bodies are apart.
#include "commands.hpp"
#include "states.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/printable.hpp>
#include <apsis/io/comparison.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string first, second;
  std::vector<std::string> quantities;
  std::optional<double> tolerance;
  std::string at = "max";
  bool json = false;
};

struct Percentile {
  const char* name;
  double QuantityDifference::*value;
};
constexpr Percentile percentiles[] = {
    {"median", &QuantityDifference::median}, {"rms", &QuantityDifference::rms},
    {"90", &QuantityDifference::p90},        {"99", &QuantityDifference::p99},
    {"99.9", &QuantityDifference::p999},     {"max", &QuantityDifference::max}};

const char* words_for(const QuantityDifference& difference) {
  if (difference.scale == DifferenceScale::own_size) return "the body's own";
  return difference.quantity == "position" || difference.quantity == "velocity" ? "the spread"
                                                                                : "the rms";
}

std::string some_of(const std::vector<std::uint64_t>& ids) {
  constexpr std::size_t most = 3;
  const std::vector<std::uint64_t> some(
      ids.begin(), ids.begin() + static_cast<long>(std::min(most, ids.size())));
  return fmt::format("{}{}", fmt::join(some, ", "), ids.size() > most ? ", ..." : "");
}

void print_missing(const std::string& file, const std::vector<std::uint64_t>& ids) {
  if (ids.empty()) return;
  fmt::print("{} {} only in {}: {}\n", counted(ids.size(), "body"), ids.size() == 1 ? "is" : "are",
             printable(file), some_of(ids));
}

void print(const Comparison& comparison, const std::string& first, const std::string& second) {
  fmt::print("{} against {}: {} by {}\n", printable(second), printable(first),
             counted(comparison.bodies, "body"),
             comparison.by_id ? "their ids" : "their rows (from 0), as not both have ids");
  print_missing(first, comparison.only_in_first);
  print_missing(second, comparison.only_in_second);
  if (comparison.first_time != comparison.second_time) {
    fmt::print("at other times: t = {:.10g} against {:.10g}\n", comparison.second_time,
               comparison.first_time);
  }
  Table table{{"quantity", "share of", "median", "rms", "90 %", "99 %", "99.9 %", "max",
               comparison.by_id ? "of body" : "of row", "differ"},
              {}};
  for (const QuantityDifference& difference : comparison.differences) {
    std::vector<std::string> row{difference.quantity, words_for(difference)};
    for (const Percentile& percentile : percentiles) {
      row.push_back(fmt::format("{:.1e}", difference.*percentile.value));
    }
    row.push_back(difference.differing > 0 ? fmt::format("{}", difference.worst) : "-");
    row.push_back(fmt::format("{}", difference.differing));
    table.rows.push_back(std::move(row));
  }
  fmt::print("{}", aligned(table));
  for (const std::string& quantity : comparison.left_out) {
    fmt::print("only one of them has {}: not compared\n", quantity);
  }
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);  // JSON knows no infinity
}

Json vector(Vec3 v) { return {number(v.x), number(v.y), number(v.z)}; }

std::string json_text(const Comparison& comparison, const std::string& first,
                      const std::string& second) {
  Json json{{"first", first},
            {"second", second},
            {"bodies", comparison.bodies},
            {"by", comparison.by_id ? "id" : "row"},
            {"first_time", comparison.first_time},
            {"second_time", comparison.second_time},
            {"only_in_first", comparison.only_in_first.size()},
            {"only_in_second", comparison.only_in_second.size()},
            {"left_out", comparison.left_out},
            {"differences", Json::array()}};
  for (const QuantityDifference& d : comparison.differences) {
    json["differences"].push_back(
        {{"quantity", d.quantity},
         {"share_of", d.scale == DifferenceScale::own_size ? "own_size" : "typical"},
         {"typical", number(d.typical)},
         {"median", number(d.median)},
         {"rms", number(d.rms)},
         {"p90", number(d.p90)},
         {"p99", number(d.p99)},
         {"p999", number(d.p999)},
         {"max", number(d.max)},
         {"max_absolute", number(d.max_absolute)},
         {"worst", d.worst},
         {"worst_first", vector(d.worst_first)},
         {"worst_second", vector(d.worst_second)},
         {"differing", d.differing}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// "mine.csv lacks 3, 4, 5, ...", of both files that lack some.
std::string lacking(const Comparison& comparison, const std::string& first,
                    const std::string& second) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& file, const std::vector<std::uint64_t>& ids) {
    if (!ids.empty()) parts.push_back(fmt::format("{} lacks {}", printable(file), some_of(ids)));
  };
  add(second, comparison.only_in_first), add(first, comparison.only_in_second);
  return fmt::format("{}", fmt::join(parts, "; "));
}

// "99 %", "max".
std::string figure(const std::string& at) {
  return at == "max" || at == "rms" || at == "median" ? at : at + " %";
}

// Where to look: "body 7 has (1, 2, 3) instead of (1, 2, 4)".
std::string worst_of(const QuantityDifference& difference, bool by_id) {
  const bool plain = difference.worst_first.y == 0 && difference.worst_first.z == 0 &&
                     difference.worst_second.y == 0 && difference.worst_second.z == 0;
  const auto shown = [&](Vec3 v) {
    return plain ? fmt::format("{:.9g}", v.x)
                 : fmt::format("({:.9g}, {:.9g}, {:.9g})", v.x, v.y, v.z);
  };
  return fmt::format("{} {} has {} instead of {}", by_id ? "body" : "row", difference.worst,
                     shown(difference.worst_second), shown(difference.worst_first));
}

// Says what keeps the tolerance, unless JSON is what is printed; the first that does not is thrown.
void require_within(const Comparison& comparison, const Options& options, const std::string& first,
                    const std::string& second) {
  if (!options.tolerance) return;
  const std::size_t alone = comparison.only_in_first.size() + comparison.only_in_second.size();
  if (alone > 0) {
    throw Error(ExitCode::numbers_went_bad,
                fmt::format("{} {} only in one of the two: {}", counted(alone, "body"),
                            alone == 1 ? "is" : "are", lacking(comparison, first, second)),
                "leave --tolerance out to compare those that both have");
  }
  const auto at = std::ranges::find(percentiles, options.at, &Percentile::name);
  for (const QuantityDifference& difference : comparison.differences) {
    const double found = difference.*at->value;
    if (found <= *options.tolerance) continue;
    throw Error(ExitCode::numbers_went_bad,
                fmt::format("{} differs by {:.3g} of {} ({}), more than --tolerance {:g}; at "
                            "worst {}",
                            difference.quantity, found, words_for(difference), figure(options.at),
                            *options.tolerance, worst_of(difference, comparison.by_id)));
  }
  if (options.json) return;
  for (const QuantityDifference& difference : comparison.differences) {
    fmt::print("{} is within {:g} of {} ({})", difference.quantity, *options.tolerance,
               words_for(difference), figure(options.at));
    if (difference.differing > 0) {
      fmt::print("; the worst, {} {}, is {:.1e} off", comparison.by_id ? "body" : "row",
                 difference.worst, difference.max);
    }
    fmt::print("\n");
  }
}

void compare_files(const Options& options) {
  if (options.tolerance && !(*options.tolerance >= 0)) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--tolerance {} must be 0 or more", *options.tolerance),
                "give a share: 1e-3 allows a thousandth");
  }
  const bool forces_alone = options.quantities == std::vector<std::string>{"acceleration"};
  const ReadLimits limits{.memory = 0, .places_may_miss = true, .forces_alone = forces_alone};
  const std::string first = states_in(options.first).back(),
                    second = states_in(options.second).back();
  const Snapshot a = read_snapshot(first, limits), b = read_snapshot(second, limits);
  const Comparison comparison =
      compare(a, b, options.quantities, {printable(first), printable(second)});
  if (options.json) {
    fmt::print("{}\n", json_text(comparison, first, second));
  } else {
    print(comparison, first, second);
  }
  require_within(comparison, options, first, second);
}

}  // namespace

void add_compare(CLI::App& app, Outcome& /*outcome*/) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("compare", "Compares two states of the same bodies, body by body");
  command
      ->add_option("A", options->first,
                   "What is compared with: a snapshot, a table of forces, or a run's folder")
      ->required();
  command->add_option("B", options->second, "What is compared")->required();
  command->add_option("--tolerance", options->tolerance,
                      "Exit code 76 where a quantity differs by more than that share");
  std::vector<std::string> names;
  for (const Percentile& percentile : percentiles) names.emplace_back(percentile.name);
  command->add_option("--at", options->at, "Which figure --tolerance is for: " + list_of(names))
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->needs("--tolerance");
  command
      ->add_option("--only", options->quantities,
                   "Quantities, with commas: " + list_of(comparable_quantities()))
      ->delimiter(',');
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Bodies are matched by their ids, or by rows where one of the two has none. Of a run's\n"
      "folder the last snapshot is taken. With --only acceleration three numbers a row are "
      "enough.\n"
      "Example: apsis compare reference.csv mine.csv --only acceleration --tolerance 1e-3 --at 99");
  command->callback([options] { compare_files(*options); });
}

}  // namespace apsis::cli
