// SPDX-License-Identifier: MIT
#include <apsis/core/typed_command.hpp>
#include <apsis/device/cl.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

namespace apsis::device {
namespace {

// Events that are over are added up before they pile up: seldom within what somebody times.
constexpr std::size_t most_events = 8192;

// A device is cut once a process, and the parts are never given back: PoCL's threads look at a
// command's device after its queue says that all is done.
const std::vector<cl::Device>& parts_of(cl::Device& device, const DeviceInfo& part) {
  static std::mutex one_at_a_time;
  using Cuts = std::map<std::pair<cl_device_id, int>, std::vector<cl::Device>>;
  static Cuts& cuts = *new Cuts;
  const std::lock_guard lock(one_at_a_time);
  std::vector<cl::Device>& parts = cuts[{device(), part.parts}];
  if (!parts.empty()) return parts;
  const std::array<cl_device_partition_property, 3> cut{
      CL_DEVICE_PARTITION_EQUALLY, static_cast<cl_device_partition_property>(part.compute_units),
      0};
  device.createSubDevices(cut.data(), &parts);
  return parts;
}

FoundDevice part_like(FoundDevice whole, const DeviceInfo& wanted) {
  try {
    const auto part = static_cast<std::size_t>(wanted.part);
    return {parts_of(whole.device, wanted).at(part), std::move(whole.platform_version), wanted};
  } catch (const cl::Error& error) {
    throw Error(ExitCode::unavailable,
                fmt::format("{} can't be used in parts: {}", name_with_driver(whole.info),
                            error_name(error.err())),
                fmt::format("use all of it: opencl:{}", wanted.index));
  }
}

// The device that was described: drivers may come and go between discovery and opening.
FoundDevice device_like(const DeviceInfo& wanted) {
  FoundDevices all = found_devices();
  for (FoundDevice& found : all.devices) {
    if (found.info.index != wanted.index) continue;
    if (wanted.parts == 1 && found.info.name == wanted.name) return std::move(found);
    if (wanted.parts > 1 && part_of(found.info, wanted.part, wanted.parts).name == wanted.name) {
      return part_like(std::move(found), wanted);
    }
  }
  throw Error(ExitCode::unavailable,
              fmt::format("the OpenCL device {} is not there any more", name_with_driver(wanted)),
              fmt::format("'{}' lists those that are", typed_command("devices")));
}

// PoCL preprocesses a text, for a tenth of a second and more, before it looks for what it kept of
// it: so what was built once serves the whole process. Never given back, like the parts.
detail::SharedContext& shared_context(const cl::Device& device, const DeviceInfo& info) {
  static std::mutex one_at_a_time;
  static auto& opened = *new std::map<cl_device_id, detail::SharedContext>;
  const std::lock_guard lock(one_at_a_time);
  detail::SharedContext& shared = opened[device()];
  if (shared.context() == nullptr) shared.context = APSIS_CL(info, cl::Context(device));
  return shared;
}

double seconds_of(const cl::Event& event, const DeviceInfo& device) {
  const auto start = APSIS_CL(device, event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  const auto end = APSIS_CL(device, event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
  return end > start ? 1e-9 * static_cast<double>(end - start) : 0;
}

// The queue works in order, so those that are over come first.
void add_up_events(detail::ContextState& state) {
  const auto first_left = std::ranges::find_if_not(
      state.events, [&](const cl::Event& event) { return detail::is_over(event, state.info); });
  for (auto event = state.events.begin(); event != first_left; ++event) {
    state.counted_seconds += seconds_of(*event, state.info);
  }
  state.events.erase(state.events.begin(), first_left);
}

cl::NDRange sizes(const std::array<std::size_t, 3>& size, int dimensions) {
  switch (dimensions) {
    case 1:
      return {size[0]};
    case 2:
      return {size[0], size[1]};
    default:
      return {size[0], size[1], size[2]};
  }
}

int dimensions_of(const Range& range) {
  if (range.global[2] > 1 || range.group[2] > 1) return 3;
  return range.global[1] > 1 || range.group[1] > 1 ? 2 : 1;
}

detail::KernelState& opened(const std::unique_ptr<detail::KernelState>& state) {
  if (!state) throw Error(ExitCode::internal_error, "a device kernel is used before it is made");
  return *state;
}

}  // namespace

Context::Context(const DeviceInfo& device, ContextOptions options)
    : state_(std::make_shared<detail::ContextState>()) {
  if (!options.kernel_folder.empty() && !folder_exists(options.kernel_folder)) {
    throw bad_data(fmt::format("there is no folder of kernels {}", options.kernel_folder.string()),
                   "name an existing folder, or leave device.kernel_dir out");
  }
  FoundDevice found = device_like(device);
  state_->info = std::move(found.info);
  state_->options = std::move(options);
  state_->platform_version = std::move(found.platform_version);
  state_->device = std::move(found.device);
  if (is_pocl(state_->info) && !state_->options.always_keeps_binaries) {
    state_->shared = &shared_context(state_->device, device);
    APSIS_CL(device, state_->context = state_->shared->context);
  } else {
    state_->context = APSIS_CL(device, cl::Context(state_->device));
  }
  state_->queue = APSIS_CL(
      device, cl::CommandQueue(state_->context, state_->device, CL_QUEUE_PROFILING_ENABLE));
}

Context::~Context() = default;

const DeviceInfo& Context::device() const { return state_->info; }
const std::filesystem::path& Context::kernel_folder() const {
  return state_->options.kernel_folder;
}

void Context::flush() { APSIS_CL(state_->info, state_->queue.flush()); }
void Context::finish() {
  APSIS_CL(state_->info, state_->queue.finish());
  if (state_->transfers() != nullptr) APSIS_CL(state_->info, state_->transfers.finish());
}

std::uint64_t Context::allocated_bytes() const { return state_->allocated; }

double Context::kernel_seconds() {
  finish();
  add_up_events(*state_);
  state_->counting = true;
  return std::exchange(state_->counted_seconds, 0);
}

void Context::stop_counting() {
  state_->counting = false;
  state_->counted_seconds = 0;
  state_->events.clear();
}

KernelBase::KernelBase() = default;
KernelBase::KernelBase(KernelBase&&) noexcept = default;
KernelBase& KernelBase::operator=(KernelBase&&) noexcept = default;
KernelBase::~KernelBase() = default;
KernelBase::KernelBase(std::unique_ptr<detail::KernelState> state) : state_(std::move(state)) {}

std::size_t KernelBase::largest_group() const {
  const auto& state = opened(state_);
  const cl::Device& device = state.context->device;
  return APSIS_CL(state.context->info,
                  state.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
}

std::size_t KernelBase::group_multiple() const {
  const auto& state = opened(state_);
  const cl::Device& device = state.context->device;
  return APSIS_CL(
      state.context->info,
      state.kernel.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device));
}

void KernelBase::argument(unsigned index, const Buffer& value) {
  auto& state = opened(state_);
  if (!value.state_) throw Error(ExitCode::internal_error, state.name + " is given no buffer");
  APSIS_CL(state.context->info, state.kernel.setArg(index, value.state_->buffer));
}

void KernelBase::argument(unsigned index, Scalar value) {
  auto& state = opened(state_);
  if (value.wide) {
    APSIS_CL(state.context->info, state.kernel.setArg(index, value.value));
  } else {
    APSIS_CL(state.context->info, state.kernel.setArg(index, static_cast<float>(value.value)));
  }
}

void KernelBase::argument(unsigned index, int value) {
  auto& state = opened(state_);
  APSIS_CL(state.context->info, state.kernel.setArg(index, value));
}

void KernelBase::argument_bytes(unsigned index, std::span<const std::byte> value) {
  auto& state = opened(state_);
  APSIS_CL(state.context->info, state.kernel.setArg(index, value.size(), value.data()));
}

void KernelBase::local_argument(unsigned index, std::size_t bytes) {
  auto& state = opened(state_);
  APSIS_CL(state.context->info, state.kernel.setArg(index, cl::Local(bytes)));
}

void KernelBase::enqueue(const Range& range) {
  auto& state = opened(state_);
  auto& context = *state.context;
  if (std::ranges::find(range.global, std::size_t{0}) != range.global.end()) return;
  const int dimensions = dimensions_of(range);
  const cl::NDRange global = sizes(range.global, dimensions);
  const cl::NDRange group = range.group[0] == 0 ? cl::NullRange : sizes(range.group, dimensions);
  cl::Event event;
  cl::Event* const wanted = context.counting || context.recording ? &event : nullptr;
  APSIS_CL(context.info, context.queue.enqueueNDRangeKernel(state.kernel, cl::NullRange, global,
                                                            group, nullptr, wanted));
  if (context.recording) {
    APSIS_CL(context.info, context.recorded.push_back({state.name, false, event}));
  }
  if (!context.counting) return;
  context.events.push_back(std::move(event));
  if (context.events.size() % most_events == 0) add_up_events(context);
}

}  // namespace apsis::device
