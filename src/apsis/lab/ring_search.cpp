// SPDX-License-Identifier: MIT
#include <apsis/contacts/finder.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/lab/ring_search.hpp>
#include <apsis/measure/force_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace apsis::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double restitution = 0.5;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Seconds in each second, from its making on.
class WaitForCores {
 public:
  double share() const {
    const double waited = seconds_waited_for_cores().value_or(0) - before_;
    return std::max(0.0, waited) / std::max(seconds_since(begin_), 1e-9);
  }

 private:
  double before_ = seconds_waited_for_cores().value_or(0);
  Clock::time_point begin_ = Clock::now();
};

// More rounds that count after one of that many seconds; none where that one shall count.
int rounds_after(double first, const Patience& patience) {
  const double fitting = patience.seconds / std::max(first, 1e-9);
  if (fitting < 1) return 0;
  // a median of a few times of 100 us says little; a number that was asked for stays
  const double enough = std::isfinite(fitting) ? 0.02 * fitting : 0;
  return static_cast<int>(std::min(fitting, std::max<double>(patience.most, enough)));
}

EngineSettings settings_for(const LessonPlace& place, ForceSettings force, int threads) {
  EngineSettings settings;
  settings.force = std::move(force);
  settings.device.name = place.choice;
  settings.device.precision = Precision::f32;
  settings.device.threads = threads;
  return settings;
}

BodyPairs touching_among(const ContactSource& source, const BodyPairs& candidates,
                         double duration) {
  const std::vector<std::uint32_t> numbers = numbers_in(candidates, {});
  const std::vector<MovingSphere> spheres = source.spheres(numbers);
  const auto places = places_in(numbers, candidates);
  BodyPairs touching;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const auto time = time_of_contact(spheres[places[k].first], spheres[places[k].second], 0);
    if (time && *time <= duration) touching.push_back(candidates[k]);
  }
  return touching;
}

// Those that are inside another one with a smaller number.
std::vector<std::size_t> overlapping(const Bodies& bodies) {
  const Paths<double> places{.count = bodies.size(),
                             .x = bodies.x().data(),
                             .y = bodies.y().data(),
                             .z = bodies.z().data(),
                             .vx = bodies.velocities.x().data(),
                             .vy = bodies.velocities.y().data(),
                             .vz = bodies.velocities.z().data(),
                             .radius = bodies.radius.data()};
  ContactFinder finder(ContactSearch::automatic, thread_count(0));
  finder.look_at(places);
  std::vector<std::size_t> inside;
  for (const auto& [a, b] : finder.candidates().touching) {
    const double reach = bodies.radius[a] + bodies.radius[b];
    if (norm(bodies.position(a) - bodies.position(b)) < reach) inside.push_back(b);
  }
  std::ranges::sort(inside);
  keep_each_once(inside);
  return inside;
}

// The first so many that are inside nobody: a model puts bodies down at random, and hard ones are
// never where others are.
Bodies hard_bodies(Bodies bodies, std::uint64_t count) {
  bodies.remove(overlapping(bodies));
  std::vector<std::size_t> more(bodies.size() - std::min<std::size_t>(bodies.size(), count));
  std::iota(more.begin(), more.end(), bodies.size() - more.size());
  bodies.remove(more);
  return bodies;
}

// Of the others about the centre: as fast as their height needs it, where an orbit takes 2 pi. Then
// all go on for a step, which is the one that is looked at.
void move_at_random(Bodies& bodies, double height, double step) {
  constexpr std::uint64_t seed = 10;
  const double of_a_ball = std::sqrt(5.0);  // the dispersion in its radius 1
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    BodyRandom random(seed, i);
    bodies.set_velocity(i, bodies.velocity(i) + of_a_ball * height * random.in_ball());
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.set_position(i, bodies.position(i) + step * bodies.velocity(i));
  }
}

}  // namespace

