// SPDX-License-Identifier: MIT
// Matrix products: one index or two, along rows or down columns, tiles, and a library as the bar.
#include <apsis/core/error.hpp>
#include <apsis/device/clblast.hpp>
#include <apsis/device/kernel_folder.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/matmul.hpp>
#include <apsis/lab/matmul_tables.hpp>
#include <apsis/lab/matrix_file.hpp>
#include <apsis/lab/places.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>

namespace apsis::lab {
namespace {

std::vector<MatrixShape> shapes_for(const LabOptions& options, const LessonPlace& place) {
  if (!options.shapes.empty()) return options.shapes;
  if (options.quick) return {{3, 2, 2}, {17, 31, 5}, {100, 37, 99}};
  std::vector<MatrixShape> shapes{
      {1, 1, 1}, {3, 2, 2}, {17, 31, 5}, {1000, 37, 999}, {512, 512, 512}};
  if (place.is_gpu()) shapes.push_back({2048, 2048, 2048});
  return shapes;
}

const char* element_name(const Matrices<int>& /*matrices*/) { return "int"; }
const char* element_name(const Matrices<float>& /*matrices*/) { return "float"; }

// What all rows of one product share.
struct Task {
  const LabOptions& options;
  Recorder& recorder;
  std::size_t table;
  const LessonPlace& place;
  std::optional<std::size_t> product;  // the table that shows one
};

template <class Element>
void add_row(const Task& task, const Matrices<Element>& matrices, const std::string& variant,
             const MatmulResult<Element>& result, const PlainProduct<Element>& plain) {
  const MatrixShape& shape = matrices.shape;
  const double operations = 2.0 * static_cast<double>(shape.rows) *
                            static_cast<double>(shape.inner) * static_cast<double>(shape.columns);
  const double error = product_error(result.product, plain);
  const double allowed = allowed_error<Element>(shape);
  const double kernel = result.kernel.median();
  task.recorder.add(task.table,
                    {{"device", task.place.name},
                     {"kind", task.place.kind()},
                     {"element", element_name(matrices)},
                     {"shape", to_string(shape)},
                     {"operations", operations},
                     {"variant", variant},
                     {"steps", static_cast<double>(result.whole.seconds.size())},
                     {"seconds", result.whole.median()},
                     {"seconds_deviation", result.whole.deviation()},
                     {"seconds_kernel", kernel > 0 ? Cell(kernel) : Cell()},
                     {"seconds_kernel_deviation", result.kernel.deviation()},
                     {"gops", kernel > 0 ? Cell(1e-9 * operations / kernel) : Cell()},
                     {"error", error},
                     {"waited", result.waited},
                     {"complaint", error <= allowed ? std::string()
                                                    : fmt::format("error {:.1e} exceeds {:.1e}",
                                                                  error, allowed)}});
}

bool with_clblast(const Task& task) {
  if (!task.options.quick || task.place.is_gpu()) return true;
  task.recorder.notice(fmt::format(
      "--quick leaves CLBlast out on {}: its kernels take a quarter of a minute to build there",
      task.place.name));
  return false;
}

// The plain product on the host, as a row beside those that are held against it.
template <class Element>
void add_plain_row(const Task& task, const Matrices<Element>& matrices,
                   const PlainProduct<Element>& plain) {
  task.recorder.add(task.table, {{"device", "host"},
                                 {"kind", "native"},
                                 {"element", element_name(matrices)},
                                 {"shape", to_string(matrices.shape)},
                                 {"variant", "plain product"},
                                 {"steps", 1.0},
                                 {"seconds", plain.seconds},
                                 {"error", 0.0}});
}

// A product to look at is the device's own, by the kernel that textbooks have.
constexpr const char* shown_kernel = "2-D along rows";

template <class Element>
void measure_product(const Task& task, device::Context& built_in, device::Context* edited,
                     const Matrices<Element>& matrices, bool with_plain) {
  const MatrixShape& shape = matrices.shape;
  const int steps = static_cast<int>(task.options.steps.value_or(task.options.quick ? 2 : 5));
  const int warmup = static_cast<int>(task.options.quick ? 1 : task.options.warmup);
  task.recorder.measuring(
      fmt::format("{}, {} on the host", element_name(matrices), to_string(shape)));
  const auto plain = plain_product(matrices, task.options.threads);
  if (with_plain) add_plain_row(task, matrices, plain);
  std::vector<Element> shown;
  for (const MatmulKernel& kernel : matmul_kernels()) {
    if (kernel.floats_only && (std::is_integral_v<Element> || !with_clblast(task))) continue;
    task.recorder.measuring(fmt::format("{} {}, {}, {}", task.place.name, kernel.name,
                                        element_name(matrices), to_string(shape)));
    const auto result = multiply(built_in, kernel, matrices, warmup, steps);
    add_row(task, matrices, kernel.name, result, plain);
    if (task.product && kernel.name == shown_kernel) shown = result.product;
    if (edited == nullptr || kernel.file.empty() ||
        !kernel_text(kernel.file, task.options.kernel_dir).from_folder) {
      continue;
    }
    add_row(task, matrices, kernel.name + " (edited)",
            multiply(*edited, kernel, matrices, warmup, steps), plain);
  }
  if (!shown.empty()) add_product_rows(task.recorder, *task.product, shape, shown);
}

void require_kernels(const std::string& folder, Recorder& recorder) {
  if (folder.empty()) return;
  const auto kernels = matmul_kernels();
  recorder.notice(notice_of(kernel_folder(folder)));
  const bool any = std::any_of(kernels.begin(), kernels.end(), [&](const MatmulKernel& kernel) {
    return !kernel.file.empty() && kernel_text(kernel.file, folder).from_folder;
  });
  if (any) return;
  throw bad_data(fmt::format("{} has no file that this lesson's kernels are made of", folder),
                 "copy kernels/matmul_tiled.cl or another matmul_*.cl there and edit it");
}

// The user's own matrices, where there are any.
std::optional<WrittenProduct> written_in(const LabOptions& options, Recorder& recorder) {
  if (options.left_file.empty()) return std::nullopt;
  WrittenProduct product = written_product(options.left_file, options.right_file);
  if (!product.whole && product.left.whole && product.right.whole) {
    recorder.notice("sums of these whole numbers leave int: the product is taken in float");
  }
  if (!is_printed(product.shape)) {
    recorder.notice(fmt::format("the product is checked, and not printed: {} is more than {}x{}",
                                to_string(product.shape), most_printed_rows, most_printed_columns));
  }
  return product;
}

// A small product shows whose work-item computes what.
void show_indices(const LabOptions& options, const std::optional<WrittenProduct>& written,
                  Recorder& recorder) {
  constexpr MatrixShape usual{2, 2, 3};
  MatrixShape shape = usual;
  if (written)
    shape = written->shape;
  else if (!options.shapes.empty())
    shape = options.shapes.front();
  if (shape.rows * shape.columns > most_printed_rows) shape = usual;
  const std::size_t table = recorder.declare(index_table(shape));
  add_index_rows(recorder, table, shape);
}

void measure_written(const Task& task, device::Context& built_in, device::Context* edited,
                     const WrittenProduct& written, bool first) {
  if (written.whole) {
    measure_product(task, built_in, edited, matrices_of<int>(written), first);
  } else {
    measure_product(task, built_in, edited, matrices_of<float>(written), first);
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  require_kernels(options.kernel_dir, recorder);
  const auto written = written_in(options, recorder);
  const auto where = places(options, Wanted::opencl, recorder);
  const std::size_t table = recorder.declare(times_table());
  show_indices(options, written, recorder);
  std::optional<std::size_t> product;
  if (written && is_printed(written->shape)) {
    product = recorder.declare(product_table(
        written->shape, fmt::format("by the kernel \"{}\" on {}", shown_kernel, where[0].name)));
  }
  if (!device::clblast_built_in()) {
    recorder.notice("this build has no CLBlast, the bar of this lesson (libclblast-dev)");
  }
  bool first = true;
  for (const LessonPlace& place : where) {
    device::Context built_in(place.info);
    std::unique_ptr<device::Context> edited;
    if (!options.kernel_dir.empty()) {
      edited = std::make_unique<device::Context>(
          place.info, device::ContextOptions{.kernel_folder = options.kernel_dir});
    }
    const Task task{options, recorder, table, place, first ? product : std::nullopt};
    if (written) measure_written(task, built_in, edited.get(), *written, first);
    for (const MatrixShape& shape :
         written ? std::vector<MatrixShape>{} : shapes_for(options, place)) {
      measure_product(task, built_in, edited.get(), made_matrices<int>(shape), first);
      measure_product(task, built_in, edited.get(), made_matrices<float>(shape), first);
    }
    first = false;
  }
}

// Rows of a device and an element for its largest product.
std::vector<Row> largest_product(const ResultTable& table, const std::string& device,
                                 const std::string& element) {
  double most = -1;
  std::vector<Row> rows;
  for (const Row& row : rows_of(table, device)) {
    const double size = row.number("operations").value_or(-1);
    if (row.text("element") != element || size < most) continue;
    if (size > most) rows.clear();
    most = size;
    rows.push_back(row);
  }
  return rows;
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  Chart chart{.title = "Matrix products by kernel time", .panels = {}};
  for (const std::string& device : devices_in(table)) {
    for (const char* const element : {"int", "float"}) {
      const auto rows = largest_product(table, device, element);
      if (rows.empty() || device == "host") continue;
      Panel panel;
      Series bars{.look = Series::Look::bars};
      for (const Row& row : rows) {
        bars.x.push_back(static_cast<double>(panel.x.names.size()));
        bars.y.push_back(row.value("gops"));
        panel.x.names.push_back(row.text("variant"));
      }
      panel.x.label = "kernel";
      panel.x.low = -0.6, panel.x.high = static_cast<double>(rows.size()) - 0.4;
      panel.y.label = fmt::format("{}, {}: GOP/s", device, element);
      panel.y.low = 0;
      panel.series.push_back(std::move(bars));
      chart.title = fmt::format("Matrix product {} by kernel time", rows.front().text("shape"));
      chart.panels.push_back(std::move(panel));
    }
  }
  return {{"", std::move(chart)}};
}

// Fewer operations, or kernels this short, take less time than their launch: what differs there is
// not the kernel.
constexpr double fewest_operations = 1e5, shortest_kernel = 20e-6;

std::string why_no_cause(const Row& before, const Row& after) {
  const double operations = after.number("operations").value_or(0);
  if (operations < fewest_operations) {
    return fmt::format("{} operations are too few to name a cause", with_commas(operations));
  }
  if (!kernels_are_part(before) || !kernels_are_part(after)) {
    return "kernel times of the same products are missing, so no cause is named";
  }
  if (std::min(before.value("seconds_kernel"), after.value("seconds_kernel")) < shortest_kernel) {
    return "kernels this short are mostly their launch, so no cause can be named";
  }
  return {};
}

// End to end counts the copies, which no kernel changes: the kernels' own times stand beside it.
struct ProductStep {
  Comparison whole;
  std::optional<Comparison> kernels;
  std::string amount;    // "1.02 ± 0.01 times the speed end to end (kernels alone: 2.1 times)"
  std::string no_cause;  // why none is named; empty where one may be
};
std::optional<ProductStep> product_step(const std::vector<Row>& rows, const std::string& before,
                                        const std::string& after) {
  const auto old_row = row_with(rows, "variant", before),
             new_row = row_with(rows, "variant", after);
  const auto whole = old_row && new_row ? compared(*old_row, *new_row) : std::nullopt;
  if (!whole) return std::nullopt;
  return ProductStep{
      *whole, kernels_compared(*old_row, *new_row),
      fmt::format("{} the speed end to end{}", times(*whole), kernel_words(*old_row, *new_row)),
      why_no_cause(*old_row, *new_row)};
}

void add_order_sentence(std::vector<std::string>& sentences, const std::string& place,
                        const std::vector<Row>& rows) {
  const auto step = product_step(rows, "2-D down columns", "2-D along rows");
  if (!step) return;
  const bool faster = step->kernels && step->kernels->verdict == Verdict::gained;
  std::string why;
  if (!step->no_cause.empty()) {
    why = "; " + step->no_cause;
  } else if (faster) {
    why =
        "; in the kernels neighbouring work-items then read neighbouring elements of b and write "
        "neighbouring ones of c, instead of a whole row apart";
  }
  sentences.push_back(fmt::format(
      "{}: dimension 0 along rows instead of down columns {}: {}{}.", place,
      verdict_words(step->whole.verdict, {"pays", "lost", "makes no difference end to end",
                                          "is unclear, " + doubt(step->whole)}),
      step->amount, why));
}

void add_step_sentence(std::vector<std::string>& sentences, const std::string& place,
                       const std::vector<Row>& rows, const std::string& before,
                       const std::string& after, const std::string& why_not) {
  const auto step = product_step(rows, before, after);
  if (!step) return;
  const bool slower = step->whole.verdict == Verdict::lost && step->kernels &&
                      step->kernels->verdict == Verdict::lost;
  std::string why;
  if (step->whole.verdict == Verdict::gained || step->whole.verdict == Verdict::lost) {
    why = !step->no_cause.empty() ? "; " + step->no_cause
          : slower                ? ". That can be: " + why_not
                                  : "";
  }
  sentences.push_back(
      fmt::format("{}: {} {} {} ({}){}.", place, after,
                  verdict_words(step->whole.verdict,
                                {"beats", "lost against", "is as fast as", "is not clear of"}),
                  before, step->amount, why));
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  std::size_t products = 0, wrong = 0;
  for (const Row& row : table.rows()) {
    products += row.text("device") == "host" ? 0 : 1;
    if (row.text("complaint").empty()) continue;
    ++wrong;
    sentences.push_back(fmt::format("{} on {} is wrong for {} {}: {}.", row.text("variant"),
                                    row.text("device"), row.text("shape"), row.text("element"),
                                    row.text("complaint")));
  }
  if (products > 0 && wrong == 0) {
    sentences.push_back(
        fmt::format("All {} products agree with the plain one: exactly for int, to "
                    "rounding for float.",
                    products));
  }
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (const std::string& device : devices_in(table)) {
    auto rows = largest_product(table, device, "float");
    if (rows.empty()) rows = largest_product(table, device, "int");  // matrices of the user's own
    if (device == "host" || rows.empty()) continue;
    const std::string place = fmt::format("{}, {}", device, rows.front().text("shape"));
    add_order_sentence(sentences, place, rows);
    add_step_sentence(sentences, place, rows, "2-D along rows", "1-D index",
                      "a division and a remainder for every work-item");
    add_step_sentence(
        sentences, place, rows, "2-D along rows", "tiled",
        "on a CPU a tile is one more copy of what the cache holds anyway, and on a GPU "
        "small matrices leave most of it idle");
    add_step_sentence(sentences, place, rows, "tiled", "CLBlast",
                      "it is tuned for large matrices and other devices, and pads small ones");
    for (const Row& row : rows) {
      const std::string name = row.text("variant");
      if (!name.ends_with(" (edited)")) continue;
      add_step_sentence(sentences, place, rows, name.substr(0, name.find(" (")), name,
                        "that is for you to find out");
    }
  }
  return sentences;
}

}  // namespace

Lesson matmul_lesson() {
  return {.name = "matmul",
          .title = "Matrix products: index spaces and tiles",
          .summary =
              "int and float matrices of any shape: 1-D and 2-D index, tiled, CLBlast as the "
              "bar",
          .takes = {"device", "shapes", "left", "right", "a", "b", "steps", "warmup", "threads",
                    "kernel-dir"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
