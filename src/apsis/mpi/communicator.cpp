// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/mpi/communicator.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace apsis::mpi {
namespace {

void check(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  throw Error(ExitCode::unavailable,
              fmt::format("{} failed: {}", call, std::string_view(text.data(), length)),
              "go on from the last checkpoint with --resume");
}

// MPI counts in int.
constexpr std::size_t longest_message = std::size_t{1} << 30;

using Clock = std::chrono::steady_clock;

}  // namespace

struct Transfer::Requests {
  std::vector<MPI_Request> of_pieces;
};

Transfer::Transfer() = default;
Transfer::Transfer(Transfer&& other) noexcept = default;
Transfer& Transfer::operator=(Transfer&& other) noexcept = default;
Transfer::~Transfer() = default;

// Where and who the others are. Numbers of processes mean something only to those that share a
// machine and a name space of processes.
struct Communicator::Peers {
  struct Peer {
    std::array<char, 64> host;
    unsigned long long space;
    long process;

    bool beside(const Peer& other) const { return space == other.space && host == other.host; }
    bool gone() const { return kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH; }
  };
  std::vector<Peer> all;
  Clock::time_point last_look = Clock::now();

  static Peer here() {
    Peer peer{};
    gethostname(peer.host.data(), peer.host.size() - 1);
    struct stat space {};
    if (stat("/proc/self/ns/pid", &space) == 0) peer.space = space.st_ino;
    peer.process = getpid();
    return peer;
  }
};

struct Communicator::Group {
  MPI_Comm ranks = MPI_COMM_WORLD;
  bool crowded = false;  // more ranks than cores here
};

// Counts the time of a call into MPI, with the waiting in it.
class Communicator::Stopwatch {
 public:
  explicit Stopwatch(Communicator& ranks) : ranks_(ranks) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    ranks_.traffic_.seconds += std::chrono::duration<double>(Clock::now() - begin_).count();
  }

 private:
  Communicator& ranks_;
  Clock::time_point begin_ = Clock::now();
};

// Between two looks at a message: yields at first, and sleeps when it takes longer, because another
// rank has more to do, or the cores are shared: who spins loses the turn that the other waits for.
class Communicator::Patience {
 public:
  explicit Patience(Communicator& ranks) : ranks_(ranks) {}

  void pause() {
    constexpr auto looks_every = std::chrono::milliseconds(100);
    constexpr auto spins = std::chrono::microseconds(300);
    constexpr auto longest_sleep = std::chrono::microseconds(200);
    const auto now = Clock::now();
    if (now - ranks_.peers_->last_look > looks_every) ranks_.require_peers();
    if (now - start_ < (ranks_.group_->crowded ? spins / 30 : spins)) {
      sched_yield();
      return;
    }
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min(2 * sleep_, longest_sleep);
  }

 private:
  Communicator& ranks_;
  Clock::time_point start_ = Clock::now();
  std::chrono::microseconds sleep_{10};
};

Communicator::Communicator() : group_(std::make_unique<Group>()) {
  int provided = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  peers_ = std::make_shared<Peers>();
  peers_->all.resize(static_cast<std::size_t>(size_));
  const Peers::Peer own = Peers::here();
  check(MPI_Allgather(&own, sizeof own, MPI_BYTE, peers_->all.data(), sizeof own, MPI_BYTE,
                      MPI_COMM_WORLD),
        "MPI_Allgather");
  group_->crowded = ranks_here() > sysconf(_SC_NPROCESSORS_ONLN);
}

