// SPDX-License-Identifier: MIT
// A program that the user brings along: which kernels it has and what they take is known only once
// it is built.
#pragma once

#include <apsis/device/context.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis::device {

struct KernelParameter {
  enum class Place { value, global, constant, local } place = Place::value;
  std::string type;  // as the compiler has it: "int", "float4*"
  std::string name;
  bool read_only = false;  // const, or in constant memory
};

struct KernelOutline {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::size_t fixed_group = 0;  // that its attribute asks for; 0: any
};

// Arguments are set by number, each before the first launch; they stay as they are between
// launches.
class UserKernel : public KernelBase {
 public:
  UserKernel() = default;
  void set(unsigned index, const Buffer& value) { argument(index, value); }
  template <class Number>
  void set_number(unsigned index, Number value) {
    argument_bytes(index, std::as_bytes(std::span(&value, 1)));
  }
  void set_local(unsigned index, std::size_t bytes) { local_argument(index, bytes); }
  void launch(const Range& range) { enqueue(range); }

 private:
  friend class UserProgram;
  explicit UserKernel(KernelBase base) : KernelBase(std::move(base)) {}
};

// What the name of a file begins with that stands for a built-in one.
inline constexpr std::string_view built_in = "apsis:";

class UserProgram {
 public:
  // Includes are looked for beside the file, and then among the built-in kernels. bad_data with the
  // compiler's words, file and line where it does not compile.
  UserProgram(Context& context, const std::filesystem::path& file);

  // In the compiler's order. unavailable where the driver does not tell what they take.
  const std::vector<KernelOutline>& kernels() const { return kernels_; }
  UserKernel kernel(const std::string& name) const;

 private:
  std::shared_ptr<detail::ProgramState> state_;
  std::vector<KernelOutline> kernels_;
};

}  // namespace apsis::device
