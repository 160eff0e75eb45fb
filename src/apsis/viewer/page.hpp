// SPDX-License-Identifier: MIT
// What the program carries for the live view: the page, and the examples that it offers.
#pragma once

#include <apsis/viewer/access.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsis::viewer {

// Whether this build has the page; it is made by npm when Apsis is built.
bool page_built_in();

struct Asset {
  std::string_view type, text;
};
std::optional<Asset> asset_of(Route route);  // nothing where there is no such file

struct Example {
  std::string name, title, toml;
};
const std::vector<Example>& examples();  // in the order of their titles
const Example* example_named(std::string_view name);

}  // namespace apsis::viewer
