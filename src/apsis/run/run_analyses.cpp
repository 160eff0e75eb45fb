// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/measure/potentials.hpp>
#include <apsis/run/run_analyses.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace apsis {
namespace {

using analysis::Analysis;
using analysis::Row;

// How `apsis analyse` does it where it is not told otherwise.
analysis::TableChoice choice_of(const RunSpec& spec) {
  analysis::TableChoice choice;
  choice.threads = static_cast<int>(spec.device.threads);
  return choice;
}

std::string first_line(const Analysis& analysis) {
  return fmt::format("# analysis = {}\n", analysis.name);
}

std::string units_comment(const Units& units) {
  if (units.name == "custom") {
    return fmt::format(
        "# units = custom\n# length_in_cm = {}\n# mass_in_g = {}\n# velocity_in_cm_per_s = {}\n",
        units.length_in_cm, units.mass_in_g, units.velocity_in_cm_per_s);
  }
  if (units.length_name.empty()) return fmt::format("# units = {}\n", units.name);
  return fmt::format("# units = {} ({}, {}, {}, {})\n", units.name, units.length_name,
                     units.mass_name, units.velocity_name, units.time_name);
}

std::vector<Row> rows_of(const Analysis& analysis, const Frame& frame, const RunSpec& spec,
                         std::string& problem) {
  const analysis::TableChoice choice = choice_of(spec);
  const PairLaw law = law_of(spec);
  try {
    return series_rows(
        analysis,
        {.bodies = frame.bodies(),
         .time = frame.time(),
         .gravity = law.constant,
         .potentials_of =
             [&](const Bodies& bodies) { return pair_potentials_of(bodies, law, choice.threads); }},
        choice);
  } catch (const Error& error) {  // a run does not end by what is only said of it
    if (error.code() != ExitCode::bad_data) throw;
    problem = error.what();
    Row row(series_columns(analysis, choice).size(), std::numeric_limits<double>::quiet_NaN());
    row.front() = frame.time();
    return {std::move(row)};
  }
}

// The most rows that a state of so many bodies gives.
double rows_of_state(const Analysis& analysis, double bodies) {
  const analysis::TableChoice choice;
  if (analysis.one_row) return 1;
  if (analysis.name == "profile") return static_cast<double>(choice.shells.count) + 1;
  return analysis.name == "groups" ? 1 + bodies / static_cast<double>(choice.least) : bodies;
}

}  // namespace

const Analysis& analysis_of(AnalysisName name) {
  return analysis::analysis_named(std::string(name_of(name)));
}

std::string log_name(AnalysisName name) { return fmt::format("{}.csv", name_of(name)); }

std::string log_header(const Analysis& analysis, const RunSpec& spec) {
  const analysis::TableChoice choice = choice_of(spec);
  std::string text = first_line(analysis);
  if (analysis.about_a_centre) {
    text += fmt::format("# about = {}\n", analysis::words_for(choice.centre));
  }
  for (const auto& [key, value] : analysis.says) text += fmt::format("# {} = {}\n", key, value);
  text += units_comment(units_of(spec));
  return text + fmt::format("{}\n", fmt::join(series_columns(analysis, choice), ","));
}

std::string log_rows(const Analysis& analysis, const Frame& frame, const RunSpec& spec,
                     std::string& problem) {
  std::string text;
  for (const Row& row : rows_of(analysis, frame, spec, problem)) text += analysis::csv_line(row);
  return text;
}

void require_possible_analyses(const RunSpec& spec) {
  if (*spec.force.law == Law::gravity) return;
  for (const AnalysisName name : spec.output.analyse) {
    if (!analysis_of(name).needs_gravity) continue;
    throw bad_data(fmt::format("output.analyse names {}, which is about gravity, and force.law is "
                               "{}",
                               name_of(name), name_of(*spec.force.law)),
                   "leave it out");
  }
}

void require_free_logs(const RunSpec& spec) {
  const std::filesystem::path folder = spec.output.directory;
  for (const AnalysisName name : spec.output.analyse) {
    if (!file_exists(folder / log_name(name))) continue;
    throw file_error(
        fmt::format("{} holds {}, which the run would replace", folder.string(), log_name(name)),
        "choose another folder with --out, or let --force replace what a run writes");
  }
}

bool is_analysis_log(const std::filesystem::path& file) {
  for (const auto& [value, name] : Choice<AnalysisName>::values) {
    if (file.filename() != log_name(value)) continue;
    const std::string line = first_line(analysis_of(value));
    const Bytes beginning = read_beginning(file, line.size());
    return std::ranges::equal(beginning, bytes_of(line));
  }
  return false;
}

double analyses_size(const RunSpec& spec, const SimulationPlan& plan, std::uint64_t bodies) {
  constexpr double bytes_per_figure = 20;
  double bytes = 0;
  for (const AnalysisName name : spec.output.analyse) {
    const Analysis& analysis = analysis_of(name);
    bytes += bytes_per_figure * static_cast<double>(series_columns(analysis, {}).size()) *
             rows_of_state(analysis, static_cast<double>(bodies));
  }
  double states = 2;
  if (const double every = spec.output.analyse_every.value_or(0); every > 0) {
    states += static_cast<double>(plan.last_step) * std::min(1.0, plan.step / every);
  }
  return bytes * states;
}

}  // namespace apsis
