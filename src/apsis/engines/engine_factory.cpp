// SPDX-License-Identifier: MIT
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/host_engine.hpp>
#include <apsis/engines/several_devices_engine.hpp>

namespace apsis {
namespace {

template <class State>
using Around = std::function<SolverPointer<Host<State>>(SolverPointer<Host<State>>)>;

template <class State>
std::unique_ptr<Engine> host_engine(const EngineSettings& settings, const Around<State>& around) {
  const SolverInfo& solver = solver_named(settings.force.solver);
  return std::make_unique<HostEngine<State>>(
      settings, [&solver, around](const SolverSettings& wanted) {
        auto made = make_solver<State>(solver, wanted);
        return around ? around(std::move(made)) : std::move(made);
      });
}

}  // namespace

std::unique_ptr<SeveralDevicesEngine> build_shared(const EnginePlan& plan, OtherDevices* others) {
  return std::make_unique<SeveralDevicesEngine>(plan.devices, plan.shares,
                                                OpenclEngine::SolverFactory{}, others);
}

std::unique_ptr<Engine> build(const EnginePlan& plan, const SolverWrapper& wrapper) {
  if (plan.devices.size() > 1) return build_shared(plan);
  if (plan.devices.size() == 1) {
    const auto& [device, settings] = plan.devices.front();
    return std::make_unique<OpenclEngine>(device, settings);
  }
  return plan.settings.precision() == Precision::f32
             ? host_engine<float>(plan.settings, wrapper.around_float)
             : host_engine<double>(plan.settings, wrapper.around_double);
}

}  // namespace apsis
