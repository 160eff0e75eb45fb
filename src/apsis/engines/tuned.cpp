// SPDX-License-Identifier: MIT
#include <apsis/engines/cached_entries.hpp>
#include <apsis/engines/tuned.hpp>
#include <apsis/files/folders.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

using Json = CachedJson;

bool belongs_to(const Json& entry, const DeviceInfo& device, Precision precision) {
  const auto is = [&](const char* key, std::string_view value) {
    return entry.contains(key) && entry[key] == value;
  };
  return entry.is_object() && is("device", device.name) && is("driver", device.driver) &&
         is("precision", name_of(precision));
}

std::optional<TunedChoice> choice_of(const Json& entry) {
  try {
    TunedChoice choice{.variant = entry.at("variant"),
                       .sizes = sizes_from(entry.at("sizes")),
                       .bodies = entry.at("bodies"),
                       .interactions_per_second = entry.value("interactions_per_second", 0.0)};
    const auto known = direct_opencl_variant_names();
    if (std::find(known.begin(), known.end(), choice.variant) == known.end()) return std::nullopt;
    return choice;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// How many times more or fewer; no bodies count as one.
double factor_between(std::size_t a, std::size_t b) {
  const double ratio = static_cast<double>(std::max<std::size_t>(a, 1)) /
                       static_cast<double>(std::max<std::size_t>(b, 1));
  return std::max(ratio, 1 / ratio);
}

}  // namespace

std::filesystem::path tuned_file() { return cache_folder() / "tuned.json"; }

std::vector<TunedChoice> tuned_choices(const DeviceInfo& device, Precision precision) {
  std::vector<TunedChoice> choices;
  for (const Json& entry : cached_entries(tuned_file())) {
    if (!belongs_to(entry, device, precision)) continue;
    if (const auto choice = choice_of(entry)) choices.push_back(*choice);
  }
  std::sort(choices.begin(), choices.end(),
            [](const TunedChoice& a, const TunedChoice& b) { return a.bodies < b.bodies; });
  return choices;
}

std::optional<TunedChoice> tuned_choice(const DeviceInfo& device, Precision precision,
                                        std::size_t bodies) {
  constexpr double farthest = 4;
  const auto choices = tuned_choices(device, precision);
  const auto nearest = std::min_element(
      choices.begin(), choices.end(), [&](const TunedChoice& a, const TunedChoice& b) {
        return factor_between(a.bodies, bodies) < factor_between(b.bodies, bodies);
      });
  if (nearest == choices.end() || factor_between(nearest->bodies, bodies) > farthest) {
    return std::nullopt;
  }
  return *nearest;
}

void remember_tuned(const DeviceInfo& device, Precision precision, const TunedChoice& choice) {
  const Json entry{{"device", device.name},
                   {"driver", device.driver},
                   {"precision", name_of(precision)},
                   {"bodies", choice.bodies},
                   {"variant", choice.variant},
                   {"sizes", to_string(choice.sizes)},
                   {"interactions_per_second", choice.interactions_per_second}};
  remember_entry(tuned_file(), entry, [&](const Json& other) {
    return belongs_to(other, device, precision) && choice_of(other) &&
           choice_of(other)->bodies == choice.bodies;
  });
}

}  // namespace apsis
