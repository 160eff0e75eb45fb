// SPDX-License-Identifier: MIT
#include <apsis/contacts/resolve.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

namespace apsis {
namespace {

// So often two bodies may hit each other in one step. Inelastic ones in a crowd would go on for
// ever, at ever shorter intervals; they then go on side by side until the step ends.
constexpr int most_hits = 32;
// So often one body may hit walls in one step: one that has no room between them, or is far too
// fast, would do so for ever. It then stays where it is along that axis until the step ends.
constexpr int most_wall_hits = 64;
constexpr std::size_t wall_count = 6;

struct Pending {
  double time = 0;
  std::uint64_t low = 0, high = 0;  // ids, which decide between equal times
  std::uint32_t a = 0, b = 0;       // numbers; b from the number of spheres on: a wall
  std::uint32_t stamp_a = 0, stamp_b = 0;

  friend bool operator>(const Pending& p, const Pending& q) {
    return std::tie(p.time, p.low, p.high, p.b) > std::tie(q.time, q.low, q.high, q.b);
  }
};

bool comes_before(const ContactOrder& p, const ContactOrder& q) { return (p <=> q) < 0; }

double& axis(Vec3& v, std::size_t k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
double axis(const Vec3& v, std::size_t k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
double sign_of_side(std::size_t wall) { return wall % 2 == 0 ? -1 : 1; }  // outwards
double kinetic(const MovingSphere& s) { return 0.5 * s.mass * dot(s.velocity, s.velocity); }

class Resolver {
 public:
  explicit Resolver(const ContactProblem& problem)
      : problem_(problem),
        spheres_(problem.spheres),
        neighbours_(spheres_.size()),
        stamps_(spheres_.size(), 0),
        wall_hits_(spheres_.size(), 0),
        blocked_(spheres_.size()),
        group_(spheres_.size()) {
    std::iota(group_.begin(), group_.end(), 0U);
    out_.changed.assign(spheres_.size(), false);
    out_.gone.assign(spheres_.size(), false);
    out_.strayed.assign(spheres_.size(), 0);
    for (const auto& [a, b] : problem.pairs) {
      if (a == b) continue;
      neighbours_[a].push_back({b, 0});
      neighbours_[b].push_back({a, 0});
    }
    for (auto& list : neighbours_) sort_out(list);
  }

  ContactOutcome run() {
    for (std::uint32_t a = 0; a < spheres_.size(); ++a) expect_contacts(a, 0, true);
    while (!queue_.empty()) {
      const Pending next = queue_.top();
      queue_.pop();
      if (!is_current(next)) continue;
      reached_ = std::max(reached_, ContactOrder{next.time, next.low, next.high}, comes_before);
      meet(next);
      if (problem_.rule.on == OnContact::stop && !out_.contacts.empty()) break;
    }
    for (std::uint32_t k = 0; k < spheres_.size(); ++k) {
      if (!out_.gone[k]) advance(k, problem_.duration);
    }
    out_.spheres = std::move(spheres_);
    return std::move(out_);
  }

 private:
  struct Neighbour {
    std::uint32_t number;
    int hits;
  };

  static void sort_out(std::vector<Neighbour>& list) {
    std::ranges::sort(list, {}, &Neighbour::number);
    const auto same = [](const Neighbour& p, const Neighbour& q) { return p.number == q.number; };
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
  }
  bool is_wall(std::uint32_t number) const { return number >= spheres_.size(); }
  bool is_held(std::uint32_t k) const { return group_[k] != k || held_members_.contains(k); }

  bool is_current(const Pending& p) const {
    if (out_.gone[p.a] || stamps_[p.a] != p.stamp_a) return false;
    return is_wall(p.b) || (!out_.gone[p.b] && stamps_[p.b] == p.stamp_b);
  }

  // To its place at that time; the path stays.
  void advance(std::uint32_t k, double time) {
    MovingSphere& s = spheres_[k];
    const MovingSphere& straight = problem_.spheres[k];
    s.place = s.at(time), s.since = time;
    if (!out_.changed[k]) return;
    const double strayed = norm(s.place - straight.at(time)) + (s.radius - straight.radius);
    out_.strayed[k] = std::max(out_.strayed[k], strayed);
  }

  void take_new_path(std::uint32_t k) {
    ++stamps_[k];
    out_.changed[k] = true;
  }

  void expect_contacts(std::uint32_t a, double now, bool later_ones_only = false) {
    for (const Neighbour& other : neighbours_[a]) {
      const std::uint32_t b = other.number;
      if (out_.gone[b] || (later_ones_only && b < a)) continue;
      const auto time = time_of_contact(spheres_[a], spheres_[b], now, overlap_);
      if (time) push(*time, a, b);
    }
    if (problem_.rule.walls) expect_walls(a, now);
  }

  void expect_walls(std::uint32_t a, double now) {
    const MovingSphere& s = spheres_[a];
    for (std::size_t wall = 0; wall < wall_count; ++wall) {
      const double outwards = sign_of_side(wall);
      const double speed = outwards * axis(s.pace, wall / 2);
      if (!(speed > 0)) continue;
      const double way =
          outwards * ((*problem_.rule.walls)[wall] - axis(s.at(now), wall / 2)) - s.radius;
      if (std::isnan(way)) continue;  // numbers that went bad end the run, not here
      push(now + std::max(0.0, way / speed), a, static_cast<std::uint32_t>(spheres_.size() + wall));
    }
  }

  void push(double time, std::uint32_t a, std::uint32_t b) {
    if (time > problem_.duration) return;
    Pending p{.time = time, .low = spheres_[a].id, .high = ~std::uint64_t{0}, .a = a, .b = b};
    p.stamp_a = stamps_[a];
    if (!is_wall(b)) {
      p.high = spheres_[b].id, p.stamp_b = stamps_[b];
      if (p.low > p.high) std::swap(p.low, p.high);
    }
    queue_.push(p);
  }

  void meet(const Pending& p) {
    if (problem_.rule.on == OnContact::stop && is_wall(p.b)) return hit_wall(p);
    advance(p.a, p.time);
    if (is_wall(p.b)) return hit_wall(p);
    advance(p.b, p.time);
    const bool a_first = spheres_[p.a].id < spheres_[p.b].id;
    const std::uint32_t a = a_first ? p.a : p.b, b = a_first ? p.b : p.a;
    switch (problem_.rule.on) {
      case OnContact::merge:
        return merge(a, b, p.time);
      case OnContact::stop:
        add(record(a, b, p.time));
        return;
      default:
        return bounce(a, b, p.time);
    }
  }

  void add(const Contact& contact) {
    out_.contacts.push_back(contact);
    out_.order.push_back(reached_);
  }

  Contact record(std::uint32_t a, std::uint32_t b, double time) const {
    return contact_between(spheres_[a], spheres_[b], problem_.rule.on, time);
  }

  void hit_wall(const Pending& p) {
    const std::size_t wall = p.b - spheres_.size(), k = wall / 2;
    MovingSphere& s = spheres_[p.a];
    advance(p.a, p.time);
    axis(s.pace, k) = -axis(s.pace, k);
    if (sign_of_side(wall) * axis(s.velocity, k) > 0) axis(s.velocity, k) = -axis(s.velocity, k);
    ++out_.wall_hits;
    if (++wall_hits_[p.a] > most_wall_hits) return block(p.a, k, p.time);
    take_new_path(p.a);
    expect_contacts(p.a, p.time);
  }

  // Nothing moves it along that axis any more in this step, nor those that it is held with.
  void block(std::uint32_t a, std::size_t k, double time) {
    ++out_.held;
    const Box& walls = *problem_.rule.walls;
    MovingSphere& s = spheres_[a];
    const double low = walls[2 * k] + s.radius, high = walls[2 * k + 1] - s.radius;
    axis(s.place, k) = low <= high ? std::clamp(axis(s.place, k), low, high) : (low + high) / 2;
    const auto held = held_members_.find(leader_of(a));
    const std::vector<std::uint32_t> alone{a};
    const auto& members = held == held_members_.end() ? alone : held->second;
    for (const std::uint32_t member : members) {
      advance(member, time);
      blocked_[member][k] = true;
      axis(spheres_[member].pace, k) = 0;
      take_new_path(member);
    }
    for (const std::uint32_t member : members) expect_contacts(member, time);
  }

  void bounce(std::uint32_t a, std::uint32_t b, double time) {
    if (count_hit(a, b) > most_hits) return hold(a, b, time);
    Contact contact = record(a, b, time);
    MovingSphere &first = spheres_[a], &second = spheres_[b];
    const Vec3 apart = second.place - first.place;
    const double distance = norm(apart);
    const Vec3 normal = distance > 0 ? apart / distance : Vec3{1, 0, 0};
    const double share = share_of_first(first, second);
    const double factor = 1 + problem_.rule.restitution;
    // along the line of centres; of paths that approach with velocities that do not, the paths turn
    const double speed = dot(second.velocity - first.velocity, normal);
    if (speed < 0) {
      first.velocity += factor * speed * share * normal;
      second.velocity -= factor * speed * (1 - share) * normal;
      contact.kinetic_lost = 0.5 * second.mass * (1 - share) *
                             (1 - problem_.rule.restitution * problem_.rule.restitution) * speed *
                             speed;
    }
    contact.kinetic_after = kinetic(first) + kinetic(second);
    turn_paths(a, b, normal, factor);
    add(contact);
    for (const std::uint32_t k : {a, b}) take_new_path(k);
    for (const std::uint32_t k : {a, b}) expect_contacts(k, time);
  }

  void turn_paths(std::uint32_t a, std::uint32_t b, const Vec3& normal, double factor) {
    MovingSphere &first = spheres_[a], &second = spheres_[b];
    const double pace = dot(second.pace - first.pace, normal);
    double share = share_of_first(first, second);
    if (is_held(a)) share = 0;  // a crowd that is held keeps its path
    if (is_held(b)) share = is_held(a) ? share : 1;
    first.pace += factor * pace * share * normal;
    second.pace -= factor * pace * (1 - share) * normal;
  }

  int count_hit(std::uint32_t a, std::uint32_t b) {
    auto& list = neighbours_[a];
    const auto found = std::ranges::lower_bound(list, b, {}, &Neighbour::number);
    return ++found->hits;
  }

  // Those that are held together share one pace until the step ends.
  void hold(std::uint32_t a, std::uint32_t b, double time) {
    ++out_.held;
    std::vector<std::uint32_t> members;
    for (const std::uint32_t k : {a, b}) {
      if (k == b && leader_of(a) == leader_of(b)) break;  // held together already
      const auto known = held_members_.find(leader_of(k));
      if (known == held_members_.end()) {
        members.push_back(k);
      } else {
        members.insert(members.end(), known->second.begin(), known->second.end());
      }
    }
    const std::uint32_t leader = std::ranges::min(members);
    Vec3 momentum;
    double mass = 0;
    for (const std::uint32_t k : members) {
      const double weight = spheres_[k].mass > 0 ? spheres_[k].mass : 0;
      momentum += weight * spheres_[k].pace, mass += weight;
    }
    Vec3 pace = mass > 0 ? momentum / mass : spheres_[leader].pace;
    std::array<bool, 3> blocked{};
    for (const std::uint32_t k : members) {
      for (std::size_t d = 0; d < 3; ++d) blocked[d] = blocked[d] || blocked_[k][d];
    }
    for (std::size_t d = 0; d < 3; ++d) {
      if (blocked[d]) axis(pace, d) = 0;
    }
    for (const std::uint32_t k : members) {
      advance(k, time);
      spheres_[k].pace = pace, blocked_[k] = blocked;
      group_[k] = leader;
      take_new_path(k);
    }
    for (const std::uint32_t k : members) held_members_.erase(k);
    for (const std::uint32_t k : members) expect_contacts(k, time);
    held_members_[leader] = std::move(members);
  }

  std::uint32_t leader_of(std::uint32_t k) const { return group_[k]; }

  // The heavier one is left, of equal ones that with the smaller id.
  void merge(std::uint32_t a, std::uint32_t b, double time) {
    if (spheres_[b].mass > spheres_[a].mass) std::swap(a, b);
    Contact contact = record(a, b, time);
    MovingSphere &left = spheres_[a], &taken = spheres_[b];
    const double share = share_of_first(left, taken);
    const Vec3 apart = taken.place - left.place, drift = taken.velocity - left.velocity;
    const double reduced = left.mass * share;
    contact.kinetic_lost = 0.5 * reduced * dot(drift, drift);
    const Vec3 about_centre = reduced * cross(apart, drift);
    if (problem_.keeps_spin) {
      left.spin += taken.spin + about_centre;
    } else {
      contact.angular_momentum_lost = about_centre;
    }
    left.place += share * apart;
    left.velocity += share * drift;
    left.pace += share * (taken.pace - left.pace);
    left.mass += taken.mass, left.charge += taken.charge;
    left.radius = std::cbrt(left.radius * left.radius * left.radius +
                            taken.radius * taken.radius * taken.radius);
    contact.kinetic_after = kinetic(left);
    add(contact);
    out_.gone[b] = true;
    take_new_path(a);
    advance(a, time);
    take_neighbours(a, b);
    expect_contacts(a, time);
  }

  // Those of b become those of a; a body that is larger than it was may touch some of them at once,
  // whether they approach or not.
  void take_neighbours(std::uint32_t a, std::uint32_t b) {
    auto& list = neighbours_[a];
    for (const Neighbour& other : neighbours_[b]) {
      if (other.number == a || out_.gone[other.number]) continue;
      list.push_back({other.number, 0});
      neighbours_[other.number].push_back({a, 0});
    }
    sort_out(list);
  }

  const ContactProblem& problem_;
  const Overlap overlap_ =
      problem_.rule.on == OnContact::merge ? Overlap::always : Overlap::approaching;
  std::vector<MovingSphere> spheres_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<std::uint32_t> stamps_;
  std::vector<int> wall_hits_;
  std::vector<std::array<bool, 3>> blocked_;  // axes along which nothing moves a body any more
  std::vector<std::uint32_t> group_;          // by sphere, the first of those that it is held with
  std::map<std::uint32_t, std::vector<std::uint32_t>> held_members_;  // by that first one
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> queue_;
  ContactOrder reached_;  // by the contacts so far
  ContactOutcome out_;
};

}  // namespace

Contact contact_between(const MovingSphere& a, const MovingSphere& b, OnContact kind, double time) {
  const Vec3 place_a = a.at(time), place_b = b.at(time);
  const Vec3 apart = place_b - place_a, drift = b.velocity - a.velocity;
  const double distance = norm(apart);
  return {.kind = kind,
          .time = time,
          .a = a.id,
          .b = b.id,
          .mass_a = a.mass,
          .mass_b = b.mass,
          .place_a = place_a,
          .place_b = place_b,
          .approach = distance > 0 ? -dot(apart, drift) / distance : norm(drift),
          .kinetic_before = kinetic(a) + kinetic(b),
          .kinetic_after = kinetic(a) + kinetic(b)};
}

double share_of_first(const MovingSphere& a, const MovingSphere& b) {
  const double mass = a.mass + b.mass;
  return mass > 0 ? b.mass / mass : 0.5;
}

ContactOutcome resolve(const ContactProblem& problem) { return Resolver(problem).run(); }

}  // namespace apsis
