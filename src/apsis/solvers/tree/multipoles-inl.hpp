// SPDX-License-Identifier: MIT
// Upward: centres, radii and multipoles of cells from their bodies or their children, in powers of
// the cell's radius. M_β = Σ s (c-x)^β/β! about the |strength|-weighted centre, which exists for
// any signs; its float rounding is the centre, so nothing is lost by it.
#if defined(APSIS_FAR_MULTIPOLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_MULTIPOLES_INL
#undef APSIS_FAR_MULTIPOLES_INL
#else
#define APSIS_FAR_MULTIPOLES_INL
#endif

#include <apsis/solvers/tree/translate-inl.hpp>

APSIS_FAR_BEGIN

typedef float V8 __attribute__((vector_size(32)));  // a lane per child

// o[q] = factor x^i y^j z^k/(i! j! k!), all terms up to order P.
template <int P, class W>
APSIS_FAR_INLINE void monomials(const W& x, const W& y, const W& z, const W& factor, W* o) {
  o[0] = factor;
  unroll<AllTerms::count(P) - 1>([&](auto q) APSIS_FAR_LAMBDA {
    constexpr Term t = AllTerms::term(q + 1);
    constexpr int axis = t.i > 0 ? 0 : t.j > 0 ? 1 : 2;
    constexpr Term from = lowered(t, axis, 1);
    const W& c = axis == 0 ? x : axis == 1 ? y : z;
    o[q + 1] = o[AllTerms::index(from.i, from.j, from.k)] * c *
               (1.0F / static_cast<float>(power_along(t, axis)));
  });
}

template <int P, class W>
APSIS_FAR_INLINE W powered(W x) {
  W result = x;
  for (int n = 1; n < P; ++n) result *= x;
  return result;
}

// Bodies [i, i+lanes) of the tree relative to a centre.
struct BodyVectors {
  V x, y, z;
};
APSIS_FAR_INLINE V relative(const std::vector<float>& high, const std::vector<float>& low,
                            std::size_t i, float centre) {
  const V difference = load(high.data() + i) - centre;
  return low.empty() ? difference : difference + load(low.data() + i);
}
APSIS_FAR_INLINE void relative_to(const SortedBodies& bodies, std::size_t i, Place centre,
                                  BodyVectors& to) {
  to.x = relative(bodies.x, bodies.low_x, i, centre.x);
  to.y = relative(bodies.y, bodies.low_y, i, centre.y);
  to.z = relative(bodies.z, bodies.low_z, i, centre.z);
}
APSIS_FAR_INLINE V magnitude(V v) { return (V)((VI)v & 0x7fffffff); }

// f(vectors of bodies, their strengths, lanes that count) over the bodies of a cell.
template <class F>
APSIS_FAR_INLINE void over_bodies(const Scene& scene, const Cell& cell, Place centre, const F& f) {
  for (std::size_t k = 0; k < cell.count; k += lanes) {
    const std::size_t i = cell.begin + k;
    const Mask live = first_lanes(cell.count - k);
    BodyVectors v;
    relative_to(scene.bodies, i, centre, v);
    f(v, kept(live, load(scene.bodies.strength.data() + i)), live);
  }
}

// Centre and weight from the bodies.
static void centre_on_bodies(const Scene& scene, const Cell& cell, CellShape& shape) {
  const SortedBodies& b = scene.bodies;
  const Place origin{b.x[cell.begin], b.y[cell.begin], b.z[cell.begin]};
  V weight{}, x{}, y{}, z{}, plain_x{}, plain_y{}, plain_z{};
  over_bodies(scene, cell, origin,
              [&](const BodyVectors& v, const V& s, Mask live) APSIS_FAR_LAMBDA {
                const V w = magnitude(s);
                weight += w, x += w * v.x, y += w * v.y, z += w * v.z;
                plain_x += kept(live, v.x), plain_y += kept(live, v.y), plain_z += kept(live, v.z);
              });
  shape.weight = sum_of(weight);
  if (shape.weight > 0) {
    shape.x = origin.x + sum_of(x) / shape.weight;
    shape.y = origin.y + sum_of(y) / shape.weight;
    shape.z = origin.z + sum_of(z) / shape.weight;
  } else {
    const float share = 1.0F / static_cast<float>(cell.count);
    shape.x = origin.x + sum_of(plain_x) * share;
    shape.y = origin.y + sum_of(plain_y) * share;
    shape.z = origin.z + sum_of(plain_z) * share;
  }
}

