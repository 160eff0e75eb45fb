// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/far_field_box.hpp>
#include <apsis/lab/hand_out.hpp>
#include <apsis/lab/hand_out_texts.hpp>
#include <apsis/measure/force_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

namespace apsis::lab {
namespace {

// What two ways to sum in double may be apart; a worse one is a fault of ours, not a student's.
constexpr double double_agrees = 1e-10;

std::vector<std::uint64_t> sizes_of(const HandOutOptions& options) {
  std::vector<std::uint64_t> sizes = options.bodies;
  if (sizes.empty()) sizes.assign(std::begin(course_sizes), std::end(course_sizes));
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

// At places that floats have, so that programs in float and in double compute the same forces; and
// inside the box, whose upper end a place may round to.
Bodies points(std::uint64_t count, std::uint64_t seed) {
  Bodies bodies =
      make_model({.model = "bins-box", .bodies = count, .seed = seed, .options = {}}).bodies;
  const float last = std::nextafter(static_cast<float>(box_side), 0.0F);
  for (double& value : bodies.positions.values()) {
    value = static_cast<double>(std::min(static_cast<float>(value), last));
  }
  return bodies;
}

Accelerations forces_by(const char* solver, const Bodies& bodies, int threads) {
  const PairLaw law{Law::gravity, 1, box_softening};
  EngineSettings settings{.force = forces(law, solver),
                          .device = {.name = "cpu", .precision = Precision::f64}};
  settings.device.threads = threads;
  if (std::string_view(solver) == "bins") {
    settings.force.bins = {.box = Box{0, box_side, 0, box_side, 0, box_side}, .bins = bins_a_side};
  }
  const auto engine = make_engine(settings);
  engine->load(bodies);
  Accelerations found = engine->accelerations(0);
  if (settings.force.solver == "direct") {
    const double off = sample_force_error(*engine, law, threads).max;
    if (!(off <= double_agrees)) {
      throw Error(ExitCode::numbers_went_bad,
                  fmt::format("the forces in double of {} points are {:.1e} off the reference",
                              bodies.size(), off),
                  "report it with the command and what 'apsis doctor' prints");
    }
  }
  return found;
}

std::string table_of_points(const Bodies& bodies) {
  std::string text = "id,x,y,z,m\n";
  text.reserve(bodies.size() * 64);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 p = bodies.position(i);
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", bodies.id[i], p.x, p.y, p.z,
                   bodies.mass[i]);
  }
  return text;
}

// The number of rows stands in it, so that a table that was cut is noticed.
std::string table_of_forces(const Bodies& bodies, const Accelerations& found, const char* what) {
  std::string text =
      fmt::format("# {}, G = 1, softening {}\n# bodies = {}\n# softening = {}\nid,ax,ay,az\n", what,
                  box_softening, bodies.size(), box_softening);
  text.reserve(bodies.size() * 80);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 a = found.at(i);
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", bodies.id[i], a.x, a.y, a.z);
  }
  return text;
}

}  // namespace

std::vector<std::string> hand_out_names(const HandOutOptions& options) {
  std::vector<std::string> names;
  for (const std::uint64_t size : sizes_of(options)) {
    for (const char* kind : {"points", "direct", "bins"}) {
      names.push_back(fmt::format("{}-{}.csv", kind, size));
    }
  }
  names.insert(names.end(), {"README.md", "check.sh"});
  return names;
}

std::vector<HandOutFile> far_field_hand_out(
    const HandOutOptions& options, const std::function<void(const std::string&)>& telling) {
  const auto sizes = sizes_of(options);
  std::vector<HandOutFile> files;
  for (const std::uint64_t size : sizes) {
    if (telling)
      telling(fmt::format("forces between {} points in double",
                          with_commas(static_cast<double>(size))));
    const Bodies bodies = points(size, options.seed);
    const Accelerations exact = forces_by("direct", bodies, options.threads);
    const Accelerations by_bins = forces_by("bins", bodies, options.threads);
    files.push_back({fmt::format("points-{}.csv", size), table_of_points(bodies)});
    files.push_back({fmt::format("direct-{}.csv", size),
                     table_of_forces(bodies, exact, "accelerations by all pairs, in double")});
    files.push_back({fmt::format("bins-{}.csv", size),
                     table_of_forces(bodies, by_bins, "accelerations by 10^3 bins, in double")});
  }
  files.push_back({"README.md", hand_out_readme(sizes, options.seed)});
  files.push_back({"check.sh", hand_out_check(sizes)});
  return files;
}

void require_free_folder(const std::filesystem::path& folder,
                         const std::vector<std::string>& names) {
  std::error_code ignored;
  if (std::filesystem::exists(folder, ignored) && !folder_exists(folder)) {
    throw file_error(fmt::format("{} is no folder", folder.string()),
                     "give --export the name of a new folder");
  }
  for (const std::string& name : names) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(folder / name, ignored))) continue;
    throw file_error(fmt::format("{} exists", (folder / name).string()),
                     "give --export another folder, or --force to replace it");
  }
}

void write_hand_out(const std::filesystem::path& folder, const std::vector<HandOutFile>& files) {
  const bool new_folder = !folder_exists(folder);
  make_folder(folder);
  std::vector<std::filesystem::path> made;
  try {
    for (const HandOutFile& file : files) {
      const auto path = folder / file.name;
      const bool is_new = !file_exists(path);
      write_text(path, file.text);
      if (is_new) made.push_back(path);
    }
  } catch (const Error&) {
    for (const auto& path : made) remove_file(path);
    std::error_code ignored;
    if (new_folder) std::filesystem::remove(folder, ignored);
    throw;
  }
}

}  // namespace apsis::lab
