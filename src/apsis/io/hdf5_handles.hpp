// SPDX-License-Identifier: MIT
// A thin layer over HDF5's C API: handles that close themselves, failures as Error, files that
// live in memory. The only header of HDF5's in Apsis.
#pragma once

#include <apsis/files/file.hpp>

#include <hdf5.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis::hdf5 {

// The library keeps global state and is not built for threads: one user at a time. Its own
// printing of errors and its loading of plug-ins are off from the first session on.
class Session {
 public:
  // `file` starts the messages of failures in this session.
  explicit Session(std::string file);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() = default;

  // Throws bad_data with what HDF5 says, "start.hdf5: can't read PartType1/Masses: ...".
  [[noreturn]] void fail(const std::string& doing) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;
  std::string said(const std::string& what) const { return file_ + ": " + what; }

 private:
  std::scoped_lock<std::mutex> lock_;
  std::string file_;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  Close close_;
};

// A new file in memory: HDF5 works in `bytes_` itself, nothing is copied and nothing reaches a
// disk.
class MemoryFile {
 public:
  // `increment`: bytes by which the file grows.
  MemoryFile(const Session& session, std::size_t increment);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() = default;

  const Handle& file() const { return *file_; }
  Bytes close(const Session& session);  // the finished file

 private:
  Bytes bytes_;
  std::optional<Handle> file_;
};

// Opens a file in memory for reading; `bytes` must outlive the handle.
Handle open_image(const Session& session, std::span<const std::byte> bytes);

Handle create_group(const Session& session, const Handle& parent, const std::string& name);

// Follows hard links only: others could lead out of the file or round in circles.
std::optional<Handle> open_group(const Session& session, const Handle& parent,
                                 const std::string& name);
std::optional<Handle> open_dataset(const Session& session, const Handle& parent,
                                   const std::string& name);

// One number, or several where `values` holds more than one. Strings have fixed length: variable
// ones make other readers stumble.
void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   std::span<const double> values);
void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   std::span<const std::uint64_t> values);
void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   int value);
void put_attribute(const Session& session, const Handle& object, const std::string& name,
                   std::string_view text);

// Nothing where there is no such attribute; bad_data where it is of another kind.
std::vector<double> numbers(const Session& session, const Handle& object, const std::string& name);
std::vector<std::uint64_t> counts(const Session& session, const Handle& object,
                                  const std::string& name);
std::optional<std::string> text(const Session& session, const Handle& object,
                                const std::string& name);
// Of variable length too, as Python's h5py writes them.
std::optional<std::string> any_text(const Session& session, const Handle& object,
                                    const std::string& name);
std::vector<std::string> attribute_names(const Session& session, const Handle& object);

}  // namespace apsis::hdf5
