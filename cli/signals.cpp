// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <csignal>

namespace apsis::cli {
namespace {

volatile std::sig_atomic_t received = 0;

}  // namespace

// SA_RESETHAND lets the second signal kill.
void listen_for_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { received = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signal() { return received; }

}  // namespace apsis::cli
