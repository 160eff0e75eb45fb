// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/png.hpp>

#include <gtest/gtest.h>

#ifdef APSIS_WITH_PNG
#include <png.h>
#endif

namespace apsis {
namespace {

#ifdef APSIS_WITH_PNG

TEST(Png, decodes_to_the_same_picture) {
  Image image(37, 23);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) {
    image.rgb[i] = static_cast<std::uint8_t>(i * 7919 % 251);
  }
  ASSERT_TRUE(pictures_available());
  const auto bytes = encode_png(image);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(header.width, 37U);
  EXPECT_EQ(header.height, 23U);
  header.format = PNG_FORMAT_RGB;
  Image back(37, 23);
  ASSERT_NE(png_image_finish_read(&header, nullptr, back.rgb.data(), 0, nullptr), 0);
  EXPECT_EQ(back, image);
}

TEST(Png, a_picture_without_pixels_is_refused) { EXPECT_THROW(encode_png(Image()), Error); }

#else

TEST(Png, a_build_without_libpng_says_so) {
  EXPECT_FALSE(pictures_available());
  try {
    encode_png(Image(2, 2));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unavailable);
  }
}

#endif

}  // namespace
}  // namespace apsis
