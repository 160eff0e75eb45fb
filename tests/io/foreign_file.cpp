// SPDX-License-Identifier: MIT
#include "io/foreign_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace apsis::test {

using hdf5::Handle;

namespace {

int rank_of(Size size) { return size.columns > 1 ? 2 : 1; }

std::array<hsize_t, 2> extent_of(Size size) { return {size.rows, size.columns}; }

void put(const Handle& group, const std::string& name, hid_t type, const Handle& space,
         hid_t memory_type, const void* values) {
  const Handle attribute(
      H5Acreate2(group.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  EXPECT_TRUE(attribute.valid()) << name;
  if (H5Sget_simple_extent_npoints(space.id()) == 0) return;  // nothing to write
  EXPECT_GE(H5Awrite(attribute.id(), memory_type, values), 0) << name;
}

class Opened {
 public:
  Opened(const Bytes& file, const std::string& object) {
    write_atomically(folder_ / "f", file);
    file_.emplace(H5Fopen((folder_ / "f").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    object_.emplace(H5Oopen(file_->id(), object.c_str(), H5P_DEFAULT), H5Oclose);
    EXPECT_TRUE(object_->valid()) << object;
  }
  hid_t object() const { return object_->id(); }

 private:
  ScratchFolder folder_;
  std::optional<Handle> file_, object_;
};

}  // namespace

Handle chunked(Size chunk) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.id(), rank_of(chunk), extent_of(chunk).data());
  return properties;
}

ForeignFile::ForeignFile(hsize_t user_block, H5F_libver_t version) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_userblock(creation.id(), user_block);
  H5Pset_libver_bounds(access.id(), version, H5F_LIBVER_LATEST);
  file_.emplace(H5Fcreate((folder_ / "f").c_str(), H5F_ACC_TRUNC, creation.id(), access.id()),
                H5Fclose);
  EXPECT_TRUE(file_->valid());
}

Handle ForeignFile::group(const std::string& name) {
  const bool there = H5Lexists(id(), name.c_str(), H5P_DEFAULT) > 0;
  Handle group(there ? H5Gopen2(id(), name.c_str(), H5P_DEFAULT)
                     : H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
               H5Gclose);
  EXPECT_TRUE(group.valid()) << name;
  return group;
}

ForeignFile& ForeignFile::attribute(const std::string& of, const std::string& name,
                                    const std::vector<double>& values, hid_t type) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  put(group(of), name, type, space, H5T_NATIVE_DOUBLE, values.data());
  return *this;
}

ForeignFile& ForeignFile::text(const std::string& of, const std::string& name,
                               const std::string& content) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.id(), content.size() + 1);
  put(group(of), name, type.id(), space, type.id(), content.c_str());
  return *this;
}

Handle ForeignFile::dataset(const std::string& of, const std::string& name, Size size,
                            hid_t properties) {
  const Handle space(H5Screate_simple(rank_of(size), extent_of(size).data(), nullptr), H5Sclose);
  Handle made(H5Dcreate2(group(of).id(), name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                         properties, H5P_DEFAULT),
              H5Dclose);
  EXPECT_TRUE(made.valid()) << name;
  return made;
}

ForeignFile& ForeignFile::array(const std::string& of, const std::string& name, Size size,
                                double first, hid_t properties) {
  std::vector<double> values(size.rows * size.columns);
  std::iota(values.begin(), values.end(), first);
  const Handle made = dataset(of, name, size, properties);
  EXPECT_GE(H5Dwrite(made.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
  return *this;
}

ForeignFile& ForeignFile::claimed_array(const std::string& of, const std::string& name, Size size,
                                        hid_t properties) {
  dataset(of, name, size, properties);
  return *this;
}

ForeignFile& ForeignFile::bodies(int type, hsize_t count) {
  const std::string name = fmt::format("PartType{}", type);
  array(name, "Coordinates", {count, 3}, 100 * (type + 1));
  array(name, "Velocities", {count, 3}, 1000 * (type + 1));
  return array(name, "Masses", {count}, type + 1);
}

Bytes ForeignFile::bytes() {
  EXPECT_TRUE(file_->close());
  return read_file(folder_ / "f");
}

std::vector<double> numbers_in(const Bytes& file, const std::string& object,
                               const std::string& attribute) {
  const Opened opened(file, object);
  if (H5Aexists(opened.object(), attribute.c_str()) <= 0) return {};
  const Handle found(H5Aopen(opened.object(), attribute.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(found.id()), H5Sclose);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
  EXPECT_GE(H5Aread(found.id(), H5T_NATIVE_DOUBLE, values.data()), 0) << attribute;
  return values;
}

std::optional<double> number_in(const Bytes& file, const std::string& object,
                                const std::string& attribute) {
  const std::vector<double> values = numbers_in(file, object, attribute);
  return values.empty() ? std::nullopt : std::optional(values[0]);
}

StoredText text_in(const Bytes& file, const std::string& object, const std::string& attribute) {
  const Opened opened(file, object);
  const Handle found(H5Aopen(opened.object(), attribute.c_str(), H5P_DEFAULT), H5Aclose);
  EXPECT_TRUE(found.valid()) << attribute;
  const Handle type(H5Aget_type(found.id()), H5Tclose);
  return {H5Tget_size(type.id()), H5Tget_cset(type.id()) == H5T_CSET_UTF8};
}

StoredArray array_in(const Bytes& file, const std::string& name) {
  const Opened opened(file, name);
  const Handle space(H5Dget_space(opened.object()), H5Sclose);
  const Handle properties(H5Dget_create_plist(opened.object()), H5Pclose);
  StoredArray array{H5Sget_simple_extent_ndims(space.id()), {}};
  for (int f = 0; f < H5Pget_nfilters(properties.id()); ++f) {
    unsigned flags = 0;
    std::size_t count = 0;
    array.filters.push_back(H5Pget_filter2(properties.id(), static_cast<unsigned>(f), &flags,
                                           &count, nullptr, 0, nullptr, nullptr));
  }
  return array;
}

bool tells_its_time(const Bytes& file, const std::string& object) {
  const Opened opened(file, object);
  H5O_info_t info{};
  EXPECT_GE(H5Oget_info(opened.object(), &info), 0) << object;
  return info.btime != 0 || info.mtime != 0 || info.ctime != 0;
}

}  // namespace apsis::test
