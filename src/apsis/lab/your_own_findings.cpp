// SPDX-License-Identifier: MIT
// What is said of whole-step kernels of the user's own, from the rows of their checks and times.
#include <apsis/lab/findings.hpp>
#include <apsis/lab/your_own.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace apsis::lab {
namespace {

std::vector<std::string> variants_in(const ResultTable& table, const std::string& device) {
  std::vector<std::string> variants;
  for (const Row& row : rows_of(table, device)) {
    const std::string name = row.text("variant");
    if (std::find(variants.begin(), variants.end(), name) == variants.end()) {
      variants.push_back(name);
    }
  }
  return variants;
}

// Where the cause names no body.
std::string first_body(const Row& row) {
  const auto body = row.number("first_wrong");
  if (!body || row.text("complaint").find("body ") != std::string::npos) return {};
  return fmt::format("; the first wrong one is body {:.0f}", *body);
}

// Of one kernel on one device: right, with what it is, or the first size at which it is not.
std::string check_sentence(const std::string& device, const std::string& variant,
                           const std::vector<Row>& rows) {
  std::vector<std::string> sizes;
  std::string scheme, softening;
  double error = 0, drift = 0;
  for (const Row& row : rows) {
    if (row.text("variant") != variant) continue;
    const std::string bodies = with_commas(row.value("bodies"));
    if (is_wrong(row)) {
      const std::string before =
          sizes.empty() ? "" : fmt::format(", right at {}", fmt::join(sizes, " and "));
      return fmt::format("{}: {} is wrong at {} in groups of {:.0f}{}: {}{}.", device, variant,
                         bodies_in_words(row.value("bodies")), row.value("group"), before,
                         row.text("complaint"), first_body(row));
    }
    sizes.push_back(bodies);
    if (row.text("scheme") != "any") {  // a body alone shows neither
      scheme = row.text("scheme"), softening = row.text("softening");
    }
    error = std::max(error, row.number("error").value_or(0));
    drift = std::max(drift, row.number("drift").value_or(0));
  }
  if (sizes.empty() || scheme.empty()) return {};
  return fmt::format(
      "{}: {} is right: {} to {:.1e} of each acceleration at {} bodies, and {:.1e} of the model's "
      "size off after ten steps; {}.",
      device, variant, scheme, error, fmt::join(sizes, ", "), drift, softening);
}

void add_speed_sentences(std::vector<std::string>& sentences, const std::string& device,
                         const std::vector<Row>& rows, const std::string& before,
                         const std::string& after) {
  const auto old_row = row_with(rows, "variant", before),
             new_row = row_with(rows, "variant", after);
  const auto step = old_row && new_row ? compared(*old_row, *new_row) : std::nullopt;
  if (!step) return;
  sentences.push_back(fmt::format(
      "{}, {}: {} {} {} ({} the speed end to end{}).", device,
      bodies_in_words(new_row->value("bodies")), after,
      verdict_words(step->verdict,
                    {"is faster than", "is slower than", "is as fast as", "is not clear of"}),
      before, times(*step), kernel_words(*old_row, *new_row)));
}

}  // namespace

std::string ours(const std::string& variant) { return variant + " (ours)"; }

std::vector<std::string> own_findings(const Results& results) {
  std::vector<std::string> sentences;
  std::set<std::string> told;  // whose cause has been named
  const ResultTable& checks = results.table("checks");
  for (const Row& row : checks.rows()) {
    if (is_wrong(row)) told.insert(row.text("variant"));
  }
  for (const std::string& device : devices_in(checks)) {
    for (const std::string& variant : variants_in(checks, device)) {
      std::string sentence = check_sentence(device, variant, rows_of(checks, device));
      if (!sentence.empty()) sentences.push_back(std::move(sentence));
    }
  }
  const ResultTable& table = results.table("results");
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (const std::string& device : devices_in(table)) {
    const auto rows = largest(rows_of(table, device));
    std::string before;
    for (const std::string& variant : variants_in(table, device)) {
      const auto row = row_with(rows, "variant", variant);
      if (!row || row->text("own").empty()) continue;
      if (is_wrong(*row)) {
        sentences.push_back(
            fmt::format("{}, {}: {} is wrong and compared with nothing{}.", device,
                        bodies_in_words(row->value("bodies")), variant,
                        told.contains(variant) ? "" : ": " + row->text("complaint")));
        continue;
      }
      add_speed_sentences(sentences, device, rows, ours("tiled"), variant);
      if (!before.empty()) add_speed_sentences(sentences, device, rows, before, variant);
      before = variant;
    }
  }
  return sentences;
}

}  // namespace apsis::lab
