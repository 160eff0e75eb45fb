// SPDX-License-Identifier: MIT
// Markdown tables that tools/check compares with the documentation, so that neither drifts.
#include "tables.hpp"

#include "manual.hpp"
#include <apsis/core/external_fields.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/warning.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/run/summary.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <vector>

namespace apsis::cli {
namespace {

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", cell(text));
}

std::string exit_code_table() {
  std::string text = "| code | meaning |\n|---|---|\n";
  for (const auto& [exit_code, meaning] : exit_codes()) {
    text += fmt::format("| {} | {} |\n", static_cast<int>(exit_code), cell(meaning));
  }
  return text;
}

std::string integrator_table_text() {
  std::string text = "| name | order | forces a step | what it is |\n|---|---|---|---|\n";
  for (const Integrator& integrator : integrator_table()) {
    text += fmt::format("| {} | {} | {} | {} |\n", code(integrator.name), integrator.order,
                        integrator.force_evaluations, cell(integrator.summary));
  }
  return text;
}

std::string key_table() {
  std::string text = "| key | type | default | meaning |\n|---|---|---|---|\n";
  for (const SpecKeyInfo& key : spec_key_table()) {
    text += fmt::format("| {} | {} | {} | {} |\n", code(key.path), cell(key.type),
                        cell(key.default_text), cell(key.description));
  }
  return text;
}

std::string options_text(const ModelInfo& model) {
  std::string text;
  for (const ModelOption& option : model.options) {
    const std::string value =
        option.choices.empty() ? fmt::format("{:g}", option.default_value) : option.choices.front();
    text += fmt::format("{}{} ({}): {}", text.empty() ? "" : "<br>", code(option.name), value,
                        cell(option.description));
  }
  return text;
}

std::string model_table() {
  std::string text =
      "| name | what it is | bodies | units | softening | step | until | precision | options |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const ModelInfo& model : models()) {
    const RunDefaults& run = model.defaults;
    text += fmt::format("| {} | {} | {}{} | {} | {:g} | {:g} | {:g} | {} | {} |\n",
                        code(model.name), cell(model.summary), model.default_bodies,
                        model.fixed_count ? ", fixed" : "", run.units, run.softening, run.step,
                        run.until, name_of(run.precision), options_text(model));
  }
  return text;
}

std::string precisions_text(const std::vector<Precision>& precisions) {
  std::string text;
  for (const Precision precision : precisions) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(precision));
  }
  return text.empty() ? "no" : text;
}

std::string radials_text(const std::vector<Radial>& radials) {
  if (radials.size() == radial_table.size()) return "all";
  std::vector<std::string> names;
  names.reserve(radials.size());
  for (const Radial radial : radials) names.emplace_back(name_of(radial));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string radial_table_text() {
  std::string text = "| name | what it is | `force.range` |\n|---|---|---|\n";
  for (const RadialInfo& law : radial_table) {
    text += fmt::format("| {} | {} | {} |\n", code(law.name), cell(law.summary),
                        law.takes_range ? "needed" : "none");
  }
  return text;
}

std::string external_table_text() {
  std::string text = "| section | what it is |\n|---|---|\n";
  for (const ExternalInfo& field : external_table()) {
    text += fmt::format("| {} | {} |\n", code(fmt::format("external.{}", field.name)),
                        cell(field.summary));
  }
  return text;
}

std::string solver_table_text() {
  std::string text =
      "| name | what it is | native cpu | OpenCL devices | radial laws | jerk | accuracy |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const SolverInfo& solver : solver_table()) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", code(solver.name),
                        cell(solver.summary), precisions_text(solver.on_cpu),
                        precisions_text(solver.on_device), radials_text(solver.radials),
                        solver.gives_jerk ? "yes" : "no",
                        solver.exact            ? "of the precision"
                        : solver.takes_accuracy ? "as asked for"
                                                : "not promised");
  }
  return text;
}

std::string warnings_text() {
  std::string text = "| code | class | meaning |\n|---|---|---|\n";
  for (const WarningInfo& row : warning_table()) {
    text += fmt::format("| {} | {} | {} |\n", code(row.name), name_of(row.kind), cell(row.meaning));
  }
  return text;
}

std::string format_table() {
  std::string text = "| format | endings | what it is |\n|---|---|---|\n";
  for (const SnapshotFormat& format : snapshot_formats()) {
    std::vector<std::string> endings;
    for (const std::string_view ending : format.endings) endings.push_back(code(ending));
    const char* limited = format.write == nullptr  ? "; read, not written"
                          : format.read == nullptr ? "; written, not read"
                                                   : "";
    text += fmt::format("| {} | {} | {}{} |\n", format.name, fmt::join(endings, ", "),
                        cell(format.summary), limited);
  }
  return text;
}

std::string ends_text() {
  std::string text = "| `ended_by` | meaning |\n|---|---|\n";
  for (const auto& [end, name] : Choice<EndedBy>::values) {
    text += fmt::format("| {} | {} |\n", code(name), cell(meaning_of(end)));
  }
  return text;
}

using Table = std::string (*)();
const std::map<std::string, Table>& tables() {
  static const std::map<std::string, Table> all = {{"ended-by", ends_text},
                                                   {"exit-codes", exit_code_table},
                                                   {"external-fields", external_table_text},
                                                   {"formats", format_table},
                                                   {"integrators", integrator_table_text},
                                                   {"keys", key_table},
                                                   {"models", model_table},
                                                   {"radial-laws", radial_table_text},
                                                   {"solvers", solver_table_text},
                                                   {"warnings", warnings_text}};
  return all;
}

}  // namespace

std::vector<std::pair<ExitCode, std::string>> exit_codes() {
  return {{ExitCode::done, "done"},
          {ExitCode::wrong_usage, "wrong usage: an unknown command, option or argument"},
          {ExitCode::bad_data, "bad input data: a spec, file or value that cannot be used"},
          {ExitCode::unavailable, "a device or service is not available"},
          {ExitCode::internal_error, "a bug in Apsis"},
          {ExitCode::file_error, "a file or disk error"},
          {ExitCode::stopped,
           "stopped on request after writing a checkpoint; --resume or --continue goes on"},
          {ExitCode::numbers_went_bad,
           "the numbers are not as good as asked for: NaN, the energy limit exceeded, or with "
           "--strict a warning of class numbers; of compare, two files beyond --tolerance"}};
}

std::vector<std::string> documentation_tables() {
  std::vector<std::string> names;
  for (const auto& [name, table] : tables()) names.push_back(name);
  return names;
}

std::string documentation_table(const std::string& name) {
  const auto found = tables().find(name);
  if (found != tables().end()) return found->second();
  const auto names = documentation_tables();
  throw Error(ExitCode::wrong_usage, fmt::format("unknown table '{}'", name),
              "choose " + list_of(names));
}

}  // namespace apsis::cli
