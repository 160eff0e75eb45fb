// SPDX-License-Identifier: MIT
#include <apsis/lab/step_judge.hpp>
#include <apsis/lab/step_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace apsis::lab {
namespace {

constexpr double unit = 0x1p-24;

struct Guess {
  StepLaw law;
  bool right = false, squared = true;
  std::string words;  // of what is right: what eps is; otherwise what is wrong
};

Vec3 vector_of(const std::vector<float>& values, std::size_t i) {
  return {values[4 * i], values[4 * i + 1], values[4 * i + 2]};
}

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

bool has_masses(const StepForm& form) { return !form.packed || form.takes(StepRole::masses); }

StepLaw law_with(const StepTrace& trace, const StepConditions& given, double under_root) {
  return {.under_root = under_root,
          .with_masses = has_masses(given.form),
          .mass = given.form.takes(StepRole::mass) ? given.numbers.mass : 1,
          .constant = given.form.takes(StepRole::constant) ? given.numbers.constant : 1,
          .end = trace.before.size()};
}

// The laws that are right.
std::vector<Guess> right_guesses(const StepTrace& trace, const StepConditions& given) {
  const double eps = given.numbers.softening;
  if (!given.form.takes(StepRole::softening)) {
    return {{law_with(trace, given, 0), true, true, "no softening"}};
  }
  std::vector<Guess> guesses{
      {law_with(trace, given, eps), true, true, "eps is added to r² as it is"}};
  if (!given.form.softening_is_squared.value_or(false)) {
    guesses.push_back({law_with(trace, given, eps * eps), true, false, "eps² is added to r²"});
  }
  return guesses;
}

void add_softening_mistakes(std::vector<Guess>& guesses, const StepTrace& trace,
                            const StepConditions& given) {
  const double eps = given.numbers.softening;
  guesses.push_back(
      {law_with(trace, given, 0), false, true, "it does not soften: eps is not used"});
  for (const double beside : {eps, eps * eps}) {
    StepLaw law = law_with(trace, given, 0);
    law.beside_root = beside;
    guesses.push_back({law, false, true, "eps is added to r: it belongs to r², under the root"});
  }
  guesses.push_back({law_with(trace, given, eps * eps), false, true,
                     "eps is a square already, and is squared once more"});
}

// What becomes of a right law by common mistakes.
void add_mistakes(std::vector<Guess>& guesses, const Guess& from, const StepTrace& trace,
                  const StepConditions& given) {
  const auto add = [&](const std::string& words, const auto& change) {
    StepLaw law = from.law;
    change(law);
    guesses.push_back({law, false, from.squared, words});
  };
  add("the force falls off as 1/r: the difference of places is divided by r², it has to be r³",
      [](StepLaw& law) { law.power = 2; });
  add("the force does not fall off: the difference of places is divided by r, it has to be r³",
      [](StepLaw& law) { law.power = 1; });
  add("the force falls off as 1/r³: the difference of places is divided by r⁴, it has to be r³",
      [](StepLaw& law) { law.power = 4; });
  if (has_masses(given.form)) {
    add("the masses of the others are left out",
        [](StepLaw& law) { law.with_masses = false, law.mass = 1; });
    add("it is the force, not the acceleration: the body's own mass is multiplied in, and cancels "
        "in F/m",
        [](StepLaw& law) { law.with_own_mass = true; });
  }
  const std::size_t n = trace.before.size(), group = given.group;
  if (group < 2 || n <= group) return;
  add(fmt::format("it sums only over the {} bodies of its own group: the loop over tiles is "
                  "missing, or every tile is the group's own",
                  group),
      [&](StepLaw& law) { law.own_group = group; });
  add(fmt::format("it sums only over the first {} bodies, a single tile", group),
      [&](StepLaw& law) { law.end = group; });
  if (n % group == 0) return;
  add(fmt::format("it leaves out the last {} bodies as sources: {} is no multiple of the group of "
                  "{}, and n/{} is rounded down",
                  n % group, n, group, group),
      [&](StepLaw& law) { law.end = n / group * group; });
}

std::string about_scale(double scale) {
  if (std::abs(scale) < 1e-6)
    return "bodies do not pull each other: all accelerations are nearly 0";
  if (std::abs(scale + 1) < 1e-3) {
    return "bodies push each other away: the difference of places is the wrong way round";
  }
  return fmt::format("all accelerations are {:.4g} times what they should be", scale);
}

// Whether somebody else has moved, so that there is something to see.
bool nothing_pulls(const std::vector<Pull>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [](const Pull& pull) { return pull.sizes == 0; });
}

