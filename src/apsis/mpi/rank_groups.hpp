// SPDX-License-Identifier: MIT
// The first 1, 2, 3 ... of all ranks, with engines of their own that take turns: for whoever
// compares numbers of ranks within one job.
#pragma once

#include <apsis/mpi/communicator.hpp>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace apsis::mpi {

// At rank 0 for as long as the others follow_in_groups(). Engines are made on of() and used at_work
// alone.
class RankGroups {
 public:
  RankGroups(Communicator& all, const std::vector<int>& sizes);
  RankGroups(const RankGroups&) = delete;
  RankGroups& operator=(const RankGroups&) = delete;
  ~RankGroups();

  Communicator& of(int size) { return *groups_.at(size); }
  // The ranks of this group obey one engine while `work` runs, the one that was made in the last
  // turn of this number; the others sleep.
  void at_work(int size, int engine, const std::function<void()>& work);

 private:
  Communicator& all_;
  std::map<int, std::unique_ptr<Communicator>> groups_;
};

// At every other rank, until rank 0 needs them no more.
void follow_in_groups(Communicator& all);

}  // namespace apsis::mpi
