// SPDX-License-Identifier: MIT
#include <apsis/solvers/fmm/fmm_opencl_expansion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace apsis::fmm_opencl {
namespace {

using Powers = std::array<int, 3>;  // of x, y and z

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

// From this order on the recursion for the derivatives would leave the range of float inside one
// tree: it runs over powers up to r^-(2·order+1). Then it works on the unit vector, and powers of
// the distance go to the moments and the sums, for a seventh more operations.
constexpr int first_scaled_order = 6;

int terms_upto(int degree) { return (degree + 1) * (degree + 2) * (degree + 3) / 6; }
int rounded_up(int count) { return std::max(4, (count + 3) / 4 * 4); }
int degree_of(const Powers& p) { return p[0] + p[1] + p[2]; }

// Multi-indices by degree, and back.
class Indices {
 public:
  explicit Indices(int degree) {
    for (int d = 0; d <= degree; ++d) {
      for (int a = d; a >= 0; --a) {
        for (int b = d - a; b >= 0; --b) all_.push_back({a, b, d - a - b});
      }
    }
  }
  const Powers& operator[](int i) const { return all_[static_cast<std::size_t>(i)]; }
  static int at(const Powers& p) {
    const int d = degree_of(p), rest = d - p[0];
    return terms_upto(d - 1) + rest * (rest + 1) / 2 + (rest - p[1]);
  }

