// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/frames.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <cassert>

namespace apsis {

Frames::Frames(const std::filesystem::path& given, std::uint64_t chosen) {
  if (!folder_exists(given)) {
    files_ = {given};
    chosen_ = read_snapshot(given, {.frame = chosen});
    count_ = chosen_.frames;
    return;
  }
  files_ = list_files(given, "snapshot_", {});
  count_ = files_.size();
  if (files_.empty()) {
    throw bad_data(fmt::format("{} holds no snapshots", given.string()),
                   "give the folder of a run, or a snapshot");
  }
  require_frame(chosen, count_, given.string());
  chosen_ =
      read_snapshot(chosen > 0 ? files_[static_cast<std::size_t>(chosen) - 1] : files_.back());
}

Snapshot Frames::at(std::uint64_t frame) const {
  assert(frame < count_);
  if (files_.size() > 1) return read_snapshot(file(frame));
  return read_snapshot(files_.front(), {.frame = frame + 1});
}

const std::filesystem::path& Frames::file(std::uint64_t frame) const {
  return files_.size() > 1 ? files_[static_cast<std::size_t>(frame)] : files_.front();
}

void write_frames(const std::filesystem::path& path, const Frames& frames) {
  const SnapshotFormat& format = format_by_ending(path);
  assert(format.write_frames != nullptr);
  format.write_frames(path, frames.count(), [&](std::uint64_t k) { return frames.at(k); });
}

}  // namespace apsis
