// SPDX-License-Identifier: MIT
#include <apsis/engines/remembered_choice.hpp>
#include <apsis/engines/solver_times.hpp>

#include <nlohmann/json.hpp>

namespace apsis {
namespace {

CachedJson json_of(const PlaceAndSolver& choice) {
  return {{"place", choice.place}, {"solver", choice.solver}};
}

PlaceAndSolver choice_of(const CachedJson& json) { return {json.at("place"), json.at("solver")}; }

bool answers(const CachedJson& entry, const CachedJson& question) {
  return entry.is_object() && entry.contains("question") && entry["question"] == question;
}

}  // namespace

std::optional<RememberedChoice> remembered_choice(const CachedJson& question) {
  for (const CachedJson& entry : cached_entries(solver_times_file())) {
    if (!answers(entry, question)) continue;
    try {
      RememberedChoice remembered{choice_of(entry.at("taken")), entry.at("runs"), std::nullopt};
      if (entry.contains("rival")) remembered.rival = choice_of(entry["rival"]);
      return remembered;
    } catch (const CachedJson::exception&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

void remember_choice(const CachedJson& question, const RememberedChoice& remembered) {
  CachedJson entry{
      {"question", question}, {"taken", json_of(remembered.choice)}, {"runs", remembered.runs}};
  if (remembered.rival) entry["rival"] = json_of(*remembered.rival);
  remember_entry(solver_times_file(), std::move(entry),
                 [&](const CachedJson& other) { return answers(other, question); });
}

bool looks_again(const RememberedChoice& remembered) {
  constexpr int first = 8;
  const int next = remembered.runs + 1;
  return next >= first && (next & (next - 1)) == 0;
}

RememberedChoice after_look(const RememberedChoice& remembered, const PlaceAndSolver& found,
                            double gain) {
  RememberedChoice after{remembered.choice, remembered.runs + 1, std::nullopt};
  if (found == remembered.choice || !(gain >= clear_gain)) return after;
  if (remembered.rival == found) return {found, 1, std::nullopt};
  after.rival = found;
  return after;
}

}  // namespace apsis
