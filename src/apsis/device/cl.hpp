// SPDX-License-Identifier: MIT
// For the inside of device/ only: OpenCL's C++ bindings, the check around every call of them, and
// what is behind the classes of context.hpp.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <apsis/core/error.hpp>
#include <apsis/device/context.hpp>

#include <CL/opencl.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace apsis::device {

std::string error_name(cl_int code);  // "CL_OUT_OF_RESOURCES (-5)"
// `call` is the source text of what failed, error.what() the name of OpenCL's function.
Error device_error(const char* call, const cl::Error& error, const DeviceInfo& device);

template <class Call>
decltype(auto) checked(const char* text, const DeviceInfo& device, Call&& call) {
  try {
    return call();
  } catch (const cl::Error& error) {
    throw device_error(text, error, device);
  }
}
// The one way to call OpenCL once a device is open. A macro, for the text of the call.
#define APSIS_CL(info_, ...) \
  ::apsis::device::checked(#__VA_ARGS__, info_, [&]() -> decltype(auto) { return __VA_ARGS__; })

struct FoundDevice {
  cl::Device device;
  std::string platform_version;
  DeviceInfo info;
};
struct FoundDevices {
  std::vector<FoundDevice> devices;
  std::string why_none;
};
FoundDevices found_devices();

struct BuiltProgram {
  cl::Program program;
  bool from_folder = false;  // at least one of its files is the user's
};

// Whether a device is PoCL's, whose habits need some care.
bool is_pocl(const DeviceInfo& device);

namespace detail {

// An OpenCL context that serves all of ours on a device, with all programs that were built in it.
struct SharedContext {
  cl::Context context;
  std::mutex building;
  std::map<std::string, std::shared_ptr<const BuiltProgram>> programs;  // by the key's hash
};

struct ContextState {
  DeviceInfo info;
  ContextOptions options;
  std::string platform_version;
  cl::Device device;
  SharedContext* shared = nullptr;  // where `context` is not ours alone
  cl::Context context;
  cl::CommandQueue queue;
  cl::CommandQueue transfers;  // made when first asked for
  // By file and options. Shared, because to copy what OpenCL counts is a call that can fail.
  std::map<std::string, std::shared_ptr<const BuiltProgram>> programs;
  std::uint64_t allocated = 0;  // bytes, over all live buffers

  // Kernels in flight, from the first call of kernel_seconds() on.
  bool counting = false;
  double counted_seconds = 0;
  std::vector<cl::Event> events;

  // All commands, from record_timeline() on.
  struct Recorded {
    std::string what;
    bool transfer;
    cl::Event event;
  };
  bool recording = false;
  std::vector<Recorded> recorded;

  // The second queue.
  cl::CommandQueue& beside();
};

struct EventState {
  std::shared_ptr<const ContextState> context;
  cl::Event event;
};
// Whether a command is over; a failure says so only here.
bool is_over(const cl::Event& event, const DeviceInfo& device);

struct BufferState {
  std::shared_ptr<ContextState> context;
  cl::Buffer buffer;
  std::size_t bytes = 0;      // as asked for
  std::size_t allocated = 0;  // a multiple of 16, never 0
  BufferState(std::shared_ptr<ContextState> owner, std::size_t size);
  // A part of another one, from `offset` on; its bytes are counted there.
  BufferState(BufferState& whole, std::size_t offset);
  BufferState(const BufferState&) = delete;
  BufferState& operator=(const BufferState&) = delete;
  ~BufferState() { context->allocated -= allocated; }
};

struct ProgramState {
  std::shared_ptr<ContextState> context;
  std::shared_ptr<const BuiltProgram> built;
  std::string file;
};

struct KernelState {
  std::shared_ptr<ContextState> context;
  cl::Kernel kernel;
  std::string name;
};

// What the compiler made of a text: a program, or what it has against it, in the lines that matter.
struct Compiled {
  std::optional<cl::Program> program;
  std::string complaint;
};
Compiled compiled(const ContextState& state, const std::string& options, const std::string& text);

// Builds a file of kernels/, or takes it from the disk (program_cache.hpp).
std::shared_ptr<const BuiltProgram> built_program(const ContextState& state,
                                                  const std::string& file,
                                                  const std::string& options,
                                                  const WrittenKernel& written);

}  // namespace detail
}  // namespace apsis::device
