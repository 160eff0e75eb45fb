// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/engines/opencl_engine.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apsis::test {

// Lets the host's direct summation compute what the device's solver would: with it every bit of
// what the engine itself does can be compared.
template <class State>
class BorrowedSolver final : public Solver<Device> {
 public:
  BorrowedSolver(device::Context& context, const SolverSettings& settings)
      : context_(context),
        solver_(make_direct_host<State>(
            {.force = {.softening = settings.softening()},
             .device = {.precision = settings.precision(), .threads = 1}})) {}

  void add_field(const Bodies&, const Bodies&, const FieldOf&) override {}

  void add_self_field(const Bodies& bodies, const FieldOf& wanted) override {
    const std::size_t n = bodies.count;
    const auto place = columns(*bodies.place, n);
    std::array<std::vector<State>, 4> velocity;
    BodiesView<Host<State>> view{n, place[0].data(), place[1].data(), place[2].data(),
                                 place[3].data()};
    if (wanted.wants().jerk) {
      velocity = columns(*bodies.velocity, n);
      view.vx = velocity[0].data(), view.vy = velocity[1].data(), view.vz = velocity[2].data();
    }
    std::array<std::vector<State>, 4> field, jerk;
    for (auto& column : field) column.assign(n, State(0));
    for (auto& column : jerk) column.assign(n, State(0));
    Field<Host<State>> out{field[0].data(), field[1].data(), field[2].data()};
    if (wanted.wants().potential) out.potential = field[3].data();
    if (wanted.wants().jerk) {
      out.jerk_x = jerk[0].data(), out.jerk_y = jerk[1].data(), out.jerk_z = jerk[2].data();
    }
    solver_->add_self_field(view, out);
    append(*wanted.field, field);
    if (wanted.wants().jerk) append(*wanted.jerk, jerk);
  }
  bool gives_jerk() const override { return true; }
  std::string name() const override { return "borrowed"; }
  std::string variant() const override { return "host"; }

 private:
  static std::array<std::vector<State>, 4> columns(const device::Buffer& buffer, std::size_t n) {
    std::vector<State> quads(4 * n);
    buffer.read(std::span(quads));
    std::array<std::vector<State>, 4> out;
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t i = 0; i < n; ++i) out[c].push_back(quads[4 * i + c]);
    }
    return out;
  }

  // In two parts whose sum has the bits of the first, so that the adding up is tested as well.
  void append(PartialSums& sums, const std::array<std::vector<State>, 4>& columns) {
    std::vector<State> quads(std::size_t{8} * sums.padded);
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t i = 0; i < columns[c].size(); ++i) quads[4 * i + c] = columns[c][i];
    }
    ASSERT_EQ(sums.used, 0);
    sums.sums = context_.buffer(quads.size() * sizeof(State), "sums");
    sums.sums.write(std::span<const State>(quads));
    sums.used = 2;
  }

  device::Context& context_;
  std::unique_ptr<Solver<Host<State>>> solver_;
};

inline std::unique_ptr<Solver<Device>> borrowed_solver(device::Context& context,
                                                       const SolverSettings& settings) {
  if (settings.precision() == Precision::f32) {
    return std::make_unique<BorrowedSolver<float>>(context, settings);
  }
  return std::make_unique<BorrowedSolver<double>>(context, settings);
}

}  // namespace apsis::test
