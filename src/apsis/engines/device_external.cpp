// SPDX-License-Identifier: MIT
#include <apsis/engines/device_external.hpp>
#include <apsis/engines/device_motion.hpp>

namespace apsis {

DeviceExternal::DeviceExternal(device::Context& context, Precision precision,
                               const ExternalFields& fields)
    : context_(&context), fields_(fields) {
  for_each_acting(fields_, [&](const auto& field) {
    const device::Program program =
        context.program(external_kernel(field.info), precision_define(precision));
    kernels_.push_back(program.kernel<int, int, Buffer, Buffer, Buffer, int, Buffer, Scalar, Scalar,
                                      Scalar, Scalar, Scalar, Scalar>("add_external"));
  });
}

void DeviceExternal::add(DeviceState& state, double time, const ExternalUnits& units,
                         bool with_jerk) {
  auto kernel = kernels_.begin();
  for_each_acting(fields_, [&](const auto& field) {
    const auto c = field.constants(time, units);
    // without jerks the kernel writes none, but it must be given some buffer
    (*kernel++)(over_bodies(state, context_->device()), static_cast<int>(state.first),
                static_cast<int>(state.end), state.place, state.velocity, state.acceleration,
                with_jerk ? 1 : 0, with_jerk ? state.jerk : state.acceleration, state.scalar(c[0]),
                state.scalar(c[1]), state.scalar(c[2]), state.scalar(c[3]), state.scalar(c[4]),
                state.scalar(c[5]));
  });
}

}  // namespace apsis