struct Scheme {
  const char* name;                           // of ours; empty: none of them
  const char* words;                          // what is wrong with it
  double old_velocity, new_velocity, change;  // of a step: x = x0 + dt (a v0 + b v1 + c (v1 - v0))
};
constexpr std::array<Scheme, 7> schemes{{
    {"symplectic-euler", "", 0, 1, 0},
    {"taylor2", "", 1, 0, 0.5},
    {"",
     "it is forward Euler: positions go on with the old velocities; take the new ones "
     "(symplectic-euler), or add a dt²/2 (taylor2)",
     1, 0, 0},
    {"",
     "positions go on with the new velocities and with a dt²/2 besides: take the old velocities "
     "for taylor2, or leave a dt²/2 out for symplectic-euler",
     0, 1, 0.5},
    {"", "positions stay where they are: x += v dt is missing", 0, 0, 0},
    {"", "positions get a dt²/2 alone: x += v dt is missing", 0, 0, 0.5},
    {"", "positions go on with a dt² instead of a dt²/2, and with twice of it", 0, 1, 1},
}};

bool follows(const StepTrace& trace, const Scheme& scheme, double dt,
             std::span<const std::size_t> targets, std::optional<std::size_t>& first_off) {
  for (const std::size_t i : targets) {
    const Vec3 x0 = vector_of(trace.before.places, i), x1 = vector_of(trace.after.places, i);
    const Vec3 v0 = vector_of(trace.before.velocities, i);
    const Vec3 v1 = vector_of(trace.after.velocities, i);
    const Vec3 wanted =
        x0 + dt * (scheme.old_velocity * v0 + scheme.new_velocity * v1 + scheme.change * (v1 - v0));
    // a few roundings of the sum and of its parts
    const double bound = 8 * unit * (norm(x0) + norm(x1) + dt * (norm(v0) + norm(v1)));
    if (norm(x1 - wanted) <= bound) continue;
    if (!first_off) first_off = i;
    return false;
  }
  return true;
}

StepJudgement wrong(const std::string& cause, std::optional<std::size_t> body = {}) {
  StepJudgement judgement;
  judgement.cause = cause;
  judgement.first_wrong = body;
  judgement.error = INFINITY;
  return judgement;
}

// What needs no law: places that should have been written, and others.
std::optional<StepJudgement> misplaced(const StepTrace& trace, const StepConditions& given) {
  const std::size_t n = trace.before.size();
  if (trace.behind_last) {
    return wrong(
        fmt::format("it writes behind the last body: {}[{}] where there are {} bodies; "
                    "work-items from n on have nothing to write",
                    trace.behind_array, *trace.behind_last, n));
  }
  if (trace.unwritten_positions == n && n > 0) {
    return wrong(
        trace.changed_old
            ? "it writes the new positions over the old ones, which others still read, and "
              "nothing to the array of new ones"
            : "it writes no new positions",
        0);
  }
  if (trace.unwritten_position) {
    return wrong(fmt::format("{} bodies get no new position, first of all body {}{}",
                             trace.unwritten_positions, *trace.unwritten_position,
                             n % given.group != 0 ? fmt::format(": {} is no multiple of the group "
                                                                "of {}",
                                                                n, given.group)
                                                  : ""),
                 trace.unwritten_position);
  }
  if (trace.unwritten_velocity) {
    return wrong(fmt::format("body {} gets no new velocity", *trace.unwritten_velocity),
                 trace.unwritten_velocity);
  }
  if (trace.changed_old) {
    return wrong(fmt::format("it changes the old positions, first of all that of body {}: others "
                             "still read them in the same step",
                             *trace.changed_old),
                 trace.changed_old);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (is_finite(vector_of(trace.after.places, i)) &&
        is_finite(vector_of(trace.after.velocities, i))) {
      continue;
    }
    return wrong(
        fmt::format("body {} gets no finite numbers{}", i,
                    given.form.takes(StepRole::softening)
                        ? ": a distance of 0 without softening, or memory that nobody wrote"
                        : ": 0/0 of a body with itself, where i = j is not left out and "
                          "nothing softens"),
        i);
  }
  return std::nullopt;
}

std::optional<StepJudgement> lost_mass(const StepTrace& trace, const StepConditions& given) {
  if (given.form.packed || given.form.takes(StepRole::masses)) return std::nullopt;
  for (std::size_t i = 0; i < trace.before.size(); ++i) {
    if (trace.after.places[4 * i + 3] == trace.before.places[4 * i + 3]) continue;
    return wrong(fmt::format("it does not carry the mass of body {} over: w of the new position is "
                             "{:g} instead of {:g}, and the next step reads it",
                             i, trace.after.places[4 * i + 3], trace.before.places[4 * i + 3]),
                 i);
  }
  return std::nullopt;
}

