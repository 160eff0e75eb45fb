// SPDX-License-Identifier: MIT
// From multipoles to local expansions and to fields: Σ_β M_β D_{α+β} with D the derivatives of
// 1/√(r²+ε²). A batch of sources lies in the lanes. Everything is in units that keep float's range
// at any order: multipoles in powers of their cell's radius, local terms in powers of the target's,
// derivatives at distance 1.
#if defined(APSIS_FAR_TRANSLATE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_TRANSLATE_INL
#undef APSIS_FAR_TRANSLATE_INL
#else
#define APSIS_FAR_TRANSLATE_INL
#endif

#include <apsis/solvers/tree/vector-inl.hpp>

APSIS_FAR_BEGIN

// From this order on, code that is unrolled as a whole takes compilers minutes and brings little.
constexpr int high_order = 6;
// x86 without AVX2 is for machines of before 2013: what is unrolled elsewhere goes by tables.
constexpr bool small_code = APSIS_FAR_SMALL_CODE;

// The axis along which a derivative is taken last: a power of one costs one product, and of the
// others the lowest is as good as any.
constexpr int last_axis(Term t) {
  const int power[3] = {t.i, t.j, t.k};
  for (const int axis : {2, 0, 1}) {
    if (power[axis] == 1) return axis;
  }
  int best = -1;
  for (int axis = 0; axis < 3; ++axis) {
    if (power[axis] > 0 && (best < 0 || power[axis] <= power[best])) best = axis;
  }
  return best;
}
constexpr int power_along(Term t, int axis) { return axis == 0 ? t.i : axis == 1 ? t.j : t.k; }
constexpr Term lowered(Term t, int axis, int by) {
  return {t.i - (axis == 0 ? by : 0), t.j - (axis == 1 ? by : 0), t.k - (axis == 2 ? by : 0)};
}

// (-1)^m (2m-1)!!
constexpr float seed(int m) {
  float value = 1;
  for (int q = 0; q < m; ++q) value *= static_cast<float>(-(2 * q + 1));
  return value;
}

// Derivatives of 1/√(r²+ε²) at (x, y, z) of length √(r²+ε²) = 1, by the recursion of McMurchie and
// Davidson in place: step by step the terms of orders 0..P-m hold those of the m-th auxiliary.
struct Inverse {
  template <int m>
  APSIS_FAR_MEMBER V auxiliary() const {
    return splat(seed(m));
  }
};
// Of 1/√(r²+ε²) - 1/r at (x, y, z) of length r = 1: what softening changes.
template <int P>
struct Softening {
  V less_one[P + 1];  // (r²+ε²)^(-m-1/2) - 1

  APSIS_FAR_MEMBER explicit Softening(V eps2) {
    const V root = root_of(1.0F + eps2), square = root * root;
    V power = root;
    unroll<P + 1>([&](auto m) APSIS_FAR_LAMBDA {
      less_one[m] = power - 1.0F;
      power *= square;
    });
  }
  template <int m>
  APSIS_FAR_MEMBER V auxiliary() const {
    return seed(m) * less_one[m];
  }
};

template <class Terms, int P, class Potential>
APSIS_FAR_INLINE void derivatives(const V& x, const V& y, const V& z, const Potential& potential,
                                  V* d) {
  d[0] = potential.template auxiliary<P>();
  unroll<P>([&](auto step) APSIS_FAR_LAMBDA {
    constexpr int m = P - 1 - step, terms = Terms::count(P - m);
    unroll<terms - 1>([&](auto back) APSIS_FAR_LAMBDA {
      constexpr Term t = Terms::term(terms - 1 - back);
      constexpr int axis = last_axis(t), power = power_along(t, axis);
      constexpr Term once = lowered(t, axis, 1), twice = lowered(t, axis, power > 1 ? 2 : 1);
      const V& c = axis == 0 ? x : axis == 1 ? y : z;
      V& to = d[terms - 1 - back];
      to = c * d[Terms::index(once.i, once.j, once.k)];
      if constexpr (power > 1) {
        to += static_cast<float>(power - 1) * d[Terms::index(twice.i, twice.j, twice.k)];
      }
    });
    d[0] = potential.template auxiliary<m>();
  });
}

