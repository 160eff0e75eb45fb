// SPDX-License-Identifier: MIT
// Inside lab/: rows of the searches for contacts that a place has, each compared with the others.
#pragma once

#include <apsis/lab/recorder.hpp>
#include <apsis/lab/ring_search.hpp>

#include <map>
#include <string>
#include <utility>

namespace apsis::lab {

ResultTable contact_table();

// Seconds of the two parts of a round with so many bodies.
struct ContactPace {
  double bodies = 0, search = 0, resolve = 0;
};

class ContactRows {
 public:
  ContactRows(const LabOptions& options, Recorder& recorder, std::size_t table)
      : options_(options), recorder_(recorder), table_(table) {}

  // A row for each search, but for those that would take too long.
  void add(const LessonPlace& place, const Ring& ring);

 private:
  // What the others are compared with.
  struct First {
    std::string whose;
    RingContacts contacts;
  };

  Patience patience() const;
  ContactPace pace_with(const LessonPlace& place, ContactSearch how, double bodies);
  void add(const LessonPlace& place, const Ring& ring, ContactSearch how, const RingForces& forces);
  std::string complaint_about(const RingContacts& found, const std::string& whose, double bodies);

  const LabOptions& options_;
  Recorder& recorder_;
  std::size_t table_;
  std::map<std::pair<std::string, ContactSearch>, ContactPace> paces_;
  std::map<double, First> first_;  // by the number of bodies
};

}  // namespace apsis::lab
