// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/png.hpp>

#include <fmt/format.h>

#ifdef APSIS_WITH_PNG
#include <png.h>
#endif

namespace apsis {

#ifdef APSIS_WITH_PNG

bool pictures_available() { return true; }

std::vector<std::byte> encode_png(const Image& image) {
  if (image.width <= 0 || image.height <= 0) {
    throw bad_data(
        fmt::format("a picture of {} x {} pixels has nothing to write", image.width, image.height),
        "give it a size");
  }
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  // one pass into room that is surely enough saves compressing twice
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) ==
      0) {
    throw Error(ExitCode::internal_error,
                fmt::format("libpng could not encode a picture: {}", header.message),
                "report it with the picture's size");
  }
  bytes.resize(size);
  return bytes;
}

#else

bool pictures_available() { return false; }

std::vector<std::byte> encode_png(const Image&) {
  throw Error(ExitCode::unavailable, "pictures are not built in",
              "install libpng-dev and configure again with -DAPSIS_PNG=ON");
}

#endif

}  // namespace apsis
