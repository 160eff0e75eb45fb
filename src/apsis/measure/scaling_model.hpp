// SPDX-License-Identifier: MIT
// What a step costs on any number of workers (threads, devices, ranks), fitted to steps that were
// measured on a few: from points to a model, from the model to predictions. No clock, no engine.
//
//   seconds(N, r) = (a·W(N)/r + s·N) · (1 + i·√(2 ln r))
//                   + messages(r)·latency + bytes(N, r)/bandwidth
//
// a: the work that is shared; s: what every worker does for all bodies, such as a tree that each
// builds whole; i: the spread of the workers' speeds, for the longest of r is √(2 ln r) of it above
// their mean. Workers that share memory have a·W/r + s·N + t·log2 r: they meet, and send nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// How the work of an evaluation grows with the bodies.
enum class WorkLaw { pairs, bodies_log_bodies, bodies };
double work(WorkLaw law, double bodies);

// Bodies for r workers with as much work for each as `bodies` are for one: N·√r where pairs are
// summed, N·r elsewhere.
double weak_bodies(WorkLaw law, double bodies, double workers);

// What was measured, of one step.
struct ScalingPoint {
  struct Parts {
    double compute = 0;              // seconds, the mean over the workers
    double imbalance = 1;            // the longest over the mean
    double exchange = 0;             // seconds that the one that computes longest does not compute
    double messages = 0, bytes = 0;  // the most that one worker sends to others
    double meetings = 0;             // of all workers, log2 r messages each
  };
  double workers = 1, bodies = 0;
  double seconds = 0;          // of the whole step
  std::optional<Parts> parts;  // nothing of workers that share memory
};

// Seconds of a step, by the model.
struct StepCost {
  double shared = 0;     // work that r workers divide
  double serial = 0;     // work that each does for all
  double imbalance = 0;  // waiting for the slowest
  double exchange = 0;   // messages, or meetings of threads
  double total() const { return shared + serial + imbalance + exchange; }
};

struct ScalingModel {
  WorkLaw law = WorkLaw::pairs;
  double per_work = 0, per_body = 0;       // a, s
  double spread = 0;                       // i
  double per_meeting = 0;                  // t
  double latency = 0, seconds_a_byte = 0;  // of a message
  // messages = meetings·log2 r + _·(r − 1), every worker hears of every other, + _, neighbours do
  double meetings = 0, messages_all = 0, messages_near = 0;
  // bytes = _·N(1 − 1/r), all bodies come by, + _·(N/r)^⅔, what touches a worker's region
  double bytes_all = 0, bytes_near = 0;

  double messages(double workers) const;
  double bytes(double bodies, double workers) const;
  StepCost at(double bodies, double workers) const;
  double seconds(double bodies, double workers) const { return at(bodies, workers).total(); }
};

struct ScalingFit {
  ScalingModel model;
  std::size_t points = 0, parameters = 0;
  // Relative errors of whole steps: of the points that it was fitted to, and of each point when it
  // is left out.
  double error_rms = 0, error_max = 0, error_left_out = 0;
  std::vector<ScalingModel> left_out;  // one without each point, for the range of predictions
};

struct FitOutcome {
  std::optional<ScalingFit> fit;
  std::string refusal;  // why there is none
};

// Refused with fewer than three different numbers of workers, or fewer points than parameters.
FitOutcome fit_scaling(std::span<const ScalingPoint> points, WorkLaw law);

// The same workers with another network between them; in seconds and bytes a second.
ScalingFit with_network(ScalingFit fit, std::optional<double> latency,
                        std::optional<double> bandwidth);

struct Prediction {
  double workers = 1;
  double bodies = 0;
  double seconds = 0;
  double speedup = 1, efficiency = 1;           // against one worker, by the model
  double speedup_low = 1, speedup_high = 1;     // by the models without a point
  double weak_bodies = 0, weak_efficiency = 1;  // with as much work for each as for one
};
Prediction predict(const ScalingFit& fit, double bodies, double workers);

// Where twice the workers are less than 1.2 times as fast, and what holds them up there.
struct ScalingEnd {
  double workers = 0;  // rounded to two digits
  std::string because;
};
// Nothing where that is beyond a million.
std::optional<ScalingEnd> scaling_end(const ScalingModel& model, double bodies);

}  // namespace apsis
