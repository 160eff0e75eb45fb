// SPDX-License-Identifier: MIT
// Inside mpi/: operations as bytes and back, member by member and whatever their kinds.
#pragma once

#include <apsis/engines/operation.hpp>
#include <apsis/io/byte_stream.hpp>

#include <span>
#include <vector>

namespace apsis::mpi {

void put_operations(ByteWriter& writer, std::span<const Operation> operations);
std::vector<Operation> take_operations(ByteReader& reader);

}  // namespace apsis::mpi
