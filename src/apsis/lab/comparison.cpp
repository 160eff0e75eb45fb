// SPDX-License-Identifier: MIT
#include <apsis/lab/comparison.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

constexpr double no_difference = 0.05;
// A difference that one step each can show.
constexpr double clear_from_one_step = 1.25;
// Beyond this share of itself a time is no time.
constexpr double worst_spread = 0.5;
// Seconds that threads wait for cores in a second: next to none on a machine of one's own.
constexpr double busy_from = 0.1;
// Fewer pairs take no longer than their launch.
constexpr double fewest_pairs = 1e5;
// Two clocks count the same seconds to this.
constexpr double clocks_agree = 1.03;

}  // namespace

std::optional<Comparison> compared(const Row& before, const Row& after, std::string_view key) {
  const auto old_time = before.number(key), new_time = after.number(key);
  if (!old_time || !new_time || !(*old_time > 0) || !(*new_time > 0)) return std::nullopt;
  if (is_wrong(before) || is_wrong(after)) return std::nullopt;
  const std::string deviation = std::string(key) + "_deviation";
  const double old_spread = before.number(deviation).value_or(0);
  const double new_spread = after.number(deviation).value_or(0);
  Comparison result{.ratio = *old_time / *new_time};
  result.spread = result.ratio * std::hypot(old_spread / *old_time, new_spread / *new_time);
  result.busy = was_busy(before) || was_busy(after);
  const bool alike = std::abs(result.ratio - 1) <= no_difference;
  const bool once = before.number("steps") == 1.0 || after.number("steps") == 1.0;
  const bool within_noise =
      std::abs(*old_time - *new_time) <= old_spread + new_spread ||
      old_spread > worst_spread * *old_time || new_spread > worst_spread * *new_time ||
      (once && std::max(result.ratio, 1 / result.ratio) < clear_from_one_step);
  result.verdict = result.busy        ? Verdict::unclear
                   : alike            ? Verdict::alike
                   : within_noise     ? Verdict::unclear
                   : result.ratio > 1 ? Verdict::gained
                                      : Verdict::lost;
  return result;
}

bool was_busy(const Row& row) { return row.number("waited").value_or(0) > busy_from; }

std::string doubt(const Comparison& step) {
  return step.busy ? "on a busy machine" : "within what the times spread";
}

bool is_wrong(const Row& row) { return !row.text("complaint").empty(); }

bool kernels_are_part(const Row& row) {
  const auto kernel = row.number("seconds_kernel"), whole = row.number("seconds");
  return kernel && whole && *kernel <= clocks_agree * *whole;
}

std::optional<Comparison> kernels_compared(const Row& before, const Row& after) {
  if (!kernels_are_part(before) || !kernels_are_part(after)) return std::nullopt;
  return compared(before, after, "seconds_kernel");
}

std::string kernel_words(const Row& before, const Row& after) {
  const auto kernels = kernels_compared(before, after);
  return kernels ? fmt::format(", kernels alone {}", times(*kernels)) : std::string();
}

std::string why_no_cause(const Row& before, const Row& after, const Comparison& step) {
  const double bodies = after.value("bodies");
  if (bodies * bodies < fewest_pairs) {
    return bodies_in_words(bodies) + (bodies == 1 ? " is" : " are") + " too few to name a cause";
  }
  if (!after.number("seconds_kernel")) return {};  // the native cpu: all of it is the loop
  if (!kernels_are_part(before) || !kernels_are_part(after)) {
    return "kernel times of the same evaluations are missing, so no cause is named";
  }
  const auto mostly_rest = [](const Row& row) {
    return row.value("seconds_kernel") < 0.5 * row.value("seconds");
  };
  if (mostly_rest(before) || mostly_rest(after)) {
    return "most of the time is launches and waits, so no cause can be named";
  }
  const auto kernels = kernels_compared(before, after);
  if (kernels && kernels->verdict != step.verdict) {
    return "the kernels' own times do not show it clearly, so no cause is named";
  }
  return {};
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

std::string with_commas(double whole) {
  const std::string digits = fmt::format("{:.0f}", whole);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string bodies_in_words(double whole) {
  return with_commas(whole) + (whole == 1 ? " body" : " bodies");
}

std::string bodies_in_words(std::uint64_t count) {
  return bodies_in_words(static_cast<double>(count));
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

std::string times(const Comparison& step) {
  const int digits = step.ratio < 9.95 ? 2 : 0;
  const double smallest = digits == 2 ? 0.005 : 0.5;
  if (!(step.spread >= smallest) || step.ratio >= 1e4) return times(step.ratio);
  return fmt::format("{:.{}f} ± {:.{}f} times", step.ratio, digits, step.spread, digits);
}

}  // namespace apsis::lab
