// SPDX-License-Identifier: MIT
// The ranks that were started together, and bytes between them. The only header of MPI: it is built
// with communicator.cpp, or with no_mpi.cpp where there is no MPI. Every wait looks at the other
// processes of this machine now and then, so that a rank that died ends the job and not its
// patience.
#pragma once

#include <apsis/files/file.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apsis::mpi {

// A message on its way. Its memory must stay until it was waited for.
class Transfer {
 public:
  Transfer();
  Transfer(Transfer&& other) noexcept;
  Transfer& operator=(Transfer&& other) noexcept;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer();

 private:
  friend class Communicator;
  struct Requests;
  std::unique_ptr<Requests> requests_;
};

class Communicator {
 public:
  // Joins the ranks. Once per process; unavailable where this was built without MPI.
  Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  // Leaves them in peace, or ends them all where end_all_with() was called or a rank is gone.
  ~Communicator();
  // The first `count` of these ranks among themselves; null at the others. All must ask. It must
  // not outlive this one, which it brings down where it breaks.
  std::unique_ptr<Communicator> first(int count);

  int rank() const { return rank_; }
  int size() const { return size_; }
  // The rank that is `hops` behind this one on the circle of all.
  int neighbour(int hops) const { return ((rank_ + hops) % size_ + size_) % size_; }
  int ranks_here() const;   // on this machine
  int number_here() const;  // of this rank among them

  Transfer start_send(std::span<const std::byte> bytes, int to, int tag);
  Transfer start_receive(std::span<std::byte> bytes, int from, int tag);
  void wait(Transfer& transfer);
  bool over(Transfer& transfer);  // without waiting
  void progress();                // lets messages move on while this rank computes

  void broadcast(std::span<std::byte> bytes);  // from rank 0
  int largest(int value);                      // of all ranks
  // The bytes of all ranks one behind the other, `counts` of each; at every rank.
  void gather_at_all(std::span<const std::byte> own, const std::vector<std::size_t>& counts,
                     std::span<std::byte> all);
  // The same at rank 0 only; elsewhere `all` is empty.
  void gather(std::span<const std::byte> own, const std::vector<std::size_t>& counts,
              std::span<std::byte> all);

  // to[r] goes to rank r, of any length; gives what came from each. Nothing is sent to oneself.
  std::vector<Bytes> exchange(const std::vector<Bytes>& to);
  // What each rank gives, of any length; at every rank.
  std::vector<Bytes> gather_texts_at_all(std::span<const std::byte> own);

  // What this rank sent since it joined, and how long it was busy with messages or waited for them.
  struct Traffic {
    double seconds = 0;
    std::uint64_t messages = 0, bytes = 0;  // from one rank to another
    std::uint64_t meetings = 0;             // of all ranks
  };
  const Traffic& traffic() const { return traffic_; }

  // A rank is gone, or something failed that the others wait for: nothing more can be sent.
  bool broken() const { return broken_; }
  // Of the ranks of this machine that still live the first one speaks for all.
  bool speaks() const;
  // The destructor ends all ranks with this exit code.
  void end_all_with(int code) {
    broken_ = true, code_ = code;
    if (whole_ != nullptr) whole_->end_all_with(code);
  }

 private:
  struct Peers;
  struct Group;
  class Patience;
  class Stopwatch;
  Communicator(Communicator& whole, std::unique_ptr<Group> group);
  void require_peers();

  int rank_ = 0, size_ = 1, code_ = 0;
  bool broken_ = false;
  Communicator* whole_ = nullptr;  // that this is the first ranks of
  std::shared_ptr<Peers> peers_;   // of the whole
  std::unique_ptr<Group> group_;
  Traffic traffic_;
};

// What the launcher's library is, for --version; empty without MPI.
std::string library_version();

}  // namespace apsis::mpi
