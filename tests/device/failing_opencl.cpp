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
#include <tuple>
#include <type_traits>

namespace {

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

// Where a question about an event wants its answer.
template <class Arguments>
void* answer_about_event(const Arguments& /*arguments*/) {
  return nullptr;
}
void* answer_about_event(const std::tuple<cl_event&, cl_uint&, size_t&, void*&, size_t*&>& asked) {
  return std::get<3>(asked);
}

template <class Type, class Arguments>
Type failure(const char* name, const Arguments& arguments) {
  const cl_int code = code_for(name);
  if constexpr (std::is_pointer_v<Type>) {  // calls that make something store the code
    cl_int* place = std::get<std::tuple_size_v<Arguments> - 1>(arguments);
    if (place != nullptr) *place = code;
    return nullptr;
  } else {
    // a kernel that failed shows only in its event's status, which is negative then
    void* status = answer_about_event(arguments);
    if (std::strcmp(name, "clGetEventInfo") != 0 || status == nullptr) return code;
    const cl_int failed = CL_OUT_OF_RESOURCES;
    std::memcpy(status, &failed, sizeof failed);
    return CL_SUCCESS;
  }
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): parameter lists are no expressions
#define APSIS_OPENCL_CALL(type, name, parameters, arguments)                        \
  extern "C" CL_API_ENTRY type CL_API_CALL name parameters {                        \
    if (fails(#name)) return failure<type>(#name, std::forward_as_tuple arguments); \
    static const auto original = next<decltype(&name)>(#name);                      \
    return original arguments;                                                      \
  }
// NOLINTEND(bugprone-macro-parentheses)
#include <apsis/device/cl_calls.inc>
