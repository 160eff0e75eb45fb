// SPDX-License-Identifier: MIT
// Bodies as a page sees them: the first so many of a random order that never changes, so that any
// beginning of the list is a fair sample and the k-th point is always the same body.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/vec3.hpp>
#include <apsis/viewer/few.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis::viewer {

// A permutation of 0 .. n-1; the same for the same n.
std::vector<std::uint32_t> sample_order(std::size_t n);

inline constexpr std::uint32_t nobody = 0xFFFFFFFF;

// Which body each point is while bodies come and go: a point that lost its body stays empty, one
// that has it back takes it again, and new bodies come at the end.
class PointList {
 public:
  void follow(const std::vector<std::uint64_t>& ids);
  void forget() { *this = {}; }
  // The number of each point's body, or `nobody`.
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  std::vector<std::uint64_t> followed_;  // ids that `order_` is for
  std::vector<std::uint64_t> id_;        // of every point
  std::vector<std::uint32_t> order_;
};

// A cube that somebody looks at closely.
struct Region {
  Vec3 centre;
  double radius = 0;  // half its side; 0: none

  bool active() const { return radius > 0; }
  friend bool operator==(const Region&, const Region&) = default;
};

struct Points {
  std::uint64_t scene = 0;  // counts starts and restarts
  std::uint64_t step = 0;
  double time = 0;
  std::uint64_t bodies = 0;  // all of them; the points may be fewer
  std::size_t listed = 0;    // points that there could be, those that lost their body among them
  std::size_t asked = 0;     // how many were asked for
  Region region;             // for which the second half was taken
  std::size_t base = 0;      // so many are the beginning of the order; the others lie in the region
  bool charged = false;
  std::vector<double> x, y, z;
  std::vector<float> speed, mass, charge;  // charge only where there are charges
  std::vector<std::uint64_t> id;
  Vec3 center_of_mass;
  bool one_mass = true;  // all have the same
  std::vector<FewBody> few;

  std::size_t size() const { return x.size(); }
};

// Fills `points` with the first `count` bodies of `order`, using its memory again. With a region
// the second half of them are the next ones of the order that lie in it. Speeds are relative to
// their common motion. A point whose body is gone (`nobody`) is no number anywhere.
void take_points(const Bodies& bodies, const std::vector<std::uint32_t>& order, std::size_t count,
                 const Region& region, Points& points);

}  // namespace apsis::viewer
