// SPDX-License-Identifier: MIT
#include <apsis/sim/run_spec.hpp>
#include <apsis/viewer/embedded.hpp>
#include <apsis/viewer/page.hpp>

#include <algorithm>

namespace apsis::viewer {
namespace {

std::string_view embedded(std::string_view name) {
  for (const auto& [file, text] : embedded_page()) {
    if (file == name) return text;
  }
  return {};
}

std::vector<Example> read_examples() {
  std::vector<Example> found;
  for (const auto& [file, text] : embedded_examples()) {
    const std::string toml(text);
    const RunSpec spec = parse_run_spec(toml, std::string(file));
    const std::string name(file.substr(0, file.rfind('.')));
    found.push_back({name, spec.title.empty() ? name : spec.title, toml});
  }
  std::sort(found.begin(), found.end(),
            [](const Example& a, const Example& b) { return a.title < b.title; });
  return found;
}

}  // namespace

bool page_built_in() { return !embedded("index.html").empty(); }

std::optional<Asset> asset_of(Route route) {
  const auto file = [](std::string_view type, std::string_view name) -> std::optional<Asset> {
    const std::string_view text = embedded(name);
    return text.empty() ? std::nullopt : std::optional<Asset>({type, text});
  };
  switch (route) {
    case Route::page:
      return file("text/html; charset=utf-8", "index.html");
    case Route::script:
      return file("text/javascript; charset=utf-8", "page.js");
    case Route::style:
      return file("text/css; charset=utf-8", "page.css");
    case Route::icon:
      return file("image/svg+xml", "icon.svg");
    default:
      return std::nullopt;
  }
}

const std::vector<Example>& examples() {
  static const std::vector<Example> all = read_examples();
  return all;
}

const Example* example_named(std::string_view name) {
  const auto found = std::find_if(examples().begin(), examples().end(),
                                  [&](const Example& example) { return example.name == name; });
  return found == examples().end() ? nullptr : &*found;
}

}  // namespace apsis::viewer
