// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/printable.hpp>
#include <apsis/io/amuse_units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace apsis {
namespace {

using System = AmuseUnit::System;

struct Named {
  std::string_view name;
  double factor;
  double length, mass, time;
};

// By the sizes that AMUSE itself gives them.
constexpr double au = 149597870691.0, parsec = au * 206264.80624709636, year = 365.242199 * 86400;
constexpr std::array named{
    Named{"m", 1, 1, 0, 0},
    Named{"cm", 0.01, 1, 0, 0},
    Named{"km", 1000, 1, 0, 0},
    Named{"AU", au, 1, 0, 0},
    Named{"au", au, 1, 0, 0},
    Named{"pc", parsec, 1, 0, 0},
    Named{"parsec", parsec, 1, 0, 0},
    Named{"kpc", 1e3 * parsec, 1, 0, 0},
    Named{"Mpc", 1e6 * parsec, 1, 0, 0},
    Named{"Gpc", 1e9 * parsec, 1, 0, 0},
    Named{"ly", 9460730472580800.0, 1, 0, 0},
    Named{"RSun", 6.955e8, 1, 0, 0},
    Named{"RJupiter", 71492e3, 1, 0, 0},
    Named{"REarth", 6371008.8, 1, 0, 0},
    Named{"kg", 1, 0, 1, 0},
    Named{"g", 1e-3, 0, 1, 0},
    Named{"MSun", 1.98892e30, 0, 1, 0},
    Named{"MJupiter", 1.8987e27, 0, 1, 0},
    Named{"MEarth", 5.9722e24, 0, 1, 0},
    Named{"s", 1, 0, 0, 1},
    Named{"min", 60, 0, 0, 1},
    Named{"hr", 3600, 0, 0, 1},
    Named{"day", 86400, 0, 0, 1},
    Named{"yr", year, 0, 0, 1},
    Named{"julianyr", 365.25 * 86400, 0, 0, 1},
    Named{"kyr", 1e3 * year, 0, 0, 1},
    Named{"Myr", 1e6 * year, 0, 0, 1},
    Named{"myr", 1e6 * year, 0, 0, 1},
    Named{"Gyr", 1e9 * year, 0, 0, 1},
    Named{"gyr", 1e9 * year, 0, 0, 1},
    Named{"ms", 1, 1, 0, -1},
    Named{"kms", 1000, 1, 0, -1},
    Named{"AUd", au / 86400, 1, 0, -1},
};

// Of the base units of a system.
AmuseUnit base_unit(System system, std::string_view quantity) {
  AmuseUnit unit{.system = system};
  if (quantity == "length") {
    unit.length = 1;
  } else if (quantity == "mass") {
    unit.mass = 1;
  } else if (quantity == "time") {
    unit.time = 1;
  } else {
    unit.other = 1;
  }
  return unit;
}

// Products, quotients and powers of units, numbers and brackets, as Python binds them.
class Parser {
 public:
  Parser(std::string_view text, std::string_view where) : all_(text), where_(where) {}

  AmuseUnit parse() {
    constexpr std::size_t longest = 4096;
    if (all_.size() > longest) refuse("a text of that length");
    const AmuseUnit unit = product(0);
    skip_spaces();
    if (at_ < all_.size()) refuse(all_.substr(at_));
    if (!std::isfinite(unit.factor) || !(unit.factor > 0)) refuse(all_);
    return unit;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    constexpr std::size_t shown = 60;
    const auto cut = [](std::string_view text) {
      return printable(std::string(text.substr(0, shown))) + (text.size() > shown ? "..." : "");
    };
    throw bad_data(
        fmt::format("{}: the unit '{}' is not known: '{}'", where_, cut(all_), cut(what)),
        "write the set again with units of length, mass and time");
  }

