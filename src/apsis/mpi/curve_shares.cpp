// SPDX-License-Identifier: MIT
#include <apsis/mpi/curve_shares.hpp>

#include <algorithm>
#include <numeric>

namespace apsis::mpi {

std::vector<std::size_t> balanced_cuts(std::size_t n, const std::vector<std::size_t>& cuts,
                                       std::span<const double> seconds) {
  const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  if (n == 0 || !(all > 0)) return cuts;
  // cost of all bodies before a place, rising evenly within each piece
  const double least = 1e-3 * all / static_cast<double>(n);
  std::vector<double> costs(seconds.size());
  std::size_t begin = 0;
  for (std::size_t r = 0; r < cuts.size(); ++r) {
    costs[r] = std::max(seconds[r], least * static_cast<double>(cuts[r] - begin));
    begin = cuts[r];
  }
  const double each =
      std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
  std::vector<std::size_t> out(cuts.size());
  std::size_t piece = 0;
  double before = 0;
  begin = 0;
  for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
    const double wanted = each * static_cast<double>(r + 1);
    while (piece + 1 < cuts.size() && before + costs[piece] < wanted) {
      before += costs[piece], begin = cuts[piece], ++piece;
    }
    const double share = costs[piece] > 0 ? (wanted - before) / costs[piece] : 1;
    const double place = static_cast<double>(begin) +
                         std::clamp(share, 0.0, 1.0) * static_cast<double>(cuts[piece] - begin);
    out[r] = static_cast<std::size_t>((place + static_cast<double>(cuts[r])) / 2);
  }
  out.back() = n;
  for (std::size_t r = 1; r < out.size(); ++r) out[r] = std::max(out[r], out[r - 1]);
  return out;
}

}  // namespace apsis::mpi
