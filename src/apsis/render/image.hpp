// SPDX-License-Identifier: MIT
// Two kinds of picture: `Light` collects linear light in float, `Image` is what it develops into,
// 8 bits a channel and ready for a file or a screen. Row 0 is the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis {

struct Colour {
  float r = 0, g = 0, b = 0;

  Colour& operator+=(Colour c) { return r += c.r, g += c.g, b += c.b, *this; }
  friend Colour operator+(Colour a, Colour c) { return a += c; }
  friend Colour operator*(float s, Colour c) { return {s * c.r, s * c.g, s * c.b}; }
  friend bool operator==(Colour, Colour) = default;
};

// How bright linear light looks (Rec. 709 weights).
inline float luminance(Colour c) { return 0.2126F * c.r + 0.7152F * c.g + 0.0722F * c.b; }

struct Light {
  int width = 0, height = 0;
  std::vector<Colour> pixels;

  Light() = default;
  Light(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w) * h) {}

  Colour& at(int column, int row) { return pixels[static_cast<std::size_t>(row) * width + column]; }
  const Colour& at(int column, int row) const {
    return pixels[static_cast<std::size_t>(row) * width + column];
  }
  Colour total() const;  // summed in double, row by row
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // three bytes a pixel, row by row

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgb(static_cast<std::size_t>(w) * h * 3) {}

  std::uint8_t* pixel(int column, int row) {
    return rgb.data() + (static_cast<std::size_t>(row) * width + column) * 3;
  }
  const std::uint8_t* pixel(int column, int row) const {
    return rgb.data() + (static_cast<std::size_t>(row) * width + column) * 3;
  }
  friend bool operator==(const Image&, const Image&) = default;
};

// The same picture at another size: areas are averaged, so that points of light keep their light.
Image scaled(const Image& image, int width, int height);

}  // namespace apsis
