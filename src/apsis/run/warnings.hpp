// SPDX-License-Identifier: MIT
// The warnings of one run over all of its parts: each is told once, when it happens, and all are
// in its checkpoints and its summary.
#pragma once

#include <apsis/core/warning.hpp>

#include <functional>
#include <string>
#include <vector>

namespace apsis {

class WarningLog {
 public:
  using Tell = std::function<void(const Warning&)>;
  // `earlier`: of the parts before this one, which told them.
  explicit WarningLog(std::vector<Warning> earlier = {}, Tell tell = {})
      : all_(std::move(earlier)), tell_(std::move(tell)) {}

  // Nothing happens where the same was said before.
  void add(Warning warning);
  bool has(WarningCode code) const;
  const std::vector<Warning>& all() const { return all_; }

 private:
  std::vector<Warning> all_;
  Tell tell_;
};

// "energy-error, force-error": the codes of that class among them; empty where there are none.
std::string codes_of(const std::vector<Warning>& warnings, WarningClass kind);

// With --strict, before anything is written: bad_data with the first warning about the input.
void require_good_input(const std::vector<Warning>& warnings);

// For the checkpoint: JSON, [{code, class, text}], as in summary.json. Codes of later versions are
// left out.
std::string to_text(const std::vector<Warning>& warnings);
std::vector<Warning> warnings_from_text(const std::string& text);

}  // namespace apsis
