// SPDX-License-Identifier: MIT
#include <apsis/lab/findings.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace apsis::lab {
namespace {

// Above this share of an evaluation, what is not kernels is worth a sentence.
constexpr double notable_rest = 0.1;

std::string list_with_and(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

const Rung* rung_of(std::span<const Rung> rungs, const std::string& variant) {
  const auto found = std::find_if(rungs.begin(), rungs.end(),
                                  [&](const Rung& rung) { return rung.variant == variant; });
  return found == rungs.end() ? nullptr : &*found;
}

// The nearest rung below that was measured.
std::optional<Row> measured_before(const std::vector<Row>& rows, std::span<const Rung> rungs,
                                   const Rung& rung) {
  for (const Rung* below = rung_of(rungs, rung.before); below != nullptr;
       below = rung_of(rungs, below->before)) {
    if (const auto row = row_with(rows, "variant", below->variant)) return row;
  }
  return std::nullopt;
}

const std::string& reason_for_loss(const Rung& rung, const std::string& kind) {
  return kind == "gpu" && !rung.loss_on_gpu.empty() ? rung.loss_on_gpu : rung.loss_on_cpu;
}

// A gain is told with what the rung changes, a loss with what that can be; neither where the rows
// do not show that the kernels are behind it.
std::string step_sentence(const Rung& rung, const Row& before, const Row& row,
                          const Comparison& step) {
  const std::string names =
      fmt::format("{}: {} over {}", row.text("device"), rung.variant, before.text("variant"));
  const std::string kernels = kernel_words(before, row);
  const std::string no_cause = why_no_cause(before, row, step);
  switch (step.verdict) {
    case Verdict::gained:
      return fmt::format("{}: {} as fast end to end{}; {}.", names, times(step), kernels,
                         no_cause.empty() ? "the change: " + rung.gain : no_cause);
    case Verdict::lost:
      return fmt::format("{}: lost, {} the speed end to end{}{}.", names, times(step), kernels,
                         no_cause.empty()
                             ? ". That can be: " + reason_for_loss(rung, row.text("kind"))
                             : "; " + no_cause);
    case Verdict::unclear:
      return fmt::format(
          "{}: unclear, {} the speed end to end {}. Measure again with more steps, on a machine "
          "that "
          "does nothing else.",
          names, times(step), doubt(step));
    case Verdict::alike:
      break;
  }
  return fmt::format("{}: no difference here ({} the speed end to end).", names, times(step));
}

std::optional<Row> fastest(const std::vector<Row>& rows) {
  std::optional<Row> best;
  for (const Row& row : rows) {
    const auto seconds = row.number("seconds");
    if (seconds && !is_wrong(row) && (!best || *seconds < best->value("seconds"))) best = row;
  }
  return best;
}

// Rows that the best one is not clear of.
std::vector<std::string> rivals_of(const Row& best, const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (row.text("variant") == best.text("variant")) continue;
    const auto step = compared(row, best);
    if (step && step->verdict != Verdict::gained) names.push_back(row.text("variant"));
  }
  return names;
}

std::string best_sentence(const std::string& device, const std::vector<Row>& rows) {
  const auto best = fastest(rows);
  if (!best) return {};
  const double rate = best->value("interactions_per_second");
  const std::string name = best->text("variant");
  if (rows.size() == 1 && best->text("kind") == "native") {
    return fmt::format(
        "The native CPU beside it: {} does {} interactions a second end to end with {}"
        ". The lesson cpu climbs its ladder.",
        name, compact(rate), bodies_in_words(best->value("bodies")));
  }
  std::string text =
      fmt::format("{}, {}: the fastest is {} with {} interactions a second end to end", device,
                  bodies_in_words(best->value("bodies")), name, compact(rate));
  if (rows.size() == 1) return text + "; there is no other rung to compare with.";
  const auto rivals = rivals_of(*best, rows);
  const auto step = compared(rows.front(), *best);
  if (step && step->verdict == Verdict::gained) {
    text += fmt::format(", {} as fast as {}", times(*step), rows.front().text("variant"));
  }
  if (!rivals.empty()) {
    text += fmt::format("; {} can't be told apart from it", list_with_and(rivals));
  }
  const bool first =
      name == rows.front().text("variant") ||
      std::find(rivals.begin(), rivals.end(), rows.front().text("variant")) != rivals.end();
  return text + (first ? ": no step of the ladder pays here." : ".");
}

// How much of an evaluation the device's clock does not see.
void add_rest_sentence(std::vector<std::string>& sentences, const std::string& device,
                       const std::vector<Row>& rows, const std::string& variant) {
  std::optional<Row> few, many;
  for (const Row& row : rows) {
    if (row.text("variant") != variant || !kernels_are_part(row)) continue;
    if (!few || row.value("bodies") < few->value("bodies")) few = row;
    if (!many || row.value("bodies") > many->value("bodies")) many = row;
  }
  if (!few) return;
  const auto rest = [](const Row& row) {
    return 1 - std::min(1.0, row.value("seconds_kernel") / row.value("seconds"));
  };
  if (rest(*few) < notable_rest) return;
  std::string text = fmt::format(
      "{}: with {} {:.0f} % of the end-to-end time of {} is not kernels but "
      "launching and waiting",
      device, bodies_in_words(few->value("bodies")), 100 * rest(*few), variant);
  if (many->value("bodies") > few->value("bodies")) {
    text += fmt::format("; with {} {:.0f} %", bodies_in_words(many->value("bodies")),
                        100 * rest(*many));
  }
  sentences.push_back(text + ".");
}

// Two clocks that ran over different evaluations do not make a whole and its part.
void add_clock_sentence(std::vector<std::string>& sentences, const ResultTable& table) {
  std::size_t clocked = 0, longer = 0;
  bool apart = false;
  double most = 1;
  for (const Row& row : table.rows()) {
    if (!row.number("seconds_kernel")) continue;
    ++clocked;
    const double ratio = row.value("seconds_kernel") / row.value("seconds");
    longer += ratio > 1 ? 1 : 0;
    apart = apart || !kernels_are_part(row);
    most = std::max(most, ratio);
  }
  if (!apart) return;
  sentences.push_back(fmt::format(
      "{} of {} rows have more kernel time than end-to-end time, up to {}: their two clocks did "
      "not run over the same evaluations, so nothing is said of what lies between them.",
      longer, clocked, times(most)));
}

// The user's kernels, against those that are built in.
void add_edited_sentences(std::vector<std::string>& sentences, const std::string& device,
                          const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (row.text("edited") != "yes") continue;
    const std::string name = row.text("variant"), own = name.substr(0, name.find(" ("));
    if (is_wrong(row)) {
      sentences.push_back(fmt::format(
          "{}: your {} computes wrong forces, so its speed says nothing.", device, own));
      continue;
    }
    const auto built_in = row_with(rows, "variant", own);
    const auto step = built_in ? compared(*built_in, row) : std::nullopt;
    if (!step) continue;
    sentences.push_back(
        fmt::format("{}: your {} {} the built-in one ({} the speed end to end).", device, own,
                    verdict_words(step->verdict, {"is faster than", "lost: it is slower than",
                                                  "is as fast as", "can't be told apart from"}),
                    times(*step)));
  }
}

