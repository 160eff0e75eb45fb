// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

namespace apsis {
namespace fmm_opencl {
namespace {

using DirectSettings = direct_opencl::Settings;

PassSettings pass_settings(const DirectSettings& pairs, const FmmOpenclSettings& asked) {
  device::Context& context = pairs.context();
  return {.context = &context,
          .precision = asked.precision,
          .softening = pairs.asked().softening,
          .signed_strengths = asked.signed_strengths,
          .warps = asked.warps.value_or(context.device().has_warps),
          .choice = fmm_opencl_choice(asked)};
}

class FmmOpencl final : public Solver<Device> {
 public:
  FmmOpencl(device::Context& context, const FmmOpenclSettings& asked)
      : pairs_(context, {.softening = asked.softening, .precision = asked.precision}),
        settings_(pass_settings(pairs_, asked)),
        tree_(context, {.precision = settings_.precision,
                        .leaf = settings_.choice.leaf,
                        .softening = settings_.softening}),
        multipoles_(settings_),
        lists_(settings_),
        passes_(settings_) {}

  // Sources and targets in one tree; targets are bodies without strength there.
  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override {
    if (sources.count > 0 && targets.count > 0) add({sources, targets}, field);
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    if (bodies.count > 0) add({bodies, {}}, field);
  }
  std::string name() const override { return "fmm"; }
  std::string variant() const override { return settings_.warps ? "warps" : "portable"; }
  std::string sizes() const override { return to_string(settings_.choice); }

 private:
  void add(const TreeInput& input, const FieldOf& field) {
    if (field.wants().jerk) {
      throw bad_data("fmm gives no jerk", "use solver direct with this integrator");
    }
    tree_.build(input);
    multipoles_.find(tree_);
    lists_.find(tree_, multipoles_);
    PartialSums& out = *field.field;
    pairs_.reserve(out, 1);
    const bool self = input.targets.count == 0;
    passes_.add(tree_, multipoles_, lists_, field.wants().potential,
                self ? 0 : static_cast<int>(input.sources.count), out.sums,
                out.used * static_cast<int>(out.padded));
    ++out.used;
  }

  DirectSettings pairs_;  // near pairs are those of direct summation
  PassSettings settings_;
  Tree tree_;
  Multipoles multipoles_;
  Lists lists_;
  FieldPasses passes_;
};

}  // namespace
}  // namespace fmm_opencl

std::unique_ptr<Solver<Device>> make_fmm_opencl(device::Context& context,
                                                const FmmOpenclSettings& settings) {
  return std::make_unique<fmm_opencl::FmmOpencl>(context, settings);
}

}  // namespace apsis
