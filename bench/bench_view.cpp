// SPDX-License-Identifier: MIT
// What viewers cost a run:
//   bench_view [READERS] [BODIES] [STEPS] [ROUNDS]
// The same steps on one thread without a server, with a server nobody asks, with READERS pages that
// take every frame and discard it, and with a stranger who asks for /healthz as fast as he can, in
// turn, as processors change their pace by themselves.
// Prints medians of the simulation's processor time per step, of its growth within a round and of
// the server's share of a core, and memory; the end states must have the same bits.
#include <apsis/run/prepare.hpp>
#include <apsis/viewer/director.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/server.hpp>
#include <apsis/viewer/stage.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <viewer/raw_client.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace apsis;
using Clock = std::chrono::steady_clock;

const std::string token(32, 'b');

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// One page that follows the stream of frames without keeping it.
struct Reader {
  test::RawClient client;
  std::string header;
  std::uint64_t skip = 0;
  bool binary = false;

  void take(std::string_view bytes) {
    while (!bytes.empty()) {
      if (skip > 0) {
        const auto part = std::min<std::uint64_t>(skip, bytes.size());
        skip -= part, bytes.remove_prefix(part);
        if (skip == 0) answer();
        continue;
      }
      header += bytes.front(), bytes.remove_prefix(1);
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(header[i]); };
      if (header.size() < 2) continue;
      const std::size_t wide = (byte(1) & 127) == 126 ? 2 : (byte(1) & 127) == 127 ? 8 : 0;
      if (header.size() < 2 + wide) continue;
      skip = wide == 0 ? byte(1) & 127 : 0;
      for (std::size_t i = 0; i < wide; ++i) skip = skip << 8 | byte(2 + i);
      binary = (byte(0) & 15) == 2;
      if ((byte(0) & 15) == 9) client.send(std::string("\x8a\x80\0\0\0\0", 6));  // a ping's answer
      header.clear();
    }
  }
  void answer() {
    if (binary) client.send(test::RawClient::frame(R"({"do":"shown","frame":1})"));
  }
};

// In a process of its own, so that its time and memory are not the server's.
[[noreturn]] void read_all(int readers, std::uint16_t port) {
  std::vector<Reader> all;
  for (int i = 0; i < readers; ++i) {
    all.push_back({test::RawClient(port), {}, 0, false});
    const std::string cookie = "apsis-" + std::to_string(port) + "=" + token;
    if (all.back().client.open_socket(cookie) != 101) ::_exit(1);
    all.back().take(std::string(all.back().client.rest()));
  }
  std::vector<pollfd> watched;
  for (const Reader& reader : all) watched.push_back({reader.client.descriptor(), POLLIN, 0});
  std::vector<char> block(1 << 18);
  for (;;) {
    ::poll(watched.data(), watched.size(), -1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (watched[i].revents == 0) continue;
      const auto got = ::recv(watched[i].fd, block.data(), block.size(), 0);
      if (got <= 0) ::_exit(0);
      all[i].take({block.data(), static_cast<std::size_t>(got)});
    }
  }
}

// Over connections that are used again as long as the server lets them.
[[noreturn]] void ask_without_token(std::uint16_t port) {
  constexpr std::string_view request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  std::vector<char> block(1 << 16);
  for (;;) {
    test::RawClient client(port);
    if (!client.connected()) ::_exit(0);
    while (client.send(request) && ::recv(client.descriptor(), block.data(), block.size(), 0) > 0) {
    }
  }
}

constexpr int no_server = -1, strangers = -2;

struct Result {
  double seconds_per_step = 0, server_share = 0, megabytes = 0, frames_per_second = 0;
  EngineState end;
};

