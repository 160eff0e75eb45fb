// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/initial/builder.hpp>
#include <apsis/initial/exponential_disk.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double outermost = 10;  // of the disk, in scale lengths: 5e-4 of its mass lie beyond
constexpr std::size_t table_points = 512;

// Equal-mass layers of a sech² sheet, in units of z0.
std::vector<double> sheet_layers() {
  constexpr int layers = 100;
  std::vector<double> heights(layers);
  for (int k = 0; k < layers; ++k) heights[k] = std::atanh(2 * (k + 0.5) / layers - 1);
  return heights;
}

// <z F_z> of a sech² sheet under Plummer softening over its exact value; e = ε/z0.
double softened_sheet(double e) {
  double softened = 0;
  double exact = 0;
  for (const double a : sheet_layers()) {
    for (const double b : sheet_layers()) {
      const double d = a - b;
      softened += d == 0 ? 0 : d * d / std::sqrt(d * d + e * e);
      exact += std::abs(d);
    }
  }
  return softened / exact;
}

// Circular speed squared of the thick, softened disk over its mass: R ∫ k J1(kR) S(k) dk, where
// S = <exp(-k√(Δz²+ε²))>/(1+k²)^1.5 is the Hankel transform of the surface density (Freeman 1970)
// weakened by the distance between layers; lengths in units of the scale length.
class DiskRotation {
 public:
  DiskRotation(double height, double softening) {
    const auto layers = sheet_layers();
    for (int n = 0; n < points; ++n) {
      const double k = n * spacing;
      double sum = 0;
      for (const double a : layers) {
        for (const double b : layers) {
          if (a >= b)
            sum += (a > b ? 2 : 1) * std::exp(-k * std::hypot(height * (a - b), softening));
        }
      }
      const auto pairs = static_cast<double>(layers.size() * layers.size());
      weight_.push_back(spacing * k * sum / pairs / std::pow(1 + k * k, 1.5));
    }
  }

  double squared_speed(double radius) const {
    double sum = 0;
    for (int n = 1; n < points; ++n) sum += weight_[n] * ::j1(n * spacing * radius);
    return radius * sum;
  }

 private:
  // up to k = 32, where a height of 0.2 has weakened the sum to 1e-5; 12 points to an oscillation
  // at the edge of the disk
  static constexpr int points = 640;
  static constexpr double spacing = 0.05;
  std::vector<double> weight_;
};

struct DiskBody {
  Vec3 position, velocity;
};

DiskBody draw_disk_body(const GalaxyShape& shape, const DiskKinematics& disk, BodyRandom place,
                        BodyRandom motion) {
  // R e^-R is the sum of two exponential draws
  double radius = 0;
  do {
    radius = -std::log(place.uniform() * place.uniform());
  } while (radius > outermost);
  radius *= shape.disk_scale;
  const double angle = place.uniform(0, 2 * pi);
  const double z = shape.height * std::atanh(place.uniform(-1, 1));
  const double radial = disk.radial_dispersion(radius);
  const double out = radial * motion.normal();
  const double ahead =
      disk.mean_rotation(radius) + radial * disk.epicyclic_ratio(radius) * motion.normal();
  const double up = disk.vertical_dispersion(radius) * motion.normal();
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {{radius * c, radius * s, z}, {out * c - ahead * s, out * s + ahead * c, up}};
}

// Bodies [begin, begin + count) of `bodies` become those of a sphere.
struct SphereRange {
  std::size_t begin, count;
  const HernquistSphere& sphere;
};

void fill_sphere(const SphereRange& range, const SphericalField& field, std::uint64_t seed,
                 std::uint64_t first, Bodies& bodies) {
  if (range.count == 0) return;
  const IsotropicVelocities velocities(range.sphere, field);
  parallel_for(range.count, thread_count(0), [&](std::size_t k) {
    const std::size_t i = range.begin + k;
    BodyRandom place(seed, first + i, position_stream);
    BodyRandom motion(seed, first + i, velocity_stream);
    const double r = range.sphere.radius_of(range.sphere.mass() * place.uniform());
    bodies.set_position(i, r * place.direction());
    bodies.set_velocity(i, velocities.velocity(r, motion));
    bodies.mass[i] = range.sphere.mass() / static_cast<double>(range.count);
  });
}

}  // namespace

