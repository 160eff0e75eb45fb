// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_search.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/engines/sampled_timing.hpp>
#include <apsis/engines/several_devices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace apsis {
namespace {

// Bodies of each device that a first look is taken with, and seconds that are enough for a look.
constexpr std::size_t first_look = 256;
constexpr double enough_seconds = 0.05;
constexpr int most_looks = 8;
// Evaluations that take longer are not repeated to correct the shares, or not even tried once.
constexpr double short_evaluation = 0.5, long_evaluation = 5;
// Several devices are worth their exchange where they are faster than one by this. Whole CPUs are
// the same cores twice, so that little more than chance makes them faster together.
constexpr double clearly_faster = 1.05, clearly_faster_on_same_cores = 1.25;
// Times that differ by less are taken again, in turn, so often: the machine may have been
// disturbed.
constexpr double close = 1.3;
constexpr int further_rounds = 2;

double longest(const std::vector<double>& seconds) {
  return *std::max_element(seconds.begin(), seconds.end());
}

// Short ones several times: what disturbs them only makes them longer.
std::vector<double> fastest_seconds(SeveralDevicesEngine& engine,
                                    std::span<const std::size_t> bodies) {
  std::vector<double> fastest = engine.seconds_for_first(bodies);
  double total = longest(fastest);
  for (int i = 1; i < most_looks && (i < 2 || total < enough_seconds); ++i) {
    const std::vector<double> seconds = engine.seconds_for_first(bodies);
    total += longest(seconds);
    for (std::size_t d = 0; d < seconds.size(); ++d) fastest[d] = std::min(fastest[d], seconds[d]);
  }
  return fastest;
}

double seconds_by(const DeviceSpeed& speed, std::size_t bodies) {
  return bodies == 0 ? 0 : speed.fixed + speed.per_body * static_cast<double>(bodies);
}

double seconds_by(std::span<const DeviceSpeed> speeds, const Shares& shares) {
  double seconds = 0;
  for (std::size_t d = 0; d < speeds.size(); ++d) {
    seconds = std::max(seconds, seconds_by(speeds[d], shares[d]));
  }
  return seconds;
}

// The search for who takes part and with how much.
class Sharing {
 public:
  Sharing(const EngineSettings& settings, const Bodies& bodies, std::vector<DeviceInfo> devices)
      : settings_(settings), bodies_(bodies), devices_(std::move(devices)) {}

  LoadedEngine found() {
    load();
    if (bodies_.size() >= devices_.size()) {
      measure();
      leave_out_idle();
      compare_with_one();
    }
    return {std::move(one_ ? one_ : engine_), std::move(notices_)};
  }

 private:
  void load() {
    auto made = build_shared(plan_on(settings_, devices_));
    made->load(bodies_);
    several_ = made.get();
    engine_ = std::move(made);
  }
  void measure() {
    shares_ = measured_shares(*several_);
    speeds_ = measured_speeds(*several_);
  }

  // Those whose share came out as nothing.
  void leave_out_idle() {
    std::vector<DeviceInfo> working;
    for (std::size_t d = 0; d < devices_.size(); ++d) {
      if (shares_[d] > 0) {
        working.push_back(devices_[d]);
        continue;
      }
      notices_.push_back(
          fmt::format("{} ({}) is not used: it would be done with less than a "
                      "hundredth of a fair share when the others are done with all",
                      word_for(devices_[d]), devices_[d].name));
    }
    if (working.size() == devices_.size()) return;
    devices_ = std::move(working);
    engine_.reset();
    if (devices_.size() == 1) {
      one_ = build(plan_on(settings_, devices_));
      one_->load(bodies_);
      return;
    }
    load();
    measure();
  }

  std::size_t fastest() const {
    const auto found = std::min_element(
        speeds_.begin(), speeds_.end(), [&](const DeviceSpeed& a, const DeviceSpeed& b) {
          return seconds_by(a, bodies_.size()) < seconds_by(b, bodies_.size());
        });
    return static_cast<std::size_t>(found - speeds_.begin());
  }

  // In `reproducible` mode the same sums, whether it is one or several.
  std::unique_ptr<Engine> engine_alone(std::size_t device) const {
    EngineSettings settings = settings_;
    if (settings.device.reproducible) {
      settings.device.variant = several_->describe().devices.at(device).variant;
    }
    return build(plan_on(settings, {devices_[device]}));
  }

  bool same_cores() const {
    return std::ranges::all_of(devices_, [](const DeviceInfo& device) {
      return device.kind == DeviceKind::cpu && device.parts == 1;
    });
  }
  double margin() const { return same_cores() ? clearly_faster_on_same_cores : clearly_faster; }

