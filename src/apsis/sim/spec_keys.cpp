// SPDX-License-Identifier: MIT
#include <apsis/core/units.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/spec_keys.hpp>

namespace apsis {

std::string section_of(const std::string& path) {
  const auto dot = path.rfind('.');
  return dot == std::string::npos ? std::string{} : path.substr(0, dot);
}

std::vector<std::string> spec_sections() {
  std::vector<std::string> sections;
  for (const std::string& path : spec_key_paths()) {
    std::string section = section_of(path);
    if (section.empty() || (!sections.empty() && sections.back() == section)) continue;
    sections.push_back(std::move(section));
  }
  return sections;
}

std::vector<std::string> spec_key_paths() {
  std::vector<std::string> paths;
  const RunSpec any;
  for_each_key(any, [&](const SpecKey& key, const auto&) { paths.push_back(key.path); });
  return paths;
}

std::vector<std::string> words_for(const std::string& path) {
  if (path == "force.solver") return solver_names();
  if (path == "time.integrator") return integrator_names();
  if (path == "output.analyse") return choice_names<AnalysisName>();
  if (path != "units.system") return {};
  auto names = unit_system_names();
  names.emplace_back("custom");
  return names;
}

}  // namespace apsis
