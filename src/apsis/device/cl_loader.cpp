// SPDX-License-Identifier: MIT
// Stands between Apsis and the OpenCL loader where the binary must start without one: libOpenCL is
// opened at the first call, and without it no platform answers.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>

#include <type_traits>

namespace {

// Global, so that tools loaded before Apsis (oclgrind) come first and find the loader behind them.
bool opened() {
  static void* const library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
  return library != nullptr;
}

template <class Function>
Function found(const char* name) {
  return opened() ? reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name)) : nullptr;
}

template <class Type>
Type nothing() {
  if constexpr (std::is_pointer_v<Type>) {
    return nullptr;
  } else {
    return -1001;  // CL_PLATFORM_NOT_FOUND_KHR
  }
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): parameter lists are no expressions
#define APSIS_OPENCL_CALL(type, name, parameters, arguments)                          \
  extern "C" __attribute__((visibility("hidden"))) type CL_API_CALL name parameters { \
    static const auto function = found<decltype(&name)>(#name);                       \
    return function == nullptr ? nothing<type>() : function arguments;                \
  }
// NOLINTEND(bugprone-macro-parentheses)
#include <apsis/device/cl_calls.inc>
