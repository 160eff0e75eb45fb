// SPDX-License-Identifier: MIT
#include <apsis/core/typed_command.hpp>
#include <apsis/device/cl.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace apsis::device {
namespace {

#define APSIS_NAMED(code) \
  { code, #code }
constexpr std::pair<cl_int, std::string_view> names[] = {
    APSIS_NAMED(CL_DEVICE_NOT_FOUND),
    APSIS_NAMED(CL_DEVICE_NOT_AVAILABLE),
    APSIS_NAMED(CL_COMPILER_NOT_AVAILABLE),
    APSIS_NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    APSIS_NAMED(CL_OUT_OF_RESOURCES),
    APSIS_NAMED(CL_OUT_OF_HOST_MEMORY),
    APSIS_NAMED(CL_PROFILING_INFO_NOT_AVAILABLE),
    APSIS_NAMED(CL_MEM_COPY_OVERLAP),
    APSIS_NAMED(CL_BUILD_PROGRAM_FAILURE),
    APSIS_NAMED(CL_MAP_FAILURE),
    APSIS_NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    APSIS_NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    APSIS_NAMED(CL_COMPILE_PROGRAM_FAILURE),
    APSIS_NAMED(CL_LINKER_NOT_AVAILABLE),
    APSIS_NAMED(CL_LINK_PROGRAM_FAILURE),
    APSIS_NAMED(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    APSIS_NAMED(CL_INVALID_VALUE),
    APSIS_NAMED(CL_INVALID_DEVICE_TYPE),
    APSIS_NAMED(CL_INVALID_PLATFORM),
    APSIS_NAMED(CL_INVALID_DEVICE),
    APSIS_NAMED(CL_INVALID_CONTEXT),
    APSIS_NAMED(CL_INVALID_QUEUE_PROPERTIES),
    APSIS_NAMED(CL_INVALID_COMMAND_QUEUE),
    APSIS_NAMED(CL_INVALID_HOST_PTR),
    APSIS_NAMED(CL_INVALID_MEM_OBJECT),
    APSIS_NAMED(CL_INVALID_BINARY),
    APSIS_NAMED(CL_INVALID_BUILD_OPTIONS),
    APSIS_NAMED(CL_INVALID_PROGRAM),
    APSIS_NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
    APSIS_NAMED(CL_INVALID_KERNEL_NAME),
    APSIS_NAMED(CL_INVALID_KERNEL_DEFINITION),
    APSIS_NAMED(CL_INVALID_KERNEL),
    APSIS_NAMED(CL_INVALID_ARG_INDEX),
    APSIS_NAMED(CL_INVALID_ARG_VALUE),
    APSIS_NAMED(CL_INVALID_ARG_SIZE),
    APSIS_NAMED(CL_INVALID_KERNEL_ARGS),
    APSIS_NAMED(CL_INVALID_WORK_DIMENSION),
    APSIS_NAMED(CL_INVALID_WORK_GROUP_SIZE),
    APSIS_NAMED(CL_INVALID_WORK_ITEM_SIZE),
    APSIS_NAMED(CL_INVALID_GLOBAL_OFFSET),
    APSIS_NAMED(CL_INVALID_EVENT_WAIT_LIST),
    APSIS_NAMED(CL_INVALID_EVENT),
    APSIS_NAMED(CL_INVALID_OPERATION),
    APSIS_NAMED(CL_INVALID_BUFFER_SIZE),
    APSIS_NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
    APSIS_NAMED(CL_INVALID_PROPERTY),
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    {-9999, "NVIDIA: illegal read or write in a kernel"},
};
#undef APSIS_NAMED

bool short_of_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
         code == CL_OUT_OF_HOST_MEMORY;
}

}  // namespace

std::string error_name(cl_int code) {
  for (const auto& [value, name] : names) {
    if (value == code) return fmt::format("{} ({})", name, code);
  }
  return fmt::format("error {}", code);
}

Error device_error(const char* call, const cl::Error& error, const DeviceInfo& device) {
  return {ExitCode::unavailable,
          fmt::format("{} failed on {}: {}, in {}", error.what(), name_with_driver(device),
                      error_name(error.err()), call),
          short_of_memory(error.err())
              ? "close other programs that use the device, use fewer bodies, or device = cpu"
              : fmt::format("'{}' tests the device; device = cpu does without it",
                            typed_command("doctor"))};
}

}  // namespace apsis::device
