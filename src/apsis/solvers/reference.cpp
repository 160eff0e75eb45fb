// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/reference.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsis {
namespace {

using View = BodiesView<Host<double>>;
using FieldView = Field<Host<double>>;
constexpr std::size_t no_body = std::numeric_limits<std::size_t>::max();

struct PointField {
  Vec3 field, jerk;
  double potential = 0;

  PointField& operator+=(const PointField& b) {
    field += b.field, jerk += b.jerk, potential += b.potential;
    return *this;
  }
};

Vec3 place(const View& v, std::size_t i) { return {v.x[i], v.y[i], v.z[i]}; }
Vec3 velocity(const View& v, std::size_t i) { return {v.vx[i], v.vy[i], v.vz[i]}; }

// The field of source j at target i.
template <class Falloff>
PointField pair_field(const View& sources, std::size_t j, const View& targets, std::size_t i,
                      double softening, Falloff radial, bool jerk) {
  const Vec3 r = place(sources, j) - place(targets, i);
  const double r2 = dot(r, r) + softening * softening;
  if (r2 == 0) return {};
  const double distance = std::sqrt(r2);
  const double strength = sources.strength[j], s = strength * radial.force(distance);
  const double r3 = r2 * distance;
  PointField out{.field = (s / r3) * r,
                 .jerk = {},
                 .potential = strength * radial.potential(distance) / distance};
  if (jerk) {
    const Vec3 v = velocity(sources, j) - velocity(targets, i);
    out.jerk = (s / r3) * v - (radial.steepness(distance) * s * dot(r, v) / (r3 * r2)) * r;
  }
  return out;
}

// The field of all sources but `excluded` at target i: sums of 256, then over the sums.
template <class Falloff>
PointField total_field(const View& sources, const View& targets, std::size_t i,
                       std::size_t excluded, double softening, Falloff radial, bool jerk) {
  constexpr std::size_t block = 256;
  PointField total;
  for (std::size_t start = 0; start < sources.count; start += block) {
    PointField sum;
    for (std::size_t j = start; j < std::min(sources.count, start + block); ++j) {
      if (j != excluded) sum += pair_field(sources, j, targets, i, softening, radial, jerk);
    }
    total += sum;
  }
  return total;
}

void add(const FieldView& to, std::size_t i, const PointField& from) {
  if (to.x) to.x[i] += from.field.x, to.y[i] += from.field.y, to.z[i] += from.field.z;
  if (to.potential) to.potential[i] += from.potential;
  if (to.jerk_x) {
    to.jerk_x[i] += from.jerk.x, to.jerk_y[i] += from.jerk.y, to.jerk_z[i] += from.jerk.z;
  }
}

// `own` is the number of the first target among the sources, no_body where the sets differ.
void add_all(const View& sources, const View& targets, const FieldView& field, std::size_t own,
             double softening, const RadialLaw& law, int threads) {
  const bool jerk = field.wants().jerk;
  const bool small = sources.count * targets.count < serial_below;
  with_radial(law, [&](auto radial) {
    parallel_tasks(targets.count, small ? 1 : thread_count(threads), [&](std::size_t i) {
      const std::size_t excluded = own == no_body ? no_body : own + i;
      add(field, i, total_field(sources, targets, i, excluded, softening, radial, jerk));
    });
  });
}

View view_of(const Bodies& bodies, const PairLaw& law) {
  return {.count = bodies.size(),
          .x = bodies.x().data(),
          .y = bodies.y().data(),
          .z = bodies.z().data(),
          .strength = strengths(bodies, law.law).data(),
          .vx = bodies.vx().data(),
          .vy = bodies.vy().data(),
          .vz = bodies.vz().data()};
}

}  // namespace

void ReferenceSolver::add_field(const Bodies& sources, const Bodies& targets,
                                const FieldOf& field) {
  add_all(sources, targets, field, no_body, softening_, radial_, threads_);
}

void ReferenceSolver::add_self_field(const Bodies& bodies, const FieldOf& field) {
  add_all(bodies, bodies, field, 0, softening_, radial_, threads_);
}

void ReferenceSolver::add_part_field(const Bodies& bodies, std::size_t first, std::size_t count,
                                     const FieldOf& field) {
  add_all(bodies, part_of(bodies, first, count), field, first, softening_, radial_, threads_);
}

Accelerations reference_accelerations(const Bodies& bodies, const PairLaw& law,
                                      std::span<const std::size_t> targets, int threads) {
  const View view = view_of(bodies, law);
  Accelerations out(targets.size());
  with_radial(law.radial, [&](auto radial) {
    parallel_tasks(targets.size(), thread_count(threads), [&](std::size_t k) {
      const std::size_t i = targets[k];
      const auto sum = total_field(view, view, i, i, law.softening, radial, false);
      out.set(k, coupling(bodies, law, i) * sum.field);
    });
  });
  return out;
}

double reference_potential_energy(const Bodies& bodies, const PairLaw& law, int threads) {
  std::vector<double> potential(bodies.size(), 0.0);
  const View view = view_of(bodies, law);
  ReferenceSolver(law.softening, threads, law.radial)
      .add_self_field(view, {.potential = potential.data()});
  const auto& s = strengths(bodies, law.law);
  const double sum = ordered_sum<double>(bodies.size(), thread_count(threads),
                                         [&](std::size_t i) { return s[i] * potential[i]; });
  return 0.5 * potential_sign(law.law) * law.constant * sum;
}

}  // namespace apsis
