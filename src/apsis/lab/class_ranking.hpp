// SPDX-License-Identifier: MIT
// Who in a class has the fastest rows that are right. Rows are ranked only beside those of the same
// lesson, version, size, precision and kind of device; wrong ones, and ones with numbers that
// cannot be, are disqualified with the reason.
#pragma once

#include <apsis/lab/class_files.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis::lab {

struct ClassRow {
  int place = 0;  // 1 is the best, equal values share one; 0: disqualified
  std::string who, file;
  std::string device, machine;  // as in the table, and what the file says about it
  std::string variant;
  std::optional<double> value;  // what is ranked
  std::optional<double> seconds, seconds_deviation, rate, error;
  std::string against_first;  // "1.34 ± 0.02 times", "can't be told apart"
  double share = 0;           // of the best, from 0 to 1, for bars
  bool busy = false;          // somebody else had the cores
  std::string fault;          // why it is disqualified
};

struct ClassGroup {
  std::string lesson, title;            // "65,536 bodies, f32, GPU, own kernels, version 0.2.0"
  std::string value_label;              // "time", "steps/s", "energy error"
  std::string rate_label, error_label;  // empty: there is none
  std::vector<ClassRow> ranked;         // each person's best on each device, the best first
  std::vector<ClassRow> disqualified;   // all of them
};

struct ClassPerson {
  std::string who;
  int files = 0, groups = 0, firsts = 0, disqualified = 0;
};

struct ClassRanking {
  std::vector<ClassGroup> groups;   // in the order of the course
  std::vector<ClassPerson> people;  // by name
  std::vector<std::string> notes;   // what has nothing to rank
  std::vector<LeftOutFile> left_out;
};

ClassRanking rank_class(const ClassFiles& files);

// A page that needs nothing else: no network, no other file, no script.
std::string class_page(const ClassRanking& ranking);
std::string to_json(const ClassRanking& ranking);

}  // namespace apsis::lab
