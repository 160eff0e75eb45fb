// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/units.hpp>
#include <apsis/initial/builder.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/initial/options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

namespace apsis {
namespace {

using initial::Model;
using initial::ModelInput;

// More than any memory holds; keeps sizes far from overflow.
constexpr std::uint64_t most_bodies = std::uint64_t{1} << 40U;

const std::vector<Model>& table() {
  static const std::vector<Model> all = [] {
    std::vector<Model> joined;
    for (const auto family : initial::model_families) {
      for (auto& model : family()) joined.push_back(std::move(model));
    }
    return joined;
  }();
  return all;
}

const Model& model_named(const std::string& name) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [&](const Model& model) { return model.info.name == name; });
  if (found != table().end()) return *found;
  std::vector<std::string> names;
  for (const auto& model : table()) names.push_back(model.info.name);
  throw bad_data(fmt::format("unknown model '{}'{}", name, did_you_mean(name, names)),
                 "choose " + list_of(names));
}

std::size_t body_count(const ModelInfo& info, const std::optional<std::uint64_t>& wanted) {
  if (!wanted || *wanted == info.default_bodies) return info.default_bodies;
  if (info.fixed_count) {
    throw bad_data(
        fmt::format("model {} has {} bodies, not {}", info.name, info.default_bodies, *wanted),
        "leave the number of bodies out");
  }
  if (*wanted > most_bodies) {
    throw bad_data(fmt::format("{} bodies of model {} do not fit into memory", *wanted, info.name),
                   fmt::format("ask for at most {}", most_bodies));
  }
  return *wanted;
}

double constant_of(const Units& units, Law law) {
  return law == Law::gravity ? units.gravity : units.coulomb;
}

struct Scale {
  double length = 1, mass = 1, velocity = 1;
};

double factor_of(const Dimension& d, const Scale& scale) {
  return std::pow(scale.length, d.length) * std::pow(scale.mass, d.mass) *
         std::pow(scale.velocity, d.velocity);
}

void rescale(InitialState& state, const Scale& scale) {
  const auto multiply = [](std::span<double> values, double factor) {
    if (factor == 1) return;
    for (double& value : values) value *= factor;
  };
  for_each_component(state.bodies, [&](const auto& column, const char* /*name*/, auto values) {
    if constexpr (std::is_same_v<decltype(values), std::span<double>>) {
      multiply(values, factor_of(column.dimension, scale));
    }
  });
  const double time = scale.length / scale.velocity;
  state.defaults.softening *= scale.length;
  state.defaults.step *= time;
  state.defaults.until *= time;
  if (state.defaults.walls) multiply(*state.defaults.walls, scale.length);
  state.time *= time;
}

// Named lengths and masses on both sides: the state means the same in the new system.
Scale conversion(const Units& from, const Units& to) {
  return {.length = from.length_in_cm / to.length_in_cm,
          .mass = from.mass_in_g / to.mass_in_g,
          .velocity = from.velocity_in_cm_per_s / to.velocity_in_cm_per_s};
}

void adopt_units(InitialState& state, const ModelRequest& request) {
  const Units& own = units_named(state.defaults.units);
  const Units& wanted = units_named(request.units.value_or(own.name));
  const Law law = state.defaults.law;
  double constant = constant_of(own, law);
  if (!own.length_name.empty() && !wanted.length_name.empty() && own.name != wanted.name) {
    rescale(state, conversion(own, wanted));
    constant = constant_of(wanted, law);
  }
  const double target = request.constant.value_or(constant_of(wanted, law));
  if (!std::isfinite(target)) {
    throw bad_data(fmt::format("force constant {} is not a finite number", target),
                   "give G or k as a number, or leave it out");
  }
  // without a force there is no equilibrium to keep
  if (target > 0 && target != constant) {
    rescale(state, {.velocity = std::sqrt(target / constant)});
  }
  state.defaults.units = wanted.name;
}

}  // namespace

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> infos = [] {
    std::vector<ModelInfo> list;
    for (const auto& model : table()) list.push_back(model.info);
    return list;
  }();
  return infos;
}

const ModelInfo& model_info(const std::string& name) { return model_named(name).info; }

InitialState make_model(const ModelRequest& request) {
  const Model& model = model_named(request.model);
  ModelInput input;
  input.bodies = body_count(model.info, request.bodies);
  input.seed = request.seed;
  input.defaults = model.info.defaults;
  initial::read_options(model.info, request.options, input);
  InitialState state = model.make(input);
  adopt_units(state, request);
  return state;
}

}  // namespace apsis
