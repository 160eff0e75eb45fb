// SPDX-License-Identifier: MIT
// Downward: local expansions handed to children, and evaluated at bodies. Terms are in powers of
// the cell's unit, its radius.
#if defined(APSIS_FAR_LOCALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_LOCALS_INL
#undef APSIS_FAR_LOCALS_INL
#else
#define APSIS_FAR_LOCALS_INL
#endif

#include <apsis/solvers/tree/pairs-inl.hpp>

APSIS_FAR_BEGIN

// A cell of one body has no radius, and needs a unit all the same.
APSIS_FAR_INLINE float unit_of(const CellShape& shape) { return std::max(shape.radius, 1e-9F); }

// All terms from the traceless ones.
template <int P>
APSIS_FAR_INLINE void unfold_traces(const float* traceless, float* all) {
  unroll<AllTerms::count(P)>([&](auto q) APSIS_FAR_LAMBDA {
    constexpr Term t = AllTerms::term(q);
    if constexpr (t.k <= 1) {
      all[q] = traceless[TracelessTerms::index(t.i, t.j, t.k)];
    } else {
      all[q] = -all[AllTerms::index(t.i + 2, t.j, t.k - 2)] -
               all[AllTerms::index(t.i, t.j + 2, t.k - 2)];
    }
  });
}

template <class Terms, int P>
constexpr auto downward_table() {
  ShiftTable<Terms::count(P), pair_count(P)> table;
  std::size_t used = 0;
  for (int a = 0; a < Terms::count(P); ++a) {
    const Term t = Terms::term(a);
    for (int b = 0; b < AllTerms::count(P - t.order()); ++b) {
      const Term s = AllTerms::term(b);
      table.step[used++] = {narrow_index(AllTerms::index(t.i + s.i, t.j + s.j, t.k + s.k)),
                            narrow_index(b)};
    }
    table.begin[static_cast<std::size_t>(a) + 1] = narrow_index(static_cast<int>(used));
  }
  return table;
}

// The expansion about each child's centre; Terms are those that are kept.
template <class Terms, int P>
static void local_of_children(const Scene& scene, const Cell& cell, const CellShape& shape,
                              const float* all, std::array<std::array<float, most_terms>, 8>& to) {
  constexpr int terms = AllTerms::count(P);
  const float inverse = 1 / unit_of(shape);
  V8 x{}, y{}, z{}, one{}, ratio{}, power{};
  for (int c = 0; c < cell.children; ++c) {
    const CellShape& child = scene.shapes[cell.first_child + static_cast<std::size_t>(c)];
    x[c] = (child.x - shape.x) * inverse;
    y[c] = (child.y - shape.y) * inverse;
    z[c] = (child.z - shape.z) * inverse;
    one[c] = power[c] = 1, ratio[c] = unit_of(child) * inverse;
  }
  V8 shift[terms];
  monomials<P, V8>(x, y, z, one, shift);
  V8 shifted[Terms::count(P)];
  if constexpr (P < high_order) {
    unroll<Terms::count(P)>([&](auto a) APSIS_FAR_LAMBDA {
      constexpr Term t = Terms::term(a);
      V8 sum{};
      unroll<AllTerms::count(P - t.order())>([&](auto b) APSIS_FAR_LAMBDA {
        constexpr Term s = AllTerms::term(b);
        sum += shift[b] * all[AllTerms::index(t.i + s.i, t.j + s.j, t.k + s.k)];
      });
      shifted[a] = sum;
    });
  } else {
    static constexpr auto table = downward_table<Terms, P>();
    shift_by_table(table, all, shift, shifted);
  }
  for (int n = 0; n <= P; ++n) {
    const int begin = n > 0 ? Terms::count(n - 1) : 0;
    for (int q = begin; q < Terms::count(n); ++q) {
      const V8 term = shifted[q] * power;
      for (std::size_t c = 0; c < 8; ++c) to[c][static_cast<std::size_t>(q)] = term[c];
    }
    power *= ratio;
  }
}

// Field and potential of the expansion at the first `targets` bodies of the cell.
template <int P>
static void add_local_field(const Scene& scene, Worker& w, const Cell& cell, const CellShape& shape,
                            const float* all, std::size_t targets) {
  const float inverse = 1 / unit_of(shape);
  for (std::size_t i = 0; i < targets; i += lanes) {
    BodyVectors v;
    relative_to(scene.bodies, cell.begin + i, {shape.x, shape.y, shape.z}, v);
    V power[AllTerms::count(P)];
    monomials<P, V>(v.x * inverse, v.y * inverse, v.z * inverse, splat(1), power);
    V x{}, y{}, z{}, phi{};
    unroll<AllTerms::count(P - 1)>([&](auto q) APSIS_FAR_LAMBDA {
      constexpr Term t = AllTerms::term(q);
      x += power[q] * all[AllTerms::index(t.i + 1, t.j, t.k)];
      y += power[q] * all[AllTerms::index(t.i, t.j + 1, t.k)];
      z += power[q] * all[AllTerms::index(t.i, t.j, t.k + 1)];
    });
    if (scene.wants_potential) {
      unroll<AllTerms::count(P)>([&](auto q) APSIS_FAR_LAMBDA { phi += power[q] * all[q]; });
    }
    store(load(&w.fx[i]) + x * inverse, &w.fx[i]);
    store(load(&w.fy[i]) + y * inverse, &w.fy[i]);
    store(load(&w.fz[i]) + z * inverse, &w.fz[i]);
    store(load(&w.phi[i]) + phi, &w.phi[i]);
  }
}

