// SPDX-License-Identifier: MIT
// Which devices of its machine a rank drives.
#pragma once

#include <apsis/device/devices.hpp>

#include <string>
#include <vector>

namespace apsis::mpi {

// The devices that the words stand for where ranks share them out: a list, "all" and parts as for
// one process; a word without a number ("gpu", "opencl", a part of a name) means the first that
// fits and all of its name and driver, so that each rank of a machine with several equal cards gets
// its own.
std::vector<DeviceInfo> devices_to_share(const std::string& wanted);

// Of those, what rank number `rank` of `ranks` on one machine drives: one, which it may share with
// others where there are more ranks than devices; else a run of consecutive ones.
std::vector<DeviceInfo> devices_of_rank(const std::vector<DeviceInfo>& devices, int rank,
                                        int ranks);

}  // namespace apsis::mpi
