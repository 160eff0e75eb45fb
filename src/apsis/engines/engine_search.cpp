// SPDX-License-Identifier: MIT
// The search behind device = "auto" and solver = "auto": what was taken before for the same
// question, else the best of candidates that are timed on a sample.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/engines/candidates.hpp>
#include <apsis/engines/engine_search.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace apsis {
namespace {

constexpr auto as_found_before = "as found by earlier measurements";

bool is_simulator(const DeviceInfo& device) {
  return device.name.find("Oclgrind") != std::string::npos;
}

// One of several equal cards stands for all.
bool has_twin_before(const DeviceInfo& device, const Discovery& discovery) {
  return std::any_of(discovery.devices.begin(), discovery.devices.end(),
                     [&](const DeviceInfo& other) {
                       return other.index < device.index && other.name == device.name &&
                              other.driver == device.driver;
                     });
}

// The search for the fastest engine for these bodies.
class Search {
 public:
  explicit Search(const SearchTask& task) : task_(task), candidates_(task) {}

  LoadedEngine anywhere();
  LoadedEngine at_named_place();

 private:
  void add_place(std::string name, std::optional<DeviceInfo> device);
  void add_devices(const Discovery& discovery);
  bool is_open() const;
  CachedJson asked() const;
  void use_known_times();
  std::optional<LoadedEngine> as_remembered(const PlaceAndSolver& choice);
  void load_candidates();
  const Candidate& kept_or(const Candidate& found, const RememberedChoice& remembered);
  const Candidate& measured(const std::optional<RememberedChoice>& remembered);
  void remember(const RememberedChoice& remembered) const;
  void remember_times(const Candidate& taken) const;
  void explain_place(const Candidate& taken);
  void explain_solver(const std::string& solver, const std::string& why);
  LoadedEngine chosen();

