// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <chrono>
#include <csignal>
#include <ctime>

namespace apsis::cli {
namespace {

volatile std::sig_atomic_t stop = 0, checkpoint = 0;
void (*listen_again)() = nullptr;

// One wish may come twice: `timeout` signals the program and then the whole group, of which the
// program is a member. Only one that comes later ends the program at once.
constexpr double same_wish_seconds = 0.5;
volatile double first_heard = 0;

double seconds_now() {  // clock_gettime may be called in a handler
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void hear_stop(int signal) {
  const double now = seconds_now();
  if (stop == 0) {
    first_heard = now;
  } else if (now - first_heard > same_wish_seconds) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // arrives when this function has returned
  }
  hear_signal(signal);
}

void listen(int signal, int flags, void (*handler)(int) = hear_signal) {
  struct sigaction action {};
  action.sa_handler = handler;
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
  for (const int signal : {SIGINT, SIGTERM}) listen(signal, 0, hear_stop);
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
