// SPDX-License-Identifier: MIT
#include <apsis/core/thread_team.hpp>

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace apsis {
namespace {

using Clock = std::chrono::steady_clock;

// As long as waking a sleeper takes: who spins for it loses at most twice what sleeping would have
// cost.
constexpr auto spin_time = std::chrono::microseconds(30);

constexpr std::size_t cache_line = 64;

// std::atomic's own wait yields first, which hands the core to others for a whole turn.
void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake(std::atomic<std::uint32_t>& word, std::uint32_t sleepers) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, sleepers, nullptr, nullptr, 0);
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// True as soon as done() is; false when it took too long.
template <class Done>
bool spin_until(Done&& done) {
  constexpr int looks = 16;  // between two looks at the clock
  const auto end = Clock::now() + spin_time;
  do {
    for (int i = 0; i < looks; ++i) {
      if (done()) return true;
      relax();
    }
  } while (Clock::now() < end);
  return done();
}

std::atomic<int> chosen_threads{0};
std::atomic<bool> crowded_teams{false};

// Helpers do not survive a fork; the child makes new ones.
std::atomic<std::uint32_t> forks{0};
void watch_forks() {
  static const int watching =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  (void)watching;
}

thread_local bool inside_team = false;

// Whether the system took the core from this thread since the last time it asked.
bool was_preempted() {
  thread_local long before = 0;
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return false;
  return std::exchange(before, usage.ru_nivcsw) != usage.ru_nivcsw;
}

// When to do without help: where another program wants the helpers' core, a short call waits for
// them longer than it works. The more often that happens, the longer the caller works alone, so
// that its trials cost little.
class Solitude {
 public:
  bool lasts() const { return length_.count() > 0 && Clock::now() < end_; }
  void begin() {
    const auto now = Clock::now();
    const bool again = now < end_ + same_trouble * length_;
    length_ = again ? std::min(longest, 2 * length_) : shortest;
    end_ = now + length_;
  }

 private:
  static constexpr Clock::duration shortest = std::chrono::milliseconds(1);
  static constexpr Clock::duration longest = std::chrono::milliseconds(250);
  static constexpr int same_trouble = 8;  // within so many times the length of the last one
  Clock::duration length_{0};
  Clock::time_point end_;
};

// A thread with its helpers. A call opens the gate to some of them, works, closes the gate, and
// waits for those that came in; nobody waits for one who is late.
class Team {
 public:
  Team() { watch_forks(); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    stopping_.store(true);
    calls_.fetch_add(1);
    wake(calls_, static_cast<std::uint32_t>(helpers_.size()));
    for (std::thread& helper : helpers_) helper.join();
  }

  bool survived() const { return born_ == forks.load(std::memory_order_relaxed); }

  void run(int threads, TeamWork work, void* context) {
    const auto places = works_alone() ? 0U : static_cast<std::uint32_t>(helpers_for(threads - 1));
    work_ = work, context_ = context;
    finished_.store(0, std::memory_order_relaxed);
    inside_team = true;
    if (places > 0) {
      work_with_helpers(places);
    } else {
      attempt(0);
    }
    inside_team = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  bool works_alone() const {
    return !crowded_teams.load(std::memory_order_relaxed) && solitude_.lasts();
  }

  void work_with_helpers(std::uint32_t places) {
    disturbed_.store(false, std::memory_order_relaxed);
    open_gate(places);
    const auto begun = Clock::now();
    attempt(0);
    const auto worked = Clock::now();
    await(places - close_gate());
    if (disturbed_.load(std::memory_order_relaxed) && Clock::now() - worked > worked - begun) {
      solitude_.begin();
    }
  }

  // Fewer where the system gives no more threads.
  std::size_t helpers_for(int wanted) {
    try {
      while (!no_more_ && helpers_.size() < static_cast<std::size_t>(wanted)) {
        helpers_.emplace_back([this] { serve(); });
      }
    } catch (const std::system_error&) {
      no_more_ = true;
    }
    return std::min(helpers_.size(), static_cast<std::size_t>(wanted));
  }

  // The gate: the number of the call, and how many places are left in it.
  static constexpr int place_bits = 32;
  static std::uint32_t places_in(std::uint64_t gate) { return static_cast<std::uint32_t>(gate); }

  // A helper counts itself among the sleepers before it looks at the gate for the last time, so
  // that one of the two sees the other.
  void open_gate(std::uint32_t places) {
    gate_.store((++number_ << place_bits) | places);
    calls_.fetch_add(1);
    const std::uint32_t sleepers = sleepers_.load();
    if (sleepers > 0) wake(calls_, std::min(sleepers, places));
  }
  std::uint32_t close_gate() { return places_in(gate_.exchange(number_ << place_bits)); }

  void await(std::uint32_t joined) {
    if (spin_until([&] { return finished_.load(std::memory_order_acquire) == joined; })) return;
    awaited_.store(joined);
    for (std::uint32_t now = finished_.load(); now != joined; now = finished_.load()) {
      sleep_while(finished_, now);
    }
    awaited_.store(0, std::memory_order_relaxed);
  }

  void serve() {
    inside_team = true;
    while (!stopping_.load()) {
      std::uint64_t gate = gate_.load(std::memory_order_acquire);
      if (places_in(gate) == 0) {
        wait_for_call();
      } else if (gate_.compare_exchange_strong(gate, gate - 1)) {
        attempt(static_cast<int>(places_in(gate)));
        if (awaited_.load() != 0 && was_preempted()) {
          disturbed_.store(true, std::memory_order_relaxed);
        }
        const std::uint32_t finished = finished_.fetch_add(1) + 1;
        if (awaited_.load() == finished) wake(finished_, 1);
      }
    }
  }

  bool called() const { return places_in(gate_.load()) > 0 || stopping_.load(); }

  void wait_for_call() {
    if (spin_until([this] { return called(); })) return;
    sleepers_.fetch_add(1);
    const std::uint32_t calls = calls_.load();
    if (!called()) sleep_while(calls_, calls);
    sleepers_.fetch_sub(1);
  }

  void attempt(int member) {
    try {
      work_(context_, member);
    } catch (...) {
      const std::lock_guard lock(failure_lock_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  // Written by the caller while the gate is closed.
  TeamWork work_ = nullptr;
  void* context_ = nullptr;
  std::uint64_t number_ = 0;
  std::vector<std::thread> helpers_;
  bool no_more_ = false;
  Solitude solitude_;
  const std::uint32_t born_ = forks.load(std::memory_order_relaxed);

  std::mutex failure_lock_;
  std::exception_ptr failure_;

  alignas(cache_line) std::atomic<std::uint64_t> gate_{0};
  alignas(cache_line) std::atomic<std::uint32_t> calls_{0};  // helpers sleep on it
  std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<bool> stopping_{false};
  alignas(cache_line) std::atomic<std::uint32_t> finished_{0};  // the caller sleeps on it
  std::atomic<std::uint32_t> awaited_{0};                       // 0: the caller is awake
  std::atomic<bool> disturbed_{false};  // somebody who was waited for had lost the core
};

// What a fork left behind can neither be joined nor destroyed.
struct Owner {
  std::unique_ptr<Team> team;

  Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { forget_lost(); }
  void forget_lost() {
    if (team && !team->survived()) (void)team.release();
  }
};

}  // namespace

int usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

namespace {

// A system call, for what hardly ever changes.
int usable_cores_lately() {
  constexpr unsigned calls_between_looks = 256;
  thread_local unsigned calls = 0;
  thread_local int cores = 1;
  if (calls++ % calls_between_looks == 0) cores = usable_cores();
  return cores;
}

}  // namespace

int default_threads() {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : usable_cores();
}

void set_default_threads(int threads) { chosen_threads.store(std::max(0, threads)); }

void allow_crowded_teams(bool allow) { crowded_teams.store(allow); }

void run_team(int threads, TeamWork work, void* context) {
  if (threads > 1 && !crowded_teams.load(std::memory_order_relaxed)) {
    threads = std::min(threads, usable_cores_lately());
  }
  if (threads <= 1 || inside_team) return work(context, 0);
  thread_local Owner owner;
  owner.forget_lost();
  if (!owner.team) owner.team = std::make_unique<Team>();
  owner.team->run(threads, work, context);
}

}  // namespace apsis
