// SPDX-License-Identifier: MIT
// What it costs to find and resolve contacts by all pairs, a grid and a tree, beside the forces
// between the same bodies; and what is missed by looking only where steps end.
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/bullets.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/contact_rows.hpp>
#include <apsis/lab/findings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

// What search and resolving may take of the forces' time.
constexpr double quarter = 0.25;
// Below this, launches and threads are most of what a search takes.
constexpr double enough_for_growth = 10000;
constexpr double ways[] = {0.5, 1, 2, 4, 8, 16, 32, 64};

ResultTable bullet_table() {
  return {"bullets",
          "Bullets at a wall of spheres, looked for by overlap at the ends of steps and by sweep",
          {{"way", "way of a step", "in diameters of the wall's spheres", Look::ratio},
           {"shot", "bullets", "that were shot", Look::whole},
           {"passed_by_overlap", "pass by overlap", "overlapped no sphere where a step ended",
            Look::whole},
           {"passed_by_sweep", "pass by sweep", "touched no sphere on their paths", Look::whole},
           {"percent_by_overlap", "", "per cent of the bullets that pass by overlap", Look::ratio},
           {"percent_by_sweep", "", "per cent of the bullets that pass by sweep", Look::ratio},
           {"complaint", "", "why the sweep is wrong", Look::text}}};
}

void measure_bullets(const LabOptions& options, Recorder& recorder, std::size_t table) {
  const int bullets = options.quick ? 50 : 500;
  for (const double way : ways) {
    recorder.measuring(fmt::format("bullets, {} diameters a step", way));
    const Volley shot = volley(way, bullets);
    const double percent = 100.0 / bullets;
    recorder.add(
        table, {{"way", way},
                {"shot", static_cast<double>(shot.shot)},
                {"passed_by_overlap", static_cast<double>(shot.passed_by_overlap)},
                {"passed_by_sweep", static_cast<double>(shot.passed_by_sweep)},
                {"percent_by_overlap", percent * shot.passed_by_overlap},
                {"percent_by_sweep", percent * shot.passed_by_sweep},
                {"complaint", shot.passed_by_sweep > 0 ? "bullets passed the wall by sweep" : ""}});
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::everything, recorder);
  const std::size_t table = recorder.declare(contact_table());
  const std::size_t bullets = recorder.declare(bullet_table());
  recorder.about("ring", fmt::format("optical depth {}, dispersion of height {} radii, a step of "
                                     "the model's length",
                                     optical_depth, height_in_radii));
  std::vector<std::uint64_t> sizes = options.bodies;
  if (sizes.empty() && options.quick) sizes = {1000, 8000};
  if (sizes.empty()) sizes = {1000, 4000, 16000, 64000, 250000, 1000000};
  std::ranges::sort(sizes);
  ContactRows rows(options, recorder, table);
  for (const LessonPlace& place : where) {
    for (const std::uint64_t bodies : sizes) rows.add(place, ring_of(bodies));
  }
  measure_bullets(options, recorder, bullets);
}

constexpr const char* forces_name = "forces by fmm";

// The same in every panel, whatever else is in it.
std::size_t colour_of(const std::string& series) {
  const std::string names[] = {"direct: search", "grid: search", "tree: search", "tree: resolving",
                               forces_name};
  return static_cast<std::size_t>(std::ranges::find(names, series) - std::begin(names));
}

Panel seconds_panel(const ResultTable& table, const std::string& device) {
  const auto here = [=](const Row& row) { return row.text("device") == device; };
  std::vector<Series> seconds =
      series_of(table, {.x = "bodies",
                        .y = "seconds",
                        .name = [](const Row& row) { return row.text("variant") + ": search"; },
                        .wanted = here});
  const auto by_tree = [=](const Row& row) { return here(row) && row.text("variant") == "tree"; };
  const auto of_tree = [&](const char* key, const char* name) {
    for (Series& series : series_of(table, {.x = "bodies",
                                           .y = key,
                                           .name = [=](const Row&) { return std::string(name); },
                                           .wanted = by_tree})) {
      seconds.push_back(std::move(series));
    }
  };
  of_tree("seconds_resolve", "tree: resolving");
  of_tree("seconds_forces", forces_name);
  for (Series& series : seconds) {
    series.colour = colour_of(series.name);
    series.dashed = series.name == forces_name;
  }
  return {bodies_axis(table), logarithmic_axis(device + ": seconds", seconds), seconds};
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  Chart costs{.title = "Contacts in one step of a ring, end to end (f32)", .panels = {}};
  for (const std::string& device : devices_in(table)) {
    costs.panels.push_back(seconds_panel(table, device));
  }
  costs.height = std::max<int>(800, 500 * static_cast<int>(costs.panels.size()));
  const ResultTable& bullets = results.table("bullets");
  std::vector<Series> passed;
  for (const auto& [key, name] : {std::pair{"percent_by_overlap", "overlap where a step ends"},
                                  std::pair{"percent_by_sweep", "swept: along the whole path"}}) {
    for (Series& series : series_of(
             bullets,
             {.x = "way", .y = key, .name = [n = std::string(name)](const Row&) { return n; }})) {
      passed.push_back(std::move(series));
    }
  }
  Chart wall{.title = "Bullets that pass a wall of spheres unseen", .panels = {}};
  Axis way =
      axis_with_marks("way of a step in diameters of the spheres", values_of(bullets, "way"));
  for (Axis::Tick& tick : way.ticks) tick.label = fmt::format("{:g}", tick.at);
  wall.panels.push_back(
      {way, {.label = "per cent of the bullets", .low = -3, .high = 103}, passed});
  return {{"", std::move(costs)}, {"bullets", std::move(wall)}};
}