Ring ring_of(std::uint64_t bodies) {
  // from the model's own inner to its outer radius
  constexpr double inner = 0.7, outer = 1.3;
  const auto others = static_cast<double>(std::max<std::uint64_t>(bodies, 2) - 1);
  const double size = std::sqrt(optical_depth * (outer * outer - inner * inner) / others);
  // of a hundred some six are inside others
  ModelRequest request{.model = "ring", .bodies = bodies + bodies / 8};
  request.options["inner"].value = inner, request.options["outer"].value = outer;
  request.options["size"].value = size, request.options["height"].value = height_in_radii * size;
  InitialState state = make_model(request);
  Bodies hard = hard_bodies(std::move(state.bodies), bodies);
  move_at_random(hard, height_in_radii * size, state.defaults.step);
  return {std::move(hard), {Law::gravity, 1, state.defaults.softening}, state.defaults.step};
}

RingContacts contacts_in(const Ring& ring, const LessonPlace& place, ContactSearch how, int threads,
                         const Patience& patience, bool resolves) {
  EngineSettings settings = settings_for(place, forces({Law::gravity, 0, 0}, "none"), threads);
  settings.contacts.on = OnContact::bounce;
  settings.contacts.search = how;
  const auto engine = make_engine(settings);
  engine->load(ring.bodies);
  engine->warm_up();
  RingContacts out;
  ContactSource source;
  FoundPairs candidates;
  const auto round = [&] {
    const auto begin = Clock::now();
    source = engine->contact_source(ring.step, std::nullopt);
    candidates = source.candidates();
    out.search.seconds.push_back(seconds_since(begin));
    if (!resolves) return out.search.seconds.back();
    source.candidates = [&] { return candidates; };
    const auto found = Clock::now();
    out.contacts =
        contacts_of_step(source, ring.step, {.restitution = restitution}, false).contacts;
    out.resolve.seconds.push_back(seconds_since(found));
    return out.search.seconds.back() + out.resolve.seconds.back();
  };
  if (!place.native) round();  // builds kernels
  out.search = out.resolve = {};
  const WaitForCores wait;
  const int more = rounds_after(round(), patience);
  if (more > 0) out.search = out.resolve = {};
  for (int i = 0; i < more; ++i) round();
  out.waited = wait.share();
  out.candidates = candidates.size();
  out.touching = touching_among(source, candidates.touching, ring.step);
  out.bytes = engine->instruments().contact_bytes();
  return out;
}

std::string disagreement(const RingContacts& found, const RingContacts& other,
                         const std::string& whose) {
  if (found.touching != other.touching) {
    return fmt::format("it finds {} pairs that touch, not the {} of {}", found.touching.size(),
                       other.touching.size(), whose);
  }
  const bool both = !found.resolve.seconds.empty() && !other.resolve.seconds.empty();
  if (!both || found.contacts == other.contacts) return "";
  return fmt::format("its {} contacts are not the {} of {}", found.contacts.size(),
                     other.contacts.size(), whose);
}

RingForces forces_in(const Ring& ring, const LessonPlace& place, double accuracy, int threads,
                     const Patience& patience) {
  EngineSettings settings = settings_for(place, forces(ring.law, "fmm"), threads);
  settings.force.far_field.accuracy = accuracy;
  const auto engine = make_engine(settings);
  engine->load(ring.bodies);
  engine->warm_up();
  seconds_an_evaluation(*engine);  // chooses what keeps the accuracy
  RingForces out;
  const WaitForCores wait;
  out.evaluation.seconds.push_back(seconds_an_evaluation(*engine));
  const int more = rounds_after(out.evaluation.seconds.front(), patience);
  if (more > 0) out.evaluation.seconds.clear();
  for (int i = 0; i < more; ++i) {
    out.evaluation.seconds.push_back(seconds_an_evaluation(*engine));
  }
  out.waited = wait.share();
  out.error_p99 = sample_force_error(*engine, ring.law, threads).p99;
  return out;
}

}  // namespace apsis::lab
