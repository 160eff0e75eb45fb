// SPDX-License-Identifier: MIT
// How much one page is sent and how often all are: plain values and arithmetic, without sockets or
// clocks, so that it can be tested.
#pragma once

#include <apsis/viewer/limits.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace apsis::viewer {

inline constexpr double bytes_per_point = 8;

// What one page gets. It tells each part that it has shown; that paces the next ones.
class Flow {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Part {
    std::size_t first = 0, count = 0;
  };

  void set_capacity(std::size_t points) {
    capacity_ = std::clamp(points, fewest_points, most_points);
  }
  std::size_t capacity() const { return capacity_; }
  // Points that it can use of a frame while things move.
  std::size_t points() const { return std::min(points_, capacity_); }
  int in_flight() const { return static_cast<int>(sent_.size()); }
  bool stalled(Time now) const { return !sent_.empty() && now - sent_.front() > stalled_time; }

  // The next part to send of a frame with so many points, or an empty one: not now. A frame that is
  // still the newest is gone on with where the last part ended.
  Part next(std::uint32_t frame, std::size_t available, double interval, Time now) const {
    if (in_flight() >= frames_in_flight || now < earliest_) return {};
    const std::size_t first = frame == frame_ ? done_ : 0;
    const auto affordable = static_cast<std::size_t>(bytes_per_second * interval / bytes_per_point);
    const std::size_t count =
        std::min({points(), std::max(affordable, fewest_points),
                  available - std::min(first, available), capacity_ - std::min(first, capacity_)});
    return {first, count};
  }
  void sent(std::uint32_t frame, const Part& part, Time now) {
    frame_ = frame, done_ = part.first + part.count;
    sent_.push_back(now);
    earliest_ = now + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(
                          bytes_per_point * static_cast<double>(part.count) / bytes_per_second));
  }
  // Late answers mean a slow page or a narrow link: fewer points. Prompt ones: a few more.
  void shown(double interval, Time now) {
    if (sent_.empty()) return;
    const double took = std::chrono::duration<double>(now - sent_.front()).count();
    sent_.pop_front();
    const double share = took > std::max(0.35, 2.5 * interval) ? 0.8 : 1.1;
    points_ = std::clamp(static_cast<std::size_t>(share * static_cast<double>(points_)),
                         fewest_points, most_points);
  }
  // The page asked for other colours: the whole frame once more.
  void start_over() { done_ = 0, frame_ = 0; }

 private:
  std::size_t capacity_ = 200'000, points_ = first_points;
  std::uint32_t frame_ = 0;
  std::size_t done_ = 0;
  std::deque<Time> sent_;  // at most frames_in_flight
  Time earliest_{};
};

// Seconds between frames: as many frames as the link allows, fewer where the server works too hard.
class FrameRate {
 public:
  double interval(std::size_t points, std::size_t viewers = 1) const {
    const double bytes = bytes_per_point * static_cast<double>(points);
    const double natural =
        std::clamp(bytes / bytes_per_second, 1 / fastest_frames, 1 / relaxed_frames);
    const double each = std::min(bytes, bytes_per_second * natural);
    const double together = each * static_cast<double>(viewers) / all_bytes_per_second;
    return std::min(std::max(natural * slowness_, together), 1 / slowest_frames);
  }
  // Once a second: the share of a core that the server took.
  void adapt(double share) {
    if (share > server_share) {
      slowness_ = std::min(slowness_ * std::clamp(share / server_share, 1.1, 2.0), 30.0);
    } else if (share < 0.7 * server_share) {
      slowness_ = std::max(1.0, slowness_ * 0.9);
    }
  }

 private:
  double slowness_ = 1;
};

}  // namespace apsis::viewer