// Of one device and search, by rising numbers of bodies; those that say something.
std::vector<Row> rows_by(const ResultTable& table, const std::string& device,
                         std::string_view search) {
  std::vector<Row> rows;
  for (const Row& row : rows_of(table, device)) {
    const bool sound = !is_wrong(row) && !was_busy(row) && row.number("bodies");
    if (row.text("variant") == search && sound && row.value("seconds") > 0) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return row.value("bodies"); });
  return rows;
}

struct Meeting {
  double bodies = 0;
  Comparison step;  // of the tree against the other search
};
std::vector<Meeting> meetings(const ResultTable& table, const std::string& device,
                              std::string_view other) {
  std::vector<Meeting> all;
  for (const Row& tree : rows_by(table, device, "tree")) {
    const double bodies = tree.value("bodies");
    for (const Row& row : rows_by(table, device, other)) {
      if (row.value("bodies") != bodies) continue;
      if (const auto step = compared(row, tree)) all.push_back({bodies, *step});
    }
  }
  return all;
}

std::string at_bodies(const Meeting& meeting) {
  return fmt::format("{} ({})", bodies_in_words(meeting.bodies), times(meeting.step));
}

void add_crossover(std::vector<std::string>& sentences, const ResultTable& table,
                   const std::string& device) {
  std::optional<Meeting> lost, gained;  // the last loss of the tree, and its first gain after that
  const auto all = meetings(table, device, "direct");
  for (const Meeting& meeting : all) {
    if (meeting.step.verdict == Verdict::lost) lost = meeting, gained.reset();
    if (meeting.step.verdict == Verdict::gained && !gained) gained = meeting;
  }
  if (lost && gained) {
    sentences.push_back(
        fmt::format("{}: all pairs are searched faster than the tree up to {}; from {} the tree "
                    "beats them.",
                    device, at_bodies(*lost), at_bodies(*gained)));
  } else if (gained) {
    sentences.push_back(
        fmt::format("{}: the tree beats all pairs from {} on, the fewest that "
                    "were told apart.",
                    device, at_bodies(*gained)));
  } else if (lost) {
    sentences.push_back(
        fmt::format("{}: the tree lost against all pairs, also with {}: to build "
                    "it takes longer than the pairs that it saves.",
                    device, at_bodies(*lost)));
  } else if (!all.empty()) {
    sentences.push_back(fmt::format("{}: the tree and all pairs can't be told apart with up to {}.",
                                    device, at_bodies(all.back())));
  }
}

void add_grid(std::vector<std::string>& sentences, const ResultTable& table,
              const std::string& device) {
  const auto all = meetings(table, device, "grid");
  if (all.empty()) return;
  const Meeting& last = all.back();
  sentences.push_back(fmt::format(
      "{}, {}: the tree {} the grid ({}){}.", device, bodies_in_words(last.bodies),
      verdict_words(last.step.verdict,
                    {"beats", "lost against", "is as fast as", "can't be told apart from"}),
      times(last.step),
      last.step.verdict == Verdict::lost
          ? "; bodies of one size that nothing crowds are what a grid is made for"
          : ""));
}

// The power of the number of bodies that the time of a search grows with, by least squares.
struct Growth {
  double power = 0, from = 0, to = 0;
};
std::optional<Growth> growth_of(std::vector<Row> rows) {
  const auto few = [](const Row& row) { return row.value("bodies") < enough_for_growth; };
  if (rows.size() - static_cast<std::size_t>(std::ranges::count_if(rows, few)) >= 2) {
    std::erase_if(rows, few);
  }
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Row& row : rows) {
    const double u = std::log(row.value("bodies")), v = std::log(row.value("seconds"));
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  const double spread = n * xx - x * x;
  if (!(spread > 1e-9)) return std::nullopt;
  return Growth{(n * xy - x * y) / spread, rows.front().value("bodies"),
                rows.back().value("bodies")};
}

