// SPDX-License-Identifier: MIT
#include "completion_words.hpp"

#include "manual.hpp"
#include <apsis/core/choices.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/spec_keys.hpp>
#include <apsis/solvers/registry.hpp>

#include <algorithm>
#include <set>

namespace apsis::cli {
namespace {

using Words = std::vector<std::string>;

Words model_names() {
  Words names;
  for (const ModelInfo& model : models()) names.push_back(model.name);
  return names;
}

Words solver_names_alone() {
  return solvers_that([](const SolverInfo&) { return true; });
}

Words lesson_names() {
  Words names;
  for (const lab::Lesson& lesson : lab::lessons()) names.push_back(lesson.name);
  names.emplace_back("all");
  return names;
}

Words with_equals(Words words) {
  for (std::string& word : words) word += '=';
  return words;
}

// The options of all models, as init --set takes them.
Words model_options() {
  std::set<std::string> names;
  for (const ModelInfo& model : models()) {
    for (const ModelOption& option : model.options) names.insert(option.name);
  }
  return {names.begin(), names.end()};
}

// Those that the program lists come with them.
const Words device_words = {"auto", "gpu", "all", "opencl"};

Words precision_names() {
  Words names;
  for (const auto& [value, name] : Choice<Precision>::values) names.emplace_back(name);
  return names;
}

}  // namespace

Candidates candidates_for(const std::string& command, const CLI::Option& option) {
  if (Words choices = choices_of(option); !choices.empty()) return {choices, false, false, false};
  const auto is = [&](const char* name) { return option.check_lname(name); };
  const bool measures = command.starts_with("bench") || command == "check" || command == "lab";
  if (is("set")) {
    return {with_equals(command == "init" ? model_options() : spec_key_paths()), true, false,
            false};
  }
  if (is("solver"))
    return {measures ? solver_names_alone() : words_for("force.solver"), false, false, false};
  if (is("integrator")) return {integrator_names(), false, false, false};
  if (is("precision")) return {precision_names(), false, false, false};
  if (is("model")) return {model_names(), false, false, false};
  if (is("device")) return {device_words, false, true, false};
  return {};
}

Candidates candidates_for_argument(const std::string& command) {
  if (command == "run" || command == "view") return {model_names()};
  if (command == "init") return {model_names(), false, false, false};
  if (command == "lab") return {lesson_names(), false, false, false};
  if (command == "bench" || command == "check") return {solver_names_alone(), false, false, false};
  return {};
}

std::vector<KeyWords> words_of_keys() {
  std::vector<KeyWords> all;
  for (const std::string& key : spec_key_paths()) {
    if (key == "device.name") {
      all.push_back({key, device_words, true});
    } else if (key == "device.precision") {
      all.push_back({key, precision_names()});
    } else if (key == "initial.model") {
      all.push_back({key, model_names()});
    } else if (Words words = words_for(key); !words.empty()) {
      all.push_back({key, std::move(words)});
    }
  }
  return all;
}

}  // namespace apsis::cli
