// SPDX-License-Identifier: MIT
// How long a force evaluation takes, for whoever has to choose or to report.
#pragma once

#include <apsis/engines/engine.hpp>

namespace apsis {

// Asks for new accelerations where the bodies are: a drift of no length makes those that are there
// stale and moves nothing.
void request_evaluation(Engine& engine);

// Seconds of one evaluation, as the mean of `count` that are enqueued behind each other, with the
// wait for their end.
double seconds_an_evaluation(Engine& engine, int count = 1);

}  // namespace apsis
