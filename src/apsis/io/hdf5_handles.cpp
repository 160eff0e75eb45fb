// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/io/hdf5_handles.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace apsis::hdf5 {
namespace {

std::mutex one_user;

// More numbers than any reader of ours asks an attribute for; keeps hostile files from filling
// memory.
constexpr hssize_t attribute_limit = 65536;
constexpr std::size_t text_limit = 1 << 20;

herr_t remember_first(unsigned depth, const H5E_error2_t* error, void* into) {
  auto& text = *static_cast<std::string*>(into);
  if (depth == 0 && error->desc != nullptr) text = error->desc;
  return 0;
}

bool hard_link_exists(hid_t parent, const std::string& name) {
  if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_info_t info;
  return H5Lget_info(parent, name.c_str(), &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

template <class Open>
std::optional<Handle> open_linked(const Session& session, const Handle& parent,
                                  const std::string& name, Open open, Handle::Close close) {
  if (H5Lexists(parent.id(), name.c_str(), H5P_DEFAULT) == 0) return std::nullopt;
  if (!hard_link_exists(parent.id(), name)) {
    session.refuse(name + " leads elsewhere or is damaged", "copy the data into the file itself");
  }
  Handle handle(open(parent.id(), name.c_str(), H5P_DEFAULT), close);
  if (!handle.valid()) session.fail("open " + name);
  return handle;
}

Handle open_attribute(const Session& session, const Handle& object, const std::string& name) {
  Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) session.fail("open attribute " + name);
  return attribute;
}

bool has_attribute(const Session& session, const Handle& object, const std::string& name) {
  const htri_t exists = H5Aexists(object.id(), name.c_str());
  if (exists < 0) session.fail("look for attribute " + name);
  return exists > 0;
}

std::size_t value_count(const Session& session, const Handle& attribute, const std::string& name) {
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (count < 0) session.fail("read attribute " + name);
  if (count > attribute_limit) {
    session.refuse(fmt::format("attribute {} holds {} values", name, count), "check the file");
  }
  return static_cast<std::size_t>(count);
}

template <class Value>
std::vector<Value> values_of(const Session& session, const Handle& object, const std::string& name,
                             hid_t memory_type) {
  if (!has_attribute(session, object, name)) return {};
  const Handle attribute = open_attribute(session, object, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
    session.refuse(fmt::format("attribute {} is not a number", name), "check the file");
  }
  std::vector<Value> values(value_count(session, attribute, name));
  if (!values.empty() && H5Aread(attribute.id(), memory_type, values.data()) < 0) {
    session.fail("read attribute " + name);
  }
  return values;
}

void put_values(const Session& session, const Handle& object, const std::string& name,
                hid_t file_type, hid_t memory_type, std::size_t count, const void* values) {
  const hsize_t length = count;
  const Handle space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr),
                     H5Sclose);
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.id(), memory_type, values) < 0) {
    session.fail("write attribute " + name);
  }
}

herr_t collect_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* into) {
  auto& names = *static_cast<std::vector<std::string>*>(into);
  names.emplace_back(name);
  return names.size() < static_cast<std::size_t>(attribute_limit) ? 0 : 1;
}

// How HDF5 is kept from copying images: it asks for memory and gets what is already there.
void* no_new_image(size_t /*size*/, H5FD_file_image_op_t /*op*/, void* /*owner*/) {
  return nullptr;
}
void* same_image(size_t /*size*/, H5FD_file_image_op_t /*op*/, void* image) { return image; }
void* keep_content(void* to, const void* /*from*/, size_t /*size*/, H5FD_file_image_op_t /*op*/,
                   void* /*owner*/) {
  return to;
}
void* grow_bytes(void* /*old*/, size_t size, H5FD_file_image_op_t /*op*/, void* owner) {
  auto& bytes = *static_cast<Bytes*>(owner);
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    return nullptr;  // HDF5 reports it
  }
  return bytes.data();
}
void* no_growth(void* /*old*/, size_t /*size*/, H5FD_file_image_op_t /*op*/, void* /*image*/) {
  return nullptr;
}
herr_t keep_image(void* /*image*/, H5FD_file_image_op_t /*op*/, void* /*owner*/) { return 0; }
void* share_owner(void* owner) { return owner; }
herr_t leave_owner_alone(void* /*owner*/) { return 0; }

}  // namespace

Session::Session(std::string file) : lock_(one_user), file_(std::move(file)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
}

void Session::fail(const std::string& doing) const {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, remember_first, &reason);
  throw bad_data(fmt::format("{}: can't {}{}{}", file_, doing, reason.empty() ? "" : ": ", reason),
                 "the file is damaged, cut or of another kind: get it anew");
}

void Session::refuse(const std::string& what, const std::string& remedy) const {
  throw bad_data(fmt::format("{}: {}", file_, what), remedy);
}

