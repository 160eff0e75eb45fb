// SPDX-License-Identifier: MIT
// final.png, strip.png and energy.png of a finished run, made from its own files.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/energy_chart.hpp>
#include <apsis/render/png.hpp>
#include <apsis/render/run_views.hpp>
#include <apsis/run/run_observers.hpp>
#include <apsis/sim/run_name.hpp>

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace apsis {
namespace {

constexpr std::size_t strip_frames = 6;

void write_final(const RunFolder& folder, const Labels& labels, int threads) {
  const Snapshot last = read_snapshot(folder.snapshots().back());
  const Image image = view_of(last.bodies, last.time, suitable_style(last.bodies), labels, threads);
  write_atomically(folder.file("final.png"), encode_png(image));
}

void write_strip(const RunFolder& folder, const Labels& labels, int threads) {
  const auto files = folder.snapshots();
  std::vector<Bodies> frames;
  std::vector<double> times;
  for (const std::size_t k : evenly_spaced(files.size(), strip_frames)) {
    Snapshot snapshot = read_snapshot(files[k]);
    times.push_back(snapshot.time);
    frames.push_back(std::move(snapshot.bodies));
  }
  const FrameStyle style = suitable_style(frames.front());
  const Image image = strip_of(frames, times, style, labels, {}, threads);
  write_atomically(folder.file("strip.png"), encode_png(image));
}

void write_energy_chart(const RunFolder& folder, const Labels& labels) {
  const auto rows = read_energy_log(folder.file("energy.csv"));
  const DrawnChart chart = draw(energy_chart(rows, labels.title, labels.units.time_name));
  if (!chart.problem.empty()) throw Error(ExitCode::unavailable, chart.problem);
  write_atomically(folder.file("energy.png"), chart.picture);
}

// A run never fails by them: it warns.
void write_pictures(ObservedRun& run) {
  const RunFolder& folder = run.folder;
  const RunSpec& spec = run.spec();
  const auto threads = static_cast<int>(spec.device.threads);
  const Labels labels{
      .title = name_of_run(spec), .units = units_of(spec), .plain = spec.output.plain};
  const auto attempt = [&](const char* name, const std::function<void()>& make) {
    try {
      make();
    } catch (const Error& error) {
      run.warnings.add({WarningCode::no_picture,
                        fmt::format("no {}: {}{}{}", name, error.what(),
                                    error.remedy().empty() ? "" : "; ", error.remedy())});
    }
  };
  attempt("final.png", [&] { write_final(folder, labels, threads); });
  attempt("strip.png", [&] { write_strip(folder, labels, threads); });
  attempt("energy.png", [&] { write_energy_chart(folder, labels); });
}

}  // namespace

RunObserver picture_observer() {
  return {.files = {"final.png", "strip.png", "energy.png"},
          .make = [](ObservedRun& run) -> Observer {
            return {.name = "pictures", .when = AtEnd{}, .observe = [&run](const Frame&) {
                      if (run.spec().output.pictures && !run.ending.went_bad()) write_pictures(run);
                    }};
          }};
}

}  // namespace apsis
