// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/pieces.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

namespace apsis::far {
namespace {

// As fine as a key of 64 bits can be.
constexpr int levels = 21;
// Bodies of all partners from which the cuts are found: good to half a hundredth of all work.
constexpr std::size_t samples_of_all = 16384, least_samples = 1024;

struct Sample {
  std::uint64_t key;
  double work;
};

// Anything without a pattern, so that no order of the bodies is met in step.
std::uint64_t scrambled(std::uint64_t k) {
  std::uint64_t v = (k + 1) * 0x9e3779b97f4a7c15U;
  v ^= v >> 29, v *= 0xbf58476d1ce4e5b9U;
  return v ^ v >> 32;
}

}  // namespace

template <class Real>
Shared shared_by_all(const BodiesView<Host<Real>>& block, Partners& partners, int threads) {
  using View = BodiesView<Host<Real>>;
  struct Part {
    std::size_t bodies;
    Bounds bounds;
  };
  const Part own{block.count, bounds_of(Both<Real>{block}, threads)};
  Shared out;
  Bounds bounds;
  const auto parts = gather_values<Part>(partners, std::span(&own, 1));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p < partners.own()) out.first += parts[p].front().bodies;
    out.bodies += parts[p].front().bodies;
    bounds += parts[p].front().bounds;
  }
  if (out.bodies == 0) return out;
  std::array<double, 3> middle{};
  if constexpr (std::is_same_v<Real, double>) {
    std::vector<double> places;
    for (const std::size_t number : numbers_for_middle(out.bodies)) {
      if (number < out.first || number >= out.first + block.count) continue;
      for (auto column : {&View::x, &View::y, &View::z}) {
        places.push_back((block.*column)[number - out.first]);
      }
    }
    std::array<std::vector<double>, 3> all;
    for (const auto& part : gather_values<double>(partners, places)) {
      for (std::size_t k = 0; k < part.size(); ++k) all[k % 3].push_back(part[k]);
    }
    for (std::size_t a = 0; a < 3; ++a) middle[a] = median_of(all[a]);
  }
  out.frame = frame_of(bounds, middle);
  if (out.frame.mixed_signs) {
    std::vector<std::array<float, 3>> own_places;
    const std::size_t taken = std::min<std::size_t>(out.bodies, 256);
    const Units& u = out.frame.units;
    for (std::size_t k = 0; k < taken; ++k) {
      const std::size_t number = k * out.bodies / taken;
      if (number < out.first || number >= out.first + block.count) continue;
      const std::size_t i = number - out.first;
      own_places.push_back({static_cast<float>((static_cast<double>(block.x[i]) - u.x) * u.scale),
                            static_cast<float>((static_cast<double>(block.y[i]) - u.y) * u.scale),
                            static_cast<float>((static_cast<double>(block.z[i]) - u.z) * u.scale)});
    }
    for (const auto& part : gather_values<std::array<float, 3>>(partners, own_places)) {
      out.typical.insert(out.typical.end(), part.begin(), part.end());
    }
  }
  return out;
}

template <class Real>
std::vector<std::uint32_t> hashed_places(const BodiesView<Host<Real>>& bodies, int threads) {
  std::vector<std::uint32_t> hashes(bodies.count);
  parallel_for(bodies.count, threads, [&](std::size_t i) {
    const auto bits = [](Real value) {
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    };
    const std::uint64_t sum = bits(bodies.x[i]) * 0x9e3779b97f4a7c15U +
                              bits(bodies.y[i]) * 0xbf58476d1ce4e5b9U +
                              bits(bodies.z[i]) * 0x94d049bb133111ebU;
    hashes[i] = static_cast<std::uint32_t>((sum ^ sum >> 31) * 0x9e3779b97f4a7c15U >> 32);
  });
  return hashes;
}

// The first key of every piece but the first.
template <class Real>
std::vector<std::uint64_t> Pieces<Real>::cuts(std::span<const std::uint64_t> keys,
                                              std::span<const float> work,
                                              Partners& partners) const {
  const std::size_t n = keys.size(), partner_count = partners.count();
  const std::size_t taken = std::min(
      n, std::max(least_samples, samples_of_all / std::max<std::size_t>(1, partner_count)));
  std::vector<Sample> own;
  for (std::size_t k = 0; k < taken; ++k) {
    // one body speaks for its neighbours in the block
    const std::size_t begin = k * n / taken, end = (k + 1) * n / taken;
    const std::size_t chosen = begin + scrambled(k) % (end - begin);
    const double each = work.empty() ? 1 : static_cast<double>(work[chosen]);
    own.push_back({keys[chosen], each * static_cast<double>(end - begin)});
  }
  std::vector<Sample> all;
  for (const auto& part : gather_values<Sample>(partners, own)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(), [](const Sample& a, const Sample& b) {
    return a.key != b.key ? a.key < b.key : a.work < b.work;
  });
  double sum = 0;
  for (const Sample& sample : all) sum += sample.work;
  std::vector<std::uint64_t> out;
  double before = 0;
  for (const Sample& sample : all) {
    while (out.size() + 1 < partner_count && before >= sum * static_cast<double>(out.size() + 1) /
                                                           static_cast<double>(partner_count)) {
      out.push_back(sample.key);
    }
    before += sample.work;
  }
  out.resize(partner_count - 1, ~std::uint64_t{0});
  return out;
}