void add_growth(std::vector<std::string>& sentences, const ResultTable& table,
                const std::string& device) {
  for (const char* const search : {"tree", "grid", "direct"}) {
    const auto growth = growth_of(rows_by(table, device, search));
    if (!growth) continue;
    const double power = growth->power;
    sentences.push_back(fmt::format(
        "{}: from {} to {} bodies the time of a search by {} grows with the number of bodies to "
        "the power of {:.2f}{}.",
        device, with_commas(growth->from), with_commas(growth->to), search, power,
        std::abs(power - 1) < 0.15   ? ", as their number does"
        : std::abs(power - 2) < 0.15 ? ", as the pairs do"
        : power < 1                  ? ": what does not grow is still much of it"
                                     : ""));
  }
}

void add_share(std::vector<std::string>& sentences, const ResultTable& table,
               const std::string& device) {
  std::vector<Row> rows = rows_by(table, device, "tree");
  std::erase_if(rows, [](const Row& row) { return !row.number("ratio"); });
  if (rows.empty()) return;
  const Row& last = rows.back();
  std::vector<std::string> above;
  for (const Row& row : rows) {
    if (row.value("ratio") > quarter && row.value("bodies") < last.value("bodies")) {
      above.push_back(
          fmt::format("{} ({:.2f})", with_commas(row.value("bodies")), row.value("ratio")));
    }
  }
  const bool below = last.value("ratio") <= quarter;
  sentences.push_back(fmt::format(
      "{}, {} bodies: to find contacts by the tree and to resolve them takes {:.2f} of an "
      "evaluation of the forces by fmm (99 % error {}), {} a quarter{}.",
      device, with_commas(last.value("bodies")), last.value("ratio"),
      shown(last.cell("error_p99"), Look::error), below ? "below" : "above",
      above.empty() ? ""
                    : fmt::format("; {}above it with {} bodies", below ? "" : "and ",
                                  fmt::join(above, ", "))));
}

void add_agreement(std::vector<std::string>& sentences, const ResultTable& table) {
  std::vector<Row> rows = table.rows();
  const auto wrong = std::ranges::count_if(rows, is_wrong);
  std::erase_if(rows, [&](const Row& row) {
    return with_bodies(table.rows(), row.value("bodies")).size() < 2;  // nothing to compare with
  });
  if (wrong > 0) {
    sentences.push_back(
        fmt::format("{} of {} rows find other contacts than the first with as many "
                    "bodies: their speeds say nothing.",
                    wrong, table.size()));
  } else if (!rows.empty()) {
    const auto resolved = std::ranges::count_if(
        rows, [](const Row& row) { return row.number("contacts").has_value(); });
    sentences.push_back(fmt::format(
        "All {} rows find the same pairs that touch as the others of as many bodies, and the {} "
        "that resolve them come to the same contacts.",
        rows.size(), resolved));
  }
}

void add_bullets(std::vector<std::string>& sentences, const ResultTable& table) {
  double shot = 0, swept = 0, longest_seen = 0;
  std::optional<Row> worst;
  for (const Row& row : table.rows()) {
    const auto passed = row.number("passed_by_overlap");
    if (!passed || !row.number("way") || !(row.value("shot") > 0)) continue;
    shot += row.value("shot"), swept += row.number("passed_by_sweep").value_or(0);
    if (*passed == 0) longest_seen = std::max(longest_seen, row.value("way"));
    const auto share = [](const Row& r) { return r.value("passed_by_overlap") / r.value("shot"); };
    if (!worst || share(row) > share(*worst)) worst = row;
  }
  if (!worst) return;
  if (worst->value("passed_by_overlap") > 0) {
    sentences.push_back(fmt::format(
        "By overlap where steps end, {:.0f} % of the bullets pass the wall unseen where a step is "
        "{:g} diameters long; {}.",
        100 * worst->value("passed_by_overlap") / worst->value("shot"), worst->value("way"),
        longest_seen > 0 ? fmt::format("none does up to {:g}", longest_seen)
                         : "some do at every length"));
  } else {
    sentences.push_back("By overlap where steps end, too, no bullet passed: no step was long.");
  }
  sentences.push_back(
      swept == 0 ? fmt::format("By sweep none of {} bullets passed, however long the step.",
                               with_commas(shot))
                 : fmt::format("By sweep {} of {} bullets passed: the search misses contacts.",
                               with_commas(swept), with_commas(shot)));
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  for (const std::string& device : devices_in(table)) {
    add_crossover(sentences, table, device);
    add_grid(sentences, table, device);
    add_growth(sentences, table, device);
    add_share(sentences, table, device);
  }
  add_agreement(sentences, table);
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (std::string& wrong : complaint_findings(table)) sentences.push_back(std::move(wrong));
  add_bullets(sentences, results.table("bullets"));
  return sentences;
}

}  // namespace

Lesson contacts_lesson() {
  return {
      .name = "contacts",
      .title = "Contacts: who touches whom",
      .summary = "contacts by all pairs, grid and tree beside forces by fmm; overlap against sweep",
      .takes = {"bodies", "device", "steps", "threads"},
      .measure = measure,
      .charts = charts,
      .findings = findings};
}

}  // namespace apsis::lab
