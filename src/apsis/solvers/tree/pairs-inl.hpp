// SPDX-License-Identifier: MIT
// Near pairs: the sources of all near cells are copied side by side, so that they fill the lanes
// whatever the sizes of the cells; a few targets at a time stay in registers.
#if defined(APSIS_FAR_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_PAIRS_INL
#undef APSIS_FAR_PAIRS_INL
#else
#define APSIS_FAR_PAIRS_INL
#endif

#include <apsis/solvers/tree/multipoles-inl.hpp>

APSIS_FAR_BEGIN

constexpr std::size_t most_sources = 4096;  // copied at a time: four arrays in the first cache
// Added to r² so that a body meets itself without a mask: 1e-18 of the box, whose inverse cube is
// still a float.
constexpr float floor2 = 1e-24F;
constexpr int targets_at_a_time = APSIS_FAR_LANES == 16 ? 4 : 2;

APSIS_FAR_INLINE void add_carefully(V term, V& sum, V& lost) {
  const V corrected = term - lost, next = sum + corrected;
  lost = (next - sum) - corrected;
  sum = next;
}

template <int T, PairMode mode>
APSIS_FAR_INLINE void meet(Worker& w, std::size_t first, std::size_t sources, float eps2) {
  V x[T], y[T], z[T], sums[4 * T], lost[mode == PairMode::careful ? 3 * T : 1];
  for (int t = 0; t < T; ++t) {
    const std::size_t k = first + static_cast<std::size_t>(t);
    x[t] = splat(w.tx[k]), y[t] = splat(w.ty[k]), z[t] = splat(w.tz[k]);
  }
  for (V& sum : sums) sum = V{};
  for (V& part : lost) part = V{};
  const float *sx = w.x.data(), *sy = w.y.data(), *sz = w.z.data(), *ss = w.strength.data();
  const V softening2 = splat(eps2);
  for (std::size_t j = 0; j < sources; j += lanes) {
    const V xj = load(sx + j), yj = load(sy + j), zj = load(sz + j), sj = load(ss + j);
    unroll<T>([&](auto t) APSIS_FAR_LAMBDA {
      const V dx = xj - x[t], dy = yj - y[t], dz = zj - z[t];
      const V r2 = dz * dz + (dy * dy + (dx * dx + softening2));
      const V root = first_root(r2), square = root * root;
      V weight = square * (root * sj);
      if constexpr (mode != PairMode::rough) weight *= 2.5F - 1.5F * (r2 * square);
      if constexpr (mode == PairMode::careful) {
        add_carefully(weight * dx, sums[t], lost[t]);
        add_carefully(weight * dy, sums[T + t], lost[T + t]);
        add_carefully(weight * dz, sums[2 * T + t], lost[2 * T + t]);
      } else {
        sums[t] += weight * dx, sums[T + t] += weight * dy, sums[2 * T + t] += weight * dz;
      }
    });
  }
  float totals[4 * T];
  if constexpr (mode == PairMode::careful) {
    for (int s = 0; s < 3 * T; ++s) totals[s] = exact_sum_of(sums[s]);
  } else {
    sum_lanes<4 * T>(sums, totals);
  }
  for (int t = 0; t < T; ++t) {
    const std::size_t k = first + static_cast<std::size_t>(t);
    w.fx[k] += totals[t], w.fy[k] += totals[T + t], w.fz[k] += totals[2 * T + t];
  }
}

// The potential of one target; its own place among the sources is left out.
static void add_potential(Worker& w, std::size_t target, std::size_t sources, float eps2) {
  VI number;
  for (int l = 0; l < lanes; ++l) number[l] = l;
  const float x = w.tx[target], y = w.ty[target], z = w.tz[target];
  V sum{};
  for (std::size_t j = 0; j < sources; j += lanes) {
    const V dx = load(w.x.data() + j) - x, dy = load(w.y.data() + j) - y,
            dz = load(w.z.data() + j) - z, s = load(w.strength.data() + j);
    const V r2 = dx * dx + dy * dy + dz * dz + eps2;
    const V pair = s * root_of(r2 > 0.0F ? r2 : splat(1));
    const VI counts = (r2 > 0.0F) & (number + static_cast<std::int32_t>(j) != w.own[target]);
    sum += (V)((VI)pair & counts);
  }
  w.phi[target] += sum_of(sum);
}

template <PairMode mode>
static void meet_all(Worker& w, std::size_t targets, std::size_t sources, float eps2) {
  std::size_t i = 0;
  for (; i + targets_at_a_time <= targets; i += targets_at_a_time) {
    meet<targets_at_a_time, mode>(w, i, sources, eps2);
  }
  for (; i < targets; ++i) meet<1, mode>(w, i, sources, eps2);
}

