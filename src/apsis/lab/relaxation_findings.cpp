// SPDX-License-Identifier: MIT
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/relaxation.hpp>
#include <apsis/lab/relaxation_findings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace apsis::lab {
namespace {

// The largest distance at which encounters count is known no better than this factor in its
// logarithm: the half-mass radius is a guess, the core of the sphere is 2.6 times as small.
constexpr double guess = 1.5;
constexpr double sure = 2;  // standard deviations

bool has_encounters(const Row& row) {
  return row.text("what") == "encounters" && row.value("t_relax") > 0 && !is_wrong(row);
}

std::vector<Row> rows_that_share(const ResultTable& table, const char* shared) {
  std::map<double, std::vector<Row>> groups;
  for (const Row& row : table.rows()) {
    if (has_encounters(row)) groups[row.value(shared)].push_back(row);
  }
  std::vector<Row> most;
  for (const auto& [value, rows] : groups) {
    if (rows.size() > most.size()) most = rows;
  }
  return most;
}

std::vector<double> values(const std::vector<Row>& rows, const char* key) {
  std::vector<double> all;
  all.reserve(rows.size());
  for (const Row& row : rows) all.push_back(row.number(key).value_or(0));
  return all;
}

// "71 ± 5"
std::string with_error(double value, double error) {
  if (!(error > 0)) return fmt::format("{:.3g}", value);
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return fmt::format("{:.{}f} ± {:.{}f}", value, std::min(digits, 6), error, std::min(digits, 6));
}

void add_growth_with_number(std::vector<std::string>& sentences, const ResultTable& table) {
  const std::vector<Row> rows = rows_by_number(table);
  if (rows.size() < 2) return;
  const auto bodies = values(rows, "bodies");
  const PowerLaw seen = power_law(bodies, values(rows, "t_relax"), values(rows, "t_relax_error"));
  const PowerLaw expected = power_law(bodies, values(rows, "t_relax_theory"), {});
  const auto [least, most] = std::minmax_element(bodies.begin(), bodies.end());
  const bool alike = std::abs(seen.power - expected.power) <= sure * seen.error;
  sentences.push_back(
      fmt::format("From {} to {} bodies with softening {:g} the relaxation time grows with the "
                  "number of bodies "
                  "to the power of {}; theory has {:.2f}{}.",
                  with_commas(*least), with_commas(*most), rows.front().value("softening"),
                  with_error(seen.power, seen.error), expected.power,
                  seen.error == 0 ? ", and without an error of the former nothing follows"
                  : alike         ? ", which agrees"
                                  : fmt::format(", {:.1f} standard deviations away",
                                                std::abs(seen.power - expected.power) / seen.error)));
}

void add_softening(std::vector<std::string>& sentences, const ResultTable& table) {
  std::vector<Row> rows = rows_by_softening(table);
  if (rows.size() < 2) return;
  const auto [soft, hard] = std::minmax_element(
      rows.begin(), rows.end(),
      [](const Row& a, const Row& b) { return a.value("softening") > b.value("softening"); });
  const double ratio = soft->value("t_relax") / hard->value("t_relax");
  const double relative =
      std::hypot(soft->number("t_relax_error").value_or(0) / soft->value("t_relax"),
                 hard->number("t_relax_error").value_or(0) / hard->value("t_relax"));
  sentences.push_back(fmt::format(
      "{} bodies: with softening {:g} instead of {:g} relaxation takes {} times as long; theory "
      "has "
      "{:.2g} times. {}",
      with_commas(soft->value("bodies")), soft->value("softening"), hard->value("softening"),
      with_error(ratio, ratio * relative),
      soft->value("t_relax_theory") / hard->value("t_relax_theory"),
      ratio - 1 > sure * ratio * relative
          ? fmt::format(
                "Softening takes away close encounters alone: {:g} times as much of it does "
                "less than so many times as many bodies would.",
                soft->value("softening") / hard->value("softening"))
          : std::string("No effect of softening is seen here.")));
}

void add_logarithms(std::vector<std::string>& sentences, const ResultTable& table) {
  std::vector<Row> rows = table.rows();
  std::erase_if(rows, [](const Row& row) { return !has_encounters(row); });
  if (rows.empty()) return;
  std::vector<std::string> outside;
  double least = INFINITY, most = 0;
  for (const Row& row : rows) {
    const double ratio = row.value("ratio");
    least = std::min(least, ratio), most = std::max(most, ratio);
    const double error = row.number("logarithm_error").value_or(0) / row.value("logarithm_theory");
    if (ratio + sure * error >= 1 / guess && ratio - sure * error <= guess) continue;
    outside.push_back(fmt::format("{} bodies with softening {:g} ({})",
                                  with_commas(row.value("bodies")), row.value("softening"),
                                  with_error(ratio, error)));
  }
  sentences.push_back(fmt::format(
      "The Coulomb logarithm that the growth needs is {:.2f} to {:.2f} times that of theory, whose "
      "largest distance, the half-mass radius, is a guess: a factor of {:g} is expected of it. {}",
      least, most, guess,
      outside.empty() ? "All rows are within it."
                      : fmt::format("Outside of it: {}.", fmt::join(outside, ", "))));
}

void add_control(std::vector<std::string>& sentences, const ResultTable& table) {
  for (const Row& row : table.rows()) {
    if (row.text("what") == "encounters") continue;
    for (const Row& other : table.rows()) {
      if (!has_encounters(other) || other.value("bodies") != row.value("bodies") ||
          other.value("softening") != row.value("softening")) {
        continue;
      }
      const double share = std::abs(row.value("growth")) / other.value("growth");
      sentences.push_back(
          fmt::format("In a smooth sphere, where no body meets another, energies of {} bodies "
                      "change at {} of the rate: {}.",
                      with_commas(row.value("bodies")),
                      share < 0.01 ? fmt::format("less than {:.0e}", std::max(1.1 * share, 1e-9))
                                   : fmt::format("{:.0f} %", 100 * share),
                      share < 0.01 ? "what is measured above are encounters, and not the steps"
                                   : "the steps are too long to measure encounters by them"));
      return;
    }
  }
}

}  // namespace

