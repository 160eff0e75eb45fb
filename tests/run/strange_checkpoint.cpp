// SPDX-License-Identifier: MIT
#include "strange_checkpoint.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

namespace apsis::testing {
namespace {

const std::vector<double>& odd_numbers() {
  static const std::vector<double> numbers{0.0,
                                           -0.0,
                                           -1,
                                           1,
                                           1e308,
                                           -1e308,
                                           1e-320,
                                           std::numeric_limits<double>::infinity(),
                                           -std::numeric_limits<double>::infinity(),
                                           std::nan(""),
                                           0x1p53,
                                           1e300,
                                           0.5};
  return numbers;
}

const std::vector<std::uint64_t>& odd_counts() {
  static const std::vector<std::uint64_t> counts{0,
                                                 1,
                                                 2,
                                                 3,
                                                 63,
                                                 65,
                                                 128,
                                                 1U << 16,
                                                 1U << 28,
                                                 std::uint64_t{1} << 32,
                                                 std::uint64_t{1} << 53,
                                                 std::uint64_t{1} << 60,
                                                 std::uint64_t{1} << 61,
                                                 std::uint64_t{1} << 63,
                                                 ~std::uint64_t{0}};
  return counts;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void change_progress(Checkpoint& c, Choices& choices) {
  switch (choices.below(8)) {
    case 0:
      c.step = choices.one_of(odd_counts());
      break;
    case 1:
      c.time = choices.one_of(odd_numbers());
      break;
    case 2:
      c.next_snapshot = choices.one_of(odd_counts());
      break;
    case 3:
      c.seconds_so_far = choices.one_of(odd_numbers());
      break;
    case 4:
      c.energy_error_max = choices.one_of(odd_numbers());
      break;
    case 5:
      c.start.kinetic = choices.one_of(odd_numbers());
      break;
    case 6:
      c.start.potential = choices.one_of(odd_numbers());
      break;
    default:
      c.start.momentum.x = choices.one_of(odd_numbers());
      break;
  }
}

void change_notes(Checkpoint& c, Choices& choices) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : c.notes) keys.push_back(key);
  if (keys.empty()) return;
  const std::string key = choices.one_of(keys);
  if (choices.perhaps()) {
    c.notes.erase(key);
  } else {
    c.notes[key] = choices.one_of(odd_values());
  }
}

void change_logs(Checkpoint& c, Choices& choices) {
  switch (choices.below(4)) {
    case 0:
      c.logs.clear();
      break;
    case 1:
      c.logs.push_back({"energy.csv", 0});
      break;
    case 2:
      if (!c.logs.empty()) c.logs.front().file = choices.one_of(odd_values());
      break;
    default:
      if (!c.logs.empty()) c.logs.front().offset = choices.one_of(odd_counts());
      break;
  }
}

void change_numbers(StateArray& array, Choices& choices) {
  if (array.bytes.size() < sizeof(double)) return;
  const double number = choices.one_of(odd_numbers());
  const std::size_t places = array.bytes.size() / sizeof(double);
  const std::size_t at = choices.below(places) * sizeof(double);
  if (choices.perhaps()) {
    std::memcpy(array.bytes.data() + at, &number, sizeof number);
  } else {
    const auto narrow = static_cast<float>(number);
    std::memcpy(array.bytes.data() + at, &narrow, sizeof narrow);
  }
}

void change_state(Checkpoint& c, Choices& choices) {
  auto& arrays = c.state.arrays;
  const auto which = choices.below(8);
  if (which == 0) {
    c.state.bodies = choices.one_of(odd_counts());
  } else if (which == 1) {
    c.state.layout = choices.one_of(std::vector<std::string>{"", "host", "host f64", "opencl f32",
                                                             "opencl mixed", "host f32 ", "other"});
  } else if (!arrays.empty()) {
    const std::size_t at = choices.below(arrays.size());
    StateArray& array = arrays[at];
    switch (which) {
      case 2:
        array.bytes.clear();
        break;
      case 3:
        array.bytes.resize(array.bytes.size() / 2);
        break;
      case 4:
        array.bytes.push_back(std::byte{1});
        break;
      case 5:
        arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 6:
        array.name = choices.one_of(std::vector<std::string>{"x2", "jx", "ax", "", "scale2"});
        break;
      default:
        change_numbers(array, choices);
        break;
    }
  }
}

void change_parts(Checkpoint& c, Choices& choices) {
  for (std::size_t p = choices.below(3) + 1; p > 0; --p) {
    c.parts.push_back({choices.one_of(odd_counts()), {}});
  }
}

}  // namespace

std::string strange_spec(const std::string& good, Choices& choices) {
  std::vector<std::string> lines = lines_of(good);
  if (lines.empty()) return good;
  const std::size_t at = choices.below(lines.size());
  const auto equal = lines[at].find('=');
  switch (choices.below(6)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      lines.push_back(lines[at]);
      break;
    case 2:
      std::swap(lines[at], lines[choices.below(lines.size())]);
      break;
    default:
      if (equal != std::string::npos) {
        lines[at] = lines[at].substr(0, equal + 1) + " " + choices.one_of(odd_values());
      }
      break;
  }
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

Checkpoint strange_checkpoint(const Checkpoint& good, Choices& choices) {
  Checkpoint c = good;
  for (std::size_t changes = choices.below(4) + 1; changes > 0; --changes) {
    switch (choices.below(10)) {
      case 0:
        change_progress(c, choices);
        break;
      case 1:
      case 2:
        change_notes(c, choices);
        break;
      case 3:
        change_logs(c, choices);
        break;
      case 4:
      case 5:
        change_state(c, choices);
        break;
      case 6:
        change_parts(c, choices);
        break;
      default:
        c.spec_toml = strange_spec(c.spec_toml, choices);
        break;
    }
  }
  return c;
}

}  // namespace apsis::testing
