// SPDX-License-Identifier: MIT
#include <apsis/device/cl.hpp>
#include <apsis/device/clblast.hpp>

#include <clblast_c.h>
#include <fmt/format.h>

namespace apsis::device {
namespace {

double nanoseconds_at_end(const cl::Event& event, const DeviceInfo& device) {
  return static_cast<double>(APSIS_CL(device, event.getProfilingInfo<CL_PROFILING_COMMAND_END>()));
}

}  // namespace

bool clblast_built_in() { return true; }

// CLBlast launches several kernels and gives the event of the last alone: what counts is the time
// from a marker before them.
void Context::multiply_by_clblast(const Buffer& a, const Buffer& b, const Buffer& c,
                                  const MatrixSizes& sizes) {
  cl::Event before;
  if (state_->counting)
    APSIS_CL(state_->info, state_->queue.enqueueMarkerWithWaitList({}, &before));
  cl_command_queue queue = state_->queue();
  cl_event last = nullptr;
  const CLBlastStatusCode status = CLBlastSgemm(
      CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, sizes.rows, sizes.columns,
      sizes.inner, 1.0F, a.state_->buffer(), 0, sizes.inner, b.state_->buffer(), 0, sizes.columns,
      0.0F, c.state_->buffer(), 0, sizes.columns, &queue, &last);
  if (status != CLBlastSuccess) {
    throw Error(ExitCode::unavailable,
                fmt::format("CLBlast failed with {} on {}", static_cast<int>(status),
                            name_with_driver(state_->info)),
                "leave it out with another device, or update CLBlast");
  }
  const cl::Event after(last);  // owns it from here on
  if (!state_->counting) return;
  APSIS_CL(state_->info, after.wait());
  state_->counted_seconds +=
      1e-9 * (nanoseconds_at_end(after, state_->info) - nanoseconds_at_end(before, state_->info));
}

}  // namespace apsis::device