static void centre_on_children(const Scene& scene, const Cell& cell, CellShape& shape) {
  double weight = 0, total = 0, x = 0, y = 0, z = 0;
  const auto add = [&](bool by_weight) {
    for (std::size_t c = cell.first_child; c < cell.first_child + cell.children; ++c) {
      const CellShape& child = scene.shapes[c];
      const double w = by_weight ? static_cast<double>(child.weight)
                                 : static_cast<double>(scene.tree.cells()[c].count);
      total += w, x += w * static_cast<double>(child.x);
      y += w * static_cast<double>(child.y), z += w * static_cast<double>(child.z);
    }
  };
  add(true);
  weight = total;
  if (!(weight > 0)) total = x = y = z = 0, add(false);
  shape.weight = static_cast<float>(weight);
  shape.x = static_cast<float>(x / total);
  shape.y = static_cast<float>(y / total);
  shape.z = static_cast<float>(z / total);
}

// Radius that holds all bodies, and the radius of the same weight at which they would have the same
// moment of order P.
template <int P>
static void radii_of_bodies(const Scene& scene, const Cell& cell, CellShape& shape) {
  V most{};
  const Place centre{shape.x, shape.y, shape.z};
  over_bodies(scene, cell, centre, [&](const BodyVectors& v, const V&, Mask live) APSIS_FAR_LAMBDA {
    const V d2 = kept(live, v.x * v.x + v.y * v.y + v.z * v.z);
    most = d2 > most ? d2 : most;
  });
  shape.radius = std::sqrt(max_of(most));
  shape.effective_radius = shape.radius;
  if (!(shape.radius > 0 && shape.weight > 0)) return;
  const float inverse2 = 1 / (shape.radius * shape.radius);
  V moment{};
  over_bodies(scene, cell, centre, [&](const BodyVectors& v, const V& s, Mask) APSIS_FAR_LAMBDA {
    const V d2 = (v.x * v.x + v.y * v.y + v.z * v.z) * inverse2;
    // the even power at or above P: no root
    moment += magnitude(s) * powered<(P + 1) / 2>(d2);
  });
  const float mean = sum_of(moment) / shape.weight;
  shape.effective_radius =
      std::min(shape.radius, shape.radius * std::pow(mean, 0.5F / ((P + 1) / 2)));
}

template <int P>
static void radii_of_children(const Scene& scene, const Cell& cell, CellShape& shape) {
  float distance[8] = {};
  for (std::size_t c = 0; c < cell.children; ++c) {
    const CellShape& child = scene.shapes[cell.first_child + c];
    distance[c] = std::hypot(shape.x - child.x, shape.y - child.y, shape.z - child.z);
    shape.radius = std::max(shape.radius, distance[c] + child.radius);
  }
  shape.effective_radius = shape.radius;
  if (!(shape.radius > 0 && shape.weight > 0)) return;
  float moment = 0;
  for (std::size_t c = 0; c < cell.children; ++c) {
    const CellShape& child = scene.shapes[cell.first_child + c];
    moment += child.weight * powered<P>((distance[c] + child.effective_radius) / shape.radius);
  }
  shape.effective_radius =
      std::min(shape.radius, shape.radius * std::pow(moment / shape.weight, 1.0F / P));
}

