// SPDX-License-Identifier: MIT
#include <apsis/engines/cached_entries.hpp>
#include <apsis/engines/solver_times.hpp>
#include <apsis/files/folders.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

// Measurements further apart than this leave open what lies between them.
constexpr double widest_gap = 4;

CachedJson json_of(const TimedTask& task) {
  CachedJson json{{"device", task.device},    {"driver", task.driver},
                  {"threads", task.threads},  {"precision", name_of(task.precision)},
                  {"law", name_of(task.law)}, {"accuracy", task.far_field.accuracy}};
  for_each_given(task.far_field, [&](const FieldInfo& field, const auto& value) {
    json[std::string(field.name)] = value;
  });
  return json;
}

bool is_time(double seconds) { return std::isfinite(seconds) && seconds > 0; }

std::optional<SolverTimes> times_of(const CachedJson& entry, const CachedJson& task) {
  try {
    if (entry.at("task") != task) return std::nullopt;
    const SolverTimes times{entry.at("bodies"), entry.at("seconds_direct"),
                            entry.at("seconds_fmm")};
    if (times.bodies == 0 || !is_time(times.direct) || !is_time(times.fmm)) return std::nullopt;
    return times;
  } catch (const CachedJson::exception&) {
    return std::nullopt;
  }
}

// Below 1 where fmm pays.
double ratio(const SolverTimes& times) { return fmm_pays_from * times.fmm / times.direct; }

// Where the ratio passes 1, on a straight line between logarithms.
double crossover(const SolverTimes& below, const SolverTimes& above) {
  const double share = std::log(ratio(below)) / std::log(ratio(below) / ratio(above));
  const auto first = static_cast<double>(below.bodies), last = static_cast<double>(above.bodies);
  return first * std::pow(last / first, share);
}

}  // namespace

std::filesystem::path solver_times_file() { return cache_folder() / "solver_times.json"; }

std::vector<SolverTimes> known_solver_times(const TimedTask& task) {
  const CachedJson wanted = json_of(task);
  std::vector<SolverTimes> known;
  for (const CachedJson& entry : cached_entries(solver_times_file())) {
    if (const auto times = times_of(entry, wanted)) known.push_back(*times);
  }
  std::sort(known.begin(), known.end(),
            [](const SolverTimes& a, const SolverTimes& b) { return a.bodies < b.bodies; });
  return known;
}

void remember_solver_times(const TimedTask& task, const SolverTimes& times) {
  const CachedJson wanted = json_of(task);
  remember_entry(solver_times_file(),
                 {{"task", wanted},
                  {"bodies", times.bodies},
                  {"seconds_direct", times.direct},
                  {"seconds_fmm", times.fmm}},
                 [&](const CachedJson& other) {
                   const auto old = times_of(other, wanted);
                   return old && old->bodies == times.bodies;
                 });
}

bool fmm_pays(const SolverTimes& times) { return ratio(times) < 1; }

std::optional<bool> fmm_pays(std::span<const SolverTimes> known, std::size_t bodies) {
  const auto above = std::find_if(known.begin(), known.end(), [bodies](const SolverTimes& times) {
    return times.bodies >= bodies;
  });
  const SolverTimes* upper = above == known.end() ? nullptr : &*above;
  const SolverTimes* lower = above == known.begin() ? nullptr : &*(above - 1);
  if (lower != nullptr && fmm_pays(*lower)) return true;
  if (upper != nullptr && !fmm_pays(*upper)) return false;
  const auto n = static_cast<double>(bodies);
  const auto square_of_factor = [n](const SolverTimes& times) {
    return n * n / (static_cast<double>(times.bodies) * static_cast<double>(times.bodies));
  };
  if (lower != nullptr && ratio(*lower) / square_of_factor(*lower) >= 1) return false;
  if (upper != nullptr && ratio(*upper) / square_of_factor(*upper) < 1) return true;
  if (lower == nullptr || upper == nullptr) return std::nullopt;
  const bool near =
      static_cast<double>(upper->bodies) <= widest_gap * static_cast<double>(lower->bodies);
  if (!near) return std::nullopt;
  return n >= crossover(*lower, *upper);
}

}  // namespace apsis
