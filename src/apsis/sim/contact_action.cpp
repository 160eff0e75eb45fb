// SPDX-License-Identifier: MIT
#include <apsis/contacts/soft_contacts.hpp>
#include <apsis/contacts/stored_paths.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/sim/contact_action.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace apsis {
namespace {

// What a body of its own would have of energy in the pull of others and of external fields.
class PotentialOf {
 public:
  PotentialOf(const Forces& forces, double time) : forces_(forces), time_(time) {}

  double pair(Vec3 at, double strength, Vec3 other_at, double other_strength) const {
    return with_radial(forces_.pairs.radial, [&](const auto& radial) {
      return unit() * strength * other_strength * falloff(radial, at - other_at);
    });
  }

  // With all bodies but those two.
  double among(const Bodies& bodies, Vec3 at, double strength, std::size_t but,
               std::size_t and_but) const {
    const auto& strengths = apsis::strengths(bodies, forces_.pairs.law);
    if (!forces_.pairs_act) return 0;
    return with_radial(forces_.pairs.radial, [&](const auto& radial) {
      const double sum = ordered_sum<double>(bodies.size(), thread_count(0), [&](std::size_t j) {
        if (j == but || j == and_but) return 0.0;
        return strengths[j] * falloff(radial, at - bodies.position(j));
      });
      return unit() * strength * sum;
    });
  }

  double outside(Vec3 at, double mass) const {
    double sum = 0;
    for_each_acting(forces_.external, [&]<class Field>(const Field& field) {
      sum +=
          mass * Field::potential(field.constants(time_, {.gravity = forces_.pairs.constant}), at);
    });
    return sum;
  }

 private:
  double unit() const {
    if (!forces_.pairs_act) return 0;
    return potential_sign(forces_.pairs.law) * forces_.pairs.constant;
  }
  template <class Radial>
  double falloff(const Radial& radial, Vec3 apart) const {
    const double softening = forces_.pairs.softening;
    const double r = std::sqrt(dot(apart, apart) + softening * softening);
    return r > 0 ? radial.potential(r) / r : 0.0;
  }

  const Forces& forces_;
  double time_;
};

double strength_of(const Bodies& bodies, Law law, std::size_t i) {
  return strengths(bodies, law)[i];
}

BodyEvent event_of(const Contact& contact, double begin) {
  return {.time = begin + contact.time,
          .kind = std::string(name_of(contact.kind)),
          .a = contact.a,
          .b = contact.b,
          .mass_a = contact.mass_a,
          .mass_b = contact.mass_b,
          .place_a = contact.place_a,
          .place_b = contact.place_b,
          .approach = contact.approach,
          .energy_before = contact.kinetic_before,
          .energy_after = contact.kinetic_after,
          .energy_lost = contact.kinetic_lost,
          .angular_momentum_lost = contact.angular_momentum_lost};
}

// Mergers one after the other: who is left has taken the other in, and what that does to the
// energies of all bodies is accounted for.
class Mergers {
 public:
  Mergers(Bodies& bodies, const Forces& forces) : bodies_(bodies), forces_(forces) {
    for (std::size_t i = 0; i < bodies.size(); ++i) number_of_[bodies.id[i]] = i;
  }

  void account(const Contact& contact, BodyEvent& event) {
    const std::size_t a = number_of_.at(contact.a), b = number_of_.at(contact.b);
    const PotentialOf potential(forces_, event.time);
    const Law law = forces_.pairs.law;
    const double sa = strength_of(bodies_, law, a), sb = strength_of(bodies_, law, b);
    const Vec3 at_a = contact.place_a, at_b = contact.place_b;
    const double mutual = potential.pair(at_a, sa, at_b, sb);
    const double mass = contact.mass_a + contact.mass_b;
    const double share = mass > 0 ? contact.mass_b / mass : 0.5;
    const Vec3 centre = at_a + share * (at_b - at_a);
    const double before = mutual + potential.among(bodies_, at_a, sa, a, b) +
                          potential.among(bodies_, at_b, sb, a, b) +
                          potential.outside(at_a, contact.mass_a) +
                          potential.outside(at_b, contact.mass_b);
    const double after =
        potential.among(bodies_, centre, sa + sb, a, b) + potential.outside(centre, mass);
    event.energy_before += mutual;
    event.energy_lost -= after - before;
    // for those that follow in this step
    bodies_.set_position(a, centre);
    bodies_.mass[a] += bodies_.mass[b], bodies_.mass[b] = 0;
    if (bodies_.charged()) bodies_.charge[a] += bodies_.charge[b], bodies_.charge[b] = 0;
  }

