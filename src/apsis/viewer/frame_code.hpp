// SPDX-License-Identifier: MIT
// Frames as bytes, little-endian: a header, then x, y, z of every point as 16-bit places in a cube,
// then one 16-bit colour each. Positions are encoded once for all pages, colours once for each kind
// that some page wants; a page that gets fewer points gets the beginning of both.
#pragma once

#include <apsis/render/frame.hpp>
#include <apsis/viewer/points.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace apsis::viewer {

inline constexpr std::uint32_t frame_magic = 0x56535041;  // "APSV" in the file
inline constexpr std::uint16_t frame_version = 1;
inline constexpr std::size_t frame_header_bytes = 128;
inline constexpr std::uint16_t outside = 0xFFFF;  // all three places: not in the cube, not drawn

// The cube that 16 bits divide.
struct Cube {
  Vec3 corner;      // place 0 on every axis
  double step = 1;  // length of one place
};

struct ColourRange {
  double low = 0, high = 1;  // at colour 0 and 65535; masses and densities as log10
};

struct FrameHeader {
  std::uint32_t frame = 0;             // number; a part of the same frame has the same
  std::uint32_t first = 0, count = 0;  // points of this part
  std::uint32_t base = 0;  // points that are the same bodies in every frame; further ones are not
  std::uint32_t sampled = 0;  // points that the server has of this frame
  std::uint64_t bodies = 0, scene = 0, step = 0;
  double time = 0;
  Cube cube;
  Vec3 center_of_mass;
  ColourBy colour_by = ColourBy::speed;
  ColourRange range;
};

std::array<std::byte, frame_header_bytes> encode_header(const FrameHeader& header);
FrameHeader decode_header(const std::array<std::byte, frame_header_bytes>& bytes);

// Holds nearly all points with room to move; outliers stay outside, so that one body on its way to
// infinity does not cost the others their precision. A cube that still fits is kept.
Cube fitting_cube(const Points& points, const Cube& before);

std::vector<std::uint16_t> encode_places(const Points& points, const Cube& cube);
// Ranges follow the values slowly, so that colours do not flicker; `range` is what they were.
std::vector<std::uint16_t> encode_colours(const Points& points, ColourBy by, const Cube& cube,
                                          ColourRange& range, bool first);

using SharedBytes = std::shared_ptr<const std::vector<std::uint16_t>>;

// One frame for all pages.
class EncodedFrame {
 public:
  EncodedFrame(std::uint32_t number, Points points, const EncodedFrame* before);

  const Points& points() const { return points_; }
  FrameHeader header(ColourBy by) const;
  const SharedBytes& places() const { return places_; }
  const SharedBytes& colours(ColourBy by);  // made when first asked for
  Points release() { return std::move(points_); }

 private:
  static constexpr std::size_t kinds = std::size(Choice<ColourBy>::values);
  std::uint32_t number_;
  Points points_;
  Cube cube_;
  SharedBytes places_;
  std::array<SharedBytes, kinds> colours_;
  std::array<ColourRange, kinds> ranges_;
  std::array<bool, kinds> ranged_{};
};

}  // namespace apsis::viewer
