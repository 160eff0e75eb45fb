// SPDX-License-Identifier: MIT
#include "analyses.hpp"

#include "output_file.hpp"
#include "states.hpp"
#include "terminal.hpp"
#include "warning_text.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/frames.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/potentials.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

namespace apsis::cli {
namespace {

using namespace analysis;

Figure whole(std::size_t number) { return std::uint64_t{number}; }

std::string text_of(Vec3 v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z); }

}  // namespace

TableChoice choice_of(const AnalyseOptions& options) {
  TableChoice choice = options.choice;
  choice.centre = choice_from<CentreKind>(options.centre);
  return choice;
}

namespace {

Figures figures_of(const Analysis& analysis, const AnalyseOptions& options) {
  return {.analysis = analysis.name,
          .about = {{"file", options.state}},
          .columns = analysis.columns(choice_of(options)),
          .rows = {}};
}

void warn_of(const Snapshot& state) {
  for (const Warning& warning : state.warnings) warn("{}", cli::text_of(warning));
}

// What one state is: of a run the last one.
Snapshot last_state(const AnalyseOptions& options, Figures& figures, PlotSource* plot) {
  const std::filesystem::path path = states_in(options.state).back();
  Snapshot state = read_snapshot(path);
  warn_of(state);
  if (plot != nullptr) {
    plot->subject.file = path.string();
    plot->add(state, true);
  }
  figures.about = {{"file", path.string()},
                   {"bodies", whole(state.bodies.size())},
                   {"time", state.time},
                   {"units", state.units.name + (state.units_assumed ? " (assumed)" : "")}};
  return state;
}

void require_shares(const std::vector<double>& shares) {
  for (const double share : shares) {
    if (share >= 0 && share <= 1) continue;
    throw Error(ExitCode::wrong_usage, fmt::format("--shares {} is no share", share),
                "give numbers from 0 to 1, for example 0.1,0.5,0.9");
  }
}

void require_gravity(const Snapshot& state, const std::string& file) {
  if (state.law.law == Law::gravity) return;
  throw bad_data(fmt::format("{}: bodies that act by charges are not bound by gravity", file),
                 "give a snapshot of law = \"gravity\"");
}

PotentialsOf potentials_by(const PairLaw& law, int threads) {
  return [&law, threads](const Bodies& bodies) { return pair_potentials_of(bodies, law, threads); };
}

StateTable table_of(const Analysis& analysis, const Snapshot& state, const TableChoice& choice) {
  return analysis.of({.bodies = state.bodies,
                      .time = state.time,
                      .gravity = state.law.constant,
                      .potentials_of = potentials_by(state.law, choice.threads)},
                     choice);
}

// Of a run, and of a file with several, every snapshot gives its row.
void add_rows(const AnalyseOptions& options, Figures& figures, PlotSource* plot,
              const std::function<StateTable(const Snapshot&, const std::string& file)>& table_of) {
  const Frames frames(options.state);
  if (plot != nullptr) plot->subject.file = options.state;
  for (std::uint64_t k = 0; k < frames.count(); ++k) {
    Snapshot state = frames.count() == 1 ? frames.chosen() : frames.at(k);
    if (k == 0) warn_of(state);
    const std::string file = frames.file(k).string();
    for (Row& row : table_of(state, file).rows) figures.rows.push_back(std::move(row));
    if (plot != nullptr) plot->add(std::move(state), frames.count() == 1);
  }
}

Figures about_a_centre(const char* name, const AnalyseOptions& options, PlotSource* plot) {
  const Analysis& analysis = analysis_named(name);
  Figures figures = figures_of(analysis, options);
  const TableChoice choice = choice_of(options);
  figures.about.emplace_back("about", std::string(words_for(choice.centre)));
  add_rows(options, figures, plot, [&](const Snapshot& state, const std::string&) {
    return table_of(analysis, state, choice);
  });
  return figures;
}

}  // namespace

Figures lagrangian_of(const AnalyseOptions& options, PlotSource* plot) {
  require_shares(options.choice.shares);
  return about_a_centre("lagrangian", options, plot);
}

Figures centre_of(const AnalyseOptions& options, PlotSource* plot) {
  return about_a_centre("centre", options, plot);
}

