// SPDX-License-Identifier: MIT
// How the force of a pair falls off with distance: the table of radial laws. A law is a file of
// radial/, its kernels/radial_NAME.cl, and its line here.
//
// It says what it makes of newton's law at a distance r > 0, which is softened (√(r²+ε²)):
//   force(r)      factor on s r/r³            potential(r)  factor on s/r
//   steepness(r)  -d ln(weight)/d ln(r) of the weight force(r)/r³, for jerks
// The factors are pure numbers: lengths enter as multiples of the law's range, since engines
// compute in lengths of their own. Solvers take the law as a template parameter. Its functions are
// always inlined: files are compiled with different arithmetic and must not share a copy.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/radial/newton.hpp>
#include <apsis/core/radial/yukawa.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace apsis {

template <class... Laws>
struct RadialList {
  static constexpr std::array table{Laws::info...};
};
using RadialLaws = RadialList<radial::Newton, radial::Yukawa>;

// A law by its place in the table; the first is newton. Files have the name.
enum class Radial : int {};
inline constexpr Radial newton{};

inline constexpr const auto& radial_table = RadialLaws::table;
inline const RadialInfo& info_of(Radial radial) {
  return radial_table.at(static_cast<std::size_t>(radial));
}

template <>
struct Choice<Radial> {
  static constexpr const char* what = "radial law";
  static constexpr auto values = [] {
    std::array<std::pair<Radial, std::string_view>, radial_table.size()> out;
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = {static_cast<Radial>(k), radial_table[k].name};
    }
    return out;
  }();
};

// Of kernels/.
inline std::string radial_kernel(Radial radial) {
  return "radial_" + std::string(info_of(radial).name) + ".cl";
}

// A law with its length.
struct RadialLaw {
  Radial radial = newton;
  double range = 0;  // 0 for laws without one

  friend bool operator==(const RadialLaw&, const RadialLaw&) = default;
};

// bad_data for a law without the length that it needs, and for a length that it has no use for.
void require_valid(const RadialLaw& law);

namespace detail {
template <class Visit, class First, class... Rest>
auto visit_radial(int place, const Visit& visit, RadialList<First, Rest...> /*laws*/) {
  if constexpr (sizeof...(Rest) > 0) {
    if (place > 0) return visit_radial(place - 1, visit, RadialList<Rest...>{});
  }
  return visit.template operator()<First>();
}
}  // namespace detail

// visit.operator()<radial::Yukawa>() where that is the law.
template <class Visit>
auto with_type_of(Radial radial, const Visit& visit) {
  return detail::visit_radial(static_cast<int>(radial), visit, RadialLaws{});
}

// visit(radial::Yukawa(range)) where that is the law.
template <class Visit>
auto with_radial(const RadialLaw& law, const Visit& visit) {
  return with_type_of(law.radial, [&]<class Falloff>() { return visit(Falloff(law.range)); });
}

}  // namespace apsis