// What a row's sums may be off by at most; nothing for what promises none.
std::optional<double> bound_of(const Row& row) {
  for (const auto& [precision, name] : Choice<Precision>::values) {
    if (name == row.text("precision") && sums_all_pairs(row.text("solver"))) {
      return error_bounds(precision).max;
    }
  }
  return std::nullopt;
}

// Of all rows that have an error, also of those that are wrong.
void add_error_sentence(std::vector<std::string>& sentences, const ResultTable& table) {
  std::optional<Row> worst;
  std::size_t judged = 0, wrong = 0, beyond = 0;
  for (const Row& row : table.rows()) {
    const auto error = row.number("error_max");
    if (!error) continue;
    ++judged;
    if (is_wrong(row)) {
      ++wrong;
      continue;
    }
    if (const auto bound = bound_of(row); bound && *error > *bound) ++beyond;
    if (!worst || *error > worst->value("error_max")) worst = row;
  }
  if (judged == 0) return;
  const std::string largest =
      worst ? fmt::format("the largest relative force error is {:.1e} ({} on {} with {})",
                          worst->value("error_max"), worst->text("variant"), worst->text("device"),
                          bodies_in_words(worst->value("bodies")))
            : std::string();
  const std::string cancelled =
      beyond == 0 ? ""
                  : fmt::format(
                        "; {} of them {} beyond the bound of the precision only where pulls "
                        "cancel",
                        beyond, beyond == 1 ? "is" : "are");
  if (wrong == 0) {
    sentences.push_back(
        fmt::format("All {} rows are as accurate as their precision promises: {}{}.", judged,
                    largest, cancelled));
  } else if (wrong == judged) {
    sentences.push_back(
        fmt::format("The forces of all {} rows are wrong: their speeds say nothing.", judged));
  } else {
    sentences.push_back(fmt::format("{} of {} rows are wrong. Of the others {}{}.", wrong, judged,
                                    largest, cancelled));
  }
}

}  // namespace

