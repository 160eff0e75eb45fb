// SPDX-License-Identifier: MIT
// Every limit of the live view in one place.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace apsis::viewer {

// Connections, whatever they are for; the next one is told to come back later. Where descriptors
// are few it is fewer, since so many are left to the run itself.
inline constexpr std::size_t most_connections = 256, fewest_connections = 4;
inline constexpr std::size_t descriptors_for_the_run = 64;
// Who has shown no token: so many in a second, after so many at once, and where all connections are
// taken the oldest of them makes room after a while.
inline constexpr double strangers_per_second = 500, strangers_at_once = 300;
inline constexpr std::chrono::seconds stranger_stays{1};
// A request's first line and headers, and what a page may say in one message.
inline constexpr std::uint32_t most_header_bytes = 8192;
inline constexpr std::size_t most_message_bytes = 4096;
// To send a whole request, for those without and with a token; without any word over a kept
// connection.
inline constexpr std::chrono::seconds first_request_time{5};
inline constexpr std::chrono::seconds request_time{10};
inline constexpr std::chrono::seconds idle_time{60};
// A page that takes no frame for so long is cut.
inline constexpr std::chrono::seconds stalled_time{30};
// Frames sent and not yet taken by the page; newer ones wait, and only the newest of them.
inline constexpr int frames_in_flight = 2;

// What one page may be sent each second.
inline constexpr double bytes_per_second = 4e6;
// And all of them together: what they read on the same machine slows the run down, too.
inline constexpr double all_bytes_per_second = 60e6;
inline constexpr double fastest_frames = 30, slowest_frames = 1;  // a second
// Frames may take longer than that apart only once they carry so many points each.
inline constexpr double relaxed_frames = 10;
inline constexpr std::size_t first_points = 20'000, fewest_points = 1'000;
inline constexpr std::size_t most_points = 4'000'000;

// Of one core: what the server takes before it sends fewer frames.
inline constexpr double server_share = 0.22;
// Of the simulation's time: what handing over frames takes at most.
inline constexpr double hand_over_share = 0.02;

// Between two looks at radii and densities, where a page charts them.
inline constexpr std::chrono::milliseconds shape_pause{500};
inline constexpr std::size_t chart_points = 720;
// Kept for pages that look now; of a storm of contacts that is what the eye can tell apart.
inline constexpr std::size_t most_flashes = 100;
inline constexpr std::size_t token_bytes = 24;  // 192 bits from the kernel

}  // namespace apsis::viewer
