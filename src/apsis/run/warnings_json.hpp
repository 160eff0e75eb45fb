// SPDX-License-Identifier: MIT
// Inside run/: warnings as they stand in summary.json and in checkpoints.
#pragma once

#include <apsis/core/warning.hpp>

#include <nlohmann/json.hpp>

#include <vector>

namespace apsis {

nlohmann::ordered_json to_array(const std::vector<Warning>& warnings);

}  // namespace apsis
