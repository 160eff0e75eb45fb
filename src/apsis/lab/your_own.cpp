// SPDX-License-Identifier: MIT
#include <apsis/core/printable.hpp>
#include <apsis/lab/your_own.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace apsis::lab {

std::vector<std::string> starter_kernels() {
  return {"step_float4.cl", "step_packed.cl", "step_tiled.cl"};
}

std::vector<std::string> unique_names(const std::vector<std::string>& files) {
  const auto repeated = [](const std::vector<std::string>& names, const std::string& name) {
    return std::count(names.begin(), names.end(), name) > 1;
  };
  std::vector<std::string> names;
  for (const std::string& file : files) {
    const bool ours = file.starts_with(device::built_in);
    names.push_back(ours ? file.substr(device::built_in.size())
                         : std::filesystem::path(file).filename().string());
  }
  std::vector<std::string> longer = names;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (repeated(names, names[i])) longer[i] = files[i];
  }
  // the same file twice is there to see how far two measurements of one thing differ
  std::map<std::string, int> seen;
  std::vector<std::string> unique;
  for (const std::string& name : longer) {
    const int number = ++seen[name];
    unique.push_back(printable(number == 1 ? name : fmt::format("{} ({})", name, number)));
  }
  return unique;
}

StepReport trial(const StepTask& task, const LabOptions& options) {
  if (options.trial_program.empty()) return perform(task);
  return perform_apart(task, {.program = options.trial_program,
                              .time_limit = options.time_limit,
                              .stopped = options.stop_requested});
}

}  // namespace apsis::lab