// The copied sources on all targets.
static void flush(const Scene& scene, Worker& w, std::size_t targets, std::size_t& sources) {
  if (sources == 0) return;
  for (std::size_t q = 0; q < lanes; ++q) {
    w.x[sources + q] = w.tx[0], w.y[sources + q] = w.ty[0], w.z[sources + q] = w.tz[0];
    w.strength[sources + q] = 0;
  }
  const float eps2 = scene.softening * scene.softening;
  const float floored = std::max(eps2, floor2);
  const PairMode mode = scene.criterion.pairs;
  if (mode == PairMode::careful) {
    meet_all<PairMode::careful>(w, targets, sources, floored);
  } else if (rough_root_serves && mode == PairMode::rough) {
    meet_all<PairMode::rough>(w, targets, sources, floored);
  } else {
    meet_all<PairMode::full>(w, targets, sources, floored);
  }
  if (scene.wants_potential) {
    for (std::size_t i = 0; i < targets; ++i) add_potential(w, i, sources, eps2);
    std::fill(w.own.begin(), w.own.end(), -1);
  }
  sources = 0;
}

// Bodies with low parts are taken relative to the target's centre, in which float serves; others
// as they are.
static void copy_column(const std::vector<float>& high, const std::vector<float>& low,
                        std::size_t from, std::size_t count, float centre, float* to) {
  // whole vectors: both sides are padded
  for (std::size_t q = 0; q < count; q += lanes) {
    V v = load(high.data() + from + q);
    if (!low.empty()) v = v - centre + load(low.data() + from + q);
    store(v, to + q);
  }
}
static void copy_bodies(const SortedBodies& b, std::size_t from, std::size_t count, Place centre,
                        float* x, float* y, float* z) {
  copy_column(b.x, b.low_x, from, count, centre.x, x);
  copy_column(b.y, b.low_y, from, count, centre.y, y);
  copy_column(b.z, b.low_z, from, count, centre.z, z);
}

// Where the targets [begin, end) lie among the sources [from, from+count) copied to `at`.
static void note_own(Worker& w, const Cell& target, std::size_t targets, std::size_t from,
                     std::size_t count, std::size_t at) {
  for (std::size_t i = 0; i < targets; ++i) {
    const std::size_t body = target.begin + i;
    if (body >= from && body < from + count) {
      w.own[i] = static_cast<std::int32_t>(at + body - from);
    }
  }
}

// All bodies of the near cells on the first `targets` bodies of a target cell. Gives how many.
static std::size_t add_near(const Scene& scene, Worker& w, const Cell& target, std::size_t targets,
                            Place centre) {
  const auto& cells = scene.tree.cells();
  const SortedBodies& bodies = scene.bodies;
  const bool notes = scene.wants_potential && scene.same_set;
  std::size_t sources = 0, all = 0;
  for (std::size_t l = 0; l < w.near.size();) {
    const Cell& near = cells[w.near[l]];
    if (near.hollow()) {
      w.lost = true, ++l;
      continue;
    }
    std::size_t from = near.begin, left = near.count;
    const bool inside = from >= target.begin && from < target.begin + target.count;
    ++l;
    if (near.one_point && (&near == &target || !inside)) {  // as one body of their strength
      if (&near == &target && scene.same_set) continue;     // no force; see store_targets
      if (sources == most_sources) flush(scene, w, targets, sources);
      copy_bodies(bodies, from, 1, centre, &w.x[sources], &w.y[sources], &w.z[sources]);
      double strength = 0;
      for (std::size_t k = from; k < from + left; ++k) {
        strength += static_cast<double>(bodies.strength[k]);
      }
      w.strength[sources] = static_cast<float>(strength);
      if (notes) note_own(w, target, targets, from, 1, sources);
      ++sources, ++all;
      continue;
    }
    // neighbours in memory are copied together
    while (l < w.near.size() && cells[w.near[l]].begin == from + left &&
           !cells[w.near[l]].one_point) {
      left += cells[w.near[l++]].count;
    }
    all += left;
    while (left > 0) {
      const std::size_t count = std::min(left, most_sources - sources);
      copy_bodies(bodies, from, count, centre, &w.x[sources], &w.y[sources], &w.z[sources]);
      for (std::size_t q = 0; q < count; q += lanes) {
        store(load(bodies.strength.data() + from + q), &w.strength[sources + q]);
      }
      if (notes) note_own(w, target, targets, from, count, sources);
      sources += count, from += count, left -= count;
      if (sources == most_sources) flush(scene, w, targets, sources);
    }
  }
  flush(scene, w, targets, sources);
  return all;
}

APSIS_FAR_END
#endif
