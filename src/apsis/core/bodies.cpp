// SPDX-License-Identifier: MIT
#include <apsis/core/bodies.hpp>
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace apsis {
namespace {

// Σ m q over the bodies and Σ m, in index order.
Vec3 mass_weighted_mean(const Bodies& b, const Vectors& q) {
  double total = 0;
  Vec3 sum;
  for (std::size_t i = 0; i < b.size(); ++i) {
    total += b.mass[i];
    sum += b.mass[i] * q.at(i);
  }
  return total > 0 ? sum / total : Vec3{};
}

template <class Value>
void append_values(std::vector<Value>& to, const std::vector<Value>& from) {
  to.insert(to.end(), from.begin(), from.end());
}
void append_values(Vectors& to, const Vectors& from) {
  const std::size_t n = to.size();
  to.resize(n + from.size());
  for (std::size_t k = 0; k < 3; ++k) {
    std::ranges::copy(from.component(k), to.component(k).subspan(n).begin());
  }
}

// "ids" or "values of mass".
std::string values_of(std::string_view component) {
  return component == "id" ? "ids" : fmt::format("values of {}", component);
}

}  // namespace

Bodies::Bodies(std::size_t n, bool charged) {
  resize(n);
  if (charged) charge.resize(n);
  renumber();
}

void Bodies::resize(std::size_t n) {
  for_each_column(*this, [&](const auto& column, auto& values) {
    if (column.optional && values.empty()) return;
    resize_column(values, n, column.absent);
  });
}

void Bodies::append(const Bodies& other) {
  const std::size_t n = size(), all = n + other.size();
  for_each_column(*this, other, [&](const auto& column, auto& to, const auto& from) {
    if (column.optional && to.empty() && from.empty()) return;
    resize_column(to, n, column.absent);  // where it was empty
    append_values(to, from);
    resize_column(to, all, column.absent);  // where the other is
  });
}

void Bodies::remove(std::span<const std::size_t> numbers) {
  std::vector<bool> gone(size());
  for (const std::size_t i : numbers) gone.at(i) = true;
  const auto left = static_cast<std::size_t>(std::ranges::count(gone, false));
  for_each_column(*this, [&](const auto& column, auto& values) {
    if (values.empty()) return;
    for (const auto component : components_of(values)) {
      std::size_t to = 0;
      for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i]) component[to++] = component[i];
      }
    }
    resize_column(values, left, column.absent);
  });
}

void Bodies::renumber() { std::iota(id.begin(), id.end(), std::uint64_t{0}); }

void copy_constants(const Bodies& from, Bodies& to) {
  for_each_column(from, to, [](const auto& column, const auto& source, auto& target) {
    if (column.role == ColumnRole::constant) target = source;
  });
}

Bodies part_of(const Bodies& bodies, std::size_t first, std::size_t count) {
  Bodies out;
  for_each_column(bodies, out, [&](const auto& /*column*/, const auto& from, auto& to) {
    if (!from.empty()) to = part_of(from, first, count);
  });
  return out;
}

std::optional<std::string> first_bad_value(const Bodies& bodies) {
  std::optional<std::string> found;
  for_each_component(bodies, [&](const auto& column, const char* name, auto values) {
    if constexpr (std::is_floating_point_v<decltype(column.absent)>) {
      if (found) return;
      const auto bad = std::find_if(values.begin(), values.end(),
                                    [](double value) { return !std::isfinite(value); });
      if (bad == values.end()) return;
      const auto i = static_cast<std::size_t>(bad - values.begin());
      found = fmt::format("{} of body {} (id {}) is {}", name, i, bodies.id.at(i), *bad);
    }
  });
  return found;
}

void require_valid(const Bodies& bodies, const std::string& origin) {
  for_each_component(bodies, [&](const auto& column, const char* name, auto values) {
    if ((column.optional && values.empty()) || values.size() == bodies.size()) return;
    throw bad_data(fmt::format("{}: {} {} for {} bodies", origin, values.size(), values_of(name),
                               bodies.size()),
                   std::string_view(name) == "id" ? "every body needs an id"
                                                  : "every quantity needs one value per body");
  });
  if (const auto bad = first_bad_value(bodies)) {
    throw bad_data(fmt::format("{}: {}", origin, *bad), "mend or remove that body");
  }
  for_each_component(bodies, [&](const auto& column, const char* name, auto values) {
    if constexpr (std::is_floating_point_v<decltype(column.absent)>) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] >= column.least.value) continue;
        throw bad_data(
            fmt::format("{}: {} of body {} (id {}) is {}, below {}", origin, name, i, bodies.id[i],
                        values[i],
                        column.least.value == 0 ? "zero" : fmt::format("{}", column.least.value)),
            std::string(column.least.remedy));
      }
    }
  });
  for (std::size_t i = 0; i < bodies.type.size(); ++i) {
    if (bodies.type[i] < type_count) continue;
    throw bad_data(
        fmt::format("{}: type of body {} (id {}) is {}", origin, i, bodies.id[i], bodies.type[i]),
        fmt::format("types are 0 to {}", type_count - 1));
  }
}

std::size_t coincident_bodies(const Bodies& b) {
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto x = b.x(), y = b.y(), z = b.z();
  const auto place = [&](std::size_t i) { return std::tie(x[i], y[i], z[i]); };
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

Vec3 center_of_mass(const Bodies& b) { return mass_weighted_mean(b, b.positions); }
Vec3 mean_velocity(const Bodies& b) { return mass_weighted_mean(b, b.velocities); }

void center(Bodies& bodies) {
  const Vec3 place = center_of_mass(bodies);
  const Vec3 velocity = mean_velocity(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.set_position(i, bodies.position(i) - place);
    bodies.set_velocity(i, bodies.velocity(i) - velocity);
  }
}

}  // namespace apsis
