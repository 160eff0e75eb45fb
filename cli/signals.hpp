// SPDX-License-Identifier: MIT
// Signals as wishes that long commands look at. Ctrl-C, SIGTERM, SIGHUP and SIGUSR2 ask for the
// end, SIGUSR1 for a checkpoint.
#pragma once

#include <string>

namespace apsis::cli {

// A second Ctrl-C or SIGTERM kills, unless it comes at once: then it is the same wish. SIGHUP stays
// ignored where it is (nohup).
void listen_for_stop();
// The same, and SIGUSR1, for commands that write checkpoints; elsewhere that keeps its meaning.
void listen_for_wishes();
// At ranks that are not 0, which hand on what they hear and are never killed by it.
void listen_for_rank_0();
// OpenCL drivers with LLVM inside put handlers of their own in the place of ours as soon as they
// compile: called now and then, ours come back.
void keep_listening();
// The same where rank 0 has no use for it.
void ignore_stop();

int stop_signal();  // 0: nobody asked for the end
// Whether there was a SIGUSR1 since this was last asked.
bool take_checkpoint_signal();
// Any of them, to be handed on; 0 where there is none.
int take_signal();
// As if it had come to this process.
void hear_signal(int signal);

std::string signal_name(int signal);  // "SIGTERM"

}  // namespace apsis::cli
