// SPDX-License-Identifier: MIT
// An opened OpenCL device: its memory, programs and one queue that works in order; a second one
// moves bytes beside it where that is asked for. The only folder that includes OpenCL's headers;
// what others see has none of its types.
//
// Every call is checked: a failure is an Error (unavailable) with the call's text, OpenCL's name
// for the code, and the device.
#pragma once

#include <apsis/device/devices.hpp>
#include <apsis/device/kernel_text.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace apsis::device {

class Context;
namespace detail {
struct BufferState;
struct ContextState;
struct EventState;
struct KernelState;
struct ProgramState;
}  // namespace detail

// A point in a device's work, over once all that it stands for is done. An empty one always is.
class Event {
 public:
  // Both throw where what it stands for has failed.
  bool over() const;
  void wait() const;

 private:
  friend class Buffer;
  friend class Context;
  std::shared_ptr<const detail::EventState> state_;
};

// Bytes on the device. Moves, never copies; empty until assigned from a Context.
class Buffer {
 public:
  Buffer();
  Buffer(Buffer&&) noexcept;
  Buffer& operator=(Buffer&&) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  std::size_t bytes() const;
  // The same bytes from `offset` on, a multiple of 512, under another name: of this buffer still.
  Buffer from(std::size_t offset) const;

  // Behind everything enqueued before; both wait until the bytes have arrived.
  template <class Value>
  void write(std::span<const Value> values, std::size_t offset_bytes = 0) {
    write_bytes(std::as_bytes(values), offset_bytes);
  }
  template <class Value>
  void read(std::span<Value> values, std::size_t offset_bytes = 0) const {
    read_bytes(std::as_writable_bytes(values), offset_bytes);
  }
  // The same beside the kernels, by the second queue: it begins after `after`, an event of the same
  // device, and nobody waits. The bytes must stay where they are until it is over.
  Event start_writing(std::span<const std::byte> bytes, std::size_t offset, const Event& after);
  Event start_reading(std::span<std::byte> bytes, std::size_t offset, const Event& after) const;
  // Enqueued, not waited for.
  void clear();
  void copy_from(const Buffer& other);  // of the same size

 private:
  friend class Context;
  friend class KernelBase;
  void write_bytes(std::span<const std::byte> bytes, std::size_t offset);
  void read_bytes(std::span<std::byte> bytes, std::size_t offset) const;
  // That these bytes are in it.
  detail::BufferState& opened(std::size_t offset, std::size_t bytes) const;
  template <class Enqueue>
  Event start(std::size_t bytes, std::size_t offset, const Event& after, const char* what,
              const Enqueue& enqueue) const;
  std::unique_ptr<detail::BufferState> state_;
};

// A number that the kernel takes as float or double, as its program was built.
struct Scalar {
  double value = 0;
  bool wide = false;  // double
};

// How many work-items, and in which groups; a group of 0 leaves the choice to the driver. Numbers
// begin at 0, and kernels are told where to begin: drivers compile launches with an offset apart.
struct Range {
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> group{0, 0, 0};
};

// A kernel by its name and the numbers of its arguments; user_program.hpp has those whose arguments
// nobody knows before.
class KernelBase {
 public:
  KernelBase();
  KernelBase(KernelBase&&) noexcept;
  KernelBase& operator=(KernelBase&&) noexcept;
  KernelBase(const KernelBase&) = delete;
  KernelBase& operator=(const KernelBase&) = delete;
  ~KernelBase();
  explicit operator bool() const { return state_ != nullptr; }

  std::size_t largest_group() const;  // that this kernel can run with
  std::size_t group_multiple() const;

 protected:
  friend class Program;
  friend class UserProgram;
  explicit KernelBase(std::unique_ptr<detail::KernelState> state);
  void argument(unsigned index, const Buffer& value);
  void argument(unsigned index, Scalar value);
  void argument(unsigned index, int value);
  void argument_bytes(unsigned index, std::span<const std::byte> value);
  void local_argument(unsigned index, std::size_t bytes);
  void enqueue(const Range& range);

 private:
  std::unique_ptr<detail::KernelState> state_;
};

// A kernel with its argument types: kernel(range, arguments...) enqueues it, nothing waits.
template <class... Arguments>
class Kernel : public KernelBase {
 public:
  Kernel() = default;

  void operator()(const Range& range, const Arguments&... arguments) {
    unsigned index = 0;
    (argument(index++, arguments), ...);
    enqueue(range);
  }

 private:
  friend class Program;
  explicit Kernel(KernelBase base) : KernelBase(std::move(base)) {}
};

using Defines = std::vector<std::pair<std::string, std::string>>;

// A built program. Programs of the same text and defines are built once per context, and once per
// device and driver on this machine (program_cache.hpp).
class Program {
 public:
  template <class... Arguments>
  Kernel<Arguments...> kernel(const char* name) const {
    return Kernel<Arguments...>(kernel_named(name, sizeof...(Arguments)));
  }

 private:
  friend class Context;
  KernelBase kernel_named(const char* name, std::size_t arguments) const;
  std::shared_ptr<detail::ProgramState> state_;
};

struct ContextOptions {
  // Kernel files here come before those in the binary.
  std::filesystem::path kernel_folder;
  // Built programs go to the cache folder also where the driver has a cache of its own (PoCL).
  bool always_keeps_binaries = false;
};

// One command of a device, by the host's steady clock.
struct TimelineEntry {
  std::string what;           // a kernel's name, "read" or "write"
  bool transfer = false;      // of the second queue
  double start = 0, end = 0;  // seconds
};

// Of a product of rows × inner and inner × columns.
struct MatrixSizes {
  std::size_t rows = 0, inner = 0, columns = 0;
};

class Context {
 public:
  explicit Context(const DeviceInfo& device, ContextOptions options = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const DeviceInfo& device() const;
  const std::filesystem::path& kernel_folder() const;  // empty: none

  // `what` names it in the error for a buffer that the device can't hold (bad_data).
  Buffer buffer(std::size_t bytes, const std::string& what);

  // Builds a file of kernels/. A build error shows the compiler's log with file and line, and the
  // defines: bad_data for a file of the user's, unavailable for one of ours. `written` stands for
  // the file of its name.
  Program program(const std::string& file, const Defines& defines,
                  const WrittenKernel& written = {});

  // c = a·b, float, row by row, by CLBlast; counted as kernels. unavailable in builds without it
  // (clblast.hpp).
  void multiply_by_clblast(const Buffer& a, const Buffer& b, const Buffer& c,
                           const MatrixSizes& sizes);

  void flush();   // what is enqueued starts
  void finish();  // and waits for all of it, on both queues

  // All kernels enqueued so far, which start.
  Event reached();
  // Kernels that are enqueued from now on begin after it.
  void begin_after(const Event& event);

  // Device time of the kernels enqueued since the last call, in seconds by the device's own clock;
  // waits for them. Counting starts with the first call.
  double kernel_seconds();
  void stop_counting();  // until the next call: events cost a little

  // Commands are recorded from now on, or from the last call of timeline(), which waits for them.
  void record_timeline();
  std::vector<TimelineEntry> timeline();

  std::uint64_t allocated_bytes() const;  // of all buffers that there are now

 private:
  friend class UserProgram;
  std::shared_ptr<detail::ContextState> state_;  // also held by its buffers, programs and kernels
};

}  // namespace apsis::device