Result run(std::uint64_t bodies, std::uint64_t steps, int mode) {
  const bool served = mode != no_server;
  const int readers = std::max(0, mode);
  RunSpec spec;
  spec.initial.model = "plummer", spec.initial.bodies = bodies;
  spec.device.name = "cpu", spec.device.threads = 1, spec.force.solver = "direct";
  PreparedRun prepared = prepare_run(spec);
  SimulationPlan plan = plan_of(prepared.spec, prepared.start_time);
  plan.last_step = steps;
  plan.burst = 1;
  viewer::Stage stage;
  stage.begin({});
  std::unique_ptr<viewer::Server> server;
  pid_t child = -1;
  if (served) {
    viewer::ServerSettings settings;
    settings.access.control_token = token;
    server = std::make_unique<viewer::Server>(stage, settings);
    if (readers > 0 || mode == strangers) {
      child = ::fork();
      if (child == 0 && mode == strangers) ask_without_token(server->port());
      if (child == 0) read_all(readers, server->port());
    }
  }
  viewer::Director director(stage, {}, [] { return false; });
  prepared.engine->warm_up();
  Result result;
  // the first third lets the frame rate settle
  double cpu = 0;
  Clock::time_point begun;
  viewer::Server::Load load;
  const auto look = [&](const Frame& frame) {
    const LoopControl control = served ? director.look(frame) : LoopControl::go_on();
    if (begun == Clock::time_point{} && frame.step() >= steps / 3) {
      cpu = thread_seconds(), begun = Clock::now();
      result.seconds_per_step = static_cast<double>(frame.step());
      if (server) load = server->load();
    }
    return control;
  };
  std::vector<Observer> observers;
  if (served) observers.push_back(director.observer());
  simulate(*prepared.engine, prepared.integrator, plan, observers, look);
  const double wall = std::chrono::duration<double>(Clock::now() - begun).count();
  result.seconds_per_step =
      (thread_seconds() - cpu) / (static_cast<double>(steps) - result.seconds_per_step);
  result.end = prepared.engine->save_state();
  if (server) {
    const viewer::Server::Load now = server->load();
    result.server_share = (now.cpu_seconds - load.cpu_seconds) / wall;
    result.megabytes = static_cast<double>(now.bytes_sent - load.bytes_sent) / wall / 1e6;
    result.frames_per_second =
        static_cast<double>(now.frames_sent - load.frames_sent) / wall / std::max(readers, 1);
    server.reset();
  }
  if (child > 0) {
    ::kill(child, SIGKILL);  // it has the listening socket, too, so that its last question hangs
    ::waitpid(child, nullptr, 0);
  }
  return result;
}

double median_of(const std::vector<Result>& rounds, double (*value)(const Result&)) {
  std::vector<double> values;
  for (const Result& round : rounds) values.push_back(value(round));
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// How much longer a step takes than the one without a server in the same round.
double median_growth(const std::vector<Result>& rounds, const std::vector<Result>& alone) {
  std::vector<double> growth;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    growth.push_back(rounds[i].seconds_per_step / alone[i].seconds_per_step - 1);
  }
  std::sort(growth.begin(), growth.end());
  return growth[growth.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int place, int otherwise) {
    return argc > place ? std::atoi(argv[place]) : otherwise;
  };
  const int readers = argument(1, 100);
  const auto bodies = static_cast<std::uint64_t>(argument(2, 20'000));
  const auto steps = static_cast<std::uint64_t>(argument(3, 60));
  const int rounds = std::max(1, argument(4, 5));
  const std::vector<int> modes{no_server, 0, 1, readers, strangers};
  std::vector<std::vector<Result>> results(modes.size());
  bool same = true;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < modes.size(); ++k) {
      results[k].push_back(run(bodies, steps, modes[k]));
      same = same && results[k].back().end == results[0][0].end;
    }
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} bodies, {} steps, medians of {}; processor time of the simulation's thread:\n",
             bodies, steps, rounds);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const auto median = [&](double (*value)(const Result&)) {
      return median_of(results[k], value);
    };
    fmt::print("{:>11}  {:.2f} ms a step",
               modes[k] == no_server   ? "no server"
               : modes[k] == strangers ? "a stranger"
                                       : fmt::format("{} readers", modes[k]),
               1e3 * median([](const Result& r) { return r.seconds_per_step; }));
    if (modes[k] != no_server) {
      fmt::print(" ({:+.1f} %); server {:.2f} of a core, {:.1f} MB/s, {:.1f} frames/s each",
                 100 * median_growth(results[k], results[0]),
                 median([](const Result& r) { return r.server_share; }),
                 median([](const Result& r) { return r.megabytes; }),
                 median([](const Result& r) { return r.frames_per_second; }));
    }
    fmt::print("\n");
  }
  fmt::print("{} MB resident at most; end states have {} bits\n", usage.ru_maxrss / 1024,
             same ? "the same" : "OTHER");
  return same ? 0 : 1;
}
