// SPDX-License-Identifier: MIT
// The host's state: one array per quantity, in double (docs/adr/0001). Engines load from it and
// store into it; files and models speak nothing else.
#pragma once

#include <apsis/core/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct Bodies {
  std::vector<double> x, y, z;
  std::vector<double> vx, vy, vz;
  std::vector<double> mass;
  std::vector<double> charge;  // empty: no body has one
  std::vector<std::uint64_t> id;

  Bodies() = default;
  // n bodies at rest at the origin, without mass, ids 0 .. n-1.
  explicit Bodies(std::size_t n, bool charged = false);

  std::size_t size() const { return x.size(); }
  bool empty() const { return x.empty(); }
  bool charged() const { return !charge.empty(); }

  Vec3 position(std::size_t i) const { return {x[i], y[i], z[i]}; }
  Vec3 velocity(std::size_t i) const { return {vx[i], vy[i], vz[i]}; }
  void set_position(std::size_t i, Vec3 p) { x[i] = p.x, y[i] = p.y, z[i] = p.z; }
  void set_velocity(std::size_t i, Vec3 v) { vx[i] = v.x, vy[i] = v.y, vz[i] = v.z; }

  // Adds the bodies of `other` behind these, ids as they are.
  void append(const Bodies& other);
  // Numbers the bodies 0 .. n-1.
  void renumber();

  friend bool operator==(const Bodies&, const Bodies&) = default;
};

// One vector per body, one array per component.
struct Accelerations {
  std::vector<double> x, y, z;

  Accelerations() = default;
  explicit Accelerations(std::size_t n) : x(n), y(n), z(n) {}
  std::size_t size() const { return x.size(); }
  Vec3 at(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

// The first value that is not finite, as "x of body 17 (id 42) is nan"; nothing when all are.
std::optional<std::string> first_bad_value(const Bodies& bodies);

// Throws bad_data for what no engine can work with: values that are not finite, negative masses,
// arrays of different lengths. `origin` (a file or model) starts the message.
void require_valid(const Bodies& bodies, const std::string& origin);

// How many bodies share their place with another one; found by sorting, not by pairs.
std::size_t coincident_bodies(const Bodies& bodies);

Vec3 center_of_mass(const Bodies& bodies);
Vec3 mean_velocity(const Bodies& bodies);  // weighted by mass

// Moves the centre of mass to the origin and brings it to rest. Without mass nothing moves.
void center(Bodies& bodies);

}  // namespace apsis
