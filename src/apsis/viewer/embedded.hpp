// SPDX-License-Identifier: MIT
// Inside viewer/: files that cmake/WriteTexts.cmake put into the program, as name and text.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace apsis::viewer {

using EmbeddedFiles = std::span<const std::pair<std::string_view, std::string_view>>;
EmbeddedFiles embedded_page();  // empty where the page was not built
EmbeddedFiles embedded_examples();

}  // namespace apsis::viewer
