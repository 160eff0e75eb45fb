// SPDX-License-Identifier: MIT
#include <apsis/core/body_ids.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/run/going_on.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/spec_changes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace apsis {
namespace {

void require_ids_of_their_own(const Checkpoint& checkpoint, const std::string& file) {
  const auto& arrays = checkpoint.state.arrays;
  const auto array = std::ranges::find(arrays, "id", &StateArray::name);
  if (array == arrays.end()) return;
  std::vector<std::uint64_t> ids(array->bytes.size() / sizeof(std::uint64_t));
  if (!ids.empty()) std::memcpy(ids.data(), array->bytes.data(), ids.size() * sizeof ids[0]);
  require_unique_ids(ids, file, "start the run again from bodies that have ids of their own");
}

// A checkpoint that was copied here from elsewhere would go on as something that this folder's logs
// and snapshots are not of.
void require_same_run(const std::string& file, const RunSpec& checkpoint,
                      const std::string& spec_file, const RunSpec& folder, ResumePoint& point) {
  const std::string theirs = resolved(checkpoint, resolved_identity);
  const std::string ours = resolved(folder, resolved_identity);
  if (theirs == ours) {
    if (ours.empty()) {
      point.notices.push_back(fmt::format(
          "{} carries no identity, as those of Apsis 0.1: it is taken to be of this run", file));
    }
    return;
  }
  if (ours.empty()) {
    point.notices.push_back(fmt::format(
        "{} carries no identity any more: {} is taken to be of this run", spec_file, file));
    return;
  }
  throw bad_data(fmt::format("{} is of another run than {} (identity {} and {})", file, spec_file,
                             theirs.empty() ? "none" : theirs, ours),
                 "move it out of the folder, and what is left goes on from its own checkpoint");
}

// What was resolved belongs to the state, so the checkpoint's holds; that is not to pass unsaid.
void tell_of_resolved(const RunSpec& folder, ResumePoint& point, const std::string& spec_file) {
  for (const auto& [name, value] : folder.resolved) {
    const std::string then = resolved(point.spec, name.c_str());
    if (value == then || name == resolved_identity) continue;
    point.notices.push_back(
        fmt::format("{}: [resolved] {} = \"{}\" is not taken; the checkpoint has \"{}\"", spec_file,
                    name, value, then));
  }
}

void take_edits(const RunSpec& folder, const std::string& spec_file, ResumePoint& point) {
  std::vector<KeyChange> taken, refused;
  for (KeyChange& change : key_changes(point.spec, folder, point.past.left_open)) {
    const bool complete = !change.now.empty() || change.key != "time.until";
    (is_changeable(change.key) && complete ? taken : refused).push_back(std::move(change));
  }
  if (!refused.empty()) {
    throw bad_data(
        fmt::format("{} was edited where a run that has begun cannot change: {}", spec_file,
                    text_of(refused, "its checkpoint", "the file")),
        fmt::format(
            "write the checkpoint's values back, or start another run; these may be edited: {}",
            fmt::join(changeable_keys(), ", ")));
  }
  if (!taken.empty()) {
    point.notices.push_back(
        fmt::format("taken from {}: {}", spec_file, text_of(taken, "the checkpoint", "the file")));
  }
  take_changes(point.spec, folder, taken);
}

// Apsis 0.1 wrote the key itself.
void refuse_new_kernels(const RunSpec& edited, const RunSpec& run) {
  if (!edited.kernels_of_file || run.kernels_of_file) return;
  const auto& [folder, file, place] = *edited.kernels_of_file;
  throw bad_data(fmt::format("{}: device.kernel_dir = \"{}\" would change a run that has begun",
                             place, folder),
                 "take the line out");
}

}  // namespace

ResumePoint resume_point(const RunFolder& folder) {
  CheckpointFound found = read_newest_checkpoint(folder.path());
  const std::string file = found.file.string();
  ResumePoint point{std::move(found.checkpoint), {}, {}, {}, std::move(found.messages)};
  point.past = past_in(point.checkpoint, file);
  point.spec = parse_run_spec(point.checkpoint.spec_toml, file);
  require_complete(point.spec, point.checkpoint, file);
  const auto written = folder.file("spec.toml");
  if (file_exists(written)) {
    const RunSpec edited = parse_run_spec(read_text(written), written.string());
    require_same_run(file, point.spec, written.string(), edited, point);
    refuse_new_kernels(edited, point.spec);
    tell_of_resolved(edited, point, written.string());
    take_edits(edited, written.string(), point);
  } else {
    point.notices.push_back(
        fmt::format("{} is not there: the spec in {} holds", written.string(), file));
  }
  require_ids_of_their_own(point.checkpoint, file);
  point.spec.output.directory = folder.path().string();
  return point;
}

}  // namespace apsis
