// SPDX-License-Identifier: MIT
// apsis info: what a file is and holds.
#include "commands.hpp"
#include <apsis/core/printable.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/file_info.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(Vec3 v) { return Json::array({v.x, v.y, v.z}); }

Json json_of(const Units& units, bool assumed) {
  return {{"system", units.name},
          {"length_in_cm", units.length_in_cm},
          {"mass_in_g", units.mass_in_g},
          {"velocity_in_cm_per_s", units.velocity_in_cm_per_s},
          {"gravity", units.gravity},
          {"coulomb", units.coulomb},
          {"from", assumed ? "assumed" : "file"}};
}

Json json_of(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    list.push_back(
        {{"code", warning.name()}, {"class", name_of(warning.kind())}, {"text", warning.text}});
  }
  return list;
}

void add_json(Json& json, const SnapshotInfo& info) {
  json["bodies"] = info.bodies;
  json["time"] = info.time;
  json["units"] = json_of(info.units, info.units_assumed);
  json["law"] = {{"name", name_of(info.law.law)},
                 {"constant", info.law.constant},
                 {"softening", info.law.softening}};
  if (info.law.radial.radial != newton) {
    json["law"]["radial"] = name_of(info.law.radial.radial);
    json["law"]["range"] = info.law.radial.range;
  }
  json["total_mass"] = info.total_mass;
  json["box"] = {{"lower", json_of(info.lower)}, {"upper", json_of(info.upper)}};
  json["center_of_mass"] = json_of(info.center_of_mass);
  for (const auto& [type, count] : info.types) json["types"][std::to_string(type)] = count;
  if (info.charges) {
    json["charges"] = {{"total", info.charges->total},
                       {"positive", info.charges->positive},
                       {"negative", info.charges->negative},
                       {"none", info.charges->none}};
  }
  json["has_potential"] = info.has_potential;
  json["has_acceleration"] = info.has_acceleration;
  json["provenance"] = Json::object();
  for (const auto& [key, value] : info.provenance) json["provenance"][key] = value;
  json["warnings"] = json_of(info.warnings);
  if (!info.yt_line.empty()) json["yt"] = info.yt_line;
}

void add_json(Json& json, const CheckpointInfo& info) {
  json["step"] = info.step;
  json["time"] = info.time;
  json["bodies"] = info.bodies;
  json["layout"] = info.layout;
  json["seed"] = info.seed;
  json["seconds"] = info.seconds_so_far;
  json["energy_error_max"] = info.energy_error_max;
  json["next_snapshot"] = info.next_snapshot;
  for (const auto& log : info.logs) json["logs"][log.file] = log.offset;
  for (const auto& [key, value] : info.notes) json["notes"][key] = value;
  json["sections"] = Json::array();
  for (const auto& section : info.sections) {
    json["sections"].push_back({{"name", section.name},
                                {"offset", section.offset},
                                {"length", section.length},
                                {"hash", section.hash}});
  }
  json["spec"] = info.spec_toml;
}

// How the run of a folder went; nothing where it has no summary that can be read.
std::optional<Json> summary_in(const std::filesystem::path& folder) {
  const auto file = folder / "summary.json";
  if (!file_exists(file)) return std::nullopt;
  Json summary = Json::parse(read_text(file), nullptr, false);
  if (!summary.is_object()) return std::nullopt;
  return summary;
}

void add_json(Json& json, const RunFolderInfo& info) {
  json["snapshots"] = Json::array();
  for (const auto& path : info.snapshots) json["snapshots"].push_back(path.string());
  json["checkpoints"] = Json::array();
  for (const auto& path : info.checkpoints) json["checkpoints"].push_back(path.string());
}

std::string json_text(const FileInfo& info) {
  Json json;
  json["file"] = info.path.string();
  json["format"] = info.format;
  if (info.files.size() > 1) {
    for (const auto& file : info.files) json["files"].push_back(file.string());
  }
  if (!info.folder) {
    json["length"] = info.length;
    json["hash"] = info.hash;
  }
  if (info.snapshot) add_json(json, *info.snapshot);
  if (info.checkpoint) add_json(json, *info.checkpoint);
  if (info.folder) {
    add_json(json, *info.folder);
    const auto summary = summary_in(info.path);
    json["summary"] = summary ? *summary : Json(nullptr);
  }
  // names from others' files need not be UTF-8
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void row(const char* what, const std::string& value) {
  fmt::print("{:<16}{}\n", what, printable(value));
}

std::string text_of(Vec3 v) { return fmt::format("{:.6g} {:.6g} {:.6g}", v.x, v.y, v.z); }

std::string text_of(const Units& units) {
  if (units.length_in_cm == 1 && units.mass_in_g == 1 && units.velocity_in_cm_per_s == 1) {
    return units.name;
  }
  return fmt::format("{} (length {:.10g} cm, mass {:.10g} g, velocity {:.10g} cm/s)", units.name,
                     units.length_in_cm, units.mass_in_g, units.velocity_in_cm_per_s);
}

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.10g}{}{}", value, unit.empty() ? "" : " ", unit);
}

// Texts of several lines (a whole spec) stand below their name.
void print_text(const std::string& given_name, const std::string& given_text) {
  const std::string name = printable(given_name), text = printable(given_text, Lines::several);
  if (text.find('\n') == std::string::npos) {
    fmt::print("  {:<20}{}\n", name, text);
    return;
  }
  fmt::print("  {}\n    ", name);
  for (std::size_t i = 0; i < text.size(); ++i) {
    fmt::print("{}", text[i]);
    if (text[i] == '\n' && i + 1 < text.size()) fmt::print("    ");
  }
  if (text.back() != '\n') fmt::print("\n");
}

