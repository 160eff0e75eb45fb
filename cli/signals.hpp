// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM as a wish that long commands look at; a second one kills.
#pragma once

namespace apsis::cli {

void listen_for_signals();
int stop_signal();  // 0: nobody asked for the end

}  // namespace apsis::cli
