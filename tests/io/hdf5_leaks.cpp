// SPDX-License-Identifier: MIT
// HDF5 1.10.8 forgets some hundred bytes for each damaged file that it refuses; that no handle of
// ours stays open is a test of its own. Read by the leak sanitizer where there is one.
extern "C" const char* __lsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5\n";
}
