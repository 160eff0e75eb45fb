// SPDX-License-Identifier: MIT
// Two rows of times: whether one is faster, how sure that is, and whether the rows show why.
#pragma once

#include <apsis/lab/results.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apsis::lab {

enum class Verdict { gained, lost, alike, unclear };

struct Comparison {
  double ratio = 1;   // how many times as fast as before
  double spread = 0;  // of the ratio, a standard deviation; 0: not known
  Verdict verdict = Verdict::alike;
  bool busy = false;  // unclear because somebody else used the cores
};
// By the column `key`, in seconds. Less than 5 % of difference is none. It is unclear where the two
// times spread together by as much (`key` with "_deviation"), or one of them by half of itself;
// below a quarter where a row was measured once; and always where threads waited for cores, which
// somebody else had. Nothing where one row has no such time or is wrong: what computes something
// else is no faster and no slower.
std::optional<Comparison> compared(const Row& before, const Row& after,
                                   std::string_view key = "seconds");

// Why a comparison is unclear: "within what the times spread", "on a busy machine".
std::string doubt(const Comparison& step);
// Whether other programs had the cores while the row was measured.
bool was_busy(const Row& row);

// Whether the row's forces or products are not good enough.
bool is_wrong(const Row& row);

// The kernels alone, by the device's clock: nothing where one row has no such time, or one that is
// no part of its end-to-end time (older results have it from other evaluations).
std::optional<Comparison> kernels_compared(const Row& before, const Row& after);
bool kernels_are_part(const Row& row);
// ", kernels alone 1.62 ± 0.01 times", or nothing.
std::string kernel_words(const Row& before, const Row& after);

// Why a difference between two rows of force evaluations shows nothing about their kernels: too few
// pairs, mostly launches and waits, or kernels that differ otherwise. Empty where it does.
std::string why_no_cause(const Row& before, const Row& after, const Comparison& step);

struct VerdictWords {
  std::string gained, lost, alike, unclear;
};
std::string verdict_words(Verdict verdict, const VerdictWords& words);

std::string with_commas(double whole);      // "262,144"
std::string bodies_in_words(double whole);  // "262,144 bodies", "1 body"
std::string bodies_in_words(std::uint64_t count);
std::string compact(double value);          // "1.51e10", "42.3"
std::string times(double ratio);            // "1.34 times", "27 times"
std::string times(const Comparison& step);  // "1.34 ± 0.02 times"

}  // namespace apsis::lab
