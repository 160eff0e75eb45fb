// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/event_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/sim/run_name.hpp>
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

// Ids in the order of size, to compare with.
std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> ids) {
  std::ranges::sort(ids);
  return ids;
}

std::string title_of(const Snapshot& snapshot, const std::filesystem::path& path) {
  for (const auto& [key, text] : snapshot.provenance) {
    if (key != "spec") continue;
    try {
      if (std::string name = name_of_run(parse_run_spec(text, "spec")); !name.empty()) return name;
    } catch (const Error&) {
      break;  // of another version, or no spec at all: a picture is worth more than its title
    }
  }
  const std::filesystem::path plain = path.lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

std::string sentence_about(const Error& error) {
  return fmt::format("{}: this snapshot is left out", error.what());
}

}  // namespace

Recording::Recording(const std::filesystem::path& path, Unreadable unreadable)
    : unreadable_(unreadable) {
  struct Entry {
    double time;
    std::filesystem::path file;
  };
  std::vector<Entry> entries;
  const auto files = snapshots_in(path);
  std::vector<std::uint64_t> known;  // ids of the first, sorted
  bool some_left = false;
  for (const auto& file : files) {
    Snapshot snapshot;
    try {
      snapshot = read_snapshot(file);
    } catch (const Error& error) {
      const bool none_is_left = entries.empty() && file == files.back();
      if (unreadable_ == Unreadable::refused || none_is_left) throw;
      left_out_.push_back(sentence_about(error));
      continue;
    }
    if (entries.empty()) {
      units_ = snapshot.units;
      title_ = title_of(snapshot, path);
      law_ = snapshot.law;
      charged_ = snapshot.bodies.charged();
      id_ = snapshot.bodies.id;
      known = sorted(id_);
    } else if (snapshot.bodies.id != id_) {
      if (!std::ranges::includes(known, sorted(snapshot.bodies.id))) {
        throw bad_data(fmt::format("{} holds {}, {} holds {}, and not all of them", file.string(),
                                   counted(snapshot.bodies.size(), "body"),
                                   entries.front().file.string(), id_.size()),
                       "give the snapshots of one run");
      }
      some_left |= snapshot.bodies.size() < id_.size();
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
  if (some_left) read_exits(path / "events.csv");
}

// Without it bodies are shown until the last snapshot that they are in.
void Recording::read_exits(const std::filesystem::path& log) {
  if (!file_exists(log)) return;
  try {
    for (const EventRow& row : read_event_log(log)) {
      const BodyEvent& event = row.event;
      const bool merged = event.kind == "merge" && event.b;
      if (!merged && event.kind != "left") continue;
      const std::uint64_t id = merged ? *event.b : event.a;
      Exit exit{event.time, merged ? event.place_b : event.place_a, {}};
      if (merged) exit.into = event.a;
      if (exits_.emplace(id, exit).second) in_order_of_exit_.push_back(id);
    }
  } catch (const Error& error) {
    left_out_.push_back(fmt::format("{}: when bodies left is not known", error.what()));
  }
  std::ranges::stable_sort(in_order_of_exit_, {}, [&](auto id) { return exits_.at(id).time; });
}

std::vector<Departure> Recording::departures(double from, double to) const {
  const auto time_of = [&](std::uint64_t id) { return exits_.at(id).time; };
  const auto first = std::ranges::upper_bound(in_order_of_exit_, from, {}, time_of);
  const auto last = std::ranges::upper_bound(in_order_of_exit_, to, {}, time_of);
  std::vector<Departure> found;
  for (auto id = first; id < last; ++id) {
    const Exit& exit = exits_.at(*id);
    found.push_back({*id, (exit.time - from) / (to - from), exit.place, exit.into});
  }
  return found;
}

Recording::Whereabouts Recording::whereabouts(std::uint64_t id, double time) const {
  Whereabouts found{id, {}};
  for (auto exit = exits_.find(id); exit != exits_.end() && exit->second.time <= time;
       exit = exits_.find(found.id)) {
    if (!exit->second.into) return {found.id, exit->second.place};
    found.id = *exit->second.into;
  }
  return found;
}

Bodies Recording::snapshot(std::size_t index) const {
  Bodies like;
  like.id = id_;
  return in_order_of(like, read_snapshot(files_[index]).bodies);
}

// Says whether it is in its place; if not it was left out, and others are around the playhead.
bool Recording::load(std::size_t index, int slot) {
  Loaded& place = loaded_[slot];
  Loaded& other = loaded_[1 - slot];
  if (place.index == index) return true;
  if (other.index == index) {  // the playhead moved on by one interval
    std::swap(place, other);
    return true;
  }
  try {
    place.bodies = snapshot(index);
  } catch (const Error& error) {
    if (unreadable_ == Unreadable::refused || size() == 1) throw;
    left_out_.push_back(sentence_about(error));
    leave_out(index);
    return false;
  }
  place.index = index;
  return true;
}

void Recording::leave_out(std::size_t index) {
  files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(index));
  times_.erase(times_.begin() + static_cast<std::ptrdiff_t>(index));
  for (Loaded& place : loaded_) {
    if (place.index != nothing && place.index > index) --place.index;
  }
}

Bodies Recording::at(double time, int threads) {
  for (;;) {
    if (!(time > first_time())) {
      if (load(0, 0)) return loaded_[0].bodies;
    } else if (time >= last_time()) {
      if (load(size() - 1, 1)) return loaded_[1].bodies;
    } else {
      const auto above = std::upper_bound(times_.begin(), times_.end(), time);
      const auto next = static_cast<std::size_t>(above - times_.begin());
      if (!load(next - 1, 0) || !load(next, 1)) continue;
      const double span = times_[next] - times_[next - 1];
      const auto leaving = departures(times_[next - 1], times_[next]);
      return between(loaded_[0].bodies, loaded_[1].bodies, span, (time - times_[next - 1]) / span,
                     threads, leaving);
    }
  }
}

double Recording::unresolved() const {
  if (size() < 2 || id_.empty()) return 0;
  // the interval in the middle stands for all
  const std::size_t k = (size() - 1) / 2;
  const Bodies from = snapshot(k), to = snapshot(k + 1);
  return static_cast<double>(unresolved_paths(from, to, times_[k + 1] - times_[k], 0)) /
         static_cast<double>(std::max<std::size_t>(1, from.size()));
}

}  // namespace apsis
