// SPDX-License-Identifier: MIT
// What the server says to pages, as JSON.
#pragma once

#include <apsis/viewer/access.hpp>
#include <apsis/viewer/orbits.hpp>
#include <apsis/viewer/shape.hpp>
#include <apsis/viewer/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis::viewer {

// About the scene, to one page: `share_link` only for whoever controls.
std::string scene_text(const Scene& scene, Role role, const Stage::Chart& chart,
                       std::string_view share_link);
std::string figures_text(const Figures& figures, std::size_t viewers, const Stage::Chart& chart,
                         std::span<const Vec3> flashes = {},
                         std::span<const std::string_view> colours = {});
// The kinds of colours that tell these bodies apart.
std::vector<std::string_view> colours_for(const Points& points);
// The bodies of a frame that are drawn one by one, where they are exactly, and their orbits.
std::string few_text(std::uint32_t frame, const Points& points, const std::vector<Orbit>& orbits);
std::string shape_text(const Shape& shape);
std::string body_text(const Points& points, std::size_t index);
std::string refusal_text(std::string_view reason);

}  // namespace apsis::viewer
