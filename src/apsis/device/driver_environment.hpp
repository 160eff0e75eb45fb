// SPDX-License-Identifier: MIT
// Inside device/: what drivers find around them, looked at before they are asked for anything.
#pragma once

#include <string>

namespace apsis::device {

// PoCL keeps compiled kernels in a folder of its own. Where that cannot be written it answers as if
// it were not installed, and where others can write there it runs what they put into it: then it
// gets one beside Apsis's own cache. POCL_CACHE_DIR always wins.
void give_drivers_a_cache();

// Why there is too little room to ask drivers, which end the whole program when they run out of it;
// empty where there is enough.
std::string why_drivers_are_not_asked();

}  // namespace apsis::device
