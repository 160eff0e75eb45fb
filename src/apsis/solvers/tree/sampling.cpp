// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/tree/sampling.hpp>

#include <algorithm>
#include <cmath>

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
  const auto direct = make_direct_host<float>({.softening = static_cast<double>(softening),
                                               .threads = threads,
                                               .precision = Precision::f32});
  direct->add_field(
      {bodies.count, bodies.x.data(), bodies.y.data(), bodies.z.data(), bodies.strength.data()},
      {numbers.size(), x.data(), y.data(), z.data()}, {fx.data(), fy.data(), fz.data()});
  return static_cast<float>(
      root_mean_square({fx.begin(), fx.end()}, {fy.begin(), fy.end()}, {fz.begin(), fz.end()}));
}

template <class Real>
FieldSample<Real>::FieldSample(const BodiesView<Host<Real>>& bodies, double softening,
                               int threads) {
  // a second's work or less up to 10^6 bodies; of a thousand, 99 % rests on ten
  const std::size_t most =
      std::clamp<std::size_t>(2'000'000'000 / std::max<std::size_t>(bodies.count, 1), 500, 4000);
  number_ = spaced(bodies.count, most);
  const auto in_double = [&](const Real* from) {
    return std::vector<double>(from, from + bodies.count);
  };
  const auto sx = in_double(bodies.x), sy = in_double(bodies.y), sz = in_double(bodies.z),
             strength = in_double(bodies.strength);
  const auto tx = picked(sx.data(), number_), ty = picked(sy.data(), number_),
             tz = picked(sz.data(), number_);
  x_.resize(number_.size()), y_.resize(number_.size()), z_.resize(number_.size());
  const auto direct = make_direct_host<double>(
      {.softening = softening, .threads = threads, .precision = Precision::f64});
  direct->add_field({bodies.count, sx.data(), sy.data(), sz.data(), strength.data()},
                    {number_.size(), tx.data(), ty.data(), tz.data()},
                    {x_.data(), y_.data(), z_.data()});
  const auto [least, most_strength] = std::minmax_element(strength.begin(), strength.end());
  const bool mixed_signs = !strength.empty() && *least < 0 && *most_strength > 0;
  const double rms = root_mean_square(x_, y_, z_);
  least_magnitude_ = mixed_signs ? rms : 1e-12 * rms;
}

template <class Real>
double FieldSample<Real>::error(const Real* x, const Real* y, const Real* z) const {
  if (number_.empty()) return 0;
  std::vector<double> errors(number_.size());
  for (std::size_t k = 0; k < number_.size(); ++k) {
    const std::size_t i = number_[k];
    const double off =
        std::hypot(static_cast<double>(x[i]) - x_[k], static_cast<double>(y[i]) - y_[k],
                   static_cast<double>(z[i]) - z_[k]);
    const double magnitude = std::max(std::hypot(x_[k], y_[k], z_[k]), least_magnitude_);
    errors[k] = magnitude > 0 ? off / magnitude : off;
  }
  const auto rank = (errors.size() * 99 + 99) / 100 - 1;
  std::nth_element(errors.begin(), errors.begin() + static_cast<long>(rank), errors.end());
  return errors[rank];
}

template class FieldSample<float>;
template class FieldSample<double>;

}  // namespace apsis::far