template <int P>
static void multipoles_of_bodies(const Scene& scene, const Cell& cell, const CellShape& shape,
                                 float* m) {
  constexpr int terms = AllTerms::count(P);
  V sums[terms];
  for (V& sum : sums) sum = V{};
  const float inverse = shape.radius > 0 ? -1 / shape.radius : 0;
  over_bodies(scene, cell, {shape.x, shape.y, shape.z},
              [&](const BodyVectors& v, const V& s, Mask) APSIS_FAR_LAMBDA {
                V term[terms];
                monomials<P, V>(v.x * inverse, v.y * inverse, v.z * inverse, s, term);
                unroll<terms>([&](auto q) APSIS_FAR_LAMBDA { sums[q] += term[q]; });
              });
  sum_lanes<terms>(sums, m);
}

// The b-th term whose powers are all at most those of t.
constexpr Term term_below(Term t, int b) {
  return {b % (t.i + 1), b / (t.i + 1) % (t.j + 1), b / (t.i + 1) / (t.j + 1)};
}

// Shifts of expansions as a list: output a is the sum of its steps' products.
struct ShiftStep {
  std::uint16_t from, by;
};
template <int outputs, int steps>
struct ShiftTable {
  std::array<std::uint16_t, outputs + 1> begin{};
  std::array<ShiftStep, steps> step{};
};
constexpr std::uint16_t narrow_index(int index) { return static_cast<std::uint16_t>(index); }

// Pairs of terms of together at most order P.
constexpr int pair_count(int order) {
  int count = 1;
  for (int n = 1; n <= 6; ++n) count = count * (order + n) / n;
  return count;
}

template <int P>
constexpr auto upward_table() {
  ShiftTable<AllTerms::count(P), pair_count(P)> table;
  std::size_t used = 0;
  for (int a = 0; a < AllTerms::count(P); ++a) {
    const Term t = AllTerms::term(a);
    for (int b = 0; b < (t.i + 1) * (t.j + 1) * (t.k + 1); ++b) {
      const Term from = term_below(t, b);
      table.step[used++] = {
          narrow_index(AllTerms::index(from.i, from.j, from.k)),
          narrow_index(AllTerms::index(t.i - from.i, t.j - from.j, t.k - from.k))};
    }
    table.begin[static_cast<std::size_t>(a) + 1] = narrow_index(static_cast<int>(used));
  }
  return table;
}

template <int outputs, int steps, class From>
static void shift_by_table(const ShiftTable<outputs, steps>& table, const From* from, const V8* by,
                           V8* to) {
  for (std::size_t a = 0; a < outputs; ++a) {
    V8 sum{};
    for (std::size_t s = table.begin[a]; s < table.begin[a + 1]; ++s) {
      sum += by[table.step[s].by] * from[table.step[s].from];
    }
    to[a] = sum;
  }
}

// Children in the lanes: their terms, in powers of this cell's radius, shifted to its centre.
template <int P>
static void multipoles_of_children(const Scene& scene, const Cell& cell, const CellShape& shape,
                                   float* m) {
  constexpr int terms = AllTerms::count(P);
  constexpr auto size = static_cast<std::size_t>(record_size(terms));
  const float inverse = shape.radius > 0 ? 1 / shape.radius : 0;
  V8 x{}, y{}, z{}, one{}, ratio{};
  V8 child_terms[terms], shift[terms];
  for (V8& term : child_terms) term = V8{};
  for (int c = 0; c < cell.children; ++c) {
    const std::size_t number = cell.first_child + static_cast<std::size_t>(c);
    const CellShape& child = scene.shapes[number];
    x[c] = (shape.x - child.x) * inverse;
    y[c] = (shape.y - child.y) * inverse;
    z[c] = (shape.z - child.z) * inverse;
    one[c] = 1, ratio[c] = child.radius * inverse;
    const float* from = scene.all_terms.data() + number * size + record_head;
    for (int q = 0; q < terms; ++q) child_terms[q][c] = from[q];
  }
  V8 power = ratio;
  unroll<P>([&](auto n) APSIS_FAR_LAMBDA {
    constexpr int begin = AllTerms::count(n), end = AllTerms::count(n + 1);
    for (int q = begin; q < end; ++q) child_terms[q] *= power;
    power *= ratio;
  });
  monomials<P, V8>(x, y, z, one, shift);
  V8 shifted[terms];
  if constexpr (P < high_order) {
    unroll<terms>([&](auto a) APSIS_FAR_LAMBDA {
      constexpr Term t = AllTerms::term(a);
      V8 sum{};
      unroll<(t.i + 1) * (t.j + 1) * (t.k + 1)>([&](auto b) APSIS_FAR_LAMBDA {
        constexpr Term from = term_below(t, b);
        sum += child_terms[AllTerms::index(from.i, from.j, from.k)] *
               shift[AllTerms::index(t.i - from.i, t.j - from.j, t.k - from.k)];
      });
      shifted[a] = sum;
    });
  } else {
    static constexpr auto table = upward_table<P>();
    shift_by_table(table, child_terms, shift, shifted);
  }
  for (int a = 0; a < terms; ++a) {
    const V8& sum = shifted[a];
    m[a] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
  }
}

