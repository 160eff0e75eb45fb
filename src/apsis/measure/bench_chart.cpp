// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/measure/bench_chart.hpp>
#include <apsis/measure/chart_axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

namespace apsis {
namespace {

using Text = std::function<std::string(const BenchResult&)>;

std::vector<std::string> texts_of(std::span<const BenchResult> results, const Text& text) {
  std::vector<std::string> texts;
  for (const BenchResult& result : results) {
    std::string one = text(result);
    if (std::ranges::find(texts, one) == texts.end()) texts.push_back(std::move(one));
  }
  return texts;
}

std::size_t place_in(const std::vector<std::string>& texts, const std::string& text) {
  return static_cast<std::size_t>(std::ranges::find(texts, text) - texts.begin());
}

// "unroll=4" of "group=64 rows=1 unroll=4": what others of the variant, which are as many bodies on
// the same device, have otherwise.
std::string sizes_that_tell(const BenchResult& result, std::span<const BenchResult> results) {
  const auto words_of = [](const BenchResult& of) {
    std::istringstream text(of.engine.sizes());
    return std::vector<std::string>(std::istream_iterator<std::string>(text), {});
  };
  std::vector<std::string> telling;
  for (const std::string& word : words_of(result)) {
    const bool differs = std::ranges::any_of(results, [&](const BenchResult& other) {
      const Resolution &a = result.engine, &b = other.engine;
      const bool alike = a.solver == b.solver && a.variant() == b.variant() &&
                         a.bodies == b.bodies && a.precision == b.precision &&
                         result.place == other.place;
      const auto words = words_of(other);
      return alike && std::ranges::find(words, word) == words.end();
    });
    if (differs) telling.push_back(word);
  }
  return fmt::format("{}", fmt::join(telling, " "));
}

double speed_of(const BenchResult& result, bool interactions) {
  return interactions ? result.interactions_per_second() : result.bodies_per_second();
}

double spread_of(const BenchResult& result, double speed) {
  const double relative = result.whole.deviation() / result.whole.median();
  return std::isfinite(relative) ? speed * relative : 0;
}

}  // namespace

std::vector<std::string> labels_of(std::span<const BenchResult> results) {
  const auto differs = [&](const Text& text) { return texts_of(results, text).size() > 1; };
  const Text variant = [](const BenchResult& r) { return r.engine.variant(); };
  const Text precision = [](const BenchResult& r) {
    return std::string(name_of(r.engine.precision));
  };
  const Text threads = [](const BenchResult& r) {
    return r.engine.on_cpu() ? counted(r.engine.threads, "thread") : std::string();
  };
  const Text solver = [](const BenchResult& r) { return r.engine.solver; };
  const bool by_variant = differs(variant), by_precision = differs(precision),
             by_threads = differs(threads) && std::ranges::all_of(results, [](const BenchResult&r) {
                            return r.engine.on_cpu();
                          });
  std::vector<std::string> labels;
  for (const BenchResult& result : results) {
    std::vector<std::string> words;
    const auto add = [&](bool wanted, const std::string& text) {
      if (wanted && !text.empty()) words.push_back(text);
    };
    add(differs(solver) || !by_variant, solver(result));
    add(by_variant, variant(result));
    add(by_precision, precision(result));
    add(by_threads, threads(result));
    add(true, sizes_that_tell(result, results));
    labels.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  return labels;
}

Chart bench_chart(std::span<const BenchResult> results) {
  if (results.empty()) return {};
  const bool interactions =
      std::ranges::all_of(results, [](const BenchResult& r) { return r.engine.sums_all_pairs(); });
  const auto labels = labels_of(results);
  const auto devices = texts_of(results, [](const BenchResult& r) { return r.device_label(); });
  std::set<std::size_t> sizes;
  for (const BenchResult& result : results) sizes.insert(result.engine.bodies);

  Panel panel;
  panel.y = {.label = interactions ? "interactions/s" : "bodies/s", .logarithmic = true};
  std::vector<std::string> things;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const BenchResult& result = results[i];
    const std::string thing = labels[i] + (result.complaint.empty() ? "" : " (wrong)");
    const std::string name = result.device_label() + " " + thing;
    if (place_in(things, thing) == things.size()) things.push_back(thing);
    const std::size_t colour = place_in(things, thing),
                      marker = place_in(devices, result.device_label());
    auto found = std::ranges::find(panel.series, name, &Series::name);
    if (found == panel.series.end() || sizes.size() == 1) {
      panel.series.push_back(
          {.name = name,
           .look = sizes.size() == 1 ? Series::Look::points : Series::Look::lines_and_points,
           .colour = colour,
           .marker = marker});
      found = panel.series.end() - 1;
    }
    const double speed = speed_of(result, interactions);
    found->x.push_back(sizes.size() == 1 ? beside(colour, marker, devices.size())
                                         : static_cast<double>(result.engine.bodies));
    found->y.push_back(speed);
    found->spread.push_back(spread_of(result, speed));
  }
  const BenchResult& first = results.front();
  Chart chart{.title = fmt::format("Force evaluations ({}, softening {:g}){}", first.model,
                                   first.law.softening,
                                   devices.size() == 1 ? " on " + devices.front() : ""),
              .panels = {}};
  if (sizes.size() == 1) {
    panel.x.label = counted(*sizes.begin(), "body");
    panel.x.low = -0.6, panel.x.high = static_cast<double>(things.size()) - 0.4;
    panel.x.names = things;
    things.clear();
  } else {
    panel.x = {.label = "bodies", .logarithmic = true};
  }
  add_shared_key(panel, things, devices);
  chart.panels.push_back(std::move(panel));
  return chart;
}

}  // namespace apsis