ResultTable relaxation_table() {
  return {
      "results",
      "Energies of bodies in a Plummer sphere: how fast encounters change them (f64)",
      {{"what", "forces",
        "encounters: bodies pull each other; smooth sphere: each moves alone in one", Look::text},
       {"bodies", "bodies", "number of bodies", Look::whole},
       {"softening", "softening", "Plummer softening, in Henon's units", Look::ratio},
       {"seeds", "walks", "spheres drawn with other seeds", Look::whole},
       {"step", "", "length of a step in time", Look::ratio},
       {"growth", "growth", "of the mean square change of a body's energy, in a unit of time",
        Look::error},
       {"growth_error", "±", "standard error of the former, from the scatter of the walks",
        Look::error},
       {"logarithm", "log.", "Coulomb logarithm: growth over that of theory for 1", Look::ratio},
       {"logarithm_error", "±", "standard error of the former", Look::ratio},
       {"logarithm_theory", "theory", "Coulomb logarithm up to the half-mass radius", Look::ratio},
       {"ratio", "ratio", "measured over theory", Look::ratio},
       {"t_relax", "t relax", "mean of v^4/3 over the growth, in units of time", Look::rate},
       {"t_relax_error", "±", "standard error of the former", Look::rate},
       {"t_relax_theory", "theory", "the same by theory", Look::rate},
       {"energy_error", "energy error", "of the whole at the end, the largest of the walks",
        Look::error},
       {"complaint", "", "why the row says nothing", Look::text}}};
}

ResultTable walk_table() {
  return {
      "walks",
      "Mean square change of the bodies' energies over time",
      {{"what", "", "as in the main table", Look::text},
       {"bodies", "", "number of bodies", Look::whole},
       {"softening", "", "Plummer softening", Look::ratio},
       {"time", "", "since the sphere had settled", Look::ratio},
       {"mean_square", "", "of the change of a body's energy, mean of the walks", Look::error}}};
}

std::vector<Row> rows_by_number(const ResultTable& table) {
  return rows_that_share(table, "softening");
}
std::vector<Row> rows_by_softening(const ResultTable& table) {
  return rows_that_share(table, "bodies");
}

PowerLaw power_law(const std::vector<double>& x, const std::vector<double>& y,
                   const std::vector<double>& errors) {
  // weights of logarithms are one over the squares of relative errors
  const bool weighted = errors.size() == y.size() &&
                        std::ranges::all_of(errors, [](double error) { return error > 0; });
  double w_sum = 0, x_sum = 0, y_sum = 0;
  std::vector<double> weights;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = weighted ? std::pow(y[i] / errors[i], 2) : 1;
    weights.push_back(weight);
    w_sum += weight, x_sum += weight * std::log(x[i]), y_sum += weight * std::log(y[i]);
  }
  double above = 0, below = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - x_sum / w_sum;
    above += weights[i] * dx * (std::log(y[i]) - y_sum / w_sum), below += weights[i] * dx * dx;
  }
  return {above / below, weighted ? 1 / std::sqrt(below) : 0};
}

std::vector<std::string> relaxation_findings(const ResultTable& table) {
  std::vector<std::string> sentences;
  add_growth_with_number(sentences, table);
  add_softening(sentences, table);
  add_logarithms(sentences, table);
  add_control(sentences, table);
  for (const Row& row : table.rows()) {
    if (!is_wrong(row)) continue;
    sentences.push_back(fmt::format(
        "{} bodies with softening {:g}: {}. Nothing is concluded from it.",
        with_commas(row.value("bodies")), row.value("softening"), row.text("complaint")));
  }
  return sentences;
}

}  // namespace apsis::lab
