// SPDX-License-Identifier: MIT
// Inside initial/: the options of a request, checked against those the model has.
#pragma once

#include <apsis/initial/builder.hpp>

namespace apsis::initial {

// Fills numbers and words of `input` from the model's defaults and the given options.
void read_options(const ModelInfo& model, const ModelOptions& given, ModelInput& input);

}  // namespace apsis::initial
