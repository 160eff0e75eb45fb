// SPDX-License-Identifier: MIT
// What works beside the kernels: the second queue, the events that order both, and the record of
// what each did when.
#include <apsis/device/cl.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace apsis::device {
namespace {

double host_seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double device_seconds(cl_ulong nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }

std::vector<cl::Event> waited_for(const std::shared_ptr<const detail::EventState>& state) {
  return state ? std::vector<cl::Event>{state->event} : std::vector<cl::Event>{};
}

// The host's clock less the device's. A marker that was waited for ended just now.
double clock_offset(detail::ContextState& state) {
  double offset = 0, shortest = 1;
  for (int i = 0; i < 5; ++i) {
    const double before = host_seconds();
    cl::Event marker;
    APSIS_CL(state.info, state.queue.enqueueMarkerWithWaitList(nullptr, &marker));
    APSIS_CL(state.info, marker.wait());
    const double after = host_seconds();
    const auto end = APSIS_CL(state.info, marker.getProfilingInfo<CL_PROFILING_COMMAND_END>());
    if (after - before >= shortest) continue;
    shortest = after - before;
    offset = (before + after) / 2 - device_seconds(end);
  }
  return offset;
}

}  // namespace

// Kernels that failed say so only here: calls that enqueue had nothing to complain about.
bool detail::is_over(const cl::Event& event, const DeviceInfo& device) {
  const cl_int status = APSIS_CL(device, event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>());
  if (status < 0) throw device_error("a kernel", cl::Error(status, "a kernel that ran"), device);
  return status == CL_COMPLETE;
}

cl::CommandQueue& detail::ContextState::beside() {
  if (transfers() == nullptr) {
    transfers = APSIS_CL(info, cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE));
  }
  return transfers;
}

bool Event::over() const {
  return !state_ || detail::is_over(state_->event, state_->context->info);
}

void Event::wait() const {
  if (!state_) return;
  APSIS_CL(state_->context->info, state_->event.wait());
}

Event Context::reached() {
  Event reached;
  auto made = std::make_shared<detail::EventState>(detail::EventState{state_, {}});
  APSIS_CL(state_->info, state_->queue.enqueueMarkerWithWaitList(nullptr, &made->event));
  flush();
  reached.state_ = std::move(made);
  return reached;
}

void Context::begin_after(const Event& event) {
  if (!event.state_) return;
  const std::vector<cl::Event> waits = APSIS_CL(state_->info, waited_for(event.state_));
  APSIS_CL(state_->info, state_->queue.enqueueBarrierWithWaitList(&waits, nullptr));
}

Event Buffer::start_reading(std::span<std::byte> bytes, std::size_t offset,
                            const Event& after) const {
  return start(bytes.size(), offset, after, "read", [&](auto& queue, auto& buffer, auto... rest) {
    queue.enqueueReadBuffer(buffer, CL_FALSE, offset, bytes.size(), bytes.data(), rest...);
  });
}

Event Buffer::start_writing(std::span<const std::byte> bytes, std::size_t offset,
                            const Event& after) {
  return start(bytes.size(), offset, after, "write", [&](auto& queue, auto& buffer, auto... rest) {
    queue.enqueueWriteBuffer(buffer, CL_FALSE, offset, bytes.size(), bytes.data(), rest...);
  });
}

template <class Enqueue>
Event Buffer::start(std::size_t bytes, std::size_t offset, const Event& after, const char* what,
                    const Enqueue& enqueue) const {
  detail::BufferState& state = opened(offset, bytes);
  if (bytes == 0) return after;
  detail::ContextState& context = *state.context;
  const std::vector<cl::Event> waits = APSIS_CL(context.info, waited_for(after.state_));
  auto made = std::make_shared<detail::EventState>(detail::EventState{state.context, {}});
  cl::CommandQueue& queue = context.beside();
  APSIS_CL(context.info,
           enqueue(queue, state.buffer, waits.empty() ? nullptr : &waits, &made->event));
  APSIS_CL(context.info, queue.flush());
  if (context.recording) {
    APSIS_CL(context.info, context.recorded.push_back({what, true, made->event}));
  }
  Event event;
  event.state_ = std::move(made);
  return event;
}

void Context::record_timeline() { state_->recording = true; }

std::vector<TimelineEntry> Context::timeline() {
  finish();
  const double offset = clock_offset(*state_);
  std::vector<TimelineEntry> entries;
  for (const auto& command : std::exchange(state_->recorded, {})) {
    const cl::Event& event = command.event;
    detail::is_over(event, state_->info);
    const auto start = APSIS_CL(state_->info, event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
    const auto end = APSIS_CL(state_->info, event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
    entries.push_back({command.what, command.transfer, offset + device_seconds(start),
                       offset + device_seconds(end)});
  }
  std::ranges::stable_sort(entries, {}, &TimelineEntry::start);
  return entries;
}

}  // namespace apsis::device
