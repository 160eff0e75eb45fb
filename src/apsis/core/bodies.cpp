// SPDX-License-Identifier: MIT
#include <apsis/core/bodies.hpp>
#include <apsis/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace apsis {
namespace {

struct NamedColumn {
  const char* name;
  const std::vector<double>* values;
};

std::array<NamedColumn, 8> columns(const Bodies& b) {
  return {{{"x", &b.x},
           {"y", &b.y},
           {"z", &b.z},
           {"vx", &b.vx},
           {"vy", &b.vy},
           {"vz", &b.vz},
           {"mass", &b.mass},
           {"charge", &b.charge}}};
}

// Σ m q over the bodies and Σ m, in index order.
Vec3 mass_weighted_mean(const Bodies& b, const std::vector<double>& qx,
                        const std::vector<double>& qy, const std::vector<double>& qz) {
  double total = 0;
  Vec3 sum;
  for (std::size_t i = 0; i < b.size(); ++i) {
    total += b.mass[i];
    sum += b.mass[i] * Vec3{qx[i], qy[i], qz[i]};
  }
  return total > 0 ? sum / total : Vec3{};
}

void append_column(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Bodies::Bodies(std::size_t n, bool charged)
    : x(n), y(n), z(n), vx(n), vy(n), vz(n), mass(n), charge(charged ? n : 0), id(n) {
  renumber();
}

void Bodies::append(const Bodies& other) {
  if (charged() || other.charged()) {
    charge.resize(size(), 0.0);
    append_column(charge, other.charge);
    charge.resize(size() + other.size(), 0.0);
  }
  append_column(x, other.x), append_column(y, other.y), append_column(z, other.z);
  append_column(vx, other.vx), append_column(vy, other.vy), append_column(vz, other.vz);
  append_column(mass, other.mass);
  id.insert(id.end(), other.id.begin(), other.id.end());
}

void Bodies::renumber() { std::iota(id.begin(), id.end(), std::uint64_t{0}); }

std::optional<std::string> first_bad_value(const Bodies& bodies) {
  for (const auto& [name, values] : columns(bodies)) {
    const auto bad = std::find_if(values->begin(), values->end(),
                                  [](double value) { return !std::isfinite(value); });
    if (bad != values->end()) {
      const auto i = static_cast<std::size_t>(bad - values->begin());
      return fmt::format("{} of body {} (id {}) is {}", name, i, bodies.id.at(i), *bad);
    }
  }
  return std::nullopt;
}

void require_valid(const Bodies& bodies, const std::string& origin) {
  for (const auto& [name, values] : columns(bodies)) {
    const bool absent = values == &bodies.charge && values->empty();
    if (!absent && values->size() != bodies.size()) {
      throw bad_data(fmt::format("{}: {} values of {} for {} bodies", origin, values->size(), name,
                                 bodies.size()),
                     "every quantity needs one value per body");
    }
  }
  if (bodies.id.size() != bodies.size()) {
    throw bad_data(fmt::format("{}: {} ids for {} bodies", origin, bodies.id.size(), bodies.size()),
                   "every body needs an id");
  }
  if (const auto bad = first_bad_value(bodies)) {
    throw bad_data(fmt::format("{}: {}", origin, *bad), "mend or remove that body");
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.mass[i] < 0) {
      throw bad_data(fmt::format("{}: mass of body {} (id {}) is {}, below zero", origin, i,
                                 bodies.id[i], bodies.mass[i]),
                     "masses are >= 0; signs belong to charges");
    }
  }
}

std::size_t coincident_bodies(const Bodies& b) {
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) { return std::tie(b.x[i], b.y[i], b.z[i]); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return place(i) < place(j); });
  std::size_t count = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same_as_last = k > 0 && place(order[k]) == place(order[k - 1]);
    const bool same_as_next = k + 1 < order.size() && place(order[k]) == place(order[k + 1]);
    count += static_cast<std::size_t>(same_as_last || same_as_next);
  }
  return count;
}

Vec3 center_of_mass(const Bodies& b) { return mass_weighted_mean(b, b.x, b.y, b.z); }
Vec3 mean_velocity(const Bodies& b) { return mass_weighted_mean(b, b.vx, b.vy, b.vz); }

void center(Bodies& bodies) {
  const Vec3 place = center_of_mass(bodies);
  const Vec3 velocity = mean_velocity(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.set_position(i, bodies.position(i) - place);
    bodies.set_velocity(i, bodies.velocity(i) - velocity);
  }
}

}  // namespace apsis
