// SPDX-License-Identifier: MIT
// CLBlast's matrix product: the bar that kernels of our own are held against.
#pragma once

#include <apsis/device/context.hpp>

namespace apsis::device {

bool clblast_built_in();

}  // namespace apsis::device
