// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace apsis {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  Vec3& operator+=(Vec3 b) { return x += b.x, y += b.y, z += b.z, *this; }
  Vec3& operator-=(Vec3 b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
  friend bool operator==(Vec3 a, Vec3 b) = default;
};

inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(Vec3 a) { return std::sqrt(dot(a, a)); }

}  // namespace apsis
