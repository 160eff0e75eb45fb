// SPDX-License-Identifier: MIT
// How long a star cluster remembers: the relaxation time by encounters of two bodies, against their
// number and the softening, beside Chandrasekhar's theory.
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/lab/relaxation.hpp>
#include <apsis/lab/relaxation_findings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace apsis::lab {
namespace {

constexpr double usual_softening = 0.02;
// The first sixth of a walk is left out of the slope: it holds what does not add up.
constexpr double settled_part = 1.0 / 6;
// A step goes this share of the distance within which a body's pull is bent.
constexpr double step_share = 0.15, longest_step = 0.01;
// The whole's energy error, from which on the steps change energies, too.
constexpr double most_energy_error = 1e-3;

struct Case {
  std::uint64_t bodies;
  double softening;
  int seeds;
  bool encounters = true;
};

struct Plan {
  double settling, time;
  std::vector<Case> cases;
};

// Many walks where there are few bodies, so that every row has about as many bodies in all.
int seeds_for(std::uint64_t bodies, bool quick) {
  const int wanted = static_cast<int>(6144 / std::max<std::uint64_t>(bodies, 1));
  return quick ? 3 : std::clamp(wanted, 3, 8);
}

Plan plan_of(const LabOptions& options) {
  const bool quick = options.quick;
  Plan plan{quick ? 1.0 : 8.0, quick ? 1.0 : 4.0, {}};
  std::vector<std::uint64_t> numbers = options.bodies;
  if (numbers.empty()) {
    numbers = quick ? std::vector<std::uint64_t>{64, 128}
                    : std::vector<std::uint64_t>{256, 512, 1024, 2048};
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const std::uint64_t n : numbers) {
    plan.cases.push_back({n, usual_softening, seeds_for(n, quick)});
  }
  const std::uint64_t middle = numbers[(numbers.size() - 1) / 2 + (numbers.size() > 2 ? 1 : 0)];
  for (const double softening : {0.01, 0.05, 0.1, 0.2}) {
    if (quick && softening != 0.1) continue;
    plan.cases.push_back({middle, softening, std::max(3, seeds_for(middle, quick) - 2)});
  }
  plan.cases.push_back({middle, usual_softening, 2, false});
  return plan;
}

struct Tables {
  std::size_t results, walks;
};

std::string words_for(const Case& one) { return one.encounters ? "encounters" : "smooth sphere"; }

void add_rows(Recorder& recorder, const Tables& tables, const Case& one, double step,
              const std::vector<EnergyWalk>& walks) {
  std::vector<double> growths;
  double theory = 0, scale = 0, error = 0;
  std::vector<double> squares(walks.front().times.size());
  const auto number = static_cast<double>(walks.size()), bodies = static_cast<double>(one.bodies);
  for (const EnergyWalk& walk : walks) {
    growths.push_back(slope_of(walk.times, walk.mean_squares, settled_part * walk.times.back()));
    theory += walk.growth_of_theory / number, scale += walk.scale / number;
    error = std::max(error, walk.energy_error);
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += walk.mean_squares[i] / number;
  }
  const MeanWithError growth = mean_of(growths);
  const double expected = coulomb_logarithm(PlummerTheory::half_mass_radius(), one.softening,
                                            PlummerTheory::close_encounter(bodies));
  const auto with_encounters = [&](double value) { return one.encounters ? Cell(value) : Cell(); };
  recorder.add(
      tables.results,
      {{"what", words_for(one)},
       {"bodies", bodies},
       {"softening", one.softening},
       {"seeds", number},
       {"step", step},
       {"growth", growth.mean},
       {"growth_error", growth.error > 0 ? Cell(growth.error) : Cell()},
       {"logarithm", with_encounters(growth.mean / theory)},
       {"logarithm_error", with_encounters(growth.error / theory)},
       {"logarithm_theory", with_encounters(expected)},
       {"ratio", with_encounters(growth.mean / theory / expected)},
       {"t_relax", with_encounters(scale / growth.mean)},
       {"t_relax_error", with_encounters(scale / growth.mean * growth.error / growth.mean)},
       {"t_relax_theory", with_encounters(scale / theory / expected)},
       {"energy_error", error},
       {"complaint", error <= most_energy_error
                         ? std::string()
                         : fmt::format("energy error {:.1e} exceeds {:.0e}: the steps are too long",
                                       error, most_energy_error)}});
  for (std::size_t i = 0; i < squares.size(); ++i) {
    recorder.add(tables.walks, {{"what", words_for(one)},
                                {"bodies", bodies},
                                {"softening", one.softening},
                                {"time", walks.front().times[i]},
                                {"mean_square", squares[i]}});
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  LabOptions native = options;
  native.devices = {"cpu"};
  places(native, Wanted::everything, recorder);
  const Tables tables{recorder.declare(relaxation_table()), recorder.declare(walk_table())};
  const Plan plan = plan_of(options);
  recorder.about("walks",
                 fmt::format("Plummer spheres in Henon's units (f64, leapfrog): {:g} units "
                             "of time to settle, energies followed over {:g}",
                             plan.settling, plan.time));
  for (const Case& one : plan.cases) {
    const double close = PlummerTheory::close_encounter(static_cast<double>(one.bodies));
    const double wanted = std::min(longest_step, step_share * std::hypot(one.softening, close));
    const double step = plan.time / std::ceil(plan.time / wanted / 12) / 12;
    std::vector<EnergyWalk> walks;
    for (int seed = 0; seed < one.seeds; ++seed) {
      recorder.measuring(fmt::format("{} bodies, softening {:g}, walk {} of {}", one.bodies,
                                     one.softening, seed + 1, one.seeds));
      walks.push_back(walk_of({.bodies = one.bodies,
                               .seed = 100 + static_cast<std::uint64_t>(seed),
                               .softening = one.softening,
                               .settling = plan.settling,
                               .time = plan.time,
                               .step = step,
                               .threads = options.threads,
                               .encounters = one.encounters}));
    }
    add_rows(recorder, tables, one, step, walks);
  }
}

// Lines without a name from the lower to the upper end of what each value may be.
void add_bars(std::vector<Series>& all, const std::vector<Row>& rows, const std::string& x,
              const std::string& y, std::size_t colour) {
  for (const Row& row : rows) {
    const double value = row.value(y), error = row.number(y + "_error").value_or(0);
    if (!(error > 0) || !(value - error > 0)) continue;
    Series bar{.name = {}, .x = {}, .y = {}};
    bar.x = {row.value(x), row.value(x)}, bar.y = {value - error, value + error};
    bar.colour = colour;
    all.push_back(std::move(bar));
  }
}

// Measured values with their errors, and the theory's.
std::vector<Series> beside_theory(std::vector<Row> rows, const std::string& x,
                                  const std::string& y) {
  std::sort(rows.begin(), rows.end(),
            [&](const Row& a, const Row& b) { return a.value(x) < b.value(x); });
  Series measured{.name = "measured", .x = {}, .y = {}}, theory{.name = "theory", .x = {}, .y = {}};
  measured.look = Series::Look::points, measured.colour = 0;
  theory.dashed = true, theory.colour = 1;
  for (const Row& row : rows) {
    if (row.value(y) > 0) measured.x.push_back(row.value(x)), measured.y.push_back(row.value(y));
    theory.x.push_back(row.value(x)), theory.y.push_back(row.value(y + "_theory"));
  }
  std::vector<Series> all{std::move(measured), std::move(theory)};
  add_bars(all, rows, x, y, 0);
  return all;
}

Chart numbers_chart(const ResultTable& table) {
  const auto times = beside_theory(rows_by_number(table), "bodies", "t_relax");
  const auto logarithms = beside_theory(rows_by_softening(table), "softening", "logarithm");
  Chart chart{.title = "Relaxation by encounters, measured and by Chandrasekhar's theory",
              .panels = {},
              .height = 1000};
  chart.panels.push_back({bodies_axis(table), logarithmic_axis("relaxation time", times), times});
  Axis softening = logarithmic_axis("softening", logarithms, &Series::x);
  chart.panels.push_back(
      {std::move(softening), {.label = "Coulomb logarithm", .low = 0}, logarithms});
  return chart;
}

Chart walks_chart(const ResultTable& walks) {
  const auto all = series_of(
      walks, {.x = "time",
              .y = "mean_square",
              .name =
                  [](const Row& row) {
                    return fmt::format("{}, softening {:g}", with_commas(row.value("bodies")),
                                       row.value("softening"));
                  },
              .wanted = [](const Row& row) { return row.text("what") == "encounters"; }});
  Chart chart{.title = "Mean square change of the bodies' own energies", .panels = {}};
  chart.panels.push_back({{.label = "time since they had settled"},
                          {.label = "mean square change of energy", .low = 0},
                          all});
  return chart;
}

std::vector<NamedChart> charts(const Results& results) {
  return {{"", numbers_chart(results.table("results"))},
          {"walks", walks_chart(results.table("walks"))}};
}

}  // namespace

Lesson relaxation_lesson() {
  return {.name = "relaxation",
          .title = "Relaxation: how long a cluster remembers",
          .summary =
              "relaxation by encounters of two bodies against number and softening, beside "
              "Chandrasekhar's theory",
          .takes = {"bodies", "threads"},
          .measure = measure,
          .charts = charts,
          .findings = [](const Results& results) {
            return relaxation_findings(results.table("results"));
          }};
}

}  // namespace apsis::lab
