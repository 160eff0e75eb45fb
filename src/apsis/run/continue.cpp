// SPDX-License-Identifier: MIT
// One command for the first job of a run, for every later one, and for one too many.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/snapshot_parts.hpp>
#include <apsis/run/going_on.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/spec_changes.hpp>
#include <apsis/run/trusted_kernels.hpp>

#include <fmt/format.h>

#include <optional>

namespace apsis {
namespace {

// How a run is prolonged is the same whoever asks; how it is watched over is not this run's.
bool may_differ(const KeyChange& change, const RunSpec& then, const RunSpec& now) {
  if (change.key == "time.until") return now.time.until && *now.time.until > *then.time.until;
  return is_changeable(change.key) && change.key != "time.energy_limit";
}

// Takes from `given` what may differ. bad_data names every other key with both values.
void take_given(RunSpec& run, const RunSpec& given, const std::optional<std::string>& left_open,
                const std::string& folder) {
  std::vector<KeyChange> taken, refused;
  for (KeyChange& change : key_changes(run, given, left_open)) {
    (may_differ(change, run, given) ? taken : refused).push_back(std::move(change));
  }
  if (!refused.empty()) {
    throw bad_data(
        fmt::format("{} holds another run: {}", folder, text_of(refused, "it", "this spec")),
        "choose another folder with --out, replace that run with --force, or give its own values; "
        "only time.until (later), time.burst, device.threads and output.max_minutes, "
        "checkpoint_*, pictures, plain may differ");
  }
  take_changes(run, given, taken);
}

// A file may have other bodies now under the same name.
void require_same_file(const RunSpec& run, const RunSpec& given, const RunListener& listener) {
  const std::string& file = given.initial.file;
  const std::string then = resolved(run, resolved_initial_file);
  if (file.empty() || then.empty()) return;
  if (!file_exists(first_part_of(file))) {
    if (listener.notice) {
      listener.notice(
          fmt::format("{} is not there any more; the checkpoint needs it no longer", file));
    }
    return;
  }
  if (const std::string now = file_hash(file); now != then) {
    throw bad_data(
        fmt::format(
            "initial.file = \"{}\" is not the file that the run began with (XXH3-128 {} then, "
            "{} now)",
            file, then, now),
        "bring the old one back, or choose another folder with --out");
  }
}

// Whether all steps are done and everything about them is written, or a contact ended it, which
// would end it again at once.
std::optional<RunResult> ended_run(const RunFolder& folder, const ResumePoint& point) {
  const auto file = folder.file("summary.json");
  if (!file_exists(file)) return std::nullopt;
  std::optional<Summary> summary = summary_from_json(read_text(file));
  if (!summary || summary->steps != point.checkpoint.step) return std::nullopt;
  const std::uint64_t last_step = plan_of(point.spec, point.past.start_time).last_step;
  const bool finished = summary->status == "finished" && point.checkpoint.step >= last_step;
  const bool touched =
      summary->ended_by == EndedBy::contact && on_contact(point.spec.contacts) == OnContact::stop;
  if (!finished && !touched) return std::nullopt;
  const std::string where = folder.path().string();
  std::string message = finished
                            ? fmt::format("the run in {} is finished", where)
                            : fmt::format("the run in {} has ended: {}", where, summary->contact);
  return RunResult{.folder = folder.path(),
                   .summary = *std::move(summary),
                   .message = std::move(message),
                   .was_finished = true};
}

// Killed before its first checkpoint, which is that of step 0.
RunResult begin_again(RunFolder folder, const RunSpec& given, const RunListener& listener,
                      mpi::Communicator* ranks) {
  const auto file = folder.file("spec.toml");
  RunSpec run = parse_run_spec(read_text(file), file.string());
  if (run.resolved.empty()) {
    throw bad_data(fmt::format("{} was not written by a run: it has no [resolved]", file.string()),
                   "choose a folder of its own for the run with --out");
  }
  take_kernels_again(run, given.device.kernel_dir, folder.path().string());
  take_given(run, given, std::nullopt, folder.path().string());
  if (listener.notice) {
    listener.notice(fmt::format("the run in {} had no checkpoint yet: it starts again",
                                folder.path().string()));
  }
  return start_again(std::move(folder), given, listener, ranks);
}

}  // namespace

RunResult continue_run(const RunSpec& spec, const RunListener& listener, mpi::Communicator* ranks) {
  require_kernels_from_caller(spec);
  RunSpec given = spec;
  if (given.output.directory.empty()) given.output.directory = default_directory(spec);
  const std::filesystem::path path = given.output.directory;
  if (!RunFolder::holds_a_run(path)) return start_run(given, false, listener, ranks);
  RunFolder folder = RunFolder::open(path);
  if (checkpoint_files(path).empty()) {
    return begin_again(std::move(folder), given, listener, ranks);
  }
  ResumePoint point = resume_point(folder);
  take_kernels_again(point.spec, given.device.kernel_dir, path.string());
  take_given(point.spec, given, point.past.left_open, path.string());
  require_same_file(point.spec, given, listener);
  if (auto ended = ended_run(folder, point)) return *std::move(ended);
  return resume_from(std::move(folder), std::move(point), listener, ranks);
}

}  // namespace apsis
