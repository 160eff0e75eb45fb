// SPDX-License-Identifier: MIT
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/stage.hpp>

#include <algorithm>
#include <utility>

namespace apsis::viewer {

std::string_view name_of(State state) {
  switch (state) {
    case State::preparing:
      return "preparing";
    case State::running:
      return "running";
    case State::paused:
      return "paused";
    case State::finished:
      return "finished";
    case State::failed:
      return "failed";
  }
  return "?";
}

void Stage::begin(Scene scene) {
  const std::lock_guard hold(lock_);
  scene.number = scene_.number + 1;
  scene_ = std::move(scene);
  figures_ = Figures{.state = State::preparing,
                     .message = {},
                     .step = 0,
                     .time = scene_.first_time,
                     .steps_per_second = 0,
                     .interactions_per_second = 0,
                     .speed = figures_.speed};
  chart_end_ += 1;  // a gap that tells pages to start anew
  chart_.clear();
  flashes_.clear();
  list_.forget();
}

bool Stage::frame_wanted() const {
  return wanted_.load(std::memory_order_relaxed) > 0 && Clock::now() >= earliest_;
}

void Stage::show(const Bodies& bodies, std::uint64_t step, double time) {
  hand_over(bodies, step, time, Clock::now());
}

void Stage::show(Engine& engine, std::uint64_t step, double time) {
  const auto begun = Clock::now();
  engine.store(stored_);
  hand_over(stored_, step, time, begun);
}

void Stage::hand_over(const Bodies& bodies, std::uint64_t step, double time,
                      Clock::time_point begun) {
  list_.follow(bodies.id);
  const std::size_t wanted = wanted_.exchange(0);
  Region region;
  {
    const std::lock_guard hold(lock_);
    region = region_;
    spare_.scene = scene_.number;
  }
  take_points(bodies, list_.order(), wanted > 0 ? wanted : first_points, region, spare_);
  spare_.step = step, spare_.time = time;
  spare_ = frames_.put(std::move(spare_));
  const auto now = Clock::now();
  const std::chrono::duration<double> took = now - begun;
  earliest_ = now + std::chrono::duration_cast<Clock::duration>(took / hand_over_share);
}

void Stage::report(const Figures& figures) {
  const std::lock_guard hold(lock_);
  figures_ = figures;
}

void Stage::chart(const ChartPoint& point) {
  const std::lock_guard hold(lock_);
  chart_.push_back(point);
  ++chart_end_;
  if (chart_.size() > chart_points) chart_.pop_front();
}

void Stage::flash(const std::vector<Vec3>& places) {
  const std::lock_guard hold(lock_);
  for (const Vec3& place : places) {
    flashes_.push_back(place);
    ++flashes_end_;
    if (flashes_.size() > most_flashes) flashes_.pop_front();
  }
}

Stage::Flashes Stage::flashes_since(std::uint64_t from) const {
  const std::lock_guard hold(lock_);
  const std::uint64_t begin = flashes_end_ - flashes_.size();
  const auto skip = static_cast<std::ptrdiff_t>(std::clamp(from, begin, flashes_end_) - begin);
  return {{flashes_.begin() + skip, flashes_.end()}, flashes_end_};
}

std::vector<Command> Stage::commands(std::chrono::milliseconds wait) {
  std::unique_lock hold(lock_);
  if (wait.count() > 0) came_.wait_for(hold, wait, [this] { return !commands_.empty(); });
  std::vector<Command> taken(std::make_move_iterator(commands_.begin()),
                             std::make_move_iterator(commands_.end()));
  commands_.clear();
  return taken;
}

void Stage::want_frame(std::size_t points, const Region& region) {
  if (points > 0) {
    const std::lock_guard hold(lock_);
    region_ = region;
  }
  wanted_.store(points, std::memory_order_relaxed);
}

void Stage::send(Command command) {
  constexpr std::size_t most_waiting = 64;  // more than a person can mean
  {
    const std::lock_guard hold(lock_);
    if (commands_.size() >= most_waiting) return;
    commands_.push_back(std::move(command));
  }
  came_.notify_one();
}

Scene Stage::scene() const {
  const std::lock_guard hold(lock_);
  return scene_;
}

Figures Stage::figures() const {
  const std::lock_guard hold(lock_);
  return figures_;
}

Stage::Chart Stage::chart_since(std::uint64_t from) const {
  const std::lock_guard hold(lock_);
  const std::uint64_t begin = chart_end_ - chart_.size();
  const auto skip = static_cast<std::ptrdiff_t>(std::clamp(from, begin, chart_end_) - begin);
  return {{chart_.begin() + skip, chart_.end()}, chart_end_};
}

}  // namespace apsis::viewer
