// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <chrono>
#include <csignal>

namespace apsis::cli {
namespace {

volatile std::sig_atomic_t stop = 0, checkpoint = 0;
void (*listen_again)() = nullptr;

void listen(int signal, int flags) {
  struct sigaction action {};
  action.sa_handler = hear_signal;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// A closing terminal sends SIGHUP twice, from the kernel and from the shell, and queues repeat
// theirs: that must not kill a run that writes its last checkpoint.
void listen_for_repeated() {
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) listen(SIGHUP, SA_RESTART);
  listen(SIGUSR2, SA_RESTART);
}

}  // namespace

void listen_for_stop() {
  for (const int signal : {SIGINT, SIGTERM}) listen(signal, static_cast<int>(SA_RESETHAND));
  listen_for_repeated();
}

void listen_for_wishes() {
  listen_for_stop();
  listen(SIGUSR1, SA_RESTART);
  listen_again = listen_for_wishes;
}

void listen_for_rank_0() {
  for (const int signal : {SIGINT, SIGTERM}) listen(signal, SA_RESTART);
  listen_for_repeated();
  listen(SIGUSR1, SA_RESTART);
  listen_again = listen_for_rank_0;
}

void keep_listening() {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last;
  if (listen_again == nullptr || stop != 0) return;
  if (Clock::now() - last < std::chrono::milliseconds(100)) return;
  last = Clock::now();
  struct sigaction now {};
  sigaction(SIGUSR1, nullptr, &now);
  if (now.sa_handler != hear_signal) listen_again();
}

void ignore_stop() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);
}

int stop_signal() { return stop; }

bool take_checkpoint_signal() {
  if (checkpoint == 0) return false;
  checkpoint = 0;
  return true;
}

int take_signal() {
  keep_listening();
  return take_checkpoint_signal() ? SIGUSR1 : stop_signal();
}

void hear_signal(int signal) {
  if (signal == SIGUSR1) {
    checkpoint = 1;
  } else {
    stop = signal;
  }
}

std::string signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    default:
      return "signal " + std::to_string(signal);
  }
}

}  // namespace apsis::cli
