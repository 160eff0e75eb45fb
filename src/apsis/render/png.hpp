// SPDX-License-Identifier: MIT
// Images as PNG files in memory; files/ writes them.
#pragma once

#include <apsis/render/image.hpp>

#include <cstddef>
#include <vector>

namespace apsis {

// Whether this build was made with libpng.
bool pictures_available();

// Throws unavailable (69) in a build without libpng; ask pictures_available() first.
std::vector<std::byte> encode_png(const Image& image);

}  // namespace apsis
