// SPDX-License-Identifier: MIT
// Inside initial/: a disk galaxy in near equilibrium, after Hernquist (1993): exponential disk
// with a sech² profile in height, Hernquist bulge and halo. G = 1.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/isotropic.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis::initial {

struct GalaxyShape {
  double disk_mass = 1, disk_scale = 1;
  double height = 0.2;    // z0 of sech²(z/z0)
  double toomre_q = 1.5;  // at two scale lengths
  HernquistSphere bulge{0, 1}, halo{0, 1};
  double softening = 0;  // of the run, for the disk's own pull towards its plane

  double total_mass() const { return disk_mass + bulge.mass() + halo.mass(); }
};

// Circular speed, epicycles and dispersions of the disk as functions of the radius.
class DiskKinematics {
 public:
  explicit DiskKinematics(const GalaxyShape& shape);

  double circular_speed(double radius) const;
  double epicyclic_ratio(double radius) const;      // κ/(2Ω)
  double radial_dispersion(double radius) const;    // σ_R
  double vertical_dispersion(double radius) const;  // σ_z
  double mean_rotation(double radius) const;        // <v_φ>, below circular by asymmetric drift
  double rotation_period(double radius) const;

 private:
  void tabulate();
  double surface_density(double radius) const;
  double tabulated(const std::vector<double>& values, double radius) const;

  GalaxyShape shape_;
  SphericalField spheres_;
  double reference_dispersion_ = 0;  // σ_R at two scale lengths
  double sheet_factor_ = 1;          // softened over exact pull of the sheet
  std::vector<double> speed_, ratio_;
};

struct GalaxyCounts {
  std::size_t disk = 0, bulge = 0, halo = 0;

  std::size_t total() const { return disk + bulge + halo; }
};

// Disk, bulge and halo bodies in this order, centre of mass at rest at the origin, spin along +z.
// Body k draws the random numbers of body first + k.
Bodies make_galaxy(const GalaxyShape& shape, const GalaxyCounts& counts, std::uint64_t seed,
                   std::uint64_t first);

}  // namespace apsis::initial
