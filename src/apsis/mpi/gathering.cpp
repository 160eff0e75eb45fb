// SPDX-License-Identifier: MIT
// Gathering, out of single messages: of any length, and watched like every other wait.
#include <apsis/mpi/communicator.hpp>

#include <algorithm>

namespace apsis::mpi {
namespace {

constexpr int gather_tag = 1, gather_at_all_tag = 2;

std::vector<std::size_t> places_of(const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> places;
  std::size_t at = 0;
  for (const std::size_t count : counts) places.push_back(at), at += count;
  return places;
}

}  // namespace

void Communicator::gather_at_all(std::span<const std::byte> own,
                                 const std::vector<std::size_t>& counts, std::span<std::byte> all) {
  const auto places = places_of(counts);
  std::vector<Transfer> transfers;
  for (int hop = 1; hop < size_; ++hop) {
    const auto from = static_cast<std::size_t>(neighbour(-hop));
    transfers.push_back(
        start_receive(all.subspan(places[from], counts[from]), neighbour(-hop), gather_at_all_tag));
    transfers.push_back(start_send(own, neighbour(hop), gather_at_all_tag));
  }
  std::copy(own.begin(), own.end(),
            all.begin() + static_cast<std::ptrdiff_t>(places[static_cast<std::size_t>(rank_)]));
  for (Transfer& transfer : transfers) wait(transfer);
}

void Communicator::gather(std::span<const std::byte> own, const std::vector<std::size_t>& counts,
                          std::span<std::byte> all) {
  if (rank_ != 0) {
    Transfer transfer = start_send(own, 0, gather_tag);
    return wait(transfer);
  }
  const auto places = places_of(counts);
  std::vector<Transfer> transfers;
  for (int from = 1; from < size_; ++from) {
    const auto r = static_cast<std::size_t>(from);
    transfers.push_back(start_receive(all.subspan(places[r], counts[r]), from, gather_tag));
  }
  std::copy(own.begin(), own.end(), all.begin());
  for (Transfer& transfer : transfers) wait(transfer);
}

}  // namespace apsis::mpi
