// SPDX-License-Identifier: MIT
// Kernel files become programs: from this context, from the disk, or by the device's compiler.
#include <apsis/device/build_log.hpp>
#include <apsis/device/cl.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/device/program_cache.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace apsis::device {
namespace {

constexpr int most_log_lines = 20;

// PoCL counts the uses of a compiled kernel by its program's text and options and by the size of
// groups, although it compiles small launches, large ones (65,536 work-items or more) and those
// with an offset apart. Two of its devices that run both kinds of one kernel at a time would
// confuse the counts, which ends the process (3.1 and 5.0). Options that differ keep their kernels
// apart. They are numbered as they come, so that another process finds most of them on the disk.
std::string seat_of(const DeviceInfo& device) {
  if (!is_pocl(device)) return {};
  static std::mutex mutex;
  static std::vector<std::string> seated;
  const std::scoped_lock lock(mutex);
  const auto found = std::ranges::find(seated, word_for(device));
  const auto seat = found - seated.begin();
  if (found == seated.end()) seated.push_back(word_for(device));
  return seat == 0 ? std::string{} : fmt::format("-DAPSIS_SEAT={} ", seat);
}

// Denormal numbers cost float kernels much on some CPUs, and lie below what f32 promises.
std::string build_options(const Defines& defines, const DeviceInfo& device) {
  std::string options = seat_of(device);
  for (const auto& [name, value] : defines) options += fmt::format("-D{}={} ", name, value);
  if (std::ranges::find(defines, std::pair<std::string, std::string>("PRECISION", "32")) !=
      defines.end()) {
    options += "-cl-denorms-are-zero ";
  }
  return options + "-w";  // some compilers print warnings past us, on stderr
}

// The lines that matter: from the first complaint on.
std::string shortened(const std::string& log) {
  const std::size_t complaint = log.find("error");
  std::size_t at = complaint == std::string::npos ? 0 : log.rfind('\n', complaint) + 1;
  std::string text;
  for (int lines = 0; at < log.size() && lines < most_log_lines; ++lines) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    text += "\n  " + log.substr(at, end - at);
    at = end + 1;
  }
  if (at < log.size()) text += "\n  …";
  return text;
}

std::string build_log(const cl::BuildError& error) {
  std::string log;
  for (const auto& [device, text] : error.getBuildLog()) log += text.c_str();
  return log;
}

Error build_failure(const detail::ContextState& state, const std::string& file,
                    const std::string& options, bool from_folder, const std::string& complaint) {
  return {from_folder ? ExitCode::bad_data : ExitCode::unavailable,
          fmt::format("kernels/{} does not compile on {} with '{}':{}", file,
                      name_with_driver(state.info), options, complaint),
          from_folder ? "mend the file in " + state.options.kernel_folder.string()
                      : "update the driver, use device = cpu, or report it"};
}

// PoCL 3.1 gives up where another process is putting the same program into its cache, one time in
// twelve where four begin together. Its compiler then has not said a word against the text.
bool others_are_in_the_way(const DeviceInfo& device, const std::string& log) {
  return is_pocl(device) && log.find("error:") == std::string::npos;
}

// Nothing and the compiler's log where it has something against the text.
std::optional<cl::Program> attempt(const detail::ContextState& state, const std::string& options,
                                   const std::string& text, std::string& log) {
  cl::Program program = APSIS_CL(state.info, cl::Program(state.context, text));
  try {
    program.build(state.device, options.c_str());
    return program;
  } catch (const cl::BuildError& error) {
    if (error.err() != CL_BUILD_PROGRAM_FAILURE) {
      throw device_error("program.build(state.device, options)", error, state.info);
    }
    log = build_log(error);
  } catch (const cl::Error& error) {
    throw device_error("program.build(state.device, options)", error, state.info);
  }
  return std::nullopt;
}

cl::Program built_from_text(const detail::ContextState& state, const std::string& file,
                            const std::string& options, const KernelText& source) {
  detail::Compiled built = detail::compiled(state, options, source.text);
  if (built.program) return *std::move(built.program);
  throw build_failure(state, file, options, source.from_folder, built.complaint);
}

// Nothing where the driver does not like it any more.
std::optional<cl::Program> built_from_binary(const detail::ContextState& state,
                                             const std::string& options, const Bytes& binary) {
  try {
    const auto* first = reinterpret_cast<const unsigned char*>(binary.data());
    cl::Program program(state.context, {state.device}, {{first, first + binary.size()}});
    program.build(state.device, options.c_str());
    return program;
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

// Empty where the driver gives none: then the next start compiles again.
Bytes binary_of(const cl::Program& program) {
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.empty()) return {};
    const auto bytes = std::as_bytes(std::span(binaries.front()));
    return {bytes.begin(), bytes.end()};
  } catch (const cl::Error&) {
    return {};
  }
}