  void skip_spaces() {
    while (at_ < all_.size() && all_[at_] == ' ') ++at_;
  }
  bool take(std::string_view word) {
    skip_spaces();
    if (!all_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void require(std::string_view word) {
    if (!take(word)) refuse(all_.substr(at_));
  }

  AmuseUnit product(int depth) {
    AmuseUnit unit = power(depth);
    for (;;) {
      if (take("**")) refuse("**");
      if (take("*")) {
        unit = times(unit, power(depth), 1);
      } else if (take("/")) {
        unit = times(unit, power(depth), -1);
      } else {
        return unit;
      }
    }
  }

  AmuseUnit power(int depth) {
    const AmuseUnit unit = factor(depth);
    if (!take("**")) return unit;
    skip_spaces();
    const bool bracket = take("(");
    const double exponent = number();
    if (bracket) require(")");
    AmuseUnit raised{.factor = std::pow(unit.factor, exponent), .system = unit.system};
    raised.length = unit.length * exponent;
    raised.mass = unit.mass * exponent;
    raised.time = unit.time * exponent;
    raised.other = unit.other * exponent;
    return raised;
  }

  AmuseUnit factor(int depth) {
    constexpr int deepest = 64;
    if (depth > deepest) refuse("so many brackets");
    if (take("(")) {
      const AmuseUnit unit = product(depth + 1);
      require(")");
      return unit;
    }
    if (take("no_system.get(")) {
      const std::string_view name = quoted();
      require(")");
      if (name != "none") refuse(name);
      return {};
    }
    if (take("system.get(")) {
      const std::string_view name = quoted();
      require(")");
      require(".base(");
      const std::string_view quantity = quoted();
      require(")");
      return base_unit(system_named(name), quantity);
    }
    skip_spaces();
    const char next = at_ < all_.size() ? all_[at_] : '\0';
    if (std::isdigit(static_cast<unsigned char>(next)) != 0 || next == '.' || next == '-') {
      return {.factor = number()};
    }
    return short_name();
  }

  System system_named(std::string_view name) const {
    if (name == "S.I.") return System::si;
    if (name == "generic" || name == "nbody") return System::generic;
    refuse(name);
  }

  // "MSun", "nbody length"
  AmuseUnit short_name() {
    const std::string_view name = word();
    if (name == "none") return {};
    if (name == "nbody") {
      skip_spaces();
      return base_unit(System::generic, word());
    }
    for (const std::string_view quantity : {"length", "mass", "time"}) {
      if (name == quantity) return base_unit(System::generic, quantity);
    }
    const auto* found = std::ranges::find(named, name, &Named::name);
    if (found == named.end()) refuse(name.empty() ? all_.substr(at_) : name);
    return {.factor = found->factor,
            .length = found->length,
            .mass = found->mass,
            .time = found->time,
            .system = System::si};
  }

  std::string_view word() {
    const std::size_t from = at_;
    while (at_ < all_.size() && std::isalpha(static_cast<unsigned char>(all_[at_])) != 0) ++at_;
    return all_.substr(from, at_ - from);
  }

  std::string_view quoted() {
    skip_spaces();
    const char quote = at_ < all_.size() ? all_[at_] : '\0';
    const std::size_t end = all_.find(quote, at_ + 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) {
      refuse(all_.substr(std::min(at_, all_.size())));
    }
    const std::string_view content = all_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return content;
  }

  double number() {
    skip_spaces();
    double value = 0;
    const char* const end = all_.data() + all_.size();
    const auto [stop, error] = std::from_chars(all_.data() + at_, end, value);
    if (error != std::errc()) refuse(all_.substr(at_));
    at_ = static_cast<std::size_t>(stop - all_.data());
    return value;
  }

  AmuseUnit times(const AmuseUnit& a, const AmuseUnit& b, int sign) const {
    if (a.system != System::none && b.system != System::none && a.system != b.system) {
      refuse("generic and S.I. units in one");
    }
    AmuseUnit unit{.system = a.system == System::none ? b.system : a.system};
    unit.factor = sign > 0 ? a.factor * b.factor : a.factor / b.factor;
    unit.length = a.length + sign * b.length;
    unit.mass = a.mass + sign * b.mass;
    unit.time = a.time + sign * b.time;
    unit.other = a.other + sign * b.other;
    return unit;
  }

  std::string_view all_, where_;
  std::size_t at_ = 0;
};

}  // namespace

AmuseUnit parse_amuse_unit(std::string_view text, std::string_view where) {
  return Parser(text, where).parse();
}

}  // namespace apsis
