// SPDX-License-Identifier: MIT
#include <apsis/engines/engine_factory.hpp>
#include <apsis/lab/far_field_bins.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/bench_settings.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace apsis::lab {
namespace {

// Differences of rounding that are none: other roundings in another order.
constexpr double notable_loss = 1.25;

ResultTable table_of_digits() {
  return {digits_table,
          "Bins: how far forces in f32 are from the same bins in double",
          {{"device", "device", "where it ran", Look::text},
           {"variant", "variant", "the way to sum", Look::text},
           {"bodies", "bodies", "number of bodies", Look::whole},
           {"median", "median", "relative difference, median", Look::error},
           {"p99", "99 %", "relative difference that 99 % stay below", Look::error},
           {"p999", "99.9 %", "relative difference that 99.9 % stay below", Look::error},
           {"max", "max", "relative difference, largest", Look::error}}};
}

Accelerations accelerations_of(const EngineSettings& settings, const Bodies& bodies) {
  const auto engine = make_engine(settings);
  engine->load(bodies);
  return engine->accelerations(0);
}

void round_to_floats(Bodies& bodies) {
  for (const std::span<double> column : {bodies.positions.values(), std::span(bodies.mass)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
}

// The row of the same way; rows of `digits` are of several devices and sizes.
std::optional<Row> digits_of(const ResultTable& digits, const Row& row) {
  return row_with(with_bodies(rows_of(digits, row.text("device")), row.value("bodies")), "variant",
                  row.text("variant"));
}

std::string shown_error(const Row& row, std::string_view key) {
  return shown(row.cell(key), Look::error);
}

// " It loses digits: ..."; empty where they were not measured.
std::string digits_sentence(const ResultTable& digits, const Row& usual, const Row& row) {
  const auto before = digits_of(digits, usual), after = digits_of(digits, row);
  if (!before || !after || !before->number("p999") || !after->number("p999")) return {};
  const double lost = after->value("p999"), usually = before->value("p999");
  if (lost <= notable_loss * usually) {
    return fmt::format(
        " No digits are lost: 99.9 % of the forces are within {} of the same bins in double, "
        "beside "
        "{} by the usual way.",
        shown_error(*after, "p999"), shown_error(*before, "p999"));
  }
  std::string text = fmt::format(
      " It loses digits where a large number comes and goes: 99.9 % of the forces are within {} of "
      "the same bins in double and the worst is {} off, beside {} and {} by the usual way.",
      shown_error(*after, "p999"), shown_error(*after, "max"), shown_error(*before, "p999"),
      shown_error(*before, "max"));
  const auto error = row.number("error_p99");
  if (!error) return text;
  return text + (lost < *error
                     ? fmt::format(" The bins' own error hides that: 99 % are within {}.",
                                   shown_error(row, "error_p99"))
                     : fmt::format(" That is more than what the bins themselves are off by: 99 % "
                                   "are within {}.",
                                   shown_error(row, "error_p99")));
}

struct WayWords {
  BinsSum sum;
  const char *what, *usual, *reason_for_loss;
};
constexpr WayWords way_words[] = {
    {BinsSum::subtracting, "adding all bins and subtracting the near ones again",
     "leaving the near ones out", "near bins are summed twice more"},
    {BinsSum::by_bins, "a work-item for each bin", "one for each body",
     "there are fewer bins than the device has places for work-items, and the fullest ends last"}};

std::string sentence(const WayWords& words, const ResultTable& digits, const Row& usual,
                     const Row& row) {
  const auto step = compared(usual, row);
  if (!step) return {};
  std::string text =
      fmt::format("{}, {} by bins: {} {} {} ({} the speed end to end{}).", row.text("device"),
                  bodies_in_words(row.value("bodies")), words.what,
                  verdict_words(step->verdict, {"is faster than", "lost against", "is as fast as",
                                                "can't be told apart from"}),
                  words.usual, times(*step), kernel_words(usual, row));
  if (step->verdict == Verdict::lost && why_no_cause(usual, row, *step).empty()) {
    text += fmt::format(" That can be: {}.", words.reason_for_loss);
  }
  return text + digits_sentence(digits, usual, row);
}

bool is_a_way(const Row& row) {
  if (row.text("kind") == "published") return false;  // digits are not
  return std::ranges::any_of(bins_variants, [&](const BinsVariant& variant) {
    return row.text("variant") == name_of_way(std::string(variant.name));
  });
}

std::string name_of_series(const Row& row) {
  return fmt::format("{}, {}", row.text("variant"), row.text("device"));
}

// Those of the ways that were measured here, so that they have the colours and markers of the table
// of digits.
ResultTable ways_in(const ResultTable& table) {
  ResultTable ways(table.name(), table.title(), table.columns());
  for (const Row& row : table.rows()) {
    if (!is_a_way(row)) continue;
    ResultTable::Entries entries;
    for (const Column& column : table.columns()) {
      entries.emplace_back(column.key, row.cell(column.key));
    }
    ways.add(entries);
  }
  return ways;
}

}  // namespace

std::string name_of_way(const std::string& variant) {
  return variant == bins_variants.front().name ? "bins" : "bins " + variant;
}

BinsDigits::BinsDigits(Recorder& recorder, int threads)
    : recorder_(recorder), threads_(threads), table_(recorder.declare(table_of_digits())) {}

const BinsDigits::InDouble& BinsDigits::in_double(const BenchOptions& bench) {
  const std::uint64_t bodies = bench.bodies.front();
  if (const auto found = known_.find(bodies); found != known_.end()) return found->second;
  BenchInput input = bench_input(bench, bodies);
  round_to_floats(input.bodies);
  BenchOptions usual = bench;
  usual.device = {.name = "cpu", .threads = threads_};
  InDouble made{std::move(input.bodies), input.law, {}};
  made.accelerations =
      accelerations_of(engine_settings(usual, "bins", Precision::f64, input.law), made.bodies);
  return known_.emplace(bodies, std::move(made)).first->second;
}

void BinsDigits::add(const LessonPlace& place, const BenchOptions& bench) {
  const std::string way = name_of_way(bench.device.variant);
  const double bodies = static_cast<double>(bench.bodies.front());
  recorder_.measuring(fmt::format("{} {}, {}, beside double", place.name, way,
                                  bodies_in_words(bench.bodies.front())));
  const InDouble& exact = in_double(bench);
  const ForceError lost = force_error(
      accelerations_of(engine_settings(bench, "bins", Precision::f32, exact.law), exact.bodies),
      exact.accelerations, exact.law.law);
  recorder_.add(table_, {{"device", place.name},
                         {"variant", way},
                         {"bodies", bodies},
                         {"median", lost.median},
                         {"p99", lost.p99},
                         {"p999", lost.p999},
                         {"max", lost.max}});
}

std::vector<std::string> way_findings(const ResultTable& digits, const std::vector<Row>& rows) {
  std::vector<std::string> sentences;
  const auto usual = row_with(rows, "variant", name_of_way("cells"));
  for (const WayWords& words : way_words) {
    const std::string name = name_of_way(std::string(variant_of(words.sum).name));
    const auto row = row_with(rows, "variant", name);
    if (!usual || !row) continue;
    std::string text = sentence(words, digits, *usual, *row);
    if (!text.empty()) sentences.push_back(std::move(text));
  }
  return sentences;
}

std::optional<Chart> way_chart(const ResultTable& table, const ResultTable& digits) {
  const ResultTable ways = ways_in(table);
  if (ways.size() < 2 || digits.size() == 0) return std::nullopt;
  SeriesBy by{.x = "bodies",
              .y = "seconds",
              .name = name_of_series,
              .colours = text_of("variant"),
              .markers = text_of("device"),
              .spread = spread_of("seconds")};
  Chart chart{.title = "Ways to sum over bins: what they cost and which digits they lose (f32)",
              .panels = {}};
  chart.panels.push_back(
      panel_of(ways, by, bodies_axis(ways), {.label = "seconds, end to end", .logarithmic = true}));
  by.y = "p999", by.spread = {};
  chart.panels.push_back(
      panel_of(digits, by, bodies_axis(digits),
               {.label = "rounding that 99.9 % stay below", .logarithmic = true}));
  return chart;
}

}  // namespace apsis::lab