  SearchTask task_;
  std::vector<CandidatePlace> places_;
  CachedJson question_;
  Candidates candidates_;
  std::vector<std::string> notices_;
};

void Search::add_place(std::string name, std::optional<DeviceInfo> device) {
  CandidatePlace place{std::move(name), std::move(device), {}, {}, {}};
  const Precision precision = task_.settings.precision();
  for (const std::string& solver : task_.question.names) {
    const SolverInfo& info = solver_named(solver);
    const bool runs = place.device ? runs_on_device(info, precision) : runs_on_cpu(info, precision);
    if (runs) place.solvers.push_back(solver);
  }
  places_.push_back(std::move(place));
}

// A device that is the cpu itself has the native cpu's cores and none of its vectors: whether it
// seems faster is a matter of what else these cores do. It is for those who name it, or who want
// what only devices have and have no other.
void Search::add_devices(const Discovery& discovery) {
  std::vector<DeviceInfo> beside_cpu, same_cores;
  for (const DeviceInfo& device : discovery.devices) {
    if (is_simulator(device) || has_twin_before(device, discovery)) continue;
    (device.kind == DeviceKind::cpu ? same_cores : beside_cpu).push_back(device);
  }
  if (task_.device_wanted && beside_cpu.empty()) beside_cpu = same_cores;
  for (const DeviceInfo& device : beside_cpu) add_place(device.name, device);
  if (task_.device_wanted || !beside_cpu.empty() || same_cores.empty()) return;
  notices_.push_back(
      fmt::format("device auto: the native cpu; {} is the same cores", same_cores.front().name));
}

// Whether there is anything to choose.
bool Search::is_open() const {
  return places_.size() > 1 || (places_.size() == 1 && places_.front().solvers.size() > 1);
}

// All that the answer depends on.
CachedJson Search::asked() const {
  const EngineSettings& settings = task_.settings;
  CachedJson places = CachedJson::array();
  for (const CandidatePlace& place : places_) {
    places.push_back({{"place", place.name}, {"driver", task_.timed_at(place).driver}});
  }
  CachedJson question{{"places", std::move(places)},
                      {"solvers", task_.question.names},
                      {"threads", thread_count(settings.device.threads)},
                      {"precision", name_of(settings.precision())},
                      {"law", name_of(law_of(settings.force).law)},
                      {"accuracy", settings.force.far_field.accuracy},
                      {"reproducible", settings.device.reproducible},
                      {"bodies", task_.bodies.size()}};
  const Radial radial = law_of(settings.force).radial.radial;
  if (radial != newton) question["radial"] = name_of(radial);
  const auto add_given = [&](const auto& family) {
    for_each_given(family, [&](const FieldInfo& field, const auto& value) {
      question[std::string(field.name)] = value;
    });
  };
  add_given(settings.force.far_field), add_given(settings.force.bins);
  return question;
}

// Where other numbers of bodies have told which solver pays.
void Search::use_known_times() {
  if (!task_.settings.device.kernel_dir.empty()) return;
  for (CandidatePlace& place : places_) {
    if (place.solvers.size() < 2) continue;
    const auto known = fmm_pays(known_solver_times(task_.timed_at(place)), task_.bodies.size());
    if (!known) continue;
    place.solvers = {*known ? "fmm" : "direct"};
    place.why = fmt::format("{}, {}", place.solvers.front(), as_found_before);
  }
}

// Nothing where it is no longer to be had.
std::optional<LoadedEngine> Search::as_remembered(const PlaceAndSolver& choice) {
  const auto place = std::ranges::find(places_, choice.place, &CandidatePlace::name);
  if (place == places_.end() || std::ranges::count(place->solvers, choice.solver) == 0) return {};
  LoadedEngine made;
  try {
    made.engine = task_.engine_at(*place, choice.solver);
    made.engine->load(task_.bodies);
  } catch (const Error&) {
    return {};
  }
  if (places_.size() > 1) {
    notices_.push_back(fmt::format("device auto: {}, {}", choice.place, as_found_before));
  }
  const bool chosen = task_.question.names.size() > 1;
  explain_solver(choice.solver,
                 chosen ? fmt::format("{}, {}", choice.solver, as_found_before) : "");
  made.notices = std::move(notices_);
  return made;
}

// A cache that can't be written costs a second measurement and nothing else.
void Search::remember(const RememberedChoice& remembered) const {
  try {
    remember_choice(question_, remembered);
  } catch (const Error&) {
  }
}

// What contradicts the choice would decide for other numbers of bodies; times of the user's own
// kernels are nobody else's business.
void Search::remember_times(const Candidate& taken) const {
  if (!task_.settings.device.kernel_dir.empty()) return;
  for (const CandidatePlace& place : places_) {
    if (!place.times) continue;
    if (&place == taken.place && fmm_pays(*place.times) != (taken.solver == "fmm")) continue;
    try {
      remember_solver_times(task_.timed_at(place), *place.times);
    } catch (const Error&) {
    }
  }
}

void Search::explain_place(const Candidate& taken) {
  if (places_.size() == 1 && !task_.device_wanted) return;
  const Candidate* other = nullptr;
  for (const Candidate& candidate : candidates_.all()) {
    if (candidate.place == taken.place) continue;
    if (other == nullptr || candidate.seconds() < other->seconds()) other = &candidate;
  }
  notices_.push_back(other == nullptr
                         ? fmt::format("device auto: {}", taken.place->name)
                         : fmt::format("device auto: {} is {} as {} ({})", taken.place->name,
                                       times_as_fast(other->seconds() / taken.seconds()),
                                       other->place->name,
                                       candidates_.compared(taken.seconds(), other->seconds())));
}

void Search::explain_solver(const std::string& solver, const std::string& why) {
  if (!task_.question.why_one.empty()) {
    notices_.push_back(fmt::format("solver auto: {}, as {}", solver, task_.question.why_one));
  } else if (!why.empty()) {
    notices_.push_back("solver auto: " + why);
  }
}

// One alone needs no sample, unless it is a device that may not be right.
void Search::load_candidates() {
  if (is_open() || task_.device_wanted) return candidates_.load(places_, notices_);
  const CandidatePlace& place = places_.front();
  const std::string& solver = place.solvers.front();
  candidates_.add({&place, solver, task_.engine_at(place, solver), {}});
}

// What was taken before, until something else is clearly better for the second time.
const Candidate& Search::kept_or(const Candidate& found, const RememberedChoice& remembered) {
  const Candidate* kept = candidates_.find(remembered.choice);
  if (kept == nullptr) return found;
  const auto weight = [](const Candidate& candidate) {  // fmm has to be worth its error
    return candidate.seconds() * (candidate.solver == "fmm" ? fmm_pays_from : 1);
  };
  const auto after = after_look(remembered, found.choice(), weight(*kept) / weight(found));
  remember(after);
  if (after.choice == found.choice()) return found;
  for (CandidatePlace& place : places_) {
    if (&place == kept->place) place.why = fmt::format("{}, {}", kept->solver, as_found_before);
  }
  return *kept;
}

const Candidate& Search::measured(const std::optional<RememberedChoice>& remembered) {
  load_candidates();
  candidates_.time_all();
  const Candidate* found = candidates_.best_of(places_);
  if (found == nullptr) {
    throw Error(ExitCode::unavailable,
                fmt::format("no OpenCL device to run on: {}",
                            notices_.empty() ? "only a simulator" : notices_.back()),
                fmt::format("leave variant, sizes and kernel_dir out, or install a driver ('{}')",
                            typed_command("doctor")));
  }
  return remembered ? kept_or(*found, *remembered) : *found;
}

// The places are known.
LoadedEngine Search::chosen() {
  // a user's own kernels change
  const bool remembers =
      is_open() && !task_.device_wanted && task_.settings.device.kernel_dir.empty();
  std::optional<RememberedChoice> remembered;
  if (remembers) question_ = asked(), remembered = remembered_choice(question_);
  if (remembered && !looks_again(*remembered)) {
    if (auto made = as_remembered(remembered->choice)) {
      remember({remembered->choice, remembered->runs + 1, remembered->rival});
      return std::move(*made);
    }
    remembered.reset();
  }
  if (!remembered) use_known_times();
  const Candidate& taken = measured(remembered);
  if (remembers && !remembered) remember({taken.choice(), 1, std::nullopt});
  remember_times(taken);
  explain_place(taken);
  explain_solver(taken.solver, taken.place->why);
  LoadedEngine made{candidates_.take(taken), std::move(notices_)};
  made.engine->load(task_.bodies);
  return made;
}

LoadedEngine Search::anywhere() {
  const Discovery discovery = discover_devices();
  if (!task_.device_wanted) {
    add_place("the native cpu", std::nullopt);
  } else if (discovery.devices.empty()) {
    throw Error(ExitCode::unavailable,
                fmt::format("no OpenCL device to run on: {}", discovery.why_none),
                fmt::format("leave variant, sizes and kernel_dir out, or install a driver ('{}')",
                            typed_command("doctor")));
  }
  if (discovery.devices.empty()) {
    notices_.push_back(
        fmt::format("device auto: the native cpu; no OpenCL device ({})", discovery.why_none));
  }
  add_devices(discovery);
  return chosen();
}

LoadedEngine Search::at_named_place() {
  if (task_.settings.device.name == "cpu" || task_.settings.device.name == "auto") {
    add_place("the native cpu", std::nullopt);
  } else {
    const DeviceInfo device = chosen_device(task_.settings.device.name);
    add_place(device.name, device);
  }
  return chosen();
}

}  // namespace

LoadedEngine fastest_engine(const EngineSettings& settings, const Bodies& bodies,
                            const SolversInQuestion& question, bool device_wanted) {
  return Search({settings, bodies, question, device_wanted}).anywhere();
}

LoadedEngine fastest_engine_there(const EngineSettings& settings, const Bodies& bodies,
                                  const SolversInQuestion& question) {
  return Search({settings, bodies, question, false}).at_named_place();
}

}  // namespace apsis
