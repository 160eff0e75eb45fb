// SPDX-License-Identifier: MIT
// The snapshots of a run as one motion that can be asked for any time.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/core/units.hpp>
#include <apsis/render/between.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace apsis {

class Recording {
 public:
  // What becomes of a snapshot that is damaged or gone, at the start or later.
  enum class Unreadable { refused, left_out };

  // A run's folder, or one snapshot. file_error or bad_data where there is none, where none is
  // left, or where one holds bodies that the first one does not. Bodies may have left on the way: a
  // run's events.csv tells when, and into which others.
  explicit Recording(const std::filesystem::path& path,
                     Unreadable unreadable = Unreadable::refused);

  std::size_t size() const { return files_.size(); }
  const std::vector<double>& times() const { return times_; }
  double first_time() const { return times_.front(); }
  double last_time() const { return times_.back(); }
  const Units& units() const { return units_; }
  // The run's title or model as its snapshots know it, else the name that was given.
  const std::string& title() const { return title_; }
  std::size_t bodies() const { return id_.size(); }  // of the first snapshot
  bool charged() const { return charged_; }
  const PairLaw& law() const { return law_; }
  // One sentence for each snapshot that was left out up to now.
  const std::vector<std::string>& left_out() const { return left_out_; }
  // Of all paths between snapshots, the share that the snapshots are too far apart for.
  double unresolved() const;

  // The snapshot itself; times are as the files have them.
  Bodies snapshot(std::size_t index) const;
  // Those that are left then, in the order of the first snapshot.
  // Between snapshots by interpolation; before the first and behind the last it stands still. Where
  // one is left out now, size() and times() change.
  Bodies at(double time, int threads);
  // Of a body of the first snapshot that has left: where it was last or, where another one took it
  // in, that one. Itself where it is still there, or where nobody knows more.
  struct Whereabouts {
    std::uint64_t id = 0;
    std::optional<Vec3> last_place;
  };
  Whereabouts whereabouts(std::uint64_t id, double time) const;

 private:
  bool load(std::size_t index, int slot);
  void leave_out(std::size_t index);
  void read_exits(const std::filesystem::path& log);
  std::vector<Departure> departures(double from, double to) const;

  Unreadable unreadable_;
  std::vector<std::string> left_out_;

  std::vector<std::filesystem::path> files_;
  std::vector<double> times_;
  Units units_;
  std::string title_;
  bool charged_ = false;
  PairLaw law_;
  std::vector<std::uint64_t> id_;  // the order of the first snapshot holds for all
  struct Exit {
    double time = 0;
    Vec3 place;
    std::optional<std::uint64_t> into;
  };
  std::unordered_map<std::uint64_t, Exit> exits_;
  std::vector<std::uint64_t> in_order_of_exit_;
  static constexpr auto nothing = static_cast<std::size_t>(-1);
  struct Loaded {
    std::size_t index = nothing;
    Bodies bodies;
  };
  Loaded loaded_[2];
};

}  // namespace apsis
