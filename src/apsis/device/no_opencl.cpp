// SPDX-License-Identifier: MIT
// The device layer of a build without OpenCL: there is no device, and nothing can be opened.
#include <apsis/core/error.hpp>
#include <apsis/device/build_log.hpp>
#include <apsis/device/context.hpp>
#include <apsis/device/user_program.hpp>

namespace apsis {

std::vector<device::ProgramBuild> device::program_builds() { return {}; }

namespace {

Error none() {
  return {ExitCode::unavailable, "this build has no OpenCL",
          "use device = cpu, or build with ocl-icd-opencl-dev and opencl-clhpp-headers"};
}

}  // namespace

bool opencl_built_in() { return false; }

Discovery discover_devices() { return {{}, "this build has no OpenCL"}; }

namespace device {
namespace detail {
struct BufferState {};
struct ContextState {};
struct EventState {};
struct KernelState {};
struct ProgramState {};
}  // namespace detail

bool Event::over() const { return true; }
void Event::wait() const {}

Buffer::Buffer() = default;
Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&&) noexcept = default;
Buffer::~Buffer() = default;
std::size_t Buffer::bytes() const { return 0; }
Buffer Buffer::from(std::size_t /*offset*/) const { throw none(); }
Event Buffer::start_writing(std::span<const std::byte> /*bytes*/, std::size_t /*offset*/,
                            const Event& /*after*/) {
  throw none();
}
Event Buffer::start_reading(std::span<std::byte> /*bytes*/, std::size_t /*offset*/,
                            const Event& /*after*/) const {
  throw none();
}
void Buffer::clear() { throw none(); }
void Buffer::copy_from(const Buffer& /*other*/) { throw none(); }
void Buffer::write_bytes(std::span<const std::byte> /*bytes*/, std::size_t /*offset*/) {
  throw none();
}
void Buffer::read_bytes(std::span<std::byte> /*bytes*/, std::size_t /*offset*/) const {
  throw none();
}

KernelBase::KernelBase() = default;
KernelBase::KernelBase(KernelBase&&) noexcept = default;
KernelBase& KernelBase::operator=(KernelBase&&) noexcept = default;
KernelBase::~KernelBase() = default;
std::size_t KernelBase::largest_group() const { throw none(); }
std::size_t KernelBase::group_multiple() const { throw none(); }
void KernelBase::argument(unsigned /*index*/, const Buffer& /*value*/) { throw none(); }
void KernelBase::argument(unsigned /*index*/, Scalar /*value*/) { throw none(); }
void KernelBase::argument(unsigned /*index*/, int /*value*/) { throw none(); }
void KernelBase::argument_bytes(unsigned /*index*/, std::span<const std::byte> /*value*/) {
  throw none();
}
void KernelBase::local_argument(unsigned /*index*/, std::size_t /*bytes*/) { throw none(); }
void KernelBase::enqueue(const Range& /*range*/) { throw none(); }

KernelBase Program::kernel_named(const char* /*name*/, std::size_t /*arguments*/) const {
  throw none();
}

UserProgram::UserProgram(Context& /*context*/, const std::filesystem::path& /*file*/) {
  throw none();
}
UserKernel UserProgram::kernel(const std::string& /*name*/) const { throw none(); }

// by value like the one that keeps it: NOLINTNEXTLINE(performance-unnecessary-value-param)
Context::Context(const DeviceInfo& /*device*/, ContextOptions /*options*/) { throw none(); }
Context::~Context() = default;
const DeviceInfo& Context::device() const { throw none(); }
const std::filesystem::path& Context::kernel_folder() const { throw none(); }
Buffer Context::buffer(std::size_t /*bytes*/, const std::string& /*what*/) { throw none(); }
Program Context::program(const std::string& /*file*/, const Defines& /*defines*/,
                         const WrittenKernel& /*written*/) {
  throw none();
}
void Context::flush() { throw none(); }
void Context::finish() { throw none(); }
Event Context::reached() { throw none(); }
void Context::begin_after(const Event& /*event*/) { throw none(); }
void Context::record_timeline() { throw none(); }
std::vector<TimelineEntry> Context::timeline() { throw none(); }
double Context::kernel_seconds() { throw none(); }
void Context::stop_counting() { throw none(); }
std::uint64_t Context::allocated_bytes() const { throw none(); }

}  // namespace device
}  // namespace apsis