// Barnes-Hut: the bodies of a cell in the lanes, one accepted cell after the other; as many cells
// at a time as the first cache holds.
constexpr std::size_t cells_at_a_time = 64;

// f(cell, vectors of bodies relative to its centre, sums of potential and field) over accepted
// cells, whose records begin with their centre and radius, and the bodies.
template <class F>
APSIS_FAR_INLINE void over_cells_and_bodies(const Scene& scene, const float* records,
                                            std::size_t size, Worker& w, const Cell& cell,
                                            std::size_t targets,
                                            std::span<const std::uint32_t> sources, const F& f) {
  for (std::size_t begin = 0; begin < sources.size(); begin += cells_at_a_time) {
    const std::size_t end = std::min(sources.size(), begin + cells_at_a_time);
    for (std::size_t i = 0; i < targets; i += lanes) {
      V sums[4] = {};
      for (std::size_t s = begin; s < end; ++s) {
        const float* record = records + sources[s] * size;
        BodyVectors v;
        relative_to(scene.bodies, cell.begin + i, {record[0], record[1], record[2]}, v);
        f(record, v, sums);
      }
      store(load(&w.fx[i]) + sums[1], &w.fx[i]);
      store(load(&w.fy[i]) + sums[2], &w.fy[i]);
      store(load(&w.fz[i]) + sums[3], &w.fz[i]);
      store(load(&w.phi[i]) + sums[0], &w.phi[i]);
    }
  }
}

// Without softening, by the polynomials of inversion.hpp.
template <int P>
static void add_inverted(const Scene& scene, Worker& w, const Cell& cell, std::size_t targets,
                         std::span<const std::uint32_t> sources) {
  constexpr auto size = static_cast<std::size_t>(record_size(AllTerms::count(P)));
  over_cells_and_bodies(
      scene, scene.inverted_terms.data(), size, w, cell, targets, sources,
      [](const float* record, const BodyVectors& v, V* sums) APSIS_FAR_LAMBDA {
        const float* h = record + record_head;
        const V root = root_of(v.x * v.x + v.y * v.y + v.z * v.z), root2 = root * root;
        const V scale = record[3] * root2;
        const V x = scale * v.x, y = scale * v.y, z = scale * v.z;
        V power[AllTerms::count(P)];
        monomials<P, V>(x, y, z, splat(1), power);
        V value{}, gx{}, gy{}, gz{};
        unroll<AllTerms::count(P)>([&](auto q) APSIS_FAR_LAMBDA { value += power[q] * h[q]; });
        unroll<AllTerms::count(P - 1)>([&](auto q) APSIS_FAR_LAMBDA {
          constexpr Term t = AllTerms::term(q);
          gx += power[q] * h[AllTerms::index(t.i + 1, t.j, t.k)];
          gy += power[q] * h[AllTerms::index(t.i, t.j + 1, t.k)];
          gz += power[q] * h[AllTerms::index(t.i, t.j, t.k + 1)];
        });
        const V along = value + 2.0F * (x * gx + y * gy + z * gz), root3 = root * root2;
        sums[0] += root * value;
        sums[1] += root3 * (record[3] * gx - v.x * along);
        sums[2] += root3 * (record[3] * gy - v.y * along);
        sums[3] += root3 * (record[3] * gz - v.z * along);
      });
}

// Softened ones, or what softening changes.
template <int P, bool dipoles, int stored, Part part>
static void add_cells_to_bodies(const Scene& scene, Worker& w, const Cell& cell,
                                std::size_t targets, std::span<const std::uint32_t> sources) {
  constexpr int terms = AllTerms::count(P);
  const float eps2 = scene.softening * scene.softening;
  constexpr auto size = static_cast<std::size_t>(record_size(AllTerms::count(stored)));
  over_cells_and_bodies(
      scene, scene.all_terms.data(), size, w, cell, targets, sources,
      [eps2](const float* record, const BodyVectors& v, V* sums) APSIS_FAR_LAMBDA {
        V m[terms];
        unroll<terms>([&](auto q) APSIS_FAR_LAMBDA { m[q] = splat(record[record_head + q]); });
        add_terms<AllTerms, P, dipoles, 1, part>(v.x, v.y, v.z, splat(record[3]), m, 1, eps2, sums);
      });
}

APSIS_FAR_END
#endif
