// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/render/blur.hpp>
#include <apsis/render/colour_map.hpp>
#include <apsis/render/tone.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace apsis {
namespace {

// Light that lies in pixels of a given luminance, in steps of 1/16 octave.
class LightHistogram {
 public:
  explicit LightHistogram(const Light& light) : bins_(bin_count) {
    for (const Colour& pixel : light.pixels) {
      const double l = luminance(pixel);
      if (!(l > 0) || !std::isfinite(l)) continue;
      const double bin = (std::log2(l) - lowest) * steps;
      bins_[static_cast<std::size_t>(std::clamp(bin, 0.0, bin_count - 1.0))] += l;
      total_ += l;
    }
  }

  // The luminance that has `share` of the light in pixels fainter than it.
  double level(double share) const {
    double below = 0;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
      below += bins_[bin];
      if (below > 0 && below >= share * total_) {
        return std::exp2(lowest + (static_cast<double>(bin) + 0.5) / steps);
      }
    }
    return 0;
  }

 private:
  static constexpr double lowest = -64;  // log2 of the smallest luminance that is told apart
  static constexpr int steps = 16;       // an octave
  static constexpr int bin_count = 128 * steps;
  std::vector<double> bins_;
  double total_ = 0;
};

// y = asinh(x/s)/asinh(white/s), with s such that `faint` comes out at `faint_value`.
struct Stretch {
  float inverse_softness, scale;

  Stretch(const Exposure& exposure, double faint_value) {
    const double ratio = exposure.faint / exposure.white;
    double low = 1e-9, high = 1e3;  // in units of white; asinh falls as s grows
    for (int i = 0; i < 80; ++i) {
      const double middle = std::sqrt(low * high);
      const bool too_bright = std::asinh(ratio / middle) / std::asinh(1 / middle) > faint_value;
      (too_bright ? low : high) = middle;
    }
    inverse_softness = static_cast<float>(1 / (low * exposure.white));
    scale = static_cast<float>(1 / std::asinh(1 / low));
  }

  float operator()(float luminance) const {
    return scale * std::asinh(luminance * inverse_softness);
  }
};

// What lies above white is spread into the surroundings, at three widths.
void add_bloom(Light& light, double white, double strength, int threads) {
  if (!(strength > 0) || !(white > 0)) return;
  Light bright(light.width, light.height);
  const auto threshold = static_cast<float>(0.7 * white);
  parallel_for(light.pixels.size(), threads, [&](std::size_t i) {
    const float l = luminance(light.pixels[i]);
    // the brightest cores are held at 20 white, else one pixel would outshine the picture
    if (l > threshold) {
      bright.pixels[i] = std::min(l - threshold, 20 * threshold) / l * light.pixels[i];
    }
  });
  constexpr double widths[] = {0.0022, 0.007, 0.022};  // of the picture's width
  constexpr double shares[] = {0.5, 0.3, 0.2};
  for (int level = 0; level < 3; ++level) {
    const Light spread = blurred(bright, widths[level] * light.width, threads);
    const auto share = static_cast<float>(strength * shares[level]);
    parallel_for(light.pixels.size(), threads,
                 [&](std::size_t i) { light.pixels[i] += share * spread.pixels[i]; });
  }
}

// Keeps the hue while a channel has room, then lets the light that is too much turn to white.
Colour toned(Colour c, const Stretch& stretch) {
  const float l = luminance(c);
  if (!(l > 0)) return {};
  const float target = stretch(l);
  Colour out = (target / l) * c;
  const float peak = std::max({out.r, out.g, out.b});
  if (peak > 1) {
    const float grey = std::min(target, 1.0F);
    const float keep = (1 - grey) / std::max(peak - grey, 1e-6F);
    out = {grey + keep * (out.r - grey), grey + keep * (out.g - grey),
           grey + keep * (out.b - grey)};
  }
  return out;
}

// The display's curve at 4096 places, and the picture's own gamma on top.
class DisplayCurve {
 public:
  explicit DisplayCurve(double gamma) : values_(places + 2) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      // places are even in the square root: the curve is steepest near black
      const float root = static_cast<float>(i) / size;
      const float shown = display_colour({root * root, 0, 0}).r;
      values_[i] = gamma == 1 ? shown : std::pow(shown, static_cast<float>(1 / gamma));
    }
  }

  float operator()(float linear) const {
    const float place = std::sqrt(std::clamp(linear, 0.0F, 1.0F)) * size;
    const auto index = static_cast<std::size_t>(place);
    const float share = place - static_cast<float>(index);
    return values_[index] + share * (values_[index + 1] - values_[index]);
  }

 private:
  static constexpr int places = 4096;
  static constexpr float size = places;
  std::vector<float> values_;
};

// Half a step of noise that depends on the pixel alone: smooth glows show no bands.
float dither(std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  std::uint32_t h = x * 0x9E3779B1U + y * 0x85EBCA77U + channel * 0xC2B2AE3DU;
  h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
  h = (h ^ (h >> 12)) * 0x297A2D39U;
  h ^= h >> 15;
  return static_cast<float>(h >> 8) * (1.0F / 16777216.0F);
}

std::uint8_t byte_of(float value, float noise) {
  const float scaled = 255 * std::clamp(value, 0.0F, 1.0F);
  return static_cast<std::uint8_t>(std::min(255.0F, scaled + (scaled > 0 ? noise : 0.0F)));
}

}  // namespace

Exposure exposure_of(const Light& light) {
  const LightHistogram histogram(light);
  return {histogram.level(0.04), histogram.level(0.93)};
}

Image develop(const Light& light, const Exposure& exposure, const Tone& tone, int threads,
              const Light& surfaces) {
  Image image(light.width, light.height);
  const bool solid = !surfaces.pixels.empty();
  if (!(exposure.white > 0) && !solid) return image;
  const int team = thread_count(threads);
  const double gain = std::exp2(-tone.stops);
  const auto solid_gain = static_cast<float>(1 / gain);
  // of no light any exposure makes nothing
  const Exposure found = exposure.white > 0 ? exposure : Exposure{.faint = 0.01, .white = 1};
  const Exposure used{found.faint * gain, found.white * gain};
  Light lit = light;
  add_bloom(lit, used.white, tone.bloom, team);
  const Stretch stretch(used, 0.02 / tone.contrast);
  const DisplayCurve curve(tone.gamma);
  parallel_tasks(static_cast<std::size_t>(lit.height), team, [&](std::size_t r) {
    const auto row = static_cast<int>(r);
    for (int column = 0; column < lit.width; ++column) {
      Colour shown = toned(lit.at(column, row), stretch);
      if (solid) shown += solid_gain * surfaces.at(column, row);
      const float channels[] = {shown.r, shown.g, shown.b};
      for (std::uint32_t c = 0; c < 3; ++c) {
        image.pixel(column, row)[c] = byte_of(curve(channels[c]), dither(column, row, c));
      }
    }
  });
  return image;
}

}  // namespace apsis
