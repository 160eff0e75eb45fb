// SPDX-License-Identifier: MIT
// Files of HDF5 as others write them, or craft them: by calls of the library itself, so that what
// is tested has no part in them.
#pragma once

#include "files/scratch_folder.hpp"
#include <apsis/io/hdf5_handles.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis::test {

struct Size {
  hsize_t rows = 0, columns = 1;
};

// Properties of an array in chunks, to which filters can be added.
hdf5::Handle chunked(Size chunk);

class ForeignFile {
 public:
  // Of version 1.8 on, which has room for long attributes, and checksums of its own records.
  explicit ForeignFile(hsize_t user_block = 0, H5F_libver_t version = H5F_LIBVER_V18);
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;
  ~ForeignFile() = default;

  hid_t id() const { return file_->id(); }
  hdf5::Handle group(const std::string& name);  // made where there is none

  ForeignFile& attribute(const std::string& of, const std::string& name,
                         const std::vector<double>& values, hid_t type = H5T_IEEE_F64LE);
  ForeignFile& text(const std::string& of, const std::string& name, const std::string& content);
  // Its values are counted up from `first`.
  ForeignFile& array(const std::string& of, const std::string& name, Size size, double first = 0,
                     hid_t properties = H5P_DEFAULT);
  // Of which nothing is ever written.
  ForeignFile& claimed_array(const std::string& of, const std::string& name, Size size,
                             hid_t properties = H5P_DEFAULT);
  // Coordinates, Velocities and Masses, which begin at 100, 1000 and 1 times (type + 1).
  ForeignFile& bodies(int type, hsize_t count);

  Bytes bytes();  // of the finished file; nothing can be added then

 private:
  hdf5::Handle dataset(const std::string& of, const std::string& name, Size size, hid_t properties);

  ScratchFolder folder_;
  std::optional<hdf5::Handle> file_;
};

// What somebody else's program finds in a file of ours, the first number of several; nothing where
// there is no such attribute.
std::optional<double> number_in(const Bytes& file, const std::string& object,
                                const std::string& attribute);

std::vector<double> numbers_in(const Bytes& file, const std::string& object,
                               const std::string& attribute);

struct StoredText {
  std::size_t bytes = 0;
  bool utf8 = false;
};
StoredText text_in(const Bytes& file, const std::string& object, const std::string& attribute);

struct StoredArray {
  int rank = 0;
  std::vector<H5Z_filter_t> filters;
};
StoredArray array_in(const Bytes& file, const std::string& name);

bool tells_its_time(const Bytes& file, const std::string& object);

}  // namespace apsis::test
