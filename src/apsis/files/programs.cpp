// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/programs.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

extern char** environ;

namespace apsis {
namespace {

struct Pipe {
  Descriptor read_end, write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw file_error(fmt::format("can't make a pipe: {}", std::generic_category().message(errno)),
                     "raise the limit on open files (ulimit -n)");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Error cannot_start(const std::string& name, int code) {
  return {ExitCode::unavailable,
          fmt::format("can't start {}: {}", name, std::generic_category().message(code)),
          "install it or put it on PATH"};
}

pid_t start(std::span<const std::string> arguments, const Pipe& input, const Pipe& output,
            const Pipe& errors) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read_end.value(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write_end.value(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end.value(), STDERR_FILENO);
  pid_t child = -1;
  const int code = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) throw cannot_start(arguments[0], code);
  return child;
}

// One read of what is there; closes the descriptor at its end.
void collect(Descriptor& from, std::string& into) {
  std::array<char, 65536> block;
  const auto got = ::read(from.value(), block.data(), block.size());
  if (got > 0) into.append(block.data(), static_cast<std::size_t>(got));
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) from.close();
}

using NextPiece = std::function<std::string_view()>;

// One write of what fits; closes the descriptor when all is written or nobody reads.
void feed(Descriptor& to, std::string_view& input, const NextPiece& next) {
  const auto wrote = ::write(to.value(), input.data(), input.size());
  if (wrote > 0) input.remove_prefix(static_cast<std::size_t>(wrote));
  const bool gone = wrote < 0 && errno != EINTR && errno != EAGAIN;
  if (!gone && input.empty()) input = next();
  if (gone || input.empty()) to.close();
}

// When a program is killed, if ever.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(const ProgramLimits& limits)
      : limits_(&limits),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.seconds))) {}

  int patience() const { return limits_ == nullptr ? -1 : 100; }  // milliseconds, for poll
  bool over(ProgramResult& result) const {
    if (limits_ == nullptr) return false;
    result.out_of_time = Clock::now() >= end_;
    return result.out_of_time || (limits_->stopped && limits_->stopped());
  }

 private:
  using Clock = std::chrono::steady_clock;
  const ProgramLimits* limits_ = nullptr;
  Clock::time_point end_{};
};

// Both ways at once: a program that fills one pipe while we wait on another would hang. False where
// the deadline came first.
bool converse(Descriptor& to, Descriptor& from, Descriptor& errors_from, const NextPiece& next,
              const Deadline& deadline, ProgramResult& result) {
  ::fcntl(to.value(), F_SETFL, O_NONBLOCK);
  std::string_view input = next();
  if (input.empty()) to.close();
  while (from.valid() || errors_from.valid()) {
    std::array<pollfd, 3> watched{
        {{from.value(), POLLIN, 0}, {errors_from.value(), POLLIN, 0}, {to.value(), POLLOUT, 0}}};
    if (deadline.over(result)) return false;
    if (::poll(watched.data(), watched.size(), deadline.patience()) < 0) continue;  // EINTR
    if (watched[0].revents != 0) collect(from, result.output);
    if (watched[1].revents != 0) collect(errors_from, result.errors);
    if (watched[2].revents != 0) feed(to, input, next);
  }
  return true;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

ProgramResult run(std::span<const std::string> arguments, const NextPiece& next,
                  const Deadline& deadline) {
  if (arguments.empty() || arguments[0].empty()) throw cannot_start("a program", ENOENT);
  const SignalHeld no_pipe_signal(SIGPIPE);  // a program that stops reading is no reason to die
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  const pid_t child = start(arguments, in, out, err);
  in.read_end.close(), out.write_end.close(), err.write_end.close();
  ProgramResult result;
  try {
    if (!converse(in.write_end, out.read_end, err.read_end, next, deadline, result)) {
      ::kill(child, SIGKILL);
    }
  } catch (...) {  // the input could not be made: the program sees its end and is waited for
    in.write_end.close(), out.read_end.close(), err.read_end.close();
    wait_for(child);
    throw;
  }
  in.write_end.close();
  result.exit_status = wait_for(child);
  return result;
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const auto runs = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    return runs(name) ? std::optional<std::filesystem::path>(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!name.empty() && !folders.empty()) {
    const auto end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path candidate = std::filesystem::path(folders.substr(0, end)) / name;
    if (runs(candidate)) return candidate;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

ProgramResult run_program(std::span<const std::string> arguments, std::string_view input) {
  return run_program(arguments, [&input] { return std::exchange(input, {}); });
}

ProgramResult run_program(std::span<const std::string> arguments, const NextPiece& next) {
  return run(arguments, next, Deadline());
}

ProgramResult run_program(std::span<const std::string> arguments, std::string_view input,
                          const ProgramLimits& limits) {
  return run(
      arguments, [&input] { return std::exchange(input, {}); }, Deadline(limits));
}

}  // namespace apsis
