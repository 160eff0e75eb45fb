// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/sampled_quantile.hpp>
#include <apsis/solvers/tree/sampling.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace apsis::far {
namespace {

// Numbers evenly spaced below n.
std::vector<std::size_t> spaced(std::size_t n, std::size_t most) {
  const std::size_t count = std::min(n, most);
  std::vector<std::size_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = k * n / count;
  return numbers;
}

template <class Real>
std::vector<Real> picked(const Real* from, const std::vector<std::size_t>& numbers) {
  std::vector<Real> values(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) values[k] = from[numbers[k]];
  return values;
}

template <class Real>
struct Columns {
  std::vector<Real> x, y, z;

  Columns() = default;
  explicit Columns(std::size_t n) : x(n), y(n), z(n) {}
  std::size_t size() const { return x.size(); }
  BodiesView<Host<Real>> view() const { return {size(), x.data(), y.data(), z.data()}; }
  Field<Host<Real>> field() { return {x.data(), y.data(), z.data()}; }
};

// Those of all partners, one behind the other.
template <class Real>
Columns<Real> gathered(const Columns<Real>& own, Partners& partners) {
  Columns<Real> all;
  for (auto column : {&Columns<Real>::x, &Columns<Real>::y, &Columns<Real>::z}) {
    for (const auto& part : gather_values<Real>(partners, own.*column)) {
      (all.*column).insert((all.*column).end(), part.begin(), part.end());
    }
  }
  return all;
}

// The sums over all partners, added in their order.
template <class Real>
Columns<double> summed(const Columns<Real>& own, Partners& partners) {
  Columns<double> sums(own.size());
  const auto add = [&](auto from, auto to) {
    for (const auto& part : gather_values<Real>(partners, own.*from)) {
      for (std::size_t k = 0; k < part.size(); ++k) {
        (sums.*to)[k] += static_cast<double>(part[k]);
      }
    }
  };
  add(&Columns<Real>::x, &Columns<double>::x), add(&Columns<Real>::y, &Columns<double>::y);
  add(&Columns<Real>::z, &Columns<double>::z);
  return sums;
}

std::size_t samples_before(std::size_t own, Partners& partners) {
  const auto counts = gather_values<std::size_t>(partners, std::span(&own, 1));
  std::size_t before = 0;
  for (std::size_t p = 0; p < partners.own(); ++p) before += counts[p].front();
  return before;
}

double root_mean_square(const std::vector<double>& x, const std::vector<double>& y,
                        const std::vector<double>& z) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * x[k] + y[k] * y[k] + z[k] * z[k];
  return x.empty() ? 0 : std::sqrt(sum / static_cast<double>(x.size()));
}

}  // namespace

float typical_field(const SortedBodies& bodies, float softening, int threads) {
  const auto numbers = spaced(bodies.count, 256);
  const auto x = picked(bodies.x.data(), numbers), y = picked(bodies.y.data(), numbers),
             z = picked(bodies.z.data(), numbers);
  std::vector<float> fx(numbers.size()), fy(numbers.size()), fz(numbers.size());
  const auto direct =
      make_direct_host<float>({.force = {.softening = softening},
                               .device = {.precision = Precision::f32, .threads = threads}});
  direct->add_field(
      {bodies.count, bodies.x.data(), bodies.y.data(), bodies.z.data(), bodies.strength.data()},
      {numbers.size(), x.data(), y.data(), z.data()}, {fx.data(), fy.data(), fz.data()});
  return static_cast<float>(
      root_mean_square({fx.begin(), fx.end()}, {fy.begin(), fy.end()}, {fz.begin(), fz.end()}));
}

float typical_field(const SortedBodies& bodies, float softening, int threads,
                    std::span<const std::array<float, 3>> at, Partners& partners) {
  Columns<float> places(at.size());
  for (std::size_t k = 0; k < at.size(); ++k) {
    places.x[k] = at[k][0], places.y[k] = at[k][1], places.z[k] = at[k][2];
  }
  const auto direct =
      make_direct_host<float>({.force = {.softening = softening},
                               .device = {.precision = Precision::f32, .threads = threads}});
  Columns<float> part(places.size());
  direct->add_field(
      {bodies.count, bodies.x.data(), bodies.y.data(), bodies.z.data(), bodies.strength.data()},
      places.view(), part.field());
  const Columns<double> field = summed(part, partners);
  return static_cast<float>(root_mean_square(field.x, field.y, field.z));
}

