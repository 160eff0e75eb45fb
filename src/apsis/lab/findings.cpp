// SPDX-License-Identifier: MIT
#include <apsis/lab/findings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace apsis::lab {
namespace {

constexpr double no_difference = 0.05;
// Above this share of an evaluation, what is not kernels is worth a sentence.
constexpr double notable_rest = 0.1;

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

std::string step_sentence(const Rung& rung, const Row& before, const Row& row,
                          const Comparison& step, const std::string& clock) {
  const std::string names =
      fmt::format("{}: {} over {}", row.text("device"), rung.variant, before.text("variant"));
  const std::string& why_not = reason_for_loss(rung, row.text("kind"));
  switch (step.verdict) {
    case Verdict::gained:
      return fmt::format("{}: {} as fast {}; {}.", names, times(step.ratio), clock_words(clock),
                         rung.gain);
    case Verdict::lost:
      return fmt::format("{}: lost, {} the speed {}. That can be: {}.", names, times(step.ratio),
                         clock_words(clock), why_not);
    case Verdict::unclear:
      return fmt::format(
          "{}: unclear, {} the speed {}, but times spread by more than they differ. Measure again "
          "with more steps, on a machine that does nothing else.",
          names, times(step.ratio), clock_words(clock));
    case Verdict::alike:
      break;
  }
  return fmt::format("{}: no difference here ({} {}). That can be: {}.", names, times(step.ratio),
                     clock_words(clock), why_not);
}

std::optional<Row> fastest(const std::vector<Row>& rows, const std::string& clock) {
  std::optional<Row> best;
  for (const Row& row : rows) {
    const auto seconds = row.number(clock);
    if (seconds && (!best || *seconds < best->value(clock))) best = row;
  }
  return best;
}

std::string best_sentence(const std::string& device, const std::vector<Row>& rows,
                          const std::string& clock) {
  const auto best = fastest(rows, clock);
  if (!best) return {};
  const Row& first = rows.front();
  const double rate = best->value(clock == "seconds_kernel" ? "interactions_per_second_kernel"
                                                            : "interactions_per_second");
  std::string text = fmt::format(
      "{}, {} bodies: the fastest is {} with {} interactions a second {}", device,
      with_commas(best->value("bodies")), best->text("variant"), compact(rate), clock_words(clock));
  if (rows.size() == 1 && first.text("kind") == "native") {
    return fmt::format(
        "The native CPU beside it: {} does {} interactions a second end to end with {} "
        "bodies. The lesson cpu climbs its ladder.",
        best->text("variant"), compact(rate), with_commas(best->value("bodies")));
  }
  if (rows.size() == 1) return text + "; there is no other rung to compare with.";
  const double ratio = first.value(clock) / best->value(clock);
  if (best->text("variant") == first.text("variant")) {
    return text + ": no step of the ladder pays here.";
  }
  return text + fmt::format(", {} as fast as {}.", times(ratio), first.text("variant"));
}

// How much of an evaluation the device's clock does not see.
void add_rest_sentence(std::vector<std::string>& sentences, const std::string& device,
                       const std::vector<Row>& rows, const std::string& variant) {
  std::optional<Row> few, many;
  for (const Row& row : rows) {
    if (row.text("variant") != variant || !row.number("seconds_kernel")) continue;
    if (!few || row.value("bodies") < few->value("bodies")) few = row;
    if (!many || row.value("bodies") > many->value("bodies")) many = row;
  }
  if (!few) return;
  const auto rest = [](const Row& row) {
    return 1 - std::min(1.0, row.value("seconds_kernel") / row.value("seconds"));
  };
  if (rest(*few) < notable_rest) return;
  std::string text = fmt::format(
      "{}: with {} bodies {:.0f} % of the end-to-end time of {} is not kernels but "
      "launching and waiting",
      device, with_commas(few->value("bodies")), 100 * rest(*few), variant);
  if (many->value("bodies") > few->value("bodies")) {
    text += fmt::format("; with {} bodies {:.0f} %", with_commas(many->value("bodies")),
                        100 * rest(*many));
  }
  sentences.push_back(text + ".");
}

// The user's kernels, against those that are built in.
void add_edited_sentences(std::vector<std::string>& sentences, const std::string& device,
                          const std::vector<Row>& rows, const std::string& clock) {
  for (const Row& row : rows) {
    if (row.text("edited") != "yes") continue;
    const std::string name = row.text("variant"), own = name.substr(0, name.find(" ("));
    const auto built_in = row_with(rows, "variant", own);
    const auto step = built_in ? compared(*built_in, row, clock) : std::nullopt;
    if (!step) continue;
    sentences.push_back(
        fmt::format("{}: your {} {} the built-in one ({} the speed {}).", device, own,
                    verdict_words(step->verdict, {"is faster than", "lost: it is slower than",
                                                  "is as fast as", "can't be told apart from"}),
                    times(step->ratio), clock_words(clock)));
  }
}

void add_error_sentence(std::vector<std::string>& sentences, const ResultTable& table) {
  double largest_error = -1;
  std::string whose;
  for (const Row& row : table.rows()) {
    const auto error = row.number("error_max");
    if (!error || !row.text("complaint").empty() || *error <= largest_error) continue;
    largest_error = *error;
    whose = fmt::format("{} on {} with {} bodies", row.text("variant"), row.text("device"),
                        with_commas(row.value("bodies")));
  }
  if (largest_error < 0) return;
  sentences.push_back(
      fmt::format("Speed did not cost accuracy: the largest relative force error is {:.1e} ({}).",
                  largest_error, whose));
}

}  // namespace

