// SPDX-License-Identifier: MIT
// The snapshots of a run as one motion that can be asked for any time.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/units.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace apsis {

class Recording {
 public:
  // What becomes of a snapshot that is damaged or gone, at the start or later.
  enum class Unreadable { refused, left_out };

  // A run's folder, or one snapshot. file_error or bad_data where there is none, where none is
  // left, or where two do not hold the same bodies.
  explicit Recording(const std::filesystem::path& path,
                     Unreadable unreadable = Unreadable::refused);

  std::size_t size() const { return files_.size(); }
  const std::vector<double>& times() const { return times_; }
  double first_time() const { return times_.front(); }
  double last_time() const { return times_.back(); }
  const Units& units() const { return units_; }
  std::size_t bodies() const { return bodies_; }
  bool charged() const { return charged_; }
  // One sentence for each snapshot that was left out up to now.
  const std::vector<std::string>& left_out() const { return left_out_; }
  // Of all paths between snapshots, the share that the snapshots are too far apart for.
  double unresolved() const;

  // The snapshot itself; times are as the files have them.
  Bodies snapshot(std::size_t index) const;
  // Between snapshots by interpolation; before the first and behind the last it stands still. Where
  // one is left out now, size() and times() change.
  Bodies at(double time, int threads);

 private:
  bool load(std::size_t index, int slot);
  void leave_out(std::size_t index);

  Unreadable unreadable_;
  std::vector<std::string> left_out_;

  std::vector<std::filesystem::path> files_;
  std::vector<double> times_;
  Units units_;
  std::size_t bodies_ = 0;
  bool charged_ = false;
  std::vector<std::uint64_t> id_;  // the order of the first snapshot holds for all
  static constexpr auto nothing = static_cast<std::size_t>(-1);
  struct Loaded {
    std::size_t index = nothing;
    Bodies bodies;
  };
  Loaded loaded_[2];
};

}  // namespace apsis