namespace {

// A second's work or less up to 10^6 bodies; of a thousand, 99 % rests on ten.
std::size_t sample_size(std::size_t bodies) {
  return std::clamp<std::size_t>(2'000'000'000 / std::max<std::size_t>(bodies, 1), 500, 4000);
}

std::vector<std::size_t> sample_numbers(SampleOf what, std::size_t n) {
  const std::size_t count = sample_size(n);
  if (what == SampleOf::choice) return spaced(n, count);
  if (n <= count) return {};
  if (n < 2 * count) return spaced(n, n);
  auto between = spaced(n, count);
  for (std::size_t& number : between) number += n / (2 * count);
  return between;
}

// Whether they are not all bodies.
bool is_part(SampleOf what, std::size_t n) {
  return what == SampleOf::confirmation && n >= 2 * sample_size(n);
}

template <class Real>
struct InDouble {
  std::vector<double> x, y, z, strength;

  explicit InDouble(const BodiesView<Host<Real>>& bodies)
      : x(bodies.x, bodies.x + bodies.count),
        y(bodies.y, bodies.y + bodies.count),
        z(bodies.z, bodies.z + bodies.count),
        strength(bodies.strength, bodies.strength + bodies.count) {}

  BodiesView<Host<double>> view() const {
    return {x.size(), x.data(), y.data(), z.data(), strength.data()};
  }
};

}  // namespace

template <class Real>
FieldSample<Real>::FieldSample(SampleOf what, const BodiesView<Host<Real>>& bodies,
                               double softening, int threads) {
  confident_ = is_part(what, bodies.count);
  number_ = sample_numbers(what, bodies.count);
  if (number_.empty()) return;
  const InDouble<Real> sources(bodies);
  const auto tx = picked(sources.x.data(), number_), ty = picked(sources.y.data(), number_),
             tz = picked(sources.z.data(), number_);
  x_.resize(number_.size()), y_.resize(number_.size()), z_.resize(number_.size());
  const auto direct =
      make_direct_host<double>({.force = {.softening = softening},
                                .device = {.precision = Precision::f64, .threads = threads}});
  direct->add_field(sources.view(), {number_.size(), tx.data(), ty.data(), tz.data()},
                    {x_.data(), y_.data(), z_.data()});
  const auto& strength = sources.strength;
  const auto [least, most_strength] = std::minmax_element(strength.begin(), strength.end());
  const bool mixed_signs = !strength.empty() && *least < 0 && *most_strength > 0;
  take_magnitude(mixed_signs, root_mean_square(x_, y_, z_));
}

template <class Real>
FieldSample<Real>::FieldSample(SampleOf what, const BodiesView<Host<Real>>& block,
                               const Shared& shared, double softening, int threads,
                               Partners& partners) {
  confident_ = is_part(what, shared.bodies);
  for (const std::size_t number : sample_numbers(what, shared.bodies)) {
    if (number >= shared.first && number < shared.first + block.count) {
      number_.push_back(number - shared.first);
    }
  }
  const InDouble<Real> sources(block);
  Columns<double> own;
  own.x = picked(sources.x.data(), number_), own.y = picked(sources.y.data(), number_);
  own.z = picked(sources.z.data(), number_);
  const Columns<double> places = gathered(own, partners);
  Columns<double> part(places.size());
  const auto direct =
      make_direct_host<double>({.force = {.softening = softening},
                                .device = {.precision = Precision::f64, .threads = threads}});
  direct->add_field(sources.view(), places.view(), part.field());
  const Columns<double> field = summed(part, partners);
  take_magnitude(shared.frame.mixed_signs, root_mean_square(field.x, field.y, field.z));
  // the samples of the partners before this one come first
  const std::size_t first = samples_before(number_.size(), partners);
  const auto own_part = [&](const std::vector<double>& from) {
    const auto begin = from.begin() + static_cast<long>(first);
    return std::vector<double>(begin, begin + static_cast<long>(number_.size()));
  };
  x_ = own_part(field.x), y_ = own_part(field.y), z_ = own_part(field.z);
}

template <class Real>
double FieldSample<Real>::error_of(std::vector<double> errors) const {
  return confident_ ? confident_error_at_99_percent(std::move(errors))
                    : error_at_99_percent(std::move(errors));
}

template <class Real>
double FieldSample<Real>::error(const Real* x, const Real* y, const Real* z) const {
  return error_of(errors(x, y, z));
}

template <class Real>
double FieldSample<Real>::error(const Real* x, const Real* y, const Real* z,
                                Partners& partners) const {
  std::vector<double> all;
  for (const auto& part : gather_values<double>(partners, errors(x, y, z))) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return error_of(std::move(all));
}

template <class Real>
std::vector<double> FieldSample<Real>::errors(const Real* x, const Real* y, const Real* z) const {
  std::vector<double> errors(number_.size());
  for (std::size_t k = 0; k < number_.size(); ++k) {
    const std::size_t i = number_[k];
    const double off =
        std::hypot(static_cast<double>(x[i]) - x_[k], static_cast<double>(y[i]) - y_[k],
                   static_cast<double>(z[i]) - z_[k]);
    const double magnitude = std::max(std::hypot(x_[k], y_[k], z_[k]), least_magnitude_);
    errors[k] = magnitude > 0 ? off / magnitude : off;
  }
  return errors;
}

template class FieldSample<float>;
template class FieldSample<double>;

}  // namespace apsis::far
