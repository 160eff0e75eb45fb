// SPDX-License-Identifier: MIT
// The one exception type. `what` names the value and the place, `remedy` what to do about it;
// cli/main.cpp alone turns it into a line on stderr and an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace apsis {

enum class ExitCode : int {
  done = 0,
  wrong_usage = 64,
  bad_data = 65,
  unavailable = 69,     // device or service
  internal_error = 70,  // our bug
  file_error = 74,
  stopped = 75,          // on request, after writing a checkpoint
  numbers_went_bad = 76  // NaN, energy limit
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what, std::string remedy = {})
      : std::runtime_error(what), code_(code), remedy_(std::move(remedy)) {}

  ExitCode code() const { return code_; }
  const std::string& remedy() const { return remedy_; }

 private:
  ExitCode code_;
  std::string remedy_;
};

// Short forms for the two most frequent kinds.
inline Error bad_data(const std::string& what, std::string remedy = {}) {
  return {ExitCode::bad_data, what, std::move(remedy)};
}
inline Error file_error(const std::string& what, std::string remedy = {}) {
  return {ExitCode::file_error, what, std::move(remedy)};
}

}  // namespace apsis