 private:
  std::vector<Powers> all_;
};

Powers sum(const Powers& a, const Powers& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Powers difference(const Powers& a, const Powers& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
bool contains(const Powers& large, const Powers& small) {
  return large[0] >= small[0] && large[1] >= small[1] && large[2] >= small[2];
}
Powers lowered(Powers p, int axis) {
  --p[static_cast<std::size_t>(axis)];
  return p;
}

class Writer {
 public:
  explicit Writer(const ExpansionShape& shape)
      : shape_(shape),
        order_(shape.order),
        scaled_(shape.order >= first_scaled_order || shape.normalised),
        index_(shape.order + 1) {}

  std::string text() {
    header();
    p2m();
    m2m();
    m2l();
    m2p();
    l2l();
    l2p();
    rescale("moments", "M", first_moment(), moment_end(), first_moment());
    rescale("local", "L", first_local(), local_end(), 0);
    return out_;
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }
  int first_moment() const { return shape_.dipole ? 1 : 4; }
  int moment_end() const { return terms_upto(order_ - 1); }
  int slot(int n) const { return n - first_moment(); }  // of M_n in a node's moments
  int first_local() const { return shape_.potential ? 0 : 1; }
  int local_end() const { return terms_upto(order_); }

  void header() {
    line("// SPDX-License-Identifier: MIT");
    line("// Written by fmm_opencl_expansion.cpp, which says what it means.");
    line("#pragma once");
    line("#include \"numbers.cl\"\n");
    line("#define ORDER {}", order_);
    line("#define MOMENTS {}", shape_.moments());
    line("#define MOMENT_ROOM {}", shape_.moment_room());
    line("#define LOCAL_ROOM {}", shape_.local_room());
    line("#define FIRST_LOCAL {}", first_local());
  }

  // w_n = xⁿ/n! up to a degree.
  void powers(int degree) {
    line("  const real w0 = 1;");
    for (int i = 1; i < terms_upto(degree); ++i) {
      const Powers& p = index_[i];
      const int axis = p[0] > 0 ? 0 : p[1] > 0 ? 1 : 2;
      const int power = p[static_cast<std::size_t>(axis)];
      const int before = Indices::at(lowered(p, axis));
      const auto name = axes[static_cast<std::size_t>(axis)];
      if (before == 0) {
        line("  const real w{} = {};", i, name);
      } else if (power == 1) {
        line("  const real w{} = w{} * {};", i, before, name);
      } else {
        line("  const real w{} = w{} * {} * {:.9e}f;", i, before, name, 1.0 / power);
      }
    }
  }

  // Derivatives t0_i of g by the recursion over t<m>_i, which belong to (2 d/dr²)ᵐ g.
  void derivatives(bool at_body) {
    line("  const real u = inverse_root(fma(x, x, fma(y, y, fma(z, z, eps2))));");
    if (scaled_) {
      scaled_start(at_body);
    } else {
      line("  const real u2 = u * u, t0_0 = u;");
      for (int m = 1; m <= order_; ++m) {
        line("  const real t{}_0 = {}.0f * u2 * t{}_0;", m, 1 - 2 * m, m - 1);
      }
    }
    for (int degree = 1; degree <= order_; ++degree) {
      for (int m = order_ - degree; m >= 0; --m) {
        for (int i = terms_upto(degree - 1); i < terms_upto(degree); ++i) derivative(m, i);
      }
    }
  }
  // As if the distance were 1; u<k> are the powers of its inverse. Normalised, a<k> are those with
  // the source's length in each, and u<k+1> has k of the target's.
  void scaled_start(bool at_body) {
    line("  x *= u, y *= u, z *= u;");
    line("  const real u1 = u, t0_0 = 1;");
    const auto step = shape_.normalised && !at_body ? "(to_length * u)" : "u";
    for (int k = 2; k <= order_ + 1; ++k) line("  const real u{} = u{} * {};", k, k - 1, step);
    if (shape_.normalised) {
      line("  const real a1 = from_length * u;");
      for (int k = 2; k < order_; ++k) line("  const real a{} = a{} * a1;", k, k - 1);
    }
    long factor = 1;
    for (int m = 1; m <= order_; ++m) {
      factor *= 1 - 2 * m;
      line("  const real t{}_0 = {}.0f;", m, factor);
    }
  }
  // ∂(n) = x ∂'(n-1) + (n-1) ∂'(n-2) along one axis; the axis with the smallest power is cheapest.
  void derivative(int m, int i) {
    const Powers& p = index_[i];
    std::size_t axis = 3;
    for (std::size_t k = 0; k < 3; ++k) {
      if (p[k] > 0 && (axis == 3 || p[k] < p[axis])) axis = k;
    }
    const Powers one = lowered(p, static_cast<int>(axis));
    const auto before = fmt::format("t{}_{}", m + 1, Indices::at(one));
    if (one[axis] == 0) {
      line("  const real t{}_{} = {} * {};", m, i, axes[axis], before);
      return;
    }
    const auto twice =
        fmt::format("t{}_{}", m + 1, Indices::at(lowered(one, static_cast<int>(axis))));
    const auto rest = one[axis] == 1 ? twice : fmt::format("{}.0f * {}", one[axis], twice);
    line("  const real t{}_{} = fma({}, {}, {});", m, i, axes[axis], before, rest);
  }

  void load_moments() {
    for (int q = 0; 4 * q < shape_.moments(); ++q) line("  const real4 q{} = M[{}];", q, q);
    for (int n = first_moment(); scaled_ && n < moment_end(); ++n) {
      line("  const real s{} = {} * {}{};", n, loaded(n), shape_.normalised ? "a" : "u",
           degree_of(index_[n]));
    }
  }
  std::string loaded(int n) const {
    return fmt::format("q{}.{}", slot(n) / 4, "xyzw"[slot(n) % 4]);
  }
  // L_k += Σ_n M_n ∂ⁿ⁺ᵏ g into a variable.
  void sum_moments(const std::string& into, int k) {
    const auto sum_of = scaled_ ? fmt::format("r{}", k) : into;
    if (scaled_) {
      line("  real r{} = m * t0_{};", k, k);
    } else {
      line("  {0} = fma(m, t0_{1}, {0});", into, k);
    }
    for (int n = first_moment(); n < moment_end(); ++n) {
      if (degree_of(index_[n]) + degree_of(index_[k]) > order_) continue;
      line("  {0} = fma({1}, t0_{2}, {0});", sum_of, scaled_ ? fmt::format("s{}", n) : loaded(n),
           Indices::at(sum(index_[n], index_[k])));
    }
    if (scaled_) line("  {0} = fma(u{1}, r{2}, {0});", into, degree_of(index_[k]) + 1, k);
  }

  void p2m() {
    line("\n// Adds a source of strength m; (x, y, z) from it to the centre.");
    line("inline void p2m(real* M, real x, real y, real z, real m) {{");
    powers(order_ - 1);
    for (int n = first_moment(); n < moment_end(); ++n) {
      line("  M[{0}] = fma(m, w{1}, M[{0}]);", slot(n), n);
    }
    line("}}");
  }
  void m2m() {
    line("\n// Adds a child with moments m and C; (x, y, z) from its centre to the new one.");
    line("inline void m2m(real* M, real x, real y, real z, real m, const real* C) {{");
    powers(order_ - 1);
    for (int n = first_moment(); n < moment_end(); ++n) {
      line("  M[{0}] = fma(m, w{1}, M[{0}]);", slot(n), n);
      for (int j = first_moment(); j <= n; ++j) {
        if (!contains(index_[n], index_[j])) continue;
        line("  M[{0}] = fma(C[{1}], w{2}, M[{0}]);", slot(n), slot(j),
             Indices::at(difference(index_[n], index_[j])));
      }
    }
    line("}}");
  }
  void m2l() {
    line("\n// Adds to a local expansion; (x, y, z) from the source's centre to the target's.");
    line(
        "inline void m2l(real* L, real x, real y, real z, real m, global const real4* restrict M,");
    line("                real eps2, real from_length, real to_length) {{");
    derivatives(false);
    load_moments();
    for (int k = first_local(); k < local_end(); ++k) sum_moments(fmt::format("L[{}]", k), k);
    line("}}");
  }
  void m2p() {
    line("\n// Field and potential of a cell at a body.");
    line("inline real4 m2p(real x, real y, real z, real m, global const real4* restrict M,");
    line("                 real eps2, real from_length) {{");
    derivatives(true);
    load_moments();
    line("  real4 sum = (real4)(0);");
    for (int k = 1; k < 4; ++k) {
      sum_moments(fmt::format("sum.{}", axes[static_cast<std::size_t>(k - 1)]), k);
    }
    if (shape_.potential) sum_moments("sum.w", 0);
    line("  return sum;");
    line("}}");
  }
  void l2l() {
    line("\n// Adds the parent's expansion L; (x, y, z) from its centre to the child's.");
    line("inline void l2l(real* O, real x, real y, real z, global const real* restrict L) {{");
    powers(order_ - 1 + (shape_.potential ? 1 : 0));
    for (int k = first_local(); k < local_end(); ++k) {
      for (int j = k; j < local_end(); ++j) {
        if (!contains(index_[j], index_[k])) continue;
        line("  O[{0}] = fma(L[{1}], w{2}, O[{0}]);", k, j,
             Indices::at(difference(index_[j], index_[k])));
      }
    }
    line("}}");
  }
  void l2p() {
    line("\n// Field and potential at a body; (x, y, z) from the cell's centre to it.");
    line("inline real4 l2p(real x, real y, real z, global const real* restrict L) {{");
    powers(order_ - 1 + (shape_.potential ? 1 : 0));
    line("  real4 sum = (real4)(0);");
    for (int k = 0; k < terms_upto(order_ - 1); ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Powers up = index_[k];
        ++up[axis];
        line("  sum.{0} = fma(L[{1}], w{2}, sum.{0});", axes[axis], Indices::at(up), k);
      }
    }
    if (shape_.potential) {
      for (int k = 0; k < local_end(); ++k) line("  sum.w = fma(L[{0}], w{0}, sum.w);", k);
    }
    line("  return sum;");
    line("}}");
  }

  // Of a cell's coefficients, from one unit of length to another.
  void rescale(const char* what, const char* name, int begin, int end, int first) {
    line("\n// Every coefficient times the ratio to the power of its degree.");
    line("inline void rescale_{}(real* {}, real ratio) {{", what, name);
    line("  real power = ratio;");
    for (int n = std::max(begin, 1), degree = 1; n < end; ++n) {
      for (; degree < degree_of(index_[n]); ++degree) line("  power *= ratio;");
      line("  {}[{}] *= power;", name, n - first);
    }
    line("}}");
  }

  ExpansionShape shape_;
  int order_;
  bool scaled_;
  Indices index_;
  std::string out_;
};

}  // namespace

int ExpansionShape::moments() const { return terms_upto(order - 1) - (dipole ? 1 : 4); }
int ExpansionShape::moment_room() const { return rounded_up(moments()); }
int ExpansionShape::local_room() const { return rounded_up(terms_upto(order)); }

std::string expansion_text(const ExpansionShape& shape) { return Writer(shape).text(); }

double smallest_distance(int order, bool normalised) {
  if (normalised) return 0x1p-60;  // whose square has an inverse root
  double factor = 1;  // the largest number is (2P-1)!! / r^(P+1), of the recursion 1/r^(2P+1)
  for (int m = 1; m <= order; ++m) factor *= 2 * m - 1;
  const int power = order >= first_scaled_order ? order + 1 : 2 * order + 1;
  return std::pow(factor / 0x1p120, 1.0 / power);
}

}  // namespace apsis::fmm_opencl
