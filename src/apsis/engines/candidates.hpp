// SPDX-License-Identifier: MIT
// Inside engines/: what `auto` chooses from, as engines that hold a sample of the bodies and take
// turns in being timed.
#pragma once

#include <apsis/engines/engine_search.hpp>
#include <apsis/engines/remembered_choice.hpp>
#include <apsis/engines/rounds.hpp>
#include <apsis/engines/solver_times.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis {

// Somewhere that forces can be evaluated, and the solvers to try there.
struct CandidatePlace {
  std::string name;
  std::optional<DeviceInfo> device;  // none: the native cpu
  std::vector<std::string> solvers;
  std::string why;                   // of the solver that is best there
  std::optional<SolverTimes> times;  // where both were measured
};

struct Candidate {
  const CandidatePlace* place = nullptr;
  std::string solver;
  std::unique_ptr<Engine> engine;
  Rounds rounds;  // of one evaluation of all bodies, from that of a sample

  double seconds() const { return best(rounds); }
  PlaceAndSolver choice() const { return {place->name, solver}; }
};

// What somebody wants engines for.
struct SearchTask {
  const EngineSettings& settings;
  const Bodies& bodies;
  const SolversInQuestion& question;
  bool device_wanted = false;

  TimedTask timed_at(const CandidatePlace& place) const;
  std::unique_ptr<Engine> engine_at(const CandidatePlace& place, const std::string& solver) const;
};

class Candidates {
 public:
  explicit Candidates(const SearchTask& task) : task_(task) {}

  // Where a candidate can't be had, says so in `notices`; throws where nothing can stand in for it.
  void load(const std::vector<CandidatePlace>& places, std::vector<std::string>& notices);
  void add(Candidate candidate) { all_.push_back(std::move(candidate)); }
  void time_all();

  const std::vector<Candidate>& all() const { return all_; }
  const Candidate* find(const PlaceAndSolver& choice) const;
  // With direct as the usual solver and the first of the places as the usual one.
  const Candidate* best_at(CandidatePlace& place) const;
  const Candidate* best_of(std::vector<CandidatePlace>& places) const;
  std::unique_ptr<Engine> take(const Candidate& candidate);

  // "1.2 against 3.4 ms for 5000 bodies"
  std::string compared(double first, double second) const;

 private:
  EngineSettings settings_on_cpu(const SolverInfo& solver) const;
  void load_at(const std::vector<const CandidatePlace*>& places, const std::string& solver,
               std::vector<std::string>& notices);
  void check(const Candidate& candidate, const Accelerations& expected) const;
  std::string left_out(const CandidatePlace& place, const std::string& solver,
                       const Error& error) const;

  SearchTask task_;
  std::vector<Candidate> all_;
};

// "1.5 times as fast", "about as fast"
std::string times_as_fast(double ratio);

}  // namespace apsis
