// SPDX-License-Identifier: MIT
// Ids tell bodies apart, from file to file and from run to run: no two may be the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace apsis {

// bad_data names the id and both bodies, counted from 1. `origin` (a file) starts the message.
void require_unique_ids(std::span<const std::uint64_t> ids, const std::string& origin,
                        const std::string& remedy);

}  // namespace apsis