Communicator::Communicator(Communicator& whole, std::unique_ptr<Group> group)
    : whole_(&whole), peers_(whole.peers_), group_(std::move(group)) {
  check(MPI_Comm_rank(group_->ranks, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(group_->ranks, &size_), "MPI_Comm_size");
  group_->crowded = ranks_here() > sysconf(_SC_NPROCESSORS_ONLN);
}

std::unique_ptr<Communicator> Communicator::first(int count) {
  auto group = std::make_unique<Group>();
  check(MPI_Comm_split(group_->ranks, rank_ < count ? 0 : MPI_UNDEFINED, rank_, &group->ranks),
        "MPI_Comm_split");
  if (rank_ >= count) return nullptr;
  MPI_Comm_set_errhandler(group->ranks, MPI_ERRORS_RETURN);
  return std::unique_ptr<Communicator>(new Communicator(*this, std::move(group)));
}

Communicator::~Communicator() {
  if (whole_ != nullptr) {
    if (!broken_) MPI_Comm_free(&group_->ranks);
  } else if (broken_) {
    MPI_Abort(MPI_COMM_WORLD, code_ == 0 ? static_cast<int>(ExitCode::unavailable) : code_);
  } else {
    MPI_Finalize();
  }
}

int Communicator::ranks_here() const {
  const auto& all = peers_->all;
  return static_cast<int>(std::count_if(
      all.begin(), all.begin() + size_,
      [&](const Peers::Peer& peer) { return peer.beside(all[static_cast<std::size_t>(rank_)]); }));
}

int Communicator::number_here() const {
  const auto& all = peers_->all;
  const auto own = all.begin() + rank_;
  return static_cast<int>(
      std::count_if(all.begin(), own, [&](const Peers::Peer& peer) { return peer.beside(*own); }));
}

bool Communicator::speaks() const {
  const auto& all = peers_->all;
  const auto own = all.begin() + rank_;
  return std::none_of(all.begin(), own,
                      [&](const Peers::Peer& peer) { return peer.beside(*own) && !peer.gone(); });
}

void Communicator::require_peers() {
  peers_->last_look = Clock::now();
  const auto& own = peers_->all[static_cast<std::size_t>(rank_)];
  for (std::size_t r = 0; r < peers_->all.size(); ++r) {
    const auto& peer = peers_->all[r];
    if (!peer.beside(own) || !peer.gone()) continue;
    end_all_with(static_cast<int>(ExitCode::unavailable));
    throw Error(ExitCode::unavailable,
                fmt::format("rank {} (process {} on {}) is gone, and the run ends with it", r,
                            peer.process, peer.host.data()),
                "go on from the last checkpoint with --resume");
  }
}

Transfer Communicator::start_send(std::span<const std::byte> bytes, int to, int tag) {
  const Stopwatch stopwatch(*this);
  if (to != rank_ && !bytes.empty()) ++traffic_.messages, traffic_.bytes += bytes.size();
  Transfer out;
  out.requests_ = std::make_unique<Transfer::Requests>();
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), longest_message));
    auto& request = out.requests_->of_pieces.emplace_back();
    check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, tag, group_->ranks,
                    &request),
          "MPI_Isend");
    bytes = bytes.subspan(piece.size());
  }
  return out;
}

Transfer Communicator::start_receive(std::span<std::byte> bytes, int from, int tag) {
  const Stopwatch stopwatch(*this);
  Transfer out;
  out.requests_ = std::make_unique<Transfer::Requests>();
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), longest_message));
    auto& request = out.requests_->of_pieces.emplace_back();
    check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, tag,
                    group_->ranks, &request),
          "MPI_Irecv");
    bytes = bytes.subspan(piece.size());
  }
  return out;
}

void Communicator::wait(Transfer& transfer) {
  if (!transfer.requests_) return;
  const Stopwatch stopwatch(*this);
  Patience patience(*this);
  for (MPI_Request& request : transfer.requests_->of_pieces) {
    for (int done = 0; done == 0;) {
      check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) patience.pause();
    }
  }
  transfer.requests_.reset();
}

bool Communicator::over(Transfer& transfer) {
  if (!transfer.requests_) return true;
  auto& pieces = transfer.requests_->of_pieces;
  int done = 1;
  check(MPI_Testall(static_cast<int>(pieces.size()), pieces.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
  if (done != 0) transfer.requests_.reset();
  return done != 0;
}

void Communicator::progress() {
  const Stopwatch stopwatch(*this);
  int any = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, group_->ranks, &any, MPI_STATUS_IGNORE),
        "MPI_Iprobe");
}

void Communicator::broadcast(std::span<std::byte> bytes) {
  if (!bytes.empty()) ++traffic_.meetings;
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), longest_message));
    Transfer out;
    out.requests_ = std::make_unique<Transfer::Requests>();
    auto& request = out.requests_->of_pieces.emplace_back();
    check(MPI_Ibcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0, group_->ranks,
                     &request),
          "MPI_Ibcast");
    wait(out);
    bytes = bytes.subspan(piece.size());
  }
}

int Communicator::largest(int value) {
  int out = value;
  ++traffic_.meetings;
  Transfer transfer;
  transfer.requests_ = std::make_unique<Transfer::Requests>();
  auto& request = transfer.requests_->of_pieces.emplace_back();
  check(MPI_Iallreduce(&value, &out, 1, MPI_INT, MPI_MAX, group_->ranks, &request),
        "MPI_Iallreduce");
  wait(transfer);
  return out;
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string all(text.data(), static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace apsis::mpi
