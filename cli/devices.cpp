// SPDX-License-Identifier: MIT
// apsis devices: where Apsis can compute.
#include "commands.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/core/parallel.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/measure/doctor.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

Json native_json() {
  return {{"device", "cpu"},
          {"index", nullptr},
          {"name", "native CPU"},
          {"kind", "cpu"},
          {"driver", direct_host_instruction_set()},
          {"compute_units", thread_count(0)},
          {"memory", physical_memory()},
          {"f64", true}};
}

Json json_of(const DeviceInfo& device) {
  return {{"device", fmt::format("opencl:{}", device.index)},
          {"index", device.index},
          {"name", device.name},
          {"kind", name_of(device.kind)},
          {"driver", device.driver},
          {"compute_units", device.compute_units},
          {"memory", device.memory},
          {"f64", device.has_double},
          {"platform", device.platform},
          {"vendor", device.vendor},
          {"version", device.version},
          {"clock_mhz", device.clock_mhz},
          {"largest_buffer", device.largest_buffer},
          {"local_memory", device.local_memory},
          {"largest_group", device.largest_group}};
}

Table table_of(const std::vector<DeviceInfo>& devices) {
  Table table{{"device", "kind", "units", "MHz", "memory", "largest buffer", "local memory", "f64",
               "name", "platform", "driver"},
              {}};
  table.rows.push_back({"cpu", "cpu", fmt::format("{}", thread_count(0)), "",
                        readable_size(physical_memory()), "", "", "yes", "native CPU", "",
                        direct_host_instruction_set()});
  for (const DeviceInfo& d : devices) {
    table.rows.push_back({fmt::format("opencl:{}", d.index), std::string(name_of(d.kind)),
                          fmt::format("{}", d.compute_units), fmt::format("{}", d.clock_mhz),
                          readable_size(d.memory), readable_size(d.largest_buffer),
                          readable_size(d.local_memory), d.has_double ? "yes" : "no", d.name,
                          d.platform, d.driver});
  }
  return table;
}

void print_json(const std::vector<DeviceInfo>& devices) {
  Json json = Json::array({native_json()});
  for (const DeviceInfo& device : devices) json.push_back(json_of(device));
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void add_devices(CLI::App& app, Outcome& /*outcome*/) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("devices", "List where Apsis can compute");
  command->add_flag("--json", *as_json, "Print JSON");
  command->footer("The first column is what --device and device.name take; so is part of a name.");
  command->callback([as_json] {
    const Discovery discovery = discover_devices();
    if (*as_json) {
      print_json(discovery.devices);
    } else {
      fmt::print("{}", aligned(table_of(discovery.devices)));
    }
    if (discovery.devices.empty()) {
      say("no OpenCL device: {}; {}", discovery.why_none, driver_remedy());
    }
  });
}

}  // namespace apsis::cli