bool of_usual_type(const SnapshotInfo& info) {
  return info.types.empty() || (info.types.size() == 1 && info.types.contains(usual_type));
}

// "10 gas (0), 20 of type 7"; GADGET's names.
std::string text_of(const std::map<int, std::uint64_t>& types) {
  constexpr std::array names{"gas", "dark matter", "disk", "bulge", "stars", "black holes"};
  std::vector<std::string> parts;
  for (const auto& [type, count] : types) {
    const auto known = static_cast<std::size_t>(type);
    parts.push_back(known < names.size() ? fmt::format("{} {} ({})", count, names[known], type)
                                         : fmt::format("{} of type {}", count, type));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string text_of(const PairLaw& law, const Units& units) {
  std::string text = fmt::format("{}, constant {:.10g}, softening {}", name_of(law.law),
                                 law.constant, with_unit(law.softening, units.length_name));
  if (law.radial.radial == newton) return text;
  return fmt::format("{}, radial {}, range {}", text, name_of(law.radial.radial),
                     with_unit(law.radial.range, units.length_name));
}

void print(const SnapshotInfo& info) {
  row("bodies", fmt::format("{}", info.bodies));
  if (!of_usual_type(info)) row("types", text_of(info.types));
  row("time", with_unit(info.time, info.units.time_name));
  row("units", text_of(info.units) + (info.units_assumed ? ", assumed: the file names none" : ""));
  row("law", text_of(info.law, info.units));
  row("total mass", with_unit(info.total_mass, info.units.mass_name));
  row("box", fmt::format("{} to {}{}{}", text_of(info.lower), text_of(info.upper),
                         info.units.length_name.empty() ? "" : " ", info.units.length_name));
  row("centre of mass", text_of(info.center_of_mass));
  if (info.charges) {
    row("charges",
        fmt::format("{:.10g} in all: {} positive, {} negative, {} without", info.charges->total,
                    info.charges->positive, info.charges->negative, info.charges->none));
  }
  if (info.has_potential || info.has_acceleration) {
    row("fields", fmt::format("{}{}{}", info.has_potential ? "potential" : "",
                              info.has_potential && info.has_acceleration ? ", " : "",
                              info.has_acceleration ? "acceleration" : ""));
  }
  for (const Warning& warning : info.warnings) {
    row("warning", fmt::format("{} [{}]", warning.text, warning.name()));
  }
  if (!info.provenance.empty()) fmt::print("provenance\n");
  for (const auto& [key, value] : info.provenance) print_text(key, value);
  if (!info.yt_line.empty()) {
    fmt::print("in Python, after import yt:\n{}\n", printable(info.yt_line));
  }
}

void print(const CheckpointInfo& info) {
  row("step", fmt::format("{}", info.step));
  row("time", fmt::format("{:.10g}", info.time));
  row("bodies", fmt::format("{} ({})", info.bodies, info.layout));
  row("seed", fmt::format("{}", info.seed));
  row("ran for", fmt::format("{:.1f} s", info.seconds_so_far));
  row("energy error", fmt::format("{:.3g} at most", info.energy_error_max));
  for (const auto& log : info.logs) {
    row("log", fmt::format("{} cut to {} bytes on resume", log.file, log.offset));
  }
  fmt::print("sections (all hashes are right)\n");
  for (const auto& section : info.sections) {
    fmt::print("  {:<20}{:>14} bytes  {}\n", printable(section.name), section.length, section.hash);
  }
  if (!info.notes.empty()) fmt::print("notes\n");
  for (const auto& [key, value] : info.notes) print_text(key, value);
  print_text("spec", info.spec_toml.empty() ? "none" : info.spec_toml);
}

// Empty where it is something else.
std::string text_in(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return {};
  return object[key].get<std::string>();
}

// As a program of any version wrote it: what it has not is not shown.
void print_summary(const Json& summary) {
  const std::string end = text_in(summary, "ended_by");
  row("status",
      text_in(summary, "status") + (end.empty() ? "" : fmt::format(", ended by {}", end)));
  if (!summary.contains("warnings")) return;
  for (const Json& warning : summary["warnings"]) {
    row("warning", fmt::format("{} [{}]", text_in(warning, "text"), text_in(warning, "code")));
  }
}

void print(const RunFolderInfo& info, const std::string& folder) {
  if (const auto summary = summary_in(folder)) print_summary(*summary);
  row("snapshots", fmt::format("{}", info.snapshots.size()));
  row("checkpoints", fmt::format("{}", info.checkpoints.size()));
  if (!info.snapshots.empty()) {
    fmt::print("describe the last snapshot:  {} {}\n", typed_command("info"),
               printable(shell_word(info.snapshots.back().string())));
  }
  if (!info.checkpoints.empty()) {
    fmt::print("go on with the run:  {} {}\n", typed_command("run --resume"),
               printable(shell_word(folder)));
  }
}

void print(const FileInfo& info) {
  row("file", info.path.string());
  row("format", info.format);
  if (info.folder) return print(*info.folder, info.path.string());
  row("length", fmt::format("{} ({} bytes)", readable_size(info.length), info.length));
  row("XXH3-128", info.hash);
  if (info.snapshot) print(*info.snapshot);
  if (info.checkpoint) print(*info.checkpoint);
}

}  // namespace

void add_info(CLI::App& app, Outcome& /*outcome*/) {
  struct Options {
    std::string file;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("info", "Describe a snapshot, a checkpoint or a run");
  command->add_option("FILE", options->file, "Snapshot, checkpoint, or the folder of a run")
      ->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] {
    const FileInfo info = file_info(options->file);
    if (options->json) {
      fmt::print("{}\n", json_text(info));
    } else {
      print(info);
    }
  });
}

}  // namespace apsis::cli
