// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/render/image.hpp>

namespace apsis {

// Nearly Gaussian blur (three box averages each way, so its cost does not grow with the width);
// outside the picture it is dark. `deviation` in pixels; below 0.5 nothing changes.
Light blurred(const Light& light, double deviation, int threads);

}  // namespace apsis