Figures bound_of(const AnalyseOptions& options, PlotSource* plot) {
  const Analysis& analysis = analysis_named("bound");
  Figures figures = figures_of(analysis, options);
  add_rows(options, figures, plot, [&](const Snapshot& state, const std::string& file) {
    require_gravity(state, file);
    BoundPart part = bound_part(state.bodies, potentials_by(state.law, options.choice.threads));
    StateTable table = analysis::table_of(state.bodies, state.time, part);
    if (plot != nullptr) plot->bound = std::move(part);
    return table;
  });
  return figures;
}

Figures profile_of(const AnalyseOptions& options, PlotSource* plot) {
  const auto& [count, least, most] = options.choice.shells;
  if (count < 1 || count > 10000) {
    throw Error(ExitCode::wrong_usage, fmt::format("--bins {} are too few or too many", count),
                "give 1 to 10000");
  }
  if ((least && !(*least > 0)) || (most && !(*most > least.value_or(0)))) {
    throw Error(ExitCode::wrong_usage, "shells from --least to --most need 0 < least < most",
                "leave them out for what holds nearly all bodies");
  }
  const Analysis& analysis = analysis_named("profile");
  const TableChoice choice = choice_of(options);
  Figures figures = figures_of(analysis, options);
  StateTable table = table_of(analysis, last_state(options, figures, plot), choice);
  const auto place = [&](std::size_t k) { return std::get<double>(table.of_state[k]); };
  figures.about.emplace_back("about", fmt::format("{} {}", words_for(choice.centre),
                                                  text_of(Vec3{place(0), place(1), place(2)})));
  figures.rows = std::move(table.rows);
  return figures;
}

namespace {

void write_members(const AnalyseOptions& options, const Bodies& bodies, const Groups& groups) {
  std::string text = "id,group\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::uint32_t group = groups.group_of[i];
    text += groups.sizes[group] >= options.choice.least
                ? fmt::format("{},{}\n", bodies.id[i], group)
                : fmt::format("{},\n", bodies.id[i]);
  }
  write_text(options.members, text);
  say("{}: the group of each of {}", options.members, counted(bodies.size(), "body"));
}

}  // namespace

Figures groups_of(const AnalyseOptions& options, PlotSource* plot) {
  if (const auto& length = options.choice.linking_length; length && !(*length > 0)) {
    throw Error(ExitCode::wrong_usage, fmt::format("--length {} links nobody", *length),
                "give a distance above 0");
  }
  if (!options.members.empty()) require_free_place(options.state, options.members, options.force);
  const Analysis& analysis = analysis_named("groups");
  Figures figures = figures_of(analysis, options);
  const Snapshot state = last_state(options, figures, plot);
  FoundGroups found = groups_in(state.bodies, options.choice);
  if (std::isnan(found.linking_length)) {
    throw bad_data(fmt::format("{}: so many bodies share their places that no linking length "
                               "follows from them",
                               options.state),
                   "give --length");
  }
  StateTable table = analysis::table_of(state.bodies, found, options.choice.threads);
  for (std::size_t k = 0; k < table.of_state.size(); ++k) {
    figures.about.emplace_back(analysis.of_state[k], table.of_state[k]);
  }
  figures.rows = std::move(table.rows);
  if (!options.members.empty()) write_members(options, state.bodies, found.groups);
  if (plot != nullptr) plot->groups = std::move(found);
  return figures;
}

Figures orbits_of(const AnalyseOptions& options, PlotSource* plot) {
  const Analysis& analysis = analysis_named("orbits");
  Figures figures = figures_of(analysis, options);
  const Snapshot state = last_state(options, figures, plot);
  require_gravity(state, options.state);
  const auto primary = primary_of(state.bodies, options.choice);
  if (!primary && !state.bodies.empty()) {
    throw bad_data(fmt::format("{} has no body {}", options.state, *options.choice.about),
                   "give --about one of its ids, or leave it out for the heaviest body");
  }
  if (primary) {
    figures.about.emplace_back("about", fmt::format("body {}", state.bodies.id[*primary]));
  }
  for (const auto& [key, value] : analysis.says) figures.about.emplace_back(key, value);
  figures.rows = std::move(table_of(analysis, state, options.choice).rows);
  return figures;
}

}  // namespace apsis::cli
