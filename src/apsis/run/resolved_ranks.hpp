// SPDX-License-Identifier: MIT
// Inside run/: the engine of a run in this process alone, and that on several ranks.
#pragma once

#include <apsis/run/resolved.hpp>

namespace apsis {

MadeEngine started_here(const RunSpec& spec, const Bodies& bodies);
MadeEngine resumed_here(const RunSpec& spec, const Resolution& recorded, const EngineState& state);

MadeEngine started_on_ranks(mpi::Communicator& ranks, const RunSpec& spec, const Bodies& bodies);
MadeEngine resumed_on_ranks(mpi::Communicator& ranks, const RunSpec& spec,
                            const Resolution& recorded, const EngineState& state);

}  // namespace apsis
