// SPDX-License-Identifier: MIT
// A loader that fails: preloaded before libOpenCL it passes every call on and counts it, and makes
// call number $APSIS_FAIL_CALL (from 1) fail. Names of calls go to $APSIS_CALLS_FILE.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using Notify = void(CL_CALLBACK*)(cl_program, void*);
using ContextNotify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

class Calls {
 public:
  Calls() {
    if (const char* number = std::getenv("APSIS_FAIL_CALL")) failing_ = std::atol(number);
    if (const char* file = std::getenv("APSIS_CALLS_FILE")) names_ = std::fopen(file, "w");
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() = delete;  // drivers release objects while the process ends

  bool fails(const char* name) {
    const long number = ++count_;
    if (names_ != nullptr) {
      std::fprintf(names_, "%s\n", name);
      std::fflush(names_);
    }
    return number == failing_;
  }

 private:
  std::atomic<long> count_{0};
  long failing_ = 0;
  std::FILE* names_ = nullptr;
};

bool fails(const char* name) {
  static Calls& calls = *new Calls;
  return calls.fails(name);
}

// What a driver answers when the device has gone, or has nothing left to give.
cl_int code_for(const char* name) {
  return std::strncmp(name, "clGet", 5) == 0 ? CL_DEVICE_NOT_AVAILABLE : CL_OUT_OF_RESOURCES;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): parameter lists are no expressions
#define GIVES_CODE(name, parameters, arguments)                \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name parameters { \
    if (fails(#name)) return code_for(#name);                  \
    static const auto original = next<decltype(&name)>(#name); \
    return original arguments;                                 \
  }
#define GIVES_HANDLE(type, name, code, parameters, arguments)  \
  extern "C" CL_API_ENTRY type CL_API_CALL name parameters {   \
    if (fails(#name)) {                                        \
      if (code != nullptr) *code = code_for(#name);            \
      return nullptr;                                          \
    }                                                          \
    static const auto original = next<decltype(&name)>(#name); \
    return original arguments;                                 \
  }

// NOLINTEND(bugprone-macro-parentheses)

GIVES_CODE(clGetPlatformIDs, (cl_uint a, cl_platform_id* b, cl_uint* c), (a, b, c))
GIVES_CODE(clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void* d, size_t* e),
           (a, b, c, d, e))
GIVES_CODE(clGetDeviceIDs,
           (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id* d, cl_uint* e),
           (a, b, c, d, e))
GIVES_CODE(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e),
           (a, b, c, d, e))
GIVES_CODE(clRetainDevice, (cl_device_id a), (a))
GIVES_CODE(clReleaseDevice, (cl_device_id a), (a))
GIVES_CODE(clReleaseContext, (cl_context a), (a))
GIVES_CODE(clReleaseCommandQueue, (cl_command_queue a), (a))
GIVES_CODE(clReleaseMemObject, (cl_mem a), (a))
GIVES_CODE(clRetainProgram, (cl_program a), (a))
GIVES_CODE(clReleaseProgram, (cl_program a), (a))
GIVES_CODE(clBuildProgram,
           (cl_program a, cl_uint b, const cl_device_id* c, const char* d, Notify e, void* f),
           (a, b, c, d, e, f))
GIVES_CODE(clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void* d, size_t* e),
           (a, b, c, d, e))
GIVES_CODE(clGetProgramBuildInfo,
           (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void* e, size_t* f),
           (a, b, c, d, e, f))
GIVES_CODE(clReleaseKernel, (cl_kernel a), (a))
GIVES_CODE(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void* d), (a, b, c, d))
GIVES_CODE(clGetKernelInfo, (cl_kernel a, cl_kernel_info b, size_t c, void* d, size_t* e),
           (a, b, c, d, e))
GIVES_CODE(clGetKernelWorkGroupInfo,
           (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void* e, size_t* f),
           (a, b, c, d, e, f))
GIVES_CODE(clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t c, void* d, size_t* e),
           (a, b, c, d, e))
GIVES_CODE(clReleaseEvent, (cl_event a), (a))
GIVES_CODE(clFlush, (cl_command_queue a), (a))
GIVES_CODE(clFinish, (cl_command_queue a), (a))
GIVES_CODE(clEnqueueReadBuffer,
           (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g,
            const cl_event* h, cl_event* i),
           (a, b, c, d, e, f, g, h, i))
GIVES_CODE(clEnqueueWriteBuffer,
           (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void* f, cl_uint g,
            const cl_event* h, cl_event* i),
           (a, b, c, d, e, f, g, h, i))
GIVES_CODE(clEnqueueFillBuffer,
           (cl_command_queue a, cl_mem b, const void* c, size_t d, size_t e, size_t f, cl_uint g,
            const cl_event* h, cl_event* i),
           (a, b, c, d, e, f, g, h, i))
GIVES_CODE(clEnqueueCopyBuffer,
           (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g,
            const cl_event* h, cl_event* i),
           (a, b, c, d, e, f, g, h, i))
GIVES_CODE(clEnqueueNDRangeKernel,
           (cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, const size_t* e,
            const size_t* f, cl_uint g, const cl_event* h, cl_event* i),
           (a, b, c, d, e, f, g, h, i))

GIVES_HANDLE(cl_context, clCreateContext, f,
             (const cl_context_properties* a, cl_uint b, const cl_device_id* c, ContextNotify d,
              void* e, cl_int* f),
             (a, b, c, d, e, f))
GIVES_HANDLE(cl_command_queue, clCreateCommandQueue, d,
             (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int* d), (a, b, c, d))
GIVES_HANDLE(cl_mem, clCreateBuffer, e,
             (cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e), (a, b, c, d, e))
GIVES_HANDLE(cl_program, clCreateProgramWithSource, e,
             (cl_context a, cl_uint b, const char** c, const size_t* d, cl_int* e), (a, b, c, d, e))
GIVES_HANDLE(cl_program, clCreateProgramWithBinary, g,
             (cl_context a, cl_uint b, const cl_device_id* c, const size_t* d,
              const unsigned char** e, cl_int* f, cl_int* g),
             (a, b, c, d, e, f, g))
GIVES_HANDLE(cl_kernel, clCreateKernel, c, (cl_program a, const char* b, cl_int* c), (a, b, c))

// A kernel that failed shows only in its event's status, which is negative then.
extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event a, cl_event_info b, size_t c,
                                                          void* d, size_t* e) {
  const bool failing = fails("clGetEventInfo");
  static const auto original = next<decltype(&clGetEventInfo)>("clGetEventInfo");
  const cl_int code = original(a, b, c, d, e);
  const cl_int failed = CL_OUT_OF_RESOURCES;
  if (failing && d != nullptr && c == sizeof failed) std::memcpy(d, &failed, sizeof failed);
  return code;
}
