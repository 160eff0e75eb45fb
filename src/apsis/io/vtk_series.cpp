// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/vtk_series.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace apsis {
namespace {

// "&" and its like have a meaning in XML.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

bool names_vtk_series(const std::filesystem::path& path) { return path.extension() == ".pvd"; }

void write_vtk_series(const Frames& frames, const std::filesystem::path& to, bool replace) {
  const std::string stem = to.stem().string();
  const auto folder = to.parent_path() / stem;
  if (folder_exists(folder) && !replace) {
    throw file_error(
        fmt::format("{}, the folder for the files of {}, exists", folder.string(), to.string()),
        "give --force to replace them, or another name");
  }
  make_folder(folder);
  std::string entries;
  for (std::uint64_t k = 0; k < frames.count(); ++k) {
    const Snapshot snapshot = frames.at(k);
    const std::string name = fmt::format("{}_{:04}.vtp", stem, k);
    write_snapshot(folder / name, snapshot);
    entries += fmt::format("<DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n",
                           snapshot.time, escaped(fmt::format("{}/{}", stem, name)));
  }
  write_text(to, fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                             "version=\"0.1\">\n<Collection>\n{}</Collection>\n</VTKFile>\n",
                             entries));
}

}  // namespace apsis