std::optional<Comparison> compared(const Row& before, const Row& after, std::string_view key) {
  const auto old_time = before.number(key), new_time = after.number(key);
  if (!old_time || !new_time || !(*old_time > 0) || !(*new_time > 0)) return std::nullopt;
  Comparison result{*old_time / *new_time, Verdict::alike};
  if (std::abs(result.ratio - 1) <= no_difference) return result;
  const std::string deviation = std::string(key) + "_deviation";
  const double spread = before.number(deviation).value_or(0) + after.number(deviation).value_or(0);
  result.verdict = std::abs(*old_time - *new_time) <= spread ? Verdict::unclear
                   : result.ratio > 1                        ? Verdict::gained
                                                             : Verdict::lost;
  return result;
}

std::string verdict_words(Verdict verdict, const VerdictWords& words) {
  switch (verdict) {
    case Verdict::gained:
      return words.gained;
    case Verdict::lost:
      return words.lost;
    case Verdict::alike:
      return words.alike;
    case Verdict::unclear:
      break;
  }
  return words.unclear;
}

std::vector<std::string> ladder_findings(const ResultTable& table, std::span<const Rung> rungs) {
  std::vector<std::string> sentences, devices = devices_in(table);
  // what is only there to compare with comes last
  std::stable_partition(devices.begin(), devices.end(), [&](const std::string& device) {
    const auto rows = largest(rows_of(table, device));
    return rows.size() > 1 || rows.front().text("kind") != "native";
  });
  for (const std::string& device : devices) {
    const auto all = rows_of(table, device), rows = largest(all);
    const std::string clock = common_clock(rows);
    if (const std::string best = best_sentence(device, rows, clock); !best.empty()) {
      sentences.push_back(best);
    }
    for (const Rung& rung : rungs) {
      const auto row = row_with(rows, "variant", rung.variant);
      const auto before = row ? measured_before(rows, rungs, rung) : std::nullopt;
      const auto step = before ? compared(*before, *row, clock) : std::nullopt;
      if (step) sentences.push_back(step_sentence(rung, *before, *row, *step, clock));
    }
    add_edited_sentences(sentences, device, rows, clock);
    if (const auto best = fastest(rows, clock)) {
      add_rest_sentence(sentences, device, all, best->text("variant"));
    }
  }
  for (std::string& sentence : complaint_findings(table)) sentences.push_back(std::move(sentence));
  add_error_sentence(sentences, table);
  return sentences;
}

std::vector<std::string> complaint_findings(const ResultTable& table) {
  std::vector<std::string> sentences;
  for (const Row& row : table.rows()) {
    const std::string complaint = row.text("complaint");
    if (complaint.empty()) continue;
    sentences.push_back(fmt::format("{} on {} with {} bodies is wrong: {}.", row.text("variant"),
                                    row.text("device"), with_commas(row.value("bodies")),
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

std::string common_clock(const std::vector<Row>& rows) {
  const bool all = !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.number("seconds_kernel").has_value();
  });
  return all ? "seconds_kernel" : "seconds";
}

std::string clock_words(std::string_view clock) {
  return clock == "seconds_kernel" ? "by kernel time" : "end to end";
}

std::string with_commas(double whole) {
  const std::string digits = fmt::format("{:.0f}", whole);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string compact(double value) {
  if (std::abs(value) < 1e5 && std::abs(value) >= 0.01) return fmt::format("{:.3g}", value);
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const std::string text = fmt::format("{:.2e}", value);
  const std::size_t mark = text.find('e');
  return fmt::format("{}e{}", text.substr(0, mark), std::stoi(text.substr(mark + 1)));
}

std::string times(double ratio) {
  if (ratio >= 1e4) return compact(ratio) + " times";
  return fmt::format("{:.{}f} times", ratio, ratio < 9.95 ? 2 : 0);
}

}  // namespace apsis::lab
