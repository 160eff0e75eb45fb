// SPDX-License-Identifier: MIT
// How the solver `bins` sums: the way that runs take, and others beside it that show what that one
// saves.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

enum class BinsSum {
  skipping,     // near bins are left out of the far field
  subtracting,  // all bins are summed from afar, and the near ones taken off again
  by_bins       // as skipping, with a work-item for each bin
};

struct BinsVariant {
  std::string_view name;
  BinsSum sum;
  std::string_view file;  // of its forces on devices
  bool on_cpu;
  std::string_view summary;
};
inline constexpr std::array bins_variants{
    BinsVariant{"cells", BinsSum::skipping, "bins_forces.cl", true,
                "near bins are left out of the far field; a work-item a body"},
    BinsVariant{"subtract", BinsSum::subtracting, "bins_subtract.cl", true,
                "all bins are added from afar, and the near ones subtracted again"},
    BinsVariant{"bin-an-item", BinsSum::by_bins, "bins_an_item.cl", false,
                "as cells, with a work-item a bin"}};

const BinsVariant& variant_of(BinsSum sum);
// An empty name is that of the first. bad_data with the names that there are.
BinsSum bins_sum_named(const std::string& name, bool on_cpu);
std::vector<std::string> bins_variant_names(bool on_cpu);

}  // namespace apsis