MemoryFile::MemoryFile(const Session& session, std::size_t increment) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id(), increment, false);
  H5FD_file_image_callbacks_t callbacks{no_new_image, keep_content,      grow_bytes, keep_image,
                                        share_owner,  leave_owner_alone, &bytes_};
  H5Pset_file_image_callbacks(access.id(), &callbacks);
  // the format of HDF5 1.10 has checksums on all of its own records too
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  // no time of creation anywhere: the same state gives the same bytes
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  file_.emplace(H5Fcreate("memory", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
  if (!file_->valid()) session.fail("create it in memory");
}

// H5Fget_file_image would spoil the checksum of a file that is open for writing (HDF5 1.10.8), so
// the image is what lies in memory after closing, up to the end that its superblock tells.
Bytes MemoryFile::close(const Session& session) {
  constexpr std::size_t end_offset = 28;  // in superblocks of versions 2 and 3
  if (!file_->close()) session.fail("finish it in memory");
  std::uint64_t end = 0;
  for (std::size_t i = 8; i-- > 0;) {
    end = end << 8 | std::to_integer<std::uint64_t>(bytes_.at(end_offset + i));
  }
  if (end > bytes_.size()) session.refuse("its image in memory is not whole", "report this");
  bytes_.resize(end);
  return std::move(bytes_);
}

Handle open_image(const Session& session, std::span<const std::byte> bytes) {
  if (bytes.empty()) session.fail("open it as HDF5: it is empty");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id(), 65536, false);
  // opened for reading only, so nothing is written through this pointer
  auto* image = const_cast<std::byte*>(bytes.data());
  H5FD_file_image_callbacks_t callbacks{same_image,  keep_content,      no_growth, keep_image,
                                        share_owner, leave_owner_alone, image};
  H5Pset_file_image_callbacks(access.id(), &callbacks);
  H5Pset_file_image(access.id(), image, bytes.size());
  Handle file(H5Fopen("memory", H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!file.valid()) session.fail("open it as HDF5");
  return file;
}

Handle create_group(const Session& session, const Handle& parent, const std::string& name) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  Handle group(H5Gcreate2(parent.id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
               H5Gclose);
  if (!group.valid()) session.fail("create group " + name);
  return group;
}

std::optional<Handle> open_group(const Session& session, const Handle& parent,
                                 const std::string& name) {
  return open_linked(session, parent, name, H5Gopen2, H5Gclose);
}

std::optional<Handle> open_dataset(const Session& session, const Handle& parent,
                                   const std::string& name) {
  return open_linked(session, parent, name, H5Dopen2, H5Dclose);
}

void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   std::span<const double> values) {
  put_values(session, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(),
             values.data());
}

void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   std::span<const std::uint64_t> values) {
  put_values(session, object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, values.size(), values.data());
}

void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   int value) {
  put_values(session, object, name, H5T_STD_I32LE, H5T_NATIVE_INT, 1, &value);
}

void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   std::string_view content) {
  const std::string terminated(content);  // an empty text still takes one byte
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), terminated.size() + 1);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  put_values(session, object, name, type.id(), type.id(), 1, terminated.c_str());
}

std::vector<double> numbers(const Session& session, const Handle& object, const std::string& name) {
  return values_of<double>(session, object, name, H5T_NATIVE_DOUBLE);
}

std::vector<std::uint64_t> counts(const Session& session, const Handle& object,
                                  const std::string& name) {
  return values_of<std::uint64_t>(session, object, name, H5T_NATIVE_UINT64);
}

std::optional<std::string> text(const Session& session, const Handle& object,
                                const std::string& name) {
  if (!has_attribute(session, object, name)) return std::nullopt;
  const Handle attribute = open_attribute(session, object, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
      value_count(session, attribute, name) != 1) {
    return std::nullopt;  // another program's attribute of that name
  }
  const std::size_t length = H5Tget_size(type.id());
  if (length > text_limit) {
    session.refuse(fmt::format("attribute {} is a text of {} bytes", name, length),
                   "check the file");
  }
  std::string content(length, '\0');
  if (H5Aread(attribute.id(), type.id(), content.data()) < 0) {
    session.fail("read attribute " + name);
  }
  content.resize(std::min(content.size(), content.find('\0')));
  return content;
}

std::optional<std::string> any_text(const Session& session, const Handle& object,
                                    const std::string& name) {
  if (!has_attribute(session, object, name)) return std::nullopt;
  const Handle attribute = open_attribute(session, object, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING || value_count(session, attribute, name) != 1) {
    return std::nullopt;
  }
  if (H5Tis_variable_str(type.id()) == 0) return text(session, object, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  char* stored = nullptr;
  if (H5Aread(attribute.id(), type.id(), &stored) < 0) session.fail("read attribute " + name);
  std::string content;
  if (stored != nullptr) content.assign(stored, strnlen(stored, text_limit));
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, &stored);
  return content;
}

std::vector<std::string> attribute_names(const Session& session, const Handle& object) {
  std::vector<std::string> names;
  // by creation, so that provenance comes back in its order; in some order where none was kept
  hsize_t start = 0;
  if (H5Aiterate2(object.id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, &start, collect_name, &names) < 0) {
    session.fail("list attributes");
  }
  return names;
}

}  // namespace apsis::hdf5

namespace apsis {

std::size_t open_hdf5_objects() {
  const hdf5::Session session("open objects");
  const ssize_t count = H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL);
  return static_cast<std::size_t>(std::max<ssize_t>(0, count));
}

}  // namespace apsis
