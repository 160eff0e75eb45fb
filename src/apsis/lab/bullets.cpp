// SPDX-License-Identifier: MIT
#include <apsis/contacts/stored_paths.hpp>
#include <apsis/core/random.hpp>
#include <apsis/lab/bullets.hpp>

#include <algorithm>

namespace apsis::lab {
namespace {

// Spheres of diameter 1 that touch each other. The hole between four is √2/2 from their centres, so
// that a bullet of this size fits through none.
constexpr std::size_t wall_side = 5;
constexpr double sphere_radius = 0.5, bullet_radius = 0.25;
constexpr double reach = sphere_radius + bullet_radius;
constexpr std::uint64_t seed = 42;

// The wall, and a bullet of speed 1 as the last body.
Bodies wall_with_bullet(Vec3 bullet) {
  constexpr std::size_t spheres = wall_side * wall_side;
  Bodies bodies(spheres + 1);
  for (std::size_t i = 0; i < spheres; ++i) {
    const auto place = [](std::size_t k) {
      return static_cast<double>(k) - 0.5 * static_cast<double>(wall_side - 1);
    };
    bodies.set_position(i, {place(i % wall_side), place(i / wall_side), 0});
  }
  std::ranges::fill(bodies.mass, 1.0);
  bodies.radius.assign(bodies.size(), sphere_radius);
  bodies.radius.back() = bullet_radius;
  bodies.set_position(spheres, bullet);
  bodies.set_velocity(spheres, {0, 0, 1});
  return bodies;
}

bool overlaps_wall(const Bodies& bodies) {
  const std::size_t last = bodies.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (norm(bodies.position(last) - bodies.position(i)) < reach) return true;
  }
  return false;
}

bool met_wall(const Bodies& bodies, double duration) {
  const ContactSource source =
      contact_source_of(bodies, nullptr, duration, std::nullopt, ContactSearch::tree, 1);
  return !contacts_of_step(source, duration, {}, false).contacts.empty();
}

}  // namespace

Volley volley(double way, int bullets) {
  Volley out{.way = way, .shot = bullets};
  for (int number = 0; number < bullets; ++number) {
    BodyRandom random(seed, static_cast<std::uint64_t>(number));
    Vec3 place{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5),
               -reach - way * random.uniform(0, 1)};
    bool overlapped = false, met = false;
    while (place.z <= reach) {
      place.z += way;
      const Bodies bodies = wall_with_bullet(place);
      overlapped = overlapped || overlaps_wall(bodies);
      met = met || met_wall(bodies, way);
    }
    out.passed_by_overlap += overlapped ? 0 : 1;
    out.passed_by_sweep += met ? 0 : 1;
  }
  return out;
}

}  // namespace apsis::lab