  void compare_with_one() {
    if (one_) return;
    const std::size_t best = fastest();
    double together = seconds_by(speeds_, shares_),
           alone = seconds_by(speeds_[best], bodies_.size());
    std::unique_ptr<Engine> engine = engine_alone(best);
    if (alone < short_evaluation) {  // what the exchange costs shows in real evaluations alone
      engine->load(bodies_);
      alone = evaluation_seconds(*engine);
      together = evaluation_seconds(*several_);
      for (int i = 0; i < further_rounds && alone < close * together && together < close * alone;
           ++i) {
        alone = std::min(alone, evaluation_seconds(*engine));
        together = std::min(together, evaluation_seconds(*several_));
      }
    } else if (alone < 4 * together) {  // one that meets pairs once can do this, others can't
      const bool exact = chosen_solver(settings_).exact;
      load_sample(*engine, exact, bodies_);
      alone = seconds_for_all(evaluation_seconds(*engine), engine->describe(), bodies_.size());
      if (alone < long_evaluation) {  // a busy machine makes short looks look long
        together = std::min(together, seconds_an_evaluation(*several_));
      }
      if (together * margin() > alone) engine->load(bodies_);
    }
    const std::string figures =
        fmt::format("{:.3g} against {:.3g} ms an evaluation", 1e3 * together, 1e3 * alone);
    if (together * margin() > alone) {
      notices_.push_back(fmt::format("{} ({}) works alone: {}with the others {}",
                                     word_for(devices_[best]), devices_[best].name,
                                     same_cores() ? "all are the same cores; " : "", figures));
      one_ = std::move(engine);
      engine_.reset();
      return;
    }
    notices_.push_back(fmt::format("bodies are split {} over {}: {} on {} alone",
                                   fmt::join(shares_, " + "), words(), figures,
                                   word_for(devices_[best])));
  }

  std::string words() const {
    std::vector<std::string> words;
    for (const DeviceInfo& device : devices_) words.push_back(word_for(device));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  const EngineSettings& settings_;
  const Bodies& bodies_;
  std::vector<DeviceInfo> devices_;
  std::unique_ptr<Engine> engine_, one_;
  SeveralDevicesEngine* several_ = nullptr;  // engine_, where that is it
  Shares shares_;
  std::vector<DeviceSpeed> speeds_;
  std::vector<std::string> notices_;
};

}  // namespace

std::vector<DeviceSpeed> measured_speeds(SeveralDevicesEngine& engine) {
  Shares shares;
  for (const BodyRange& range : engine.ranges()) shares.push_back(range.count());
  std::vector<std::size_t> few(shares.size());
  const auto at_most = [&](std::size_t count) {
    std::vector<std::size_t> out(shares.size());
    std::transform(shares.begin(), shares.end(), out.begin(),
                   [&](std::size_t share) { return std::min(share, count); });
    return out;
  };
  few = at_most(first_look);
  engine.seconds_for_first(few);  // builds the kernels
  const std::vector<double> seconds_few = fastest_seconds(engine, few);
  std::vector<std::size_t> many = few;
  std::vector<double> seconds = seconds_few;
  for (std::size_t count = 4 * first_look; many != shares && longest(seconds) < enough_seconds;
       count *= 4) {
    many = at_most(count);
    seconds = fastest_seconds(engine, many);
  }
  std::vector<DeviceSpeed> speeds;
  for (std::size_t d = 0; d < shares.size(); ++d) {
    speeds.push_back(speed_from(few[d], seconds_few[d], many[d], seconds[d]));
  }
  return speeds;
}

Shares measured_shares(SeveralDevicesEngine& engine) {
  std::vector<DeviceSpeed> speeds = measured_speeds(engine);
  Shares shares = shares_by_speed(engine.bodies(), speeds);
  engine.use(shares);
  if (seconds_by(speeds, shares) < short_evaluation) {
    const std::vector<double> seconds = fastest_seconds(engine, shares);
    for (std::size_t d = 0; d < shares.size(); ++d) {
      const double guess = seconds_by(speeds[d], shares[d]);
      if (guess <= 0 || seconds[d] <= 0) continue;
      speeds[d].fixed *= seconds[d] / guess, speeds[d].per_body *= seconds[d] / guess;
    }
    shares = shares_by_speed(engine.bodies(), speeds);
    engine.use(shares);
  }
  return shares;
}

LoadedEngine loaded_on_several(const EngineSettings& settings, const Bodies& bodies,
                               const std::vector<DeviceInfo>& devices) {
  return Sharing(settings, bodies, devices).found();
}

}  // namespace apsis