DiskKinematics::DiskKinematics(const GalaxyShape& shape)
    : shape_(shape), spheres_{{shape.bulge, shape.halo}} {
  tabulate();
  sheet_factor_ = softened_sheet(shape.softening / shape.height);
  const double at = 2 * shape.disk_scale;
  const double kappa = 2 * epicyclic_ratio(at) * circular_speed(at) / at;
  reference_dispersion_ = shape.toomre_q * 3.36 * surface_density(at) / kappa;
}

void DiskKinematics::tabulate() {
  const double scale = shape_.disk_scale;
  const double step = outermost * scale / (table_points - 1);
  const DiskRotation rotation(shape_.height / scale, shape_.softening / scale);
  std::vector<double> squared(table_points + 1);  // Ω²; one more for the last slope
  for (std::size_t k = 1; k <= table_points; ++k) {
    const double radius = static_cast<double>(k) * step;
    const double disk = shape_.disk_mass / scale * rotation.squared_speed(radius / scale);
    squared[k] = disk / (radius * radius) - spheres_.potential(radius).slope / radius;
  }
  squared[0] = squared[1];
  for (std::size_t k = 0; k < table_points; ++k) {
    const double slope = k == 0 ? 0 : (squared[k + 1] - squared[k - 1]) / 2;  // in steps
    speed_.push_back(std::sqrt(squared[k]) * static_cast<double>(k) * step);
    // κ² = R dΩ²/dR + 4Ω²
    const double kappa_ratio = static_cast<double>(k) * slope / squared[k] + 4;
    ratio_.push_back(0.5 * std::sqrt(std::max(0.0, kappa_ratio)));
  }
}

double DiskKinematics::surface_density(double radius) const {
  const double scale = shape_.disk_scale;
  return shape_.disk_mass / (2 * pi * scale * scale) * std::exp(-radius / scale);
}

double DiskKinematics::tabulated(const std::vector<double>& values, double radius) const {
  const double at = radius / (outermost * shape_.disk_scale) * (table_points - 1);
  const auto k = std::min(static_cast<std::size_t>(at), table_points - 2);
  return values[k] + (at - static_cast<double>(k)) * (values[k + 1] - values[k]);
}

double DiskKinematics::circular_speed(double radius) const { return tabulated(speed_, radius); }
double DiskKinematics::epicyclic_ratio(double radius) const { return tabulated(ratio_, radius); }

double DiskKinematics::radial_dispersion(double radius) const {
  return reference_dispersion_ * std::exp(1 - radius / (2 * shape_.disk_scale));
}

double DiskKinematics::vertical_dispersion(double radius) const {
  // virial theorem in z: the sheet's own pull gives πΣz0, the spheres' Ω²<z²>
  const double z_squared = pi * pi / 12 * shape_.height * shape_.height;
  const double r = std::sqrt(radius * radius + z_squared);
  const double pull = -spheres_.potential(r).slope / r;
  return std::sqrt(pi * surface_density(radius) * shape_.height * sheet_factor_ + pull * z_squared);
}

double DiskKinematics::mean_rotation(double radius) const {
  // Jeans equation with Σσ_R² ∝ exp(-2R/Rd): v² = v_c² + σ_R²(1 - κ²/4Ω² - 2R/Rd)
  const double circular = circular_speed(radius);
  const double radial = radial_dispersion(radius);
  const double ratio = epicyclic_ratio(radius);
  const double drift = 1 - ratio * ratio - 2 * radius / shape_.disk_scale;
  return std::sqrt(std::max(0.0, circular * circular + radial * radial * drift));
}

double DiskKinematics::rotation_period(double radius) const {
  return 2 * pi * radius / circular_speed(radius);
}

Bodies make_galaxy(const GalaxyShape& shape, const GalaxyCounts& counts, std::uint64_t seed,
                   std::uint64_t first) {
  Bodies bodies(counts.total());
  const DiskKinematics disk(shape);
  parallel_for(counts.disk, thread_count(0), [&](std::size_t i) {
    const DiskBody body = draw_disk_body(shape, disk, BodyRandom(seed, first + i, position_stream),
                                         BodyRandom(seed, first + i, velocity_stream));
    bodies.set_position(i, body.position);
    bodies.set_velocity(i, body.velocity);
    bodies.mass[i] = shape.disk_mass / static_cast<double>(counts.disk);
  });
  const SphericalField field{{shape.bulge, shape.halo}, shape.disk_mass, shape.disk_scale};
  fill_sphere({counts.disk, counts.bulge, shape.bulge}, field, seed, first, bodies);
  fill_sphere({counts.disk + counts.bulge, counts.halo, shape.halo}, field, seed, first, bodies);
  center(bodies);
  return bodies;
}

}  // namespace apsis::initial
