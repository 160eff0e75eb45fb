// SPDX-License-Identifier: MIT
#include <apsis/contacts/stored_paths.hpp>

#include <memory>
#include <utility>

namespace apsis {
namespace {

struct StoredPaths {
  StoredPaths(Bodies stored, const Bodies* before, double time, ContactSearch how, int threads)
      : bodies(std::move(stored)), duration(time), finder(how, threads) {
    if (before == nullptr) return;
    paces = Vectors(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      paces.set(i, (bodies.position(i) - before->position(i)) / duration);
    }
  }

  const Vectors& pace() const { return paces.empty() ? bodies.velocities : paces; }
  Paths<double> paths() const {
    return {.count = bodies.size(),
            .x = bodies.x().data(),
            .y = bodies.y().data(),
            .z = bodies.z().data(),
            .vx = pace().x().data(),
            .vy = pace().y().data(),
            .vz = pace().z().data(),
            .duration = duration,
            .radius = bodies.radius.empty() ? nullptr : bodies.radius.data()};
  }
  std::vector<MovingSphere> spheres(std::span<const std::uint32_t> numbers) const {
    std::vector<MovingSphere> out;
    out.reserve(numbers.size());
    for (const std::uint32_t i : numbers) {
      out.push_back(moving_sphere(bodies, i, bodies.position(i), pace().at(i), duration));
      out.back().velocity = bodies.velocity(i);
    }
    return out;
  }

  Bodies bodies;
  Vectors paces;  // empty: the velocities
  double duration;
  ContactFinder finder;
};

}  // namespace

ContactSource contact_source_of(Bodies bodies, const Bodies* before, double duration,
                                const std::optional<Box>& walls, ContactSearch how, int threads) {
  const auto stored =
      std::make_shared<StoredPaths>(std::move(bodies), before, duration, how, threads);
  stored->finder.look_at(stored->paths());
  ContactSource source;
  source.candidates = [stored] { return stored->finder.candidates(); };
  source.near = [stored](std::span<const Stray> strayed) { return stored->finder.near(strayed); };
  if (walls) {
    source.beyond_walls = [stored, box = *walls] { return beyond_walls(stored->paths(), box); };
  }
  source.spheres = [stored](std::span<const std::uint32_t> numbers) {
    return stored->spheres(numbers);
  };
  source.threads = threads;
  return source;
}

}  // namespace apsis
