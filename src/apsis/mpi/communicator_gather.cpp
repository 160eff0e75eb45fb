// SPDX-License-Identifier: MIT
// Gathering, out of single messages: of any length, and watched like every other wait.
#include <apsis/mpi/communicator.hpp>

#include <algorithm>

namespace apsis::mpi {
namespace {

constexpr int gather_tag = 1, gather_at_all_tag = 2, lengths_tag = 3, exchange_tag = 4;

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

std::vector<Bytes> Communicator::exchange(const std::vector<Bytes>& to) {
  std::vector<std::uint64_t> going(to.size()), coming(to.size());
  std::vector<Bytes> out(to.size());
  std::vector<Transfer> transfers;
  const auto wait_for_all = [&] {
    for (Transfer& transfer : transfers) wait(transfer);
    transfers.clear();
  };
  for (int hop = 1; hop < size_; ++hop) {
    const auto there = static_cast<std::size_t>(neighbour(hop)),
               from = static_cast<std::size_t>(neighbour(-hop));
    going[there] = to[there].size();
    transfers.push_back(start_receive(std::as_writable_bytes(std::span(&coming[from], 1)),
                                      neighbour(-hop), lengths_tag));
    transfers.push_back(
        start_send(std::as_bytes(std::span(&going[there], 1)), neighbour(hop), lengths_tag));
  }
  wait_for_all();
  for (int hop = 1; hop < size_; ++hop) {
    const auto there = static_cast<std::size_t>(neighbour(hop)),
               from = static_cast<std::size_t>(neighbour(-hop));
    out[from].resize(coming[from]);
    transfers.push_back(start_receive(out[from], neighbour(-hop), exchange_tag));
    transfers.push_back(start_send(to[there], neighbour(hop), exchange_tag));
  }
  wait_for_all();
  return out;
}

std::vector<Bytes> Communicator::gather_texts_at_all(std::span<const std::byte> own) {
  const auto ranks = static_cast<std::size_t>(size_);
  const std::uint64_t length = own.size();
  std::vector<std::uint64_t> lengths(ranks);
  gather_at_all(std::as_bytes(std::span(&length, 1)), std::vector(ranks, sizeof length),
                std::as_writable_bytes(std::span(lengths)));
  const std::vector<std::size_t> counts(lengths.begin(), lengths.end());
  std::size_t sum = 0;
  for (const std::size_t count : counts) sum += count;
  Bytes all(sum);
  gather_at_all(own, counts, all);
  std::vector<Bytes> out;
  auto at = all.begin();
  for (const std::size_t count : counts) {
    out.emplace_back(at, at + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::ptrdiff_t>(count);
  }
  return out;
}

}  // namespace apsis::mpi