// Derivatives with the index of two traceless terms added: k = 2 follows from the others.
template <class Terms, int P>
struct Tensor {
  static constexpr bool traceless = std::is_same_v<Terms, TracelessTerms>;
  static constexpr int first_second = Terms::count(P);
  V d[Terms::count(P) + (traceless && P > 1 ? P * (P - 1) / 2 : 0)];

  template <class Potential>
  APSIS_FAR_MEMBER void fill(const V& x, const V& y, const V& z, const Potential& potential) {
    derivatives<Terms, P>(x, y, z, potential, d);
    if constexpr (traceless && P > 1) {
      unroll<P*(P - 1) / 2>([&](auto q) APSIS_FAR_LAMBDA {
        constexpr Term t = plane_term(q);
        d[first_second + q] = -d[Terms::index(t.i + 2, t.j, 0)] - d[Terms::index(t.i, t.j + 2, 0)];
      });
    }
  }
  // Where the derivative with the powers of both terms lies.
  static constexpr int index(Term a, Term b) {
    const int i = a.i + b.i, j = a.j + b.j, k = a.k + b.k;
    if (traceless && k > 1) return first_second + (i + j) * (i + j + 1) / 2 + j;
    return Terms::index(i, j, k);
  }

 private:
  static constexpr Term plane_term(int q) {
    int n = 0;
    while (q > n) q -= n + 1, ++n;
    return {n - q, q, 0};
  }
};

// sum[a] = Σ_β m_β D_{α+β} for the outputs first .. first+outputs-1.
template <class Terms, int P, bool dipoles, int first, int outputs>
APSIS_FAR_INLINE void contract_inline(const V* m, const Tensor<Terms, P>& tensor, V* sum) {
  constexpr int inputs = Terms::count(P - Terms::term(first).order());
  unroll<outputs>([&](auto a) APSIS_FAR_LAMBDA { sum[a] = V{}; });
  unroll<inputs>([&](auto b) APSIS_FAR_LAMBDA {
    constexpr Term tb = Terms::term(b);
    if constexpr (dipoles || tb.order() != 1) {
      const V mb = m[b];
      unroll<outputs>([&](auto a) APSIS_FAR_LAMBDA {
        constexpr Term ta = Terms::term(first + a);
        if constexpr (ta.order() + tb.order() <= P) {
          sum[a] += mb * tensor.d[Tensor<Terms, P>::index(ta, tb)];
        }
      });
    }
  });
}

// The same by a table: a fraction of the code, for vectors that few machines still have.
template <class Terms, int P, int first, int outputs>
static void contract_by_table(const V* m, const Tensor<Terms, P>& tensor, V* sum) {
  static constexpr auto table = [] {
    std::array<std::array<std::uint16_t, outputs>, Terms::count(P)> to{};
    for (int b = 0; b < Terms::count(P); ++b) {
      const Term tb = Terms::term(b);
      for (int a = 0; a < outputs; ++a) {
        const Term ta = Terms::term(first + a);
        if (ta.order() + tb.order() > P) continue;
        to[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] =
            static_cast<std::uint16_t>(Tensor<Terms, P>::index(ta, tb));
      }
    }
    return to;
  }();
  for (int a = 0; a < outputs; ++a) {
    sum[a] = V{};
    const int inputs = Terms::count(P - Terms::term(first + a).order());
    for (int b = 0; b < inputs; ++b) {
      sum[a] += m[b] * tensor.d[table[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)]];
    }
  }
}

// A function of its own where the order is high.
template <class Terms, int P, bool dipoles, int first, int outputs>
static __attribute__((noinline)) void contract_apart(const V* m, const Tensor<Terms, P>& tensor,
                                                     V* sum) {
  contract_inline<Terms, P, dipoles, first, outputs>(m, tensor, sum);
}
template <class Terms, int P, bool dipoles, int first, int outputs>
APSIS_FAR_INLINE void contract(const V* m, const Tensor<Terms, P>& tensor, V* sum) {
  if constexpr (small_code) {
    contract_by_table<Terms, P, first, outputs>(m, tensor, sum);
  } else if constexpr (P >= high_order) {
    contract_apart<Terms, P, dipoles, first, outputs>(m, tensor, sum);
  } else {
    contract_inline<Terms, P, dipoles, first, outputs>(m, tensor, sum);
  }
}