bool velocities_stay(const StepTrace& trace) {
  for (std::size_t i = 0; i < trace.before.size(); ++i) {
    if (!(vector_of(trace.before.velocities, i) == vector_of(trace.after.velocities, i))) {
      return false;
    }
  }
  return true;
}

// A softening that nobody gave: right where there is no argument for it.
std::optional<StepJudgement> own_softening(const StepTrace& trace, const StepConditions& given,
                                           std::span<const std::size_t> targets) {
  StepLaw law = law_with(trace, given, 0);
  law.under_root = fitted_softening(trace, given.numbers.step, law);
  const auto rounded = std::stod(fmt::format("{:.3g}", law.under_root));
  for (const double value : {rounded, law.under_root}) {
    law.under_root = value;
    const LawFit fit =
        fit_of(trace, given.numbers.step, pulls(trace.before, law, targets), targets);
    if (!fit.fits) continue;
    StepJudgement judgement;
    judgement.right = !given.form.takes(StepRole::softening);
    judgement.softening = fmt::format("{:.6g} of its own is added to r²", value);
    judgement.under_root = value;
    judgement.error = fit.error;
    if (!judgement.right) {
      judgement.cause = fmt::format("eps is not used: {}", judgement.softening);
      judgement.first_wrong = fit.first_off;
    }
    return judgement;
  }
  return std::nullopt;
}

// What the velocities tell of the law.
StepJudgement judged_law(const StepTrace& trace, const StepConditions& given,
                         std::span<const std::size_t> targets) {
  std::vector<Guess> guesses = right_guesses(trace, given);
  const std::size_t rights = guesses.size();
  LawFit nearest;
  nearest.distance = INFINITY;
  const auto fit_to = [&](const Guess& guess) {
    return fit_of(trace, given.numbers.step, pulls(trace.before, guess.law, targets), targets);
  };
  std::string scaled;
  for (std::size_t k = 0; k < rights; ++k) {
    const LawFit fit = fit_to(guesses[k]);
    if (fit.fits) {
      return {.right = true,
              .softening = guesses[k].words,
              .softening_is_squared = guesses[k].squared,
              .under_root = guesses[k].law.under_root,
              .error = fit.error};
    }
    if (fit.fits_scaled && scaled.empty()) scaled = about_scale(fit.scale);
    if (fit.distance < nearest.distance) nearest = fit;
  }
  const auto named = [&](const std::string& cause) {
    StepJudgement judgement = wrong(cause, nearest.first_off);
    judgement.error = nearest.error;
    return judgement;
  };
  if (velocities_stay(trace)) return named("it does not change the velocities");
  if (!scaled.empty()) return named(scaled);
  if (given.form.takes(StepRole::softening)) add_softening_mistakes(guesses, trace, given);
  for (std::size_t k = 0; k < rights; ++k) {
    const Guess from = guesses[k];
    add_mistakes(guesses, from, trace, given);
  }
  for (std::size_t k = rights; k < guesses.size(); ++k) {
    if (fit_to(guesses[k]).fits) return named(guesses[k].words);
  }
  if (auto own = own_softening(trace, given, targets)) return *own;
  if (nearest.distance < 1e-2) {
    return named(
        fmt::format("its accelerations are off by {:.1e} of their size, more than float "
                    "arithmetic: half_rsqrt, or a constant that was rounded",
                    nearest.distance));
  }
  return named("its accelerations fit no law that is known here");
}

}  // namespace

StepJudgement judged(const StepTrace& trace, const StepConditions& given) {
  if (auto found = misplaced(trace, given)) return *found;
  if (auto found = lost_mass(trace, given)) return *found;
  const std::vector<std::size_t> targets = targets_among(trace.before.size());
  StepJudgement judgement = judged_law(trace, given, targets);
  if (!judgement.right) return judgement;
  std::optional<std::size_t> first_off;
  const StepLaw law = law_with(trace, given, judgement.under_root);
  const bool free = nothing_pulls(pulls(trace.before, law, targets));
  for (const Scheme& scheme : schemes) {
    if (!follows(trace, scheme, given.numbers.step, targets, first_off)) continue;
    judgement.scheme = scheme.name;
    const bool drifts = scheme.old_velocity + scheme.new_velocity == 1;
    if (judgement.scheme.empty() && !(free && drifts)) {
      judgement.right = false;
      judgement.cause = scheme.words;
      judgement.first_wrong = first_off;
    }
    if (free) judgement.scheme.clear();  // alone, a body follows all of them
    return judgement;
  }
  judgement.right = false;
  judgement.first_wrong = first_off;
  judgement.cause =
      "the velocities are right, and the positions follow neither symplectic-euler (x += v dt with "
      "the new v) nor taylor2 (x += v dt + a dt²/2 with the old v)";
  return judgement;
}

}  // namespace apsis::lab