// Terms with k >= 2 are folded into the others, as the second derivatives of 1/r add up to zero.
template <int P>
static void fold_traces(const float* all, float* traceless) {
  constexpr int terms = AllTerms::count(P);
  float folded[terms];
  std::memcpy(folded, all, sizeof folded);
  unroll<terms>([&](auto back) APSIS_FAR_LAMBDA {
    constexpr Term t = AllTerms::term(terms - 1 - back);
    if constexpr (t.k >= 2) {
      const float value = folded[terms - 1 - back];
      folded[AllTerms::index(t.i + 2, t.j, t.k - 2)] -= value;
      folded[AllTerms::index(t.i, t.j + 2, t.k - 2)] -= value;
    }
  });
  unroll<TracelessTerms::count(P)>([&](auto q) APSIS_FAR_LAMBDA {
    constexpr Term t = TracelessTerms::term(q);
    traceless[q] = folded[AllTerms::index(t.i, t.j, t.k)];
  });
}

// Exact radii of cells up to this size are cheap and tighter than those from their children's.
constexpr std::uint32_t exact_radius_below = 20000;

template <int P>
static void shape_cell(Scene& scene, std::size_t number) {
  constexpr auto all_size = static_cast<std::size_t>(record_size(AllTerms::count(P)));
  constexpr auto size = static_cast<std::size_t>(record_size(TracelessTerms::count(P)));
  const Cell& cell = scene.tree.cells()[number];
  float* all = scene.all_terms.data() + number * all_size;
  float* traceless = scene.traceless_terms.data() + number * size;
  CellShape shape;
  if (cell.children == 0) {
    centre_on_bodies(scene, cell, shape);
  } else {
    centre_on_children(scene, cell, shape);
  }
  if (cell.children == 0 || cell.count <= exact_radius_below) {
    radii_of_bodies<P>(scene, cell, shape);
  } else {
    radii_of_children<P>(scene, cell, shape);
  }
  if (cell.children == 0) {
    multipoles_of_bodies<P>(scene, cell, shape, all + record_head);
  } else {
    multipoles_of_children<P>(scene, cell, shape, all + record_head);
  }
  for (float* record : {all, traceless}) {
    record[0] = shape.x, record[1] = shape.y, record[2] = shape.z, record[3] = shape.radius;
  }
  fold_traces<P>(all + record_head, traceless + record_head);
  shape.open_radius = cell.children == 0 ? -1 : shape.radius;
  shape.family = cell.children == 0 ? 0 : cell.first_child << 4 | cell.children;
  scene.shapes[number] = shape;
}

template <int P>
static void upward(Scene& scene, std::size_t begin, std::size_t end) {
  for (std::size_t c = begin; c < end; ++c) shape_cell<P>(scene, c);
}

APSIS_FAR_END
#endif
