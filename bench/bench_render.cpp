// SPDX-License-Identifier: MIT
// Seconds that one frame of 1280 x 720 takes, from bodies to pixels:
//   bench_render [BODIES] [THREADS] [FRAMES]
// The aim is 1 s for a million bodies on two cores. A picture without light would be faster still,
// so the light is counted.
#include <apsis/initial/model.hpp>
#include <apsis/render/camera_path.hpp>
#include <apsis/render/frame.hpp>
#include <apsis/render/run_views.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace apsis;
  const auto argument = [&](int place, int otherwise) {
    return argc > place ? std::atoi(argv[place]) : otherwise;
  };
  const int threads = argument(2, 2), frames = argument(3, 5);
  const auto bodies = static_cast<std::uint64_t>(argument(1, 1'000'000));
  for (const std::string model : {"galaxy-merger", "plummer"}) {
    const std::vector<Bodies> states = {make_model({.model = model, .bodies = bodies}).bodies};
    FrameStyle style = suitable_style(states[0]);
    style.width = 1280, style.height = 720;
    const CameraPath path({.elevation = 40, .orbit = 90, .field_of_view = 30}, states, 16.0 / 9,
                          style.light);
    style.look = look_of(states, path.at(0), style, threads);
    std::vector<double> seconds;
    std::size_t lit = 0;
    for (int k = 0; k < frames; ++k) {
      const auto begun = std::chrono::steady_clock::now();
      const Image image = render(states[0], path.at(k / 10.0), style, threads);
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
      lit = static_cast<std::size_t>(
          std::count_if(image.rgb.begin(), image.rgb.end(), [](auto value) { return value > 8; }));
    }
    std::sort(seconds.begin(), seconds.end());
    fmt::print("{:<14} {:>9} bodies, {} threads: {:.3f} s a frame (median of {}), {} bytes lit\n",
               model, states[0].size(), threads, seconds[seconds.size() / 2], frames, lit);
    if (lit == 0) return 1;
  }
}
