// SPDX-License-Identifier: MIT
#include <apsis/device/cl.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis::device {
namespace {

// Fills are fastest in whole vectors of four floats, and OpenCL knows no empty buffers.
constexpr std::size_t granule = 16;

}  // namespace

detail::BufferState::BufferState(std::shared_ptr<ContextState> owner, std::size_t size)
    : context(std::move(owner)), bytes(size) {
  const std::size_t whole = size == 0 ? granule : (size + granule - 1) / granule * granule;
  buffer = APSIS_CL(context->info, cl::Buffer(context->context, CL_MEM_READ_WRITE, whole));
  allocated = whole;
  context->allocated += whole;
}

detail::BufferState::BufferState(BufferState& whole, std::size_t offset)
    : context(whole.context), bytes(whole.bytes - offset) {
  const cl_buffer_region region{offset, whole.bytes - offset};
  buffer = APSIS_CL(context->info, whole.buffer.createSubBuffer(
                                       CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region));
}

Buffer::Buffer() = default;
Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&&) noexcept = default;
Buffer::~Buffer() = default;

detail::BufferState& Buffer::opened(std::size_t offset, std::size_t bytes) const {
  if (!state_) throw Error(ExitCode::internal_error, "a device buffer is used before it is made");
  if (offset <= state_->bytes && bytes <= state_->bytes - offset) return *state_;
  throw Error(ExitCode::internal_error,
              fmt::format("bytes {} to {} of a device buffer that holds {}", offset, offset + bytes,
                          state_->bytes));
}

std::size_t Buffer::bytes() const { return state_ ? state_->bytes : 0; }

Buffer Buffer::from(std::size_t offset) const {
  Buffer part;
  part.state_ = std::make_unique<detail::BufferState>(opened(offset, 1), offset);
  return part;
}

void Buffer::write_bytes(std::span<const std::byte> bytes, std::size_t offset) {
  auto& state = opened(offset, bytes.size());
  if (bytes.empty()) return;
  const cl::CommandQueue& queue = state.context->queue;
  APSIS_CL(state.context->info,
           queue.enqueueWriteBuffer(state.buffer, CL_TRUE, offset, bytes.size(), bytes.data()));
}

void Buffer::read_bytes(std::span<std::byte> bytes, std::size_t offset) const {
  auto& state = opened(offset, bytes.size());
  if (bytes.empty()) return;
  const cl::CommandQueue& queue = state.context->queue;
  APSIS_CL(state.context->info,
           queue.enqueueReadBuffer(state.buffer, CL_TRUE, offset, bytes.size(), bytes.data()));
}

void Buffer::clear() {
  auto& state = opened(0, 0);
  const cl::CommandQueue& queue = state.context->queue;
  APSIS_CL(state.context->info,
           queue.enqueueFillBuffer(state.buffer, cl_float4{}, 0, state.allocated));
}

void Buffer::copy_from(const Buffer& other) {
  auto& state = opened(0, 0);
  const auto& source = other.opened(0, 0);
  if (source.bytes != state.bytes) {
    throw Error(ExitCode::internal_error, fmt::format("copying {} bytes into a device buffer of {}",
                                                      source.bytes, state.bytes));
  }
  const cl::CommandQueue& queue = state.context->queue;
  APSIS_CL(state.context->info,
           queue.enqueueCopyBuffer(source.buffer, state.buffer, 0, 0, state.allocated));
}

Buffer Context::buffer(std::size_t bytes, const std::string& what) {
  const DeviceInfo& device = state_->info;
  const std::uint64_t left =
      device.memory - std::min<std::uint64_t>(device.memory, state_->allocated);
  const bool too_large = bytes > device.largest_buffer;
  if (too_large || bytes > left) {
    throw bad_data(fmt::format("{} need {} on {}, {} {}", what, readable_size(bytes), device.name,
                               too_large ? "whose largest buffer is" : "which has left only",
                               readable_size(too_large ? device.largest_buffer : left)),
                   "use fewer bodies, a lower precision, or another device");
  }
  Buffer buffer;
  buffer.state_ = std::make_unique<detail::BufferState>(state_, bytes);
  return buffer;
}

}  // namespace apsis::device