std::mutex log_guard;
std::vector<ProgramBuild>& build_log() {
  static std::vector<ProgramBuild> log;
  return log;
}

// Notes a build that lasts from its making to note().
class LoggedBuild {
 public:
  LoggedBuild(const std::string& file, const detail::ContextState& state)
      : build_{file, state.info.name} {}

  void note(bool kept) {
    build_.kept = kept;
    build_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::lock_guard lock(log_guard);
    build_log().push_back(build_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  ProgramBuild build_;
  Clock::time_point start_ = Clock::now();
};

BuiltProgram kept_on_the_disk(const detail::ContextState& state, const std::string& file,
                              const std::string& options, const KernelText& source,
                              const ProgramKey& key) {
  LoggedBuild logged(file, state);
  if (const auto binary = cached_program(key)) {
    if (auto program = built_from_binary(state, options, *binary)) {
      logged.note(true);
      return {std::move(*program), source.from_folder};
    }
    forget_program(key);
  }
  BuiltProgram built{built_from_text(state, file, options, source), source.from_folder};
  if (const Bytes binary = binary_of(built.program); !binary.empty()) keep_program(key, binary);
  logged.note(false);
  return built;
}

// On the disk the driver keeps it itself: before PoCL gives a binary it compiles every kernel once
// more, for groups of any size, which took more than half of a first start.
std::shared_ptr<const BuiltProgram> kept_in_the_process(const detail::ContextState& state,
                                                        const std::string& file,
                                                        const std::string& options,
                                                        const KernelText& source,
                                                        const ProgramKey& key) {
  const std::lock_guard lock(state.shared->building);
  auto& built = state.shared->programs[(source.from_folder ? "folder " : "") + to_hex(key.hash)];
  if (!built) {
    LoggedBuild logged(file, state);
    built = std::make_shared<BuiltProgram>(
        BuiltProgram{built_from_text(state, file, options, source), source.from_folder});
    logged.note(false);
  }
  return built;
}

}  // namespace

std::vector<ProgramBuild> program_builds() {
  const std::lock_guard lock(log_guard);
  return build_log();
}

bool is_pocl(const DeviceInfo& device) {
  return device.platform.starts_with("Portable Computing Language");
}

detail::Compiled detail::compiled(const ContextState& state, const std::string& options,
                                  const std::string& text) {
  constexpr int most_attempts = 5;
  for (int number = 1;; ++number) {
    std::string log;
    if (auto program = attempt(state, options, text, log)) return {std::move(program), {}};
    if (number == most_attempts || !others_are_in_the_way(state.info, log)) {
      return {std::nullopt, shortened(log)};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50 * number * number));
  }
}

std::shared_ptr<const BuiltProgram> detail::built_program(const ContextState& state,
                                                          const std::string& file,
                                                          const std::string& options,
                                                          const WrittenKernel& written) {
  const KernelText source = kernel_text(file, state.options.kernel_folder, written);
  const ProgramKey key({source.text, options, state.info.name, state.info.driver,
                        state.info.version, state.platform_version});
  if (state.shared != nullptr) return kept_in_the_process(state, file, options, source, key);
  return std::make_shared<BuiltProgram>(kept_on_the_disk(state, file, options, source, key));
}

Program Context::program(const std::string& file, const Defines& defines,
                         const WrittenKernel& written) {
  const std::string options = build_options(defines, state_->info);
  const std::string key = file + ' ' + options + '\n' + written.text;
  auto found = state_->programs.find(key);
  if (found == state_->programs.end()) {
    found =
        state_->programs.emplace(key, detail::built_program(*state_, file, options, written)).first;
  }
  Program program;
  program.state_ =
      std::make_shared<detail::ProgramState>(detail::ProgramState{state_, found->second, file});
  return program;
}

KernelBase Program::kernel_named(const char* name, std::size_t arguments) const {
  const DeviceInfo& device = state_->context->info;
  const ExitCode fault = state_->built->from_folder ? ExitCode::bad_data : ExitCode::internal_error;
  cl::Kernel kernel;
  try {
    kernel = cl::Kernel(state_->built->program, name);
  } catch (const cl::Error& error) {
    if (error.err() != CL_INVALID_KERNEL_NAME) throw device_error("cl::Kernel", error, device);
    throw Error(fault, fmt::format("kernels/{} has no kernel '{}'", state_->file, name),
                "keep the names of the kernels");
  }
  const auto there = APSIS_CL(device, kernel.getInfo<CL_KERNEL_NUM_ARGS>());
  if (there != arguments) {
    throw Error(fault,
                fmt::format("kernel '{}' of kernels/{} takes {} arguments instead of {}", name,
                            state_->file, there, arguments),
                "keep the arguments of the kernels");
  }
  return KernelBase(std::make_unique<detail::KernelState>(
      detail::KernelState{state_->context, std::move(kernel), name}));
}

}  // namespace apsis::device
