// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/measure/chart.hpp>

namespace apsis::cli {

// Draws into a file of the present folder, and says so or why there is none.
void draw_picture(const Chart& chart, const char* file);

}  // namespace apsis::cli