template <class Real>
BodiesView<Host<Real>> Pieces<Real>::collect(const View& block, std::span<const float> work,
                                             const Frame& frame, Partners& partners, int threads) {
  const MortonKeys key_of(frame.cube, levels);
  std::vector<std::uint64_t> keys(block.count);
  parallel_for(block.count, threads, [&](std::size_t i) {
    keys[i] = key_of(static_cast<double>(block.x[i]), static_cast<double>(block.y[i]),
                     static_cast<double>(block.z[i]));
  });
  const auto firsts = cuts(keys, work, partners);
  going_.resize(partners.count());
  for (auto& numbers : going_) numbers.clear(), numbers.reserve(block.count);
  for (std::size_t i = 0; i < block.count; ++i) {
    const auto piece = std::upper_bound(firsts.begin(), firsts.end(), keys[i]) - firsts.begin();
    going_[static_cast<std::size_t>(piece)].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<Bytes> messages(partners.count());
  for (std::size_t p = 0; p < messages.size(); ++p) {
    messages[p].resize(going_[p].size() * sizeof(Body));
    for (std::size_t k = 0; k < going_[p].size(); ++k) {
      const std::uint32_t i = going_[p][k];
      const Body body{block.x[i], block.y[i], block.z[i], block.strength[i]};
      std::memcpy(messages[p].data() + k * sizeof body, &body, sizeof body);
    }
  }
  auto came = partners.exchange(messages);
  came[partners.own()] = std::move(messages[partners.own()]);
  came_.clear();
  std::size_t count = 0;
  for (const Bytes& bytes : came) {
    came_.push_back(bytes.size() / sizeof(Body)), count += came_.back();
  }
  for (auto* column : {&x_, &y_, &z_, &strength_}) column->resize(count);
  std::size_t next = 0;
  for (const Bytes& bytes : came) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Body), ++next) {
      Body body;
      std::memcpy(&body, bytes.data() + at, sizeof body);
      x_[next] = body.x, y_[next] = body.y, z_[next] = body.z, strength_[next] = body.strength;
    }
  }
  return {count, x_.data(), y_.data(), z_.data(), strength_.data()};
}

template <class Real>
void Pieces<Real>::bring_home(std::span<const FieldResult<Real>> results, const FieldView& field,
                              std::vector<float>& work, Partners& partners) {
  using Result = FieldResult<Real>;
  std::vector<Bytes> messages(partners.count());
  std::span<const Result> own;
  for (std::size_t p = 0; p < messages.size(); ++p) {
    const auto part = results.first(came_[p]);
    results = results.subspan(came_[p]);
    const auto bytes = std::as_bytes(part);
    if (p == partners.own()) {
      own = part;
    } else {
      messages[p].assign(bytes.begin(), bytes.end());
    }
  }
  const auto came = partners.exchange(messages);
  std::size_t count = 0;
  for (const auto& numbers : going_) count += numbers.size();
  work.resize(count);
  const auto add_all = [&](const std::vector<std::uint32_t>& numbers, const std::byte* from) {
    for (const std::uint32_t i : numbers) {
      Result result;
      std::memcpy(&result, from, sizeof result);
      from += sizeof result;
      const auto add = [i](Real* to, Real value) {
        if (to != nullptr) to[i] += value;
      };
      add(field.x, result.x), add(field.y, result.y), add(field.z, result.z);
      add(field.potential, result.potential);
      work[i] = result.work;
    }
  };
  for (std::size_t p = 0; p < came.size(); ++p) {
    add_all(going_[p], p == partners.own() ? std::as_bytes(own).data() : came[p].data());
  }
}

template Shared shared_by_all(const BodiesView<Host<float>>&, Partners&, int);
template Shared shared_by_all(const BodiesView<Host<double>>&, Partners&, int);
template std::vector<std::uint32_t> hashed_places(const BodiesView<Host<float>>&, int);
template std::vector<std::uint32_t> hashed_places(const BodiesView<Host<double>>&, int);
template class Pieces<float>;
template class Pieces<double>;

}  // namespace apsis::far
