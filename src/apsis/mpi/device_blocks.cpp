// SPDX-License-Identifier: MIT
#include <apsis/mpi/device_blocks.hpp>

#include <algorithm>
#include <cstdint>

namespace apsis::mpi {
namespace {

constexpr int home_tag = 40, first_block_tag = 100;

// Devices of one rank need not tell in their order where their bodies are.
int tag_of(std::size_t device) { return first_block_tag + static_cast<int>(device); }

}  // namespace

DeviceBlocks::DeviceBlocks(Communicator& ranks, std::size_t own, EvaluationRecord& record)
    : ranks_(ranks), record_(record) {
  const auto n = static_cast<std::size_t>(ranks.size());
  const std::uint64_t count = own;
  std::vector<std::uint64_t> counts(n);
  ranks.gather_at_all(std::as_bytes(std::span(&count, 1)), std::vector(n, sizeof count),
                      std::as_writable_bytes(std::span(counts)));
  counts_.assign(counts.begin(), counts.end());
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) first_ = owners_.size();
    owners_.insert(owners_.end(), counts_[static_cast<std::size_t>(rank)], rank);
  }
  coming_.resize(owners_.size());
}

void DeviceBlocks::start_send(std::size_t device, ConstBytes bytes) {
  for (int hop = 1; hop < ranks_.size(); ++hop) {
    going_.push_back(ranks_.start_send(bytes, ranks_.neighbour(hop), tag_of(device)));
  }
}

void DeviceBlocks::start_receive(std::size_t device, Bytes bytes) {
  if (bytes.empty()) return;
  coming_[device].push_back(ranks_.start_receive(bytes, owners_[device], tag_of(device)));
}

bool DeviceBlocks::arrived(std::size_t device) {
  auto& transfers = coming_[device];
  return std::all_of(transfers.begin(), transfers.end(),
                     [&](Transfer& transfer) { return ranks_.over(transfer); });
}

void DeviceBlocks::wait_for(std::size_t device) {
  for (Transfer& transfer : coming_[device]) ranks_.wait(transfer);
  coming_[device].clear();
}

void DeviceBlocks::wait_for_sends() {
  for (Transfer& transfer : going_) ranks_.wait(transfer);
  going_.clear();
}

void DeviceBlocks::bring_to_first(std::size_t device, Bytes bytes) {
  const bool here = owners_[device] == ranks_.rank();
  Transfer transfer = here ? ranks_.start_send(bytes, owners_.front(), home_tag)
                           : ranks_.start_receive(bytes, owners_[device], home_tag);
  ranks_.wait(transfer);
}

std::vector<double> DeviceBlocks::of_all(const std::vector<double>& own) {
  std::vector<std::size_t> bytes = counts_;
  for (std::size_t& size : bytes) size *= sizeof(double);
  std::vector<double> all(owners_.size());
  ranks_.gather_at_all(std::as_bytes(std::span(own)), bytes,
                       std::as_writable_bytes(std::span(all)));
  return all;
}

}  // namespace apsis::mpi
