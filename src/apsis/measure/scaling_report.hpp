// SPDX-License-Identifier: MIT
// What follows from measured scaling: the fit, predictions, a chart, JSON.
#pragma once

#include <apsis/measure/chart.hpp>
#include <apsis/measure/scaling.hpp>
#include <apsis/measure/scaling_model.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// In the place of the one that was measured.
struct Network {
  std::optional<double> latency;    // seconds a message
  std::optional<double> bandwidth;  // bytes a second and rank
  bool given() const { return latency || bandwidth; }
};

struct ScalingStudy {
  ScalingResult result;
  FitOutcome measured;            // as it was here
  std::optional<ScalingFit> fit;  // with the network that was given
  Network network;
  double bodies = 0;  // of the predictions
  std::vector<Prediction> predictions;
  std::optional<ScalingEnd> end;
};

// Predictions for `bodies`, or for those that were measured where that is 0.
ScalingStudy studied(ScalingResult result, const Network& network, double bodies = 0);

// Rows of a table in its order, the first one with one worker.
std::vector<const ScalingRow*> strong_rows(const ScalingResult& result);
std::vector<const ScalingRow*> weak_rows(const ScalingResult& result);

Chart scaling_chart(std::span<const ScalingStudy> studies);
std::string to_json(std::span<const ScalingStudy> studies);

}  // namespace apsis
