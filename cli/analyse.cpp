// SPDX-License-Identifier: MIT
// apsis analyse: figures of a snapshot or of a run, each by a command of its own.
#include "analyses.hpp"
#include "commands.hpp"
#include "output_file.hpp"
#include "picture.hpp"
#include <apsis/core/names.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

using FiguresOf = Figures (*)(const AnalyseOptions&, PlotSource*);

// What can be wrong with a chart is found before the work.
void require_drawable(const AnalyseOptions& options) {
  chart_format(options.plot);
  require_free_place(options.state, options.plot, options.force);
  if (options.members == options.plot) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("{} is the file of --plot and of --members", options.plot),
                "give each a name of its own");
  }
  require_gnuplot();
}

void analyse_and_print(const char* name, const AnalyseOptions& options, FiguresOf figures_of) {
  const bool drawn = !options.plot.empty();
  if (drawn) require_drawable(options);
  PlotSource source;
  source.choice = choice_of(options);
  const Figures figures = figures_of(options, drawn ? &source : nullptr);
  if (drawn) {
    write_chart(analysis_chart(analysis::analysis_named(name), source, figures.rows), options.plot);
  }
  fmt::print("{}", text_of(figures, options.as()));
}

CLI::App* add_analysis(CLI::App& analyse, const std::shared_ptr<AnalyseOptions>& options,
                       const char* name, const char* summary, FiguresOf figures_of) {
  CLI::App* command = analyse.add_subcommand(name, summary);
  command->add_option("STATE", options->state, "A snapshot, or the folder of a run")->required();
  CLI::Option* csv = command->add_flag("--csv", options->csv, "Print CSV");
  command->add_flag("--json", options->json, "Print JSON")->excludes(csv);
  command->add_option("--threads", options->choice.threads, "Threads; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--plot", options->plot,
                   "Draw what is printed into this file, too: .png, .pdf or .svg (by gnuplot)")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Replace files that are there");
  command->callback([=] { analyse_and_print(name, *options, figures_of); });
  return command;
}

void add_centre(CLI::App& command, AnalyseOptions& options) {
  command
      .add_option("--centre", options.centre,
                  "About which place: density, sphere (shrinking), mass or origin")
      ->check(CLI::IsMember(choice_names<analysis::CentreKind>()))
      ->capture_default_str();
}

}  // namespace

void add_analyse(CLI::App& app, Outcome& /*outcome*/) {
  const auto o = std::make_shared<AnalyseOptions>();
  CLI::App* analyse = app.add_subcommand(
      "analyse", "Figures of a snapshot or a run: radii, profiles, bound mass, groups, orbits");
  analyse->require_subcommand(0, 1);
  analyse->callback([analyse] {
    if (!analyse->get_subcommands().empty()) return;
    std::vector<std::string> names;
    for (const CLI::App* one : analyse->get_subcommands({})) names.push_back(one->get_name());
    throw Error(ExitCode::wrong_usage, "analyse needs an analysis", "give " + list_of(names));
  });
  CLI::App* lagrangian =
      add_analysis(*analyse, o, "lagrangian",
                   "Radii that hold shares of the mass; of a run at every snapshot", lagrangian_of);
  add_centre(*lagrangian, *o);
  lagrangian->add_option("--shares", o->choice.shares, "Shares of the mass, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  CLI::App* shells = add_analysis(
      *analyse, o, "profile", "Density, rotation and velocity dispersion in shells", profile_of);
  add_centre(*shells, *o);
  shells->add_option("--bins", o->choice.shells.count, "Shells, of equal logarithmic width")
      ->capture_default_str();
  shells->add_option("--least", o->choice.shells.least,
                     "Inner radius (default: holds 1 % of the bodies)");
  shells->add_option("--most", o->choice.shells.most, "Outer radius (default: holds 99 %)");
  add_centre(
      *add_analysis(*analyse, o, "centre",
                    "Where the system is and how it moves; of a run at every snapshot", centre_of),
      *o);
  add_analysis(*analyse, o, "bound",
               "What holds together by its own gravity; of a run at every snapshot", bound_of);
  CLI::App* groups = add_analysis(*analyse, o, "groups", "Groups of friends of friends", groups_of);
  groups->add_option("--length", o->choice.linking_length,
                     "Linking length (default: within it nine of ten bodies have six neighbours)");
  groups->add_option("--least", o->choice.least, "Fewest bodies of a group that is shown")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  groups->add_option("--members", o->members, "Write the group of every body into this CSV file")
      ->type_name("FILE");
  CLI::App* orbits =
      add_analysis(*analyse, o, "orbits", "Osculating elements of all bodies about one", orbits_of);
  orbits->add_option("--about", o->choice.about, "Id of that body (default: the heaviest)");
  analyse->footer(
      "Of a run's folder lagrangian, centre and bound take every snapshot, the others the last.\n"
      "Examples: apsis analyse lagrangian out/galaxy-merger --csv\n"
      "          apsis analyse profile out/plummer --bins 16 --plot profile.pdf\n"
      "          apsis analyse groups bodies.hdf5 --length 0.2 --members groups.csv");
}

}  // namespace apsis::cli
