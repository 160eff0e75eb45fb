// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/render/between.hpp>
#include <apsis/viewer/recording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis {
namespace {

std::vector<std::filesystem::path> snapshots_in(const std::filesystem::path& path) {
  if (!folder_exists(path)) return {path};
  for (const char* ending : {".hdf5", ".csv"}) {
    auto files = list_files(path, "snapshot_", ending);
    if (!files.empty()) return files;
  }
  throw bad_data(fmt::format("{} holds no snapshots", path.string()),
                 "give the folder of a run, or a snapshot file");
}

}  // namespace

Recording::Recording(const std::filesystem::path& path) {
  struct Entry {
    double time;
    std::filesystem::path file;
  };
  std::vector<Entry> entries;
  for (const auto& file : snapshots_in(path)) {
    Snapshot snapshot = read_snapshot(file);
    if (entries.empty()) {
      units_ = snapshot.units;
      bodies_ = snapshot.bodies.size();
      id_ = snapshot.bodies.id;
    } else if (snapshot.bodies.size() != bodies_) {
      throw bad_data(fmt::format("{} holds {} bodies, {} holds {}", file.string(),
                                 snapshot.bodies.size(), entries.front().file.string(), bodies_),
                     "give the snapshots of one run");
    }
    entries.push_back({snapshot.time, file});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (Entry& entry : entries) {
    // a run that ends on a multiple of its cadence, or that was gone on with, may repeat a time
    if (!times_.empty() && entry.time == times_.back()) continue;
    times_.push_back(entry.time);
    files_.push_back(std::move(entry.file));
  }
}

Bodies Recording::snapshot(std::size_t index) const {
  Bodies like;
  like.id = id_;
  return in_order_of(like, read_snapshot(files_[index]).bodies);
}

const Bodies& Recording::loaded(std::size_t index, int slot) {
  Loaded& place = loaded_[slot];
  if (place.index == index) return place.bodies;
  Loaded& other = loaded_[1 - slot];
  if (other.index == index) {  // the playhead moved on by one interval
    std::swap(place, other);
  } else {
    place.bodies = snapshot(index);
    place.index = index;
  }
  return place.bodies;
}

Bodies Recording::at(double time, int threads) {
  if (!(time > first_time())) return loaded(0, 0);
  if (time >= last_time()) return loaded(size() - 1, 1);
  const auto above = std::upper_bound(times_.begin(), times_.end(), time);
  const auto next = static_cast<std::size_t>(above - times_.begin());
  const double span = times_[next] - times_[next - 1];
  const Bodies& from = loaded(next - 1, 0);
  const Bodies& to = loaded(next, 1);
  return between(from, to, span, (time - times_[next - 1]) / span, threads);
}

double Recording::unresolved() const {
  if (size() < 2 || bodies_ == 0) return 0;
  // the interval in the middle stands for all
  const std::size_t k = (size() - 1) / 2;
  const Bodies from = snapshot(k), to = snapshot(k + 1);
  return static_cast<double>(unresolved_paths(from, to, times_[k + 1] - times_[k], 0)) /
         static_cast<double>(bodies_);
}

}  // namespace apsis
