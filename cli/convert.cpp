// SPDX-License-Identifier: MIT
// apsis convert: a snapshot in another format, and what that format cannot carry.
#include "commands.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "warning_text.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/io/frames.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/io/vtk_series.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>

namespace apsis::cli {
namespace {

struct Options {
  std::string from, to;
  bool force = false, native_endian = false;
  std::uint64_t frame = 0;
};

// What was assumed about a snapshot, and what is lost.
void tell(const Snapshot& snapshot, const SnapshotFormat& format) {
  for (const auto& warning : snapshot.warnings) warn("{}", text_of(warning));
  for (const auto& loss : format.losses(snapshot)) say("apsis: note: {}", loss);
}

void convert_series(const Options& options) {
  if (options.native_endian || options.frame > 0) {
    throw Error(ExitCode::wrong_usage, "--native-endian and --frame do not apply to .pvd",
                "leave them out, or write one snapshot as .vtp");
  }
  require_free_place(options.from, options.to, options.force);
  const Frames frames(options.from);
  const SnapshotFormat& format = format_by_ending("series.vtp");
  tell(frames.at(0), format);
  write_vtk_series(frames, options.to, options.force);
  say("{}: {} as {}", options.to, counted(frames.count(), "snapshot"), format.name);
}

void convert(const Options& options) {
  if (names_vtk_series(options.to)) return convert_series(options);
  const SnapshotFormat& format = format_by_ending(options.to);
  if (options.native_endian && !format.takes_byte_order) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--native-endian does not apply to {}", format.name),
                "leave it out, or write .tipsy");
  }
  require_free_place(options.from, options.to, options.force);
  const Frames frames(options.from, options.frame);
  if (options.frame == 0 && frames.count() > 1 && format.write_frames != nullptr) {
    tell(frames.at(0), format);
    write_frames(options.to, frames);
    say("{}: {} as {}", options.to, counted(frames.count(), "snapshot"), format.name);
    return;
  }
  tell(frames.chosen(), format);
  write_snapshot(options.to, frames.chosen(), {.native_endian = options.native_endian});
  say("{}: {} as {}", options.to, counted(frames.chosen().bodies.size(), "body"), format.name);
}

}  // namespace

void add_convert(CLI::App& app, Outcome& /*outcome*/) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("convert", "Write a snapshot in another format");
  command
      ->add_option("IN", options->from, "Snapshot, or the folder of a run: " + snapshot_endings())
      ->required();
  command
      ->add_option("OUT", options->to,
                   "New file; its ending chooses the format: " + written_endings() +
                       "; .pvd: all snapshots of a run, for ParaView")
      ->required();
  command->add_flag("--force", options->force, "Replace OUT where it exists");
  command->add_flag("--native-endian", options->native_endian,
                    "TIPSY in this machine's byte order instead of big-endian");
  command
      ->add_option(
          "--frame", options->frame,
          "Which snapshot of a file or run with several, from 1 (default: the last; all of "
          "them where OUT holds several, as .xyz does)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  add_talk_options(*command, "Print warnings and errors only", "");
  command->callback([options] { convert(*options); });
}

}  // namespace apsis::cli
