// SPDX-License-Identifier: MIT
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/contact_rows.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

constexpr double accuracy = 1e-3;
// Seconds that the rounds of a row may take, and the longest round that is begun.
constexpr double usual_row = 3, quick_row = 0.1, usual_round = 10, quick_round = 0.3;
constexpr int usual_rounds = 5, quick_rounds = 3;
constexpr std::uint64_t trial_bodies = 2048;
constexpr ContactSearch searches[] = {ContactSearch::direct, ContactSearch::grid,
                                      ContactSearch::tree};

// All but the tree ask about pairs: around those whose paths turn they look at everybody, and the
// grid's cells, as wide as the longest path, hold the more bodies the more there are.
ContactPace expected(const ContactPace& known, ContactSearch how, double bodies) {
  const double growth = bodies / known.bodies;
  const double longer = how == ContactSearch::tree ? growth : growth * growth;
  return {bodies, longer * known.search, longer * known.resolve};
}

}  // namespace

ResultTable contact_table() {
  return {
      "results",
      "Contacts in one step of a ring, beside its forces by fmm (f32)",
      {{"device", "device", "where it ran", Look::text},
       {"kind", "", "native, or an OpenCL device's: cpu, gpu", Look::text},
       {"variant", "search", "contacts.search: direct (all pairs), grid or tree", Look::text},
       {"bodies", "bodies", "number of bodies", Look::whole},
       {"steps", "", "searches that count", Look::whole},
       {"seconds", "search", "seconds of a search, end to end, median", Look::seconds},
       {"seconds_deviation", "±", "seconds, standard deviation of the former", Look::seconds},
       {"seconds_resolve", "resolving",
        "seconds from the pairs that were found to bodies after their contacts, median",
        Look::seconds},
       {"candidates", "pairs", "that the search found", Look::whole},
       {"touching", "", "pairs of them whose straight paths touch", Look::whole},
       {"contacts", "contacts", "in the step, with those of paths that contacts turned",
        Look::whole},
       {"bytes_a_body", "bytes a body",
        "that the search keeps beside the bodies; grid and direct keep nothing", Look::ratio},
       {"seconds_forces", "forces",
        "seconds of an evaluation of the forces of the same bodies by fmm, median", Look::seconds},
       {"error_p99", "", "relative force error of fmm that 99 % stay below", Look::error},
       {"ratio", "of forces", "search and resolving as a share of the forces' time", Look::ratio},
       {"waited", "", "seconds that threads waited for a core for every second of the row",
        Look::ratio},
       {"complaint", "complaint", "in what the contacts differ from those of other searches",
        Look::text}}};
}

Patience ContactRows::patience() const {
  if (options_.steps) return {static_cast<int>(*options_.steps), INFINITY};
  return options_.quick ? Patience{quick_rounds, quick_row} : Patience{usual_rounds, usual_row};
}

ContactPace ContactRows::pace_with(const LessonPlace& place, ContactSearch how, double bodies) {
  ContactPace& known = paces_[{place.name, how}];
  if (known.bodies == 0) {
    if (bodies <= trial_bodies) return {};
    const RingContacts trial =
        contacts_in(ring_of(trial_bodies), place, how, options_.threads, {3, quick_row}, true);
    known = {trial_bodies, trial.search.min(), trial.resolve.min()};
  }
  return expected(known, how, bodies);
}

std::string ContactRows::complaint_about(const RingContacts& found, const std::string& whose,
                                         double bodies) {
  const auto [first, is_first] = first_.try_emplace(bodies, First{whose, found});
  return is_first ? "" : disagreement(found, first->second.contacts, first->second.whose);
}

void ContactRows::add(const LessonPlace& place, const Ring& ring, ContactSearch how,
                      const RingForces& forces) {
  const auto bodies = static_cast<double>(ring.bodies.size());
  const std::string name(name_of(how));
  const double limit = options_.quick ? quick_round : usual_round;
  const ContactPace pace = pace_with(place, how, bodies);
  if (pace.search > limit) {
    recorder_.notice(fmt::format("{} of {} on {} left out: a search would take about {}", name,
                                 bodies_in_words(bodies), place.name,
                                 shown(Cell(pace.search), Look::seconds)));
    return;
  }
  const bool resolves = pace.resolve <= limit;
  if (!resolves) {
    recorder_.notice(fmt::format(
        "contacts of {} by {} on {} are found and not resolved, which would "
        "take about {}: around bodies whose paths turn it looks at all others",
        bodies_in_words(bodies), name, place.name, shown(Cell(pace.resolve), Look::seconds)));
  }
  const RingContacts found = contacts_in(ring, place, how, options_.threads, patience(), resolves);
  paces_[{place.name, how}] = {bodies, found.search.min(),
                               resolves ? found.resolve.min() : pace.resolve};
  const double search = found.search.median(), evaluation = forces.evaluation.median();
  const auto if_resolved = [&](double value) { return resolves ? Cell(value) : Cell(); };
  const double bytes = static_cast<double>(found.bytes) / bodies;
  recorder_.add(
      table_,
      {{"device", place.name},
       {"kind", place.kind()},
       {"variant", name},
       {"bodies", bodies},
       {"steps", static_cast<double>(found.search.seconds.size())},
       {"seconds", search},
       {"seconds_deviation", found.search.deviation()},
       {"seconds_resolve", if_resolved(found.resolve.median())},
       {"candidates", static_cast<double>(found.candidates)},
       {"touching", static_cast<double>(found.touching.size())},
       {"contacts", if_resolved(static_cast<double>(found.contacts.size()))},
       {"bytes_a_body", found.bytes > 0 ? Cell(bytes) : Cell()},
       {"seconds_forces", evaluation},
       {"error_p99", forces.error_p99},
       {"ratio", if_resolved((search + found.resolve.median()) / evaluation)},
       {"waited", std::max(found.waited, forces.waited)},
       {"complaint", complaint_about(found, fmt::format("{} on {}", name, place.name), bodies)}});
}

void ContactRows::add(const LessonPlace& place, const Ring& ring) {
  const std::string bodies = bodies_in_words(static_cast<double>(ring.bodies.size()));
  recorder_.measuring(fmt::format("{}, {}, forces by fmm", place.name, bodies));
  const RingForces forces = forces_in(ring, place, accuracy, options_.threads, patience());
  for (const ContactSearch how : searches) {
    // a device has the tree alone
    if (!place.native && how != ContactSearch::tree) continue;
    recorder_.measuring(fmt::format("{}, {}, contacts by {}", place.name, bodies, name_of(how)));
    add(place, ring, how, forces);
  }
}

}  // namespace apsis::lab
