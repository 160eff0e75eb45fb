// SPDX-License-Identifier: MIT
#include <apsis/solvers/tree/inversion.hpp>

#include <algorithm>

namespace apsis::far {
namespace {

using Polynomial = std::vector<double>;  // by AllTerms

Term raised(Term t, int axis, int by) {
  return {t.i + (axis == 0 ? by : 0), t.j + (axis == 1 ? by : 0), t.k + (axis == 2 ? by : 0)};
}
int power_of(Term t, int axis) { return axis == 0 ? t.i : axis == 1 ? t.j : t.k; }
double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// ∂^β(1/r) = T_β(x)/r^(2n+1) with n the order of β. One derivative more along an axis:
// T = r² ∂T - (2n+1) x T.
Polynomial derived(const Polynomial& t, int n, int axis) {
  Polynomial next(t.size(), 0.0);
  const auto at = [&next](Term to) -> double& {
    return next[static_cast<std::size_t>(AllTerms::index(to.i, to.j, to.k))];
  };
  for (int q = AllTerms::count(n - 1); q < AllTerms::count(n); ++q) {
    const Term term = AllTerms::term(q);
    const double value = t[static_cast<std::size_t>(q)];
    const int power = power_of(term, axis);
    at(raised(term, axis, 1)) -= (2 * n + 1) * value;
    if (power == 0) continue;
    const Term lower = raised(term, axis, -1);
    for (int other = 0; other < 3; ++other) at(raised(lower, other, 2)) += power * value;
  }
  return next;
}

}  // namespace

Inversion::Inversion(int order) : order_(order) {
  const auto size = static_cast<std::size_t>(AllTerms::count(order));
  std::vector<Polynomial> of_term(static_cast<std::size_t>(TracelessTerms::count(order)));
  for (int q = 0; q < TracelessTerms::count(order); ++q) {
    const Term term = TracelessTerms::term(q);
    Polynomial& t = of_term[static_cast<std::size_t>(q)];
    if (q == 0) {
      t.assign(size, 0.0);
      t[0] = 1;
    } else {
      const int axis = term.i > 0 ? 0 : term.j > 0 ? 1 : 2;
      const Term from = raised(term, axis, -1);
      t = derived(of_term[static_cast<std::size_t>(TracelessTerms::index(from.i, from.j, from.k))],
                  from.order(), axis);
    }
    for (int to = 0; to < AllTerms::count(order); ++to) {
      const Term power = AllTerms::term(to);
      const double factor = t[static_cast<std::size_t>(to)] * factorial(power.i) *
                            factorial(power.j) * factorial(power.k);
      if (factor == 0) continue;
      steps_.push_back({static_cast<std::uint16_t>(q), static_cast<std::uint16_t>(to),
                        static_cast<float>(factor)});
    }
  }
}

void Inversion::apply(const float* traceless, float* polynomial) const {
  std::fill_n(polynomial, AllTerms::count(order_), 0.0F);
  for (const Step& step : steps_) polynomial[step.to] += step.factor * traceless[step.from];
}

}  // namespace apsis::far
