// SPDX-License-Identifier: MIT
// What the server says to pages, as JSON.
#pragma once

#include <apsis/viewer/access.hpp>
#include <apsis/viewer/stage.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace apsis::viewer {

// About the scene, to one page: `share_link` only for whoever controls.
std::string scene_text(const Scene& scene, Role role, const Stage::Chart& chart,
                       std::string_view share_link);
std::string figures_text(const Figures& figures, std::size_t viewers, const Stage::Chart& chart,
                         std::span<const Vec3> flashes = {});
std::string body_text(const Points& points, std::size_t index);
std::string refusal_text(std::string_view reason);

}  // namespace apsis::viewer
