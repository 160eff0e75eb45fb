// SPDX-License-Identifier: MIT
// The host's state: one column per quantity, in double (docs/adr/0001, docs/adr/0019). Engines load
// from it and store into it; files and models speak nothing else.
#pragma once

#include <apsis/core/vec3.hpp>
#include <apsis/core/vectors.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// Types of particles as GADGET has them: 0 gas, 1 dark matter, 4 stars.
inline constexpr std::uint8_t usual_type = 1;
inline constexpr std::size_t type_count = 16;

struct Bodies {
  Vectors positions, velocities;
  std::vector<double> mass;
  std::vector<double> charge;  // empty: no body has one
  std::vector<std::uint64_t> id;
  std::vector<std::uint8_t> type;  // empty: all are of the usual type
  std::vector<double> radius;      // empty: all are points
  Vectors spin;                    // angular momentum about its own centre; empty: none has any
  // A new member takes a row in columns.hpp, and is then carried by everything.

  Bodies() = default;
  // n bodies at rest at the origin, without mass, ids 0 .. n-1.
  explicit Bodies(std::size_t n, bool charged = false);

  std::size_t size() const { return positions.size(); }
  bool empty() const { return positions.empty(); }
  bool charged() const { return !charge.empty(); }
  double radius_of(std::size_t i) const { return radius.empty() ? 0 : radius[i]; }
  std::uint8_t type_of(std::size_t i) const { return type.empty() ? usual_type : type[i]; }

  // One component of all bodies. A loop over bodies takes it once, before it starts.
  std::span<double> x() { return positions.x(); }
  std::span<double> y() { return positions.y(); }
  std::span<double> z() { return positions.z(); }
  std::span<double> vx() { return velocities.x(); }
  std::span<double> vy() { return velocities.y(); }
  std::span<double> vz() { return velocities.z(); }
  std::span<const double> x() const { return positions.x(); }
  std::span<const double> y() const { return positions.y(); }
  std::span<const double> z() const { return positions.z(); }
  std::span<const double> vx() const { return velocities.x(); }
  std::span<const double> vy() const { return velocities.y(); }
  std::span<const double> vz() const { return velocities.z(); }

  Vec3 position(std::size_t i) const { return positions.at(i); }
  Vec3 velocity(std::size_t i) const { return velocities.at(i); }
  void set_position(std::size_t i, Vec3 p) { positions.set(i, p); }
  void set_velocity(std::size_t i, Vec3 v) { velocities.set(i, v); }

  // New bodies are as in Bodies(n), but for their ids, which are 0: the caller knows which are
  // free.
  void resize(std::size_t n);
  // Adds the bodies of `other` behind these, ids as they are.
  void append(const Bodies& other);
  // Takes those bodies out, in whatever order they are named; the others keep theirs.
  void remove(std::span<const std::size_t> numbers);
  // Numbers the bodies 0 .. n-1.
  void renumber();

  friend bool operator==(const Bodies&, const Bodies&) = default;
};

// The first value that is not finite, as "x of body 17 (id 42) is nan"; nothing when all are.
std::optional<std::string> first_bad_value(const Bodies& bodies);

// Throws bad_data for what no engine can work with: values that are not finite, negative masses
// and radii, types that are none, columns of different lengths. `origin` (a file or model) starts
// the message.
void require_valid(const Bodies& bodies, const std::string& origin);

// How many bodies share their place with another one; found by sorting, not by pairs.
std::size_t coincident_bodies(const Bodies& bodies);

Vec3 center_of_mass(const Bodies& bodies);
Vec3 mean_velocity(const Bodies& bodies);  // weighted by mass

// Moves the centre of mass to the origin and brings it to rest. Without mass nothing moves.
void center(Bodies& bodies);

}  // namespace apsis
