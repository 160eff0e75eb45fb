// SPDX-License-Identifier: MIT
// All snapshots of a run, or of a file that holds several, as a movie for ParaView: a .vtp file of
// each in a folder, and a .pvd file beside it that tells their times.
#pragma once

#include <apsis/io/frames.hpp>

#include <filesystem>

namespace apsis {

bool names_vtk_series(const std::filesystem::path& path);  // by its ending, .pvd

// movie.pvd lists movie/movie_0000.vtp, ... file_error where the folder is there already, unless
// its files may be replaced.
void write_vtk_series(const Frames& frames, const std::filesystem::path& to, bool replace);

}  // namespace apsis
