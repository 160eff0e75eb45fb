// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/initial/options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::initial {
namespace {

// "merger.toml:5:8: " or, for values without a place, the model's name.
std::string place(const ModelInfo& model, const OptionValue& value) {
  return value.origin.empty() ? "model " + model.name : value.origin;
}

std::string shown(const OptionValue& given) {
  if (const auto* number = std::get_if<double>(&given.value)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&given.value)) return fmt::format("{}", *flag);
  return "'" + std::get<std::string>(given.value) + "'";
}

const ModelOption& option_named(const ModelInfo& model, const std::string& name,
                                const OptionValue& given) {
  const auto found = std::find_if(model.options.begin(), model.options.end(),
                                  [&](const ModelOption& option) { return option.name == name; });
  if (found != model.options.end()) return *found;
  std::vector<std::string> names;
  for (const auto& option : model.options) names.push_back(option.name);
  throw bad_data(
      fmt::format("{}: model {} has no option '{}'{}", place(model, given), model.name, name,
                  did_you_mean(name, names)),
      names.empty() ? "remove it; this model has no options" : "its options are " + list_of(names));
}

double number_from(const ModelInfo& model, const ModelOption& option, const OptionValue& given) {
  const auto* number = std::get_if<double>(&given.value);
  if (number == nullptr) {
    throw bad_data(fmt::format("{}: option {} of model {} is a number, not {}", place(model, given),
                               option.name, model.name, shown(given)),
                   fmt::format("give a number from {} to {}", option.minimum, option.maximum));
  }
  // written so that NaN fails too
  if (!(*number >= option.minimum && *number <= option.maximum)) {
    throw bad_data(fmt::format("{}: option {} of model {} is {}", place(model, given), option.name,
                               model.name, *number),
                   fmt::format("choose {} to {}", option.minimum, option.maximum));
  }
  return *number;
}

std::string word_from(const ModelInfo& model, const ModelOption& option, const OptionValue& given) {
  const auto* word = std::get_if<std::string>(&given.value);
  if (word != nullptr && std::count(option.choices.begin(), option.choices.end(), *word) > 0) {
    return *word;
  }
  throw bad_data(
      fmt::format("{}: option {} of model {} is {}{}", place(model, given), option.name, model.name,
                  shown(given), word ? did_you_mean(*word, option.choices) : ""),
      "choose " + list_of(option.choices));
}

}  // namespace

void read_options(const ModelInfo& model, const ModelOptions& given, ModelInput& input) {
  for (const auto& option : model.options) {
    if (option.choices.empty()) {
      input.numbers[option.name] = option.default_value;
    } else {
      input.words[option.name] = option.choices.front();
    }
  }
  for (const auto& [name, value] : given) {
    const ModelOption& option = option_named(model, name, value);
    if (option.choices.empty()) {
      input.numbers[name] = number_from(model, option, value);
    } else {
      input.words[name] = word_from(model, option, value);
    }
  }
}

}  // namespace apsis::initial
