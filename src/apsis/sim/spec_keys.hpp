// SPDX-License-Identifier: MIT
// The one table of run-spec keys: parsing, writing, checking and help all come from it.
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace apsis {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
using Reference = T& (*)(RunSpec&);

struct SpecKey {
  std::string path;  // "time.step"; keys outside a section have no dot
  std::variant<Reference<std::string>, Reference<std::optional<std::string>>, Reference<double>,
               Reference<std::optional<double>>, Reference<std::int64_t>,
               Reference<std::optional<std::int64_t>>, Reference<std::uint64_t>,
               Reference<std::optional<std::uint64_t>>, Reference<bool>,
               Reference<std::optional<Law>>, Reference<std::optional<Precision>>,
               Reference<std::optional<Box>>>
      value;
  std::string default_text;
  std::string description;
  double minimum = -std::numeric_limits<double>::infinity();
  bool above_minimum = false;  // strictly
  double maximum = std::numeric_limits<double>::infinity();
  std::vector<std::string> words{};  // allowed values of a string; empty: any
};

const std::vector<SpecKey>& spec_keys();
// Sections in the order in which they are written.
const std::vector<std::string>& spec_sections();
const SpecKey* find_spec_key(const std::string& path);
std::vector<std::string> spec_key_paths();

}  // namespace apsis
