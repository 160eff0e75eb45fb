// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/field_range.hpp>
#include <apsis/core/names.hpp>
#include <apsis/measure/bench_settings.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace apsis {
namespace {

int size_option(const char* name, std::int64_t value) {
  if (value >= 1 && value <= 4096) return static_cast<int>(value);
  throw Error(ExitCode::wrong_usage, fmt::format("--{} {} is no size", name, value),
              "give a whole number from 1 to 4096");
}

// Each solver gets what it takes: that at least one does is checked before.
ForceSettings taken_by(const std::string& solver, const ForceSettings& given, const PairLaw& law) {
  ForceSettings settings = forces(law, solver);
  const SolverInfo* known = find_solver(solver);  // null: auto, or a name that the engine refuses
  if (known != nullptr && known->takes_accuracy) settings.far_field = given.far_field;
  if (known != nullptr && known->takes_bins) settings.bins = given.bins;
  return settings;
}

// How the command line speaks of a setting that is out of its range; in the remedy {} is the
// largest value.
struct OptionWords {
  std::string_view field;
  const char *what, *remedy;
};
constexpr OptionWords option_words[] = {
    {"threads", "--threads {} is below zero", "give 0 for all, or a number"},
    {"accuracy", "--accuracy {} is no error", "give a number above 0"},
    {"opening_angle", "--opening-angle {} is no such angle", "give a number above 0 and up to {}"},
    {"order", "--order {} is no order", "give 1 to {}"},
    {"bins", "--bins {} are too few or too many", "give 1 to {}"}};

// Ranges are the settings' own. Fields without words here are checked where they are used.
struct RequireRange {
  template <class T>
  void operator()(const FieldInfo& field, const T& value) const {
    if constexpr (IsOptional<T>::value) {
      if (value) (*this)(field, *value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      const auto words = std::ranges::find(option_words, field.name, &OptionWords::field);
      if (words == std::end(option_words) || is_in_range(field, static_cast<double>(value))) return;
      throw Error(ExitCode::wrong_usage, fmt::format(fmt::runtime(words->what), value),
                  fmt::format(fmt::runtime(words->remedy), field.maximum));
    }
  }
};

// An option that would do nothing is a mistake that the user should hear of.
void require_a_taker(const BenchOptions& options) {
  const auto refuse = [&](const char* name, bool given, bool SolverInfo::*taken) {
    const auto takes = [&](const std::string& solver) {
      const SolverInfo* found = find_solver(solver);
      return found != nullptr && found->*taken;
    };
    if (!given || std::any_of(options.solvers.begin(), options.solvers.end(), takes)) return;
    const auto others = solvers_that([&](const SolverInfo& s) { return s.*taken; });
    throw Error(ExitCode::wrong_usage,
                fmt::format("--{} means nothing to solver {}", name, list_of(options.solvers)),
                fmt::format("leave out --{}{}", name,
                            others.empty() ? "" : ", or use solver " + list_of(others)));
  };
  const FarFieldSettings& far_field = options.force.far_field;
  const BinsSettings& bins = options.force.bins;
  refuse("opening-angle", far_field.opening_angle.has_value(), &SolverInfo::takes_accuracy);
  refuse("order", far_field.order.has_value(), &SolverInfo::takes_accuracy);
  refuse("box", bins.box.has_value(), &SolverInfo::takes_bins);
  refuse("bins", bins.bins.has_value(), &SolverInfo::takes_bins);
}

}  // namespace

EngineSettings engine_settings(const BenchOptions& options, const std::string& solver,
                               Precision precision, const PairLaw& law) {
  EngineSettings settings{.force = taken_by(solver, options.force, law), .device = options.device};
  settings.device.precision = precision;
  DirectSizes sizes = sizes_from(options.sizes);
  if (options.unroll) sizes.unroll = size_option("unroll", *options.unroll);
  if (options.group) sizes.group = size_option("group", *options.group);
  if (sizes != DirectSizes{}) settings.choice = sizes;
  return settings;
}

void require_meaningful(const BenchOptions& options, const Resolution& engine) {
  const auto refuse = [&](const char* name, bool given) {
    if (!given) return;
    throw Error(
        ExitCode::wrong_usage,
        fmt::format("--{} means nothing to solver {} on {}", name, engine.solver, engine.device()),
        fmt::format("leave out --{}", name));
  };
  if (!engine.on_cpu()) return;
  refuse("unroll", options.unroll.has_value());
  refuse("group", options.group.has_value());
  refuse("sizes", !options.sizes.empty());
}

void require_valid(const BenchOptions& options) {
  const auto demand = [](bool holds, const std::string& what, const std::string& remedy) {
    if (!holds) throw Error(ExitCode::wrong_usage, what, remedy);
  };
  demand(options.repeats >= 1, fmt::format("--repeats {} times nothing", options.repeats),
         "give at least 1");
  demand(options.warmup >= 0, fmt::format("--warmup {} is below zero", options.warmup),
         "give 0 or more");
  for_each_field(options.device, RequireRange{});
  for_each_field(options.force, RequireRange{});
  if (const auto& box = options.force.bins.box) {
    const Box& b = *box;
    demand(b[0] < b[1] && b[2] < b[3] && b[4] < b[5],
           fmt::format("--box {} is no box", fmt::join(b, ",")), box_remedy);
  }
  require_a_taker(options);
}

std::optional<double> wanted_accuracy(const BenchOptions& options) {
  const FarFieldSettings& far_field = options.force.far_field;
  if (far_field.opening_angle && !options.accuracy_given) return std::nullopt;
  return far_field.accuracy;
}

}  // namespace apsis
