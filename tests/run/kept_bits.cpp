// SPDX-License-Identifier: MIT
// No bit moves unnoticed: runs in f64 that were asked to be reproducible end with the state and the
// energies that are kept in tests/files/kept_bits.txt, for each compiler and instruction set that
// somebody measured on. A change that means to move bits renews them with
//   APSIS_KEEP_BITS=1 build/release/tests/run/test_run --gtest_filter='*KeptBits*'
// and says why.
#include "run_test.hpp"
#include <apsis/files/hash.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace apsis {
namespace {

// What bits may depend on, besides the spec.
std::string build_key() {
#if defined(__clang__)
  const std::string compiler = fmt::format("clang-{}", __clang_major__);
#else
  const std::string compiler = fmt::format("g++-{}", __GNUC__);
#endif
#if defined(__OPTIMIZE__)
  const char* const kind = "optimised";
#else
  const char* const kind = "plain";
#endif
  return fmt::format("{}/{}/{}", compiler, kind, direct_host_instruction_set());
}

struct Kept {
  std::string solver, integrator, model;
  std::string name() const { return fmt::format("{}-{}-{}", solver, integrator, model); }
};

std::vector<Kept> all_kept() {
  std::vector<Kept> all;
  for (const char* model : {"plummer", "lattice"}) {
    for (const char* integrator : {"leapfrog", "yoshida4", "rk4", "hermite4"}) {
      all.push_back({"direct", integrator, model});
    }
    all.push_back({"reference", "leapfrog", model});
    for (const char* solver : {"bins", "tree", "fmm"}) {
      for (const char* integrator : {"leapfrog", "rk4"}) all.push_back({solver, integrator, model});
    }
  }
  return all;
}

// "g++-12/optimised/AVX3 direct-leapfrog-plummer HASH" a line.
std::map<std::string, std::string> kept_hashes() {
  std::map<std::string, std::string> hashes;
  std::istringstream lines(read_text(APSIS_KEPT_BITS));
  for (std::string key, name, hash; lines >> key >> name >> hash;) {
    hashes[key.append(" ").append(name)] = hash;
  }
  return hashes;
}

class KeptBits : public RunTest, public testing::WithParamInterface<Kept> {};

TEST_P(KeptBits, of_a_reproducible_run_are_as_they_were) {
  const auto& [solver, integrator, model] = GetParam();
  std::vector<std::string> keys{"device.name=cpu",
                                "device.precision=f64",
                                "device.reproducible=true",
                                "initial.bodies=120",
                                "time.step=0.01",
                                "time.until=0.08",
                                "output.energy_every=0.02",
                                "output.snapshot_every=0",
                                "force.solver=" + solver,
                                "initial.model=" + model,
                                "time.integrator=" + integrator};
  if (model == "lattice") {
    keys.insert(keys.end(), {"initial.temperature=0.1", "force.softening=0.1"});
  }
  if (solver == "bins") keys.emplace_back("force.bins=3");
  if (solver == "tree" || solver == "fmm") {
    keys.insert(keys.end(), {"force.order=4", "force.opening_angle=0.6"});
  }
  start_run(spec("kept", keys), false, {});
  Hasher hasher;
  hasher.add(final_state(top_ / "kept"));
  hasher.add(read_file(top_ / "kept/energy.csv"));
  const std::string found = to_hex(hasher.hash());

  const std::string key = build_key();
  if (std::getenv("APSIS_KEEP_BITS") != nullptr) {
    std::ofstream(APSIS_KEPT_BITS, std::ios::app)
        << key << " " << GetParam().name() << " " << found << "\n";
    return;
  }
  const auto kept = kept_hashes();
  const auto before = kept.find(key + " " + GetParam().name());
  if (before == kept.end()) GTEST_SKIP() << "no bits are kept for " << key;
  EXPECT_EQ(found, before->second);
}

INSTANTIATE_TEST_SUITE_P(Runs, KeptBits, testing::ValuesIn(all_kept()), [](const auto& test) {
  return test.param.solver + "_" + test.param.integrator + "_" + test.param.model;
});

}  // namespace
}  // namespace apsis
