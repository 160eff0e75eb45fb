// SPDX-License-Identifier: MIT
// All ranks are told which group is next, by a broadcast to all of them; in the group, orders go on
// as between all ranks. A rank keeps its part of every group's engine between the turns.
#include <apsis/core/error.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/mpi/rank_groups.hpp>
#include <apsis/mpi/rank_part.hpp>

#include <span>

namespace apsis::mpi {
namespace {

struct Turn {
  int size = 0, engine = 0;  // no size: the end
};

template <class Value>
Value told(Communicator& all, Value value) {
  all.broadcast(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace

RankGroups::RankGroups(Communicator& all, const std::vector<int>& sizes) : all_(all) {
  told(all, static_cast<int>(sizes.size()));
  for (const int size : sizes) groups_[size] = all.first(told(all, size));
}

RankGroups::~RankGroups() {
  if (all_.broken()) return;
  try {
    told(all_, Turn{});
  } catch (...) {
    all_.end_all_with(static_cast<int>(ExitCode::unavailable));
  }
}

void RankGroups::at_work(int size, int engine, const std::function<void()>& work) {
  told(all_, Turn{size, engine});
  const Leader leader(of(size));
  work();
}

void follow_in_groups(Communicator& all) {
  struct Group {
    std::unique_ptr<Communicator> ranks;
    std::map<int, std::unique_ptr<RankPart>> parts;  // by engine
  };
  std::map<int, Group> groups;
  for (int left = told(all, 0); left > 0; --left) {
    const int size = told(all, 0);
    groups[size].ranks = all.first(size);
  }
  for (Turn turn = told(all, Turn{}); turn.size > 0; turn = told(all, Turn{})) {
    Group& group = groups.at(turn.size);
    if (!group.ranks) continue;
    auto& part = group.parts[turn.engine];
    if (!part) part = std::make_unique<RankPart>(*group.ranks);
    follow(*group.ranks, *part);
  }
}

}  // namespace apsis::mpi
