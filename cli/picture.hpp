// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/measure/chart.hpp>

#include <string>

namespace apsis::cli {

// Draws into a file of the present folder, and says so or why there is none.
void draw_picture(const Chart& chart, const char* file);

// unavailable where gnuplot is missing, with what to do.
void require_gnuplot();

// Draws what was asked for, in the format that the file's ending names, and says so; unavailable
// where gnuplot fails.
void write_chart(const Chart& chart, const std::string& file);

}  // namespace apsis::cli