 private:
  Bodies& bodies_;
  const Forces& forces_;
  std::unordered_map<std::uint64_t, std::size_t> number_of_;
};

// Columns of a body as a contact left it.
void take(Bodies& bodies, std::size_t i, const MovingSphere& sphere) {
  bodies.set_position(i, sphere.place), bodies.set_velocity(i, sphere.velocity);
  bodies.mass[i] = sphere.mass;
  if (bodies.charged()) bodies.charge[i] = sphere.charge;
  if (!bodies.radius.empty()) bodies.radius[i] = sphere.radius;
  if (!bodies.spin.empty()) bodies.spin.set(i, sphere.spin);
}

void apply_changes(Engine& engine, const ContactChanges& changes) {
  if (changes.numbers.empty()) return;
  Bodies states;
  states.positions = states.velocities = Vectors(changes.numbers.size());
  for (std::size_t k = 0; k < changes.numbers.size(); ++k) {
    states.set_position(k, changes.spheres[k].place);
    states.set_velocity(k, changes.spheres[k].velocity);
  }
  engine.change(changes.numbers, states);
}

void apply_mergers(Engine& engine, const ContactChanges& changes, const Forces& forces,
                   std::vector<BodyEvent>& events) {
  Bodies bodies;
  engine.store(bodies);
  {
    Bodies at_contacts = bodies;
    Mergers mergers(at_contacts, forces);
    for (std::size_t k = 0; k < events.size(); ++k) {
      mergers.account(changes.contacts[k], events[k]);
    }
  }
  for (std::size_t k = 0; k < changes.numbers.size(); ++k) {
    take(bodies, changes.numbers[k], changes.spheres[k]);
  }
  bodies.remove(std::vector<std::size_t>(changes.gone.begin(), changes.gone.end()));
  engine.replace(bodies);
}

std::string words_for(const ContactChanges& changes) {
  const std::size_t n = changes.contacts.size();
  return counted(n, "contact");
}

// What happens on a path, and to whom.
struct PathRules {
  ContactSettings contacts;
  SpaceSettings space;
  Forces forces;
  bool keeps_spin = false;
};

ContactSource source_for(Engine& engine, const StepPath& path, const PathRules& rules) {
  ContactSource source;
  if (path.before == nullptr) {
    source = engine.contact_source(path.duration, rules.space.walls);
  } else {
    Bodies now;
    engine.store(now);
    source = contact_source_of(std::move(now), path.before, path.duration, rules.space.walls,
                               search_of(rules.contacts), thread_count(0));
  }
  if (on_contact(rules.contacts) == OnContact::none) {
    source.candidates = [] { return FoundPairs{}; };
    source.near = [](std::span<const Stray>) { return BodyPairs{}; };
  }
  return source;
}

ContactChanges changes_on(const ContactSource& source, double duration, const PathRules& rules) {
  const OnContact on = on_contact(rules.contacts);
  const double restitution = restitution_of(rules.contacts);
  if (on == OnContact::soft) {
    return soft_contacts_of_step(source, duration,
                                 {*rules.contacts.duration, restitution, rules.space.walls});
  }
  return contacts_of_step(source, duration, {on, restitution, rules.space.walls}, rules.keeps_spin);
}

PathAction::Result act_on(Engine& engine, const StepPath& path, const PathRules& rules) {
  const ContactChanges changes = changes_on(source_for(engine, path, rules), path.duration, rules);
  if (changes.empty()) return {};
  Event event{
      .action = "contacts", .step = path.step, .time = path.time, .what = words_for(changes)};
  event.wall_hits = changes.wall_hits, event.energy_lost = changes.kinetic_lost;
  for (const Contact& contact : changes.contacts) {
    event.bodies.push_back(event_of(contact, path.time));
  }
  const OnContact on = on_contact(rules.contacts);
  if (on == OnContact::stop && !changes.contacts.empty()) {
    return {std::move(event), true};
  }
  if (on == OnContact::merge && !changes.gone.empty()) {
    apply_mergers(engine, changes, rules.forces, event.bodies);
  } else {
    apply_changes(engine, changes);
  }
  return {std::move(event), false};
}

}  // namespace

std::optional<PathAction> contact_action(const ContactSettings& contacts,
                                         const SpaceSettings& space, const Forces& forces,
                                         bool keeps_spin) {
  const OnContact on = on_contact(contacts);
  if (on == OnContact::none && !space.walls) return std::nullopt;
  const PathRules rules{contacts, space, forces, keeps_spin};
  return PathAction{
      .name = "contacts",
      .act = [rules](Engine& engine, const StepPath& path) { return act_on(engine, path, rules); },
      .may_undo = on == OnContact::stop};
}

std::optional<Action> removal_action(const SpaceSettings& space, const Forces& forces,
                                     double step) {
  if (!space.remove_beyond) return std::nullopt;
  const double limit = *space.remove_beyond;
  const auto act = [=](Bodies& bodies, std::uint64_t /*step*/, double time) -> std::optional<Deed> {
    std::vector<std::size_t> gone;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (norm(bodies.position(i)) > limit) gone.push_back(i);
    }
    if (gone.empty()) return std::nullopt;
    Deed deed(counted(gone.size(), "body") + " left");
    Bodies left = bodies;
    const Law law = forces.pairs.law;
    const PotentialOf potential(forces, time);
    for (const std::size_t i : gone) {
      const Vec3 at = bodies.position(i), velocity = bodies.velocity(i);
      const double mass = bodies.mass[i];
      const double kinetic = 0.5 * mass * dot(velocity, velocity);
      const double bound =
          potential.among(left, at, strength_of(left, law, i), i, i) + potential.outside(at, mass);
      deed.bodies.push_back({.time = time,
                             .kind = "left",
                             .a = bodies.id[i],
                             .mass_a = mass,
                             .place_a = at,
                             .approach = norm(velocity),
                             .energy_before = kinetic + bound,
                             .energy_lost = kinetic + bound,
                             .angular_momentum_lost = mass * cross(at, velocity)});
      // those that leave with it have no energy in its pull any more
      left.mass[i] = 0;
      if (left.charged()) left.charge[i] = 0;
    }
    bodies.remove(gone);
    return deed;
  };
  return Action{"space", Cadence(steps_between_removals * step, step, Cadence::never), act};
}

}  // namespace apsis