std::vector<std::string> ladder_findings(const ResultTable& table, std::span<const Rung> rungs) {
  std::vector<std::string> sentences, devices = devices_in(table);
  // what is only there to compare with comes last
  std::stable_partition(devices.begin(), devices.end(), [&](const std::string& device) {
    const auto rows = largest(rows_of(table, device));
    return rows.size() > 1 || rows.front().text("kind") != "native";
  });
  for (const std::string& device : devices) {
    const auto all = rows_of(table, device), rows = largest(all);
    if (const std::string best = best_sentence(device, rows); !best.empty()) {
      sentences.push_back(best);
    }
    for (const Rung& rung : rungs) {
      const auto row = row_with(rows, "variant", rung.variant);
      const auto before = row ? measured_before(rows, rungs, rung) : std::nullopt;
      const auto step = before ? compared(*before, *row) : std::nullopt;
      if (step) sentences.push_back(step_sentence(rung, *before, *row, *step));
    }
    add_edited_sentences(sentences, device, rows);
    if (const auto best = fastest(rows)) {
      add_rest_sentence(sentences, device, all, best->text("variant"));
    }
  }
  for (std::string& sentence : busy_findings(table)) sentences.push_back(std::move(sentence));
  add_clock_sentence(sentences, table);
  for (std::string& sentence : complaint_findings(table)) sentences.push_back(std::move(sentence));
  add_error_sentence(sentences, table);
  return sentences;
}

std::vector<std::string> busy_findings(const ResultTable& table) {
  std::size_t timed = 0, busy = 0;
  double most = 0;
  for (const Row& row : table.rows()) {
    const auto waited = row.number("waited");
    if (!waited) continue;
    ++timed;
    busy += was_busy(row) ? 1 : 0;
    most = std::max(most, *waited);
  }
  if (busy == 0) return {};
  return {fmt::format(
      "The machine was busy with something else while {} of {} rows were measured: their threads "
      "waited for a core, up to {:.2g} seconds in each second. Nothing is concluded from them.",
      busy, timed, most)};
}

std::vector<std::string> complaint_findings(const ResultTable& table) {
  std::vector<std::string> sentences;
  for (const Row& row : table.rows()) {
    const std::string complaint = row.text("complaint");
    if (complaint.empty()) continue;
    sentences.push_back(fmt::format("{} on {} with {} is wrong: {}.", row.text("variant"),
                                    row.text("device"), bodies_in_words(row.value("bodies")),
                                    complaint));
  }
  return sentences;
}

std::vector<std::string> devices_in(const ResultTable& table) {
  std::vector<std::string> names;
  for (const Row& row : table.rows()) {
    if (std::find(names.begin(), names.end(), row.text("device")) == names.end()) {
      names.push_back(row.text("device"));
    }
  }
  return names;
}

std::vector<Row> rows_of(const ResultTable& table, const std::string& device) {
  std::vector<Row> rows;
  for (const Row& row : table.rows()) {
    if (row.text("device") == device) rows.push_back(row);
  }
  return rows;
}

std::vector<Row> with_bodies(const std::vector<Row>& rows, double bodies) {
  std::vector<Row> chosen;
  for (const Row& row : rows) {
    if (row.number("bodies") == bodies) chosen.push_back(row);
  }
  return chosen;
}

std::vector<Row> largest(const std::vector<Row>& rows) {
  double most = -1;
  for (const Row& row : rows) most = std::max(most, row.number("bodies").value_or(-1));
  return most < 0 ? rows : with_bodies(rows, most);
}

std::optional<Row> row_with(const std::vector<Row>& rows, std::string_view key,
                            std::string_view text) {
  for (const Row& row : rows) {
    if (row.text(key) == text) return row;
  }
  return std::nullopt;
}

}  // namespace apsis::lab
