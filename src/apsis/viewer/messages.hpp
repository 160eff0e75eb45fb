// SPDX-License-Identifier: MIT
// What a page may say, as JSON that is checked strictly: one object, known keys, values in range.
#pragma once

#include <apsis/render/frame.hpp>
#include <apsis/viewer/points.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace apsis::viewer {

// For whoever controls the run.
struct Command {
  enum class Kind { play, pause, step, speed, restart, example, seek } kind = Kind::play;
  double number = 0;  // speed: factor, 0 without limit; seek: time
  std::string name;   // example
};

// For one page: what it wants to see, and what it has shown.
struct Wish {
  ColourBy colour_by = ColourBy::speed;
};
struct Closer {
  Region region;  // without a radius: not closer
};
struct Capacity {
  std::size_t points = 0;  // the most that it can draw
};
struct Shown {
  std::uint32_t frame = 0;
};
struct Question {
  std::uint32_t index = 0;  // of a point: which body is that?
};
struct Charting {
  bool shape = false;  // whether it shows charts of radii and density
};

using Message = std::variant<Command, Wish, Closer, Capacity, Shown, Question, Charting>;

// bad_data says what is wrong with it.
Message parse_message(std::string_view text);

}  // namespace apsis::viewer
