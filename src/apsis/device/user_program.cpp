// SPDX-License-Identifier: MIT
#include <apsis/core/typed_command.hpp>
#include <apsis/device/cl.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/device/user_program.hpp>
#include <apsis/files/file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace apsis::device {
namespace {

using Place = KernelParameter::Place;

Place place_of(cl_kernel_arg_address_qualifier qualifier) {
  switch (qualifier) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
      return Place::global;
    case CL_KERNEL_ARG_ADDRESS_CONSTANT:
      return Place::constant;
    case CL_KERNEL_ARG_ADDRESS_LOCAL:
      return Place::local;
    default:
      return Place::value;
  }
}

// Drivers differ in whether a text from them ends with a zero, and in blanks before the star.
std::string plain(std::string text) {
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  std::erase(text, ' ');
  return text;
}

KernelParameter parameter_of(const cl::Kernel& kernel, cl_uint index) {
  KernelParameter parameter;
  parameter.place = place_of(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(index));
  parameter.type = plain(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(index));
  parameter.name = plain(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(index));
  const auto qualifiers = kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(index);
  parameter.read_only =
      (qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0 || parameter.place == Place::constant;
  return parameter;
}

std::vector<KernelParameter> parameters_of(const cl::Kernel& kernel, const DeviceInfo& device) {
  const auto count = APSIS_CL(device, kernel.getInfo<CL_KERNEL_NUM_ARGS>());
  std::vector<KernelParameter> parameters;
  try {
    for (cl_uint i = 0; i < count; ++i) parameters.push_back(parameter_of(kernel, i));
  } catch (const cl::Error& error) {
    if (error.err() != CL_KERNEL_ARG_INFO_NOT_AVAILABLE) {
      throw device_error("kernel.getArgInfo", error, device);
    }
    throw Error(ExitCode::unavailable,
                fmt::format("{} does not tell what a kernel takes", name_with_driver(device)),
                fmt::format("take another device: '{}' lists them", typed_command("devices")));
  }
  return parameters;
}

KernelOutline outline_of(const detail::ProgramState& program, const std::string& name) {
  const DeviceInfo& device = program.context->info;
  const cl::Kernel kernel = APSIS_CL(device, cl::Kernel(program.built->program, name.c_str()));
  const auto fixed = APSIS_CL(
      device, kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(program.context->device));
  return {name, parameters_of(kernel, device), fixed[0]};
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(';', at), list.size());
    const std::string name = plain(list.substr(at, end - at));
    if (!name.empty()) names.push_back(name);
    at = end + 1;
  }
  return names;
}

KernelText text_of(const std::string& file) {
  if (file.starts_with(built_in)) return kernel_text(file.substr(built_in.size()));
  read_text(file);  // says what is wrong with the file itself
  const std::filesystem::path path(file);
  return kernel_text(path.filename().string(), path.has_parent_path() ? path.parent_path() : ".");
}

}  // namespace

UserProgram::UserProgram(Context& context, const std::filesystem::path& file) {
  const detail::ContextState& device = *context.state_;
  const KernelText source = text_of(file.string());
  auto built = detail::compiled(device, "-cl-kernel-arg-info -w", source.text);
  if (!built.program) {
    throw bad_data(fmt::format("{} does not compile on {}:{}", file.string(),
                               name_with_driver(device.info), built.complaint),
                   "mend the file");
  }
  auto program =
      std::make_shared<const BuiltProgram>(BuiltProgram{*std::move(built.program), true});
  state_ = std::make_shared<detail::ProgramState>(
      detail::ProgramState{context.state_, std::move(program), file.string()});
  const auto list =
      APSIS_CL(device.info, state_->built->program.getInfo<CL_PROGRAM_KERNEL_NAMES>());
  for (const std::string& kernel : names_in(list)) kernels_.push_back(outline_of(*state_, kernel));
}

UserKernel UserProgram::kernel(const std::string& name) const {
  const auto& program = state_->built->program;
  cl::Kernel kernel = APSIS_CL(state_->context->info, cl::Kernel(program, name.c_str()));
  return UserKernel(KernelBase(std::make_unique<detail::KernelState>(
      detail::KernelState{state_->context, std::move(kernel), name})));
}

}  // namespace apsis::device