struct Place {
  float x = 0, y = 0, z = 0;
  float low_x = 0, low_y = 0, low_z = 0;  // what float loses of a body's coordinates
};

// What the terms of a batch of sources are made of.
enum class Part {
  whole,      // the softened pull
  softening,  // what softening changes about the pull
};

// Beyond a few softenings, what softening changes is small and needs fewer orders.
constexpr int softening_order(int order) { return std::max(1, order - 3); }

// Adds the sources in `m` (terms as in records, behind their head) seen from (x, y, z) away, to the
// local terms of orders 0..highest in powers of `unit`; one lane is one source or one target.
template <class Terms, int P, bool dipoles, int highest, Part part = Part::whole>
APSIS_FAR_INLINE void add_terms(V x, V y, V z, V radius, V* m, float unit, float eps2, V* local) {
  const V r2 = x * x + y * y + z * z;
  const V root = root_of(part == Part::whole ? r2 + eps2 : r2), share = radius * root;
  Tensor<Terms, P> tensor;
  if constexpr (part == Part::whole) {
    tensor.fill(x * root, y * root, z * root, Inverse{});
  } else {
    tensor.fill(x * root, y * root, z * root, Softening<P>(eps2 * root * root));
  }
  V power = root;
  unroll<P + 1>([&](auto n) APSIS_FAR_LAMBDA {
    constexpr int begin = n > 0 ? Terms::count(n - 1) : 0;
    unroll<Terms::count(n) - begin>([&](auto q) APSIS_FAR_LAMBDA { m[begin + q] *= power; });
    power *= share;
  });
  V sum[4];
  contract<Terms, P, dipoles, 0, 4>(m, tensor, sum);
  const V step = unit * root;
  local[0] += sum[0];
  unroll<3>([&](auto a) APSIS_FAR_LAMBDA { local[1 + a] += step * sum[1 + a]; });
  if constexpr (highest > 1) {
    V scale = step;
    unroll<highest - 1>([&](auto n) APSIS_FAR_LAMBDA {
      constexpr int begin = Terms::count(n + 1), outputs = Terms::count(n + 2) - begin;
      V group[outputs];
      contract<Terms, P, dipoles, begin, outputs>(m, tensor, group);
      scale *= step;
      unroll<outputs>([&](auto a) APSIS_FAR_LAMBDA { local[begin + a] += scale * group[a]; });
    });
  }
}

// A batch of cells, a lane each, at one place.
template <class Terms, int P, bool dipoles, int highest>
APSIS_FAR_INLINE void add_cells(const float* records, const std::uint32_t* cells, Place at,
                                float unit, float eps2, V* local) {
  constexpr int size = record_size(Terms::count(P));
  std::size_t offset[lanes];
  for (int l = 0; l < lanes; ++l) offset[l] = std::size_t{cells[l]} * size;
  V column[size];
  for (int b = 0; b < size; b += 8) load_columns(records + b, offset, column + b);
  const V x = (at.x - column[0]) + at.low_x, y = (at.y - column[1]) + at.low_y,
          z = (at.z - column[2]) + at.low_z;
  add_terms<Terms, P, dipoles, highest>(x, y, z, column[3], column + record_head, unit, eps2,
                                        local);
}

// All cells of a list; `none` is a cell of zeros far away, for the lanes behind the end.
template <class Terms, int P, bool dipoles, int highest>
void add_cell_list(const float* records, Indices& cells, std::uint32_t none, Place at, float unit,
                   float eps2, float* local) {
  constexpr int terms = Terms::count(highest);
  V sums[terms];
  for (V& sum : sums) sum = V{};
  const std::size_t count = cells.size();
  cells.resize(count + lanes, none);
  for (std::size_t c = 0; c < count; c += lanes) {
    add_cells<Terms, P, dipoles, highest>(records, cells.data() + c, at, unit, eps2, sums);
  }
  cells.resize(count);
  float totals[terms];
  sum_lanes<terms>(sums, totals);
  for (int q = 0; q < terms; ++q) local[q] += totals[q];
}

APSIS_FAR_END
#endif
