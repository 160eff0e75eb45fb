// SPDX-License-Identifier: MIT
// apsis doctor: what works here, what does not, and what to do about it.
#include "built_in.hpp"
#include "commands.hpp"
#include "terminal.hpp"
#include <apsis/core/error.hpp>
#include <apsis/core/printable.hpp>
#include <apsis/measure/doctor.hpp>
#include <apsis/mpi/communicator.hpp>
#include <apsis/viewer/page.hpp>
#include <apsis/viewer/server.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  DoctorOptions options;
  bool json = false;
};

// In its colour, and so wide.
std::string word_for(Health health, bool by_design, int width) {
  const std::string word = fmt::format("{:<{}}", by_design ? "by design" : name_of(health), width);
  if (health == Health::good) return good(word);
  return health == Health::bad ? bad(word) : by_design ? word : doubtful(word);
}

// What a device or variant does not offer is no fault of anybody.
bool by_design(const SelfTest& test) { return test.health == Health::missing; }

void print(const Finding& finding) {
  fmt::print("{:<9} {} {}\n", finding.what, word_for(finding.health, finding.by_design, 9),
             printable(finding.detail));
  if (!finding.remedy.empty()) fmt::print("{:<19} {}\n", "", finding.remedy);
}

// Kernels take a while to compile the first time, so each line is shown when it is known.
void print(const SelfTest& test, std::string& heading) {
  if (heading != test.device) {
    heading = test.device;
    fmt::print("\n{}\n  {:<14} {:<10} {:>9} {:>8}\n",
               strong(fmt::format("{} {}", test.device, test.name)), "variant", "precision",
               "error", "bound");
  }
  fmt::print("  {:<14} {:<10} ", test.solver == "direct" ? test.variant : test.solver,
             name_of(test.precision));
  if (test.health == Health::missing || test.error == 0) {
    fmt::print("{:>9} {:>8.0e}", "-", test.bound);
  } else {
    fmt::print("{:>9.1e} {:>8.0e}", test.error, test.bound);
  }
  fmt::print("  {}{}{}\n", word_for(test.health, by_design(test), 0),
             test.complaint.empty() ? "" : ": ", test.complaint);
  std::fflush(stdout);
}

Json json_of(const Diagnosis& diagnosis) {
  Json json{{"findings", Json::array()}, {"self_tests", Json::array()}};
  for (const Finding& finding : diagnosis.findings) {
    json["findings"].push_back({{"what", finding.what},
                                {"health", name_of(finding.health)},
                                {"detail", finding.detail},
                                {"remedy", finding.remedy},
                                {"by_design", finding.by_design}});
  }
  for (const SelfTest& test : diagnosis.tests) {
    json["self_tests"].push_back({{"device", test.device},
                                  {"name", test.name},
                                  {"variant", test.variant},
                                  {"precision", name_of(test.precision)},
                                  {"health", name_of(test.health)},
                                  {"error", test.error},
                                  {"bound", test.bound},
                                  {"complaint", test.complaint},
                                  {"solver", test.solver},
                                  {"by_design", by_design(test)}});
  }
  return json;
}

void require_good(const Diagnosis& diagnosis) {
  const auto is_bad = [](const SelfTest& test) { return test.health == Health::bad; };
  const auto first = std::ranges::find_if(diagnosis.tests, is_bad);
  if (first == diagnosis.tests.end()) return;
  const std::string complaint = first->complaint.substr(0, first->complaint.find('\n'));
  throw Error(ExitCode::unavailable,
              fmt::format("{} of {} self-tests failed, first {} {} on {}: {}",
                          std::ranges::count_if(diagnosis.tests, is_bad), diagnosis.tests.size(),
                          first->solver == "direct" ? first->variant : first->solver,
                          name_of(first->precision), first->device, complaint),
              "update the device's driver, or use another device");
}

void run(Arguments arguments) {
  std::string heading;
  // where the ICD loader of most systems looks
  if (const char* drivers = std::getenv("OCL_ICD_VENDORS")) arguments.options.drivers = drivers;
  arguments.options.wanted = {.hdf5 = wanted_hdf5,
                              .png = wanted_png,
                              .opencl = wanted_opencl,
                              .mpi = wanted_mpi,
                              .server = wanted_server,
                              .page = wanted_page};
  arguments.options.portable = built_portable;
  arguments.options.mpi = mpi::library_version();
  arguments.options.server = viewer::server_built_in();
  arguments.options.page = viewer::page_built_in();
  if (!arguments.json) {
    arguments.options.on_finding = [](const Finding& finding) { print(finding); };
    arguments.options.on_test = [&](const SelfTest& test) { print(test, heading); };
  }
  const Diagnosis diagnosis = diagnose(arguments.options);
  if (arguments.json) {
    fmt::print("{}\n", json_of(diagnosis).dump(2, ' ', false, Json::error_handler_t::replace));
  }
  require_good(diagnosis);
}

}  // namespace

void add_doctor(CLI::App& app, Outcome& /*outcome*/) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("doctor", "Test every device, and say what is missing and how to mend it");
  command->add_option("--device", arguments->options.device, "Test this one alone")
      ->type_name("NAME");
  command->add_option("--bodies", arguments->options.bodies, "Bodies of a self-test")
      ->type_name("N")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(
      "Each kernel computes forces that are compared with a plain sum in double precision; tree "
      "and\n"
      "fmm are held to an accuracy of 1e-3. What is missing comes with the package that brings "
      "it;\n"
      "what is so by design needs another build or device. Exit code 0 also where something is\n"
      "missing, 69 when a device fails its self-test.");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace apsis::cli
