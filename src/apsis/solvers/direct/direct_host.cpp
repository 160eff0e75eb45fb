// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_kernels.hpp>
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/direct/rung.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace apsis {
namespace {

// Fewer pairs than this are done by the calling thread: waking a team costs 5-20 µs, and one
// thread does this many in about as long.
constexpr std::size_t serial_below_pairs = 40'000;

template <class State>
class DirectHost final : public Solver<Host<State>> {
 public:
  using View = BodiesView<Host<State>>;
  using FieldView = Field<Host<State>>;

  DirectHost(const SolverSettings& settings, std::string variant,
             std::unique_ptr<direct::Rung<State>> rung)
      : softening_(settings.softening()),
        threads_(thread_count(settings.device.threads)),
        variant_(std::move(variant)),
        rung_(std::move(rung)),
        jerk_rung_(direct::make_soa_rung<State>(settings.precision(), settings.radial())) {
    // A softening this far below float's resolution of the positions acts on no pair but that of
    // a body with itself, whose 1/ε³ would overflow.
    const double smallest = settings.precision() == Precision::f64 ? 0x1p-300 : 0x1p-40;
    if (softening_ < smallest) softening_ = 0;
  }

  void add_field(const View& sources, const View& targets, const FieldView& field) override {
    add({sources, targets, field, softening_, false});
  }
  void add_self_field(const View& bodies, const FieldView& field) override {
    add({bodies, bodies, field, softening_, true});
  }
  void add_part_field(const View& bodies, std::size_t first, std::size_t count,
                      const FieldView& field) override {
    add({bodies, part_of(bodies, first, count), field, softening_, true, first});
  }
  void add_mutual_field(const View& a, const View& b, const FieldView& field_a,
                        const FieldView& field_b) override {
    const bool jerk = field_a.wants().jerk || field_b.wants().jerk;
    const bool few = a.count * b.count < serial_below_pairs;
    if (!jerk && rung_->add_mutual({a, b, field_a, field_b, softening_}, few ? 1 : threads_)) {
      return;
    }
    Solver<Host<State>>::add_mutual_field(a, b, field_a, field_b);
  }
  bool gives_jerk() const override { return true; }
  bool potential_keeps_field() const override { return rung_->potential_keeps_field(); }
  bool threaded() const override { return rung_->threaded(); }
  std::string name() const override { return "direct"; }
  std::string variant() const override { return variant_; }

 private:
  void add(const direct::Task<State>& task) {
    const std::size_t targets = task.targets.count;
    if (targets == 0 || task.sources.count == 0) return;
    // jerks are the compiler's business on every rung
    direct::Rung<State>& rung = task.field.wants().jerk ? *jerk_rung_ : *rung_;
    const bool few = task.sources.count * targets < serial_below_pairs;
    rung.add_all(task, few ? 1 : threads_);
  }

  double softening_;
  int threads_;
  std::string variant_;
  std::unique_ptr<direct::Rung<State>> rung_, jerk_rung_;
};

void require_takes(const std::string& variant, Radial radial) {
  if (radial == newton) return;
  std::vector<std::string> takers;
  bool refused = false;
  for (const DirectHostVariant& known : direct_host_variant_table()) {
    if (!known.newton_only) takers.push_back(known.name);
    refused = refused || (known.newton_only && known.name == variant);
  }
  if (!refused) return;
  throw bad_data(
      fmt::format("variant {} knows radial law newton alone, not {}", variant, name_of(radial)),
      fmt::format("leave it out, or use variant {}", list_of(takers)));
}

template <class State>
std::unique_ptr<direct::Rung<State>> rung_named(const std::string& name, Precision precision,
                                                const RadialLaw& radial) {
  require_takes(name, radial.radial);
  if (name == "aos-serial") return direct::make_aos_rung<State>(precision, radial, false, false);
  if (name == "aos-openmp") return direct::make_aos_rung<State>(precision, radial, true, false);
  if (name == "reduced") return direct::make_aos_rung<State>(precision, radial, true, true);
  if (name == "soa") return direct::make_soa_rung<State>(precision, radial);
  if (name == "tiled-i") return direct::make_tiled_rung<State>(precision, radial);
  if constexpr (std::is_same_v<State, double>) {
    if (name == "reproducible" && precision == Precision::f64) {
      return direct::make_reproducible_rung(radial);
    }
  }
  if (name == "reproducible") {
    throw bad_data(fmt::format("variant reproducible works in f64, not {}", name_of(precision)),
                   "use precision = \"f64\", or leave the variant out: native sums have one order");
  }
#ifdef APSIS_HAS_HIGHWAY
  if (name == "simd") return direct::make_simd_rung<State>(precision);
  if (name == "simd-symmetric") return direct::make_simd_symmetric_rung<State>(precision);
#endif
  const auto names = direct_host_variants();
  throw bad_data(fmt::format("solver direct has no variant '{}' on the cpu{}", name,
                             did_you_mean(name, names)),
                 "choose " + list_of(names));
}

}  // namespace

template <class State>
std::unique_ptr<Solver<Host<State>>> make_direct_host(const SolverSettings& settings) {
  const Precision precision = settings.precision();
  const RadialLaw radial = settings.radial();
  const bool one_order = settings.device.reproducible && precision == Precision::f64;
  std::string variant = settings.device.variant;
  if (variant.empty()) {
    variant = one_order ? "reproducible" : default_direct_host_variant(radial.radial);
  }
  auto rung = rung_named<State>(variant, precision, radial);
  return std::make_unique<DirectHost<State>>(settings, std::move(variant), std::move(rung));
}
template std::unique_ptr<Solver<Host<float>>> make_direct_host(const SolverSettings&);
template std::unique_ptr<Solver<Host<double>>> make_direct_host(const SolverSettings&);

std::span<const DirectHostVariant> direct_host_variant_table() {
  static const std::vector<DirectHostVariant> table{
      {"aos-serial", "bodies as structures, one thread, a power for every pair"},
      {"aos-openmp", "the same on all threads"},
      {"reduced", "one root and one quotient instead of the power"},
      {"soa", "one array a quantity, vectors over the sources by the compiler"},
      {"tiled-i", "vectors over tiles of 16 bodies by the compiler, no sums across lanes"},
#ifdef APSIS_HAS_HIGHWAY
      {.name = "simd",
       .summary = "explicit vectors, chosen for the machine at run time",
       .newton_only = true},
      {.name = "simd-symmetric", .summary = "the same, each pair once", .newton_only = true},
#endif
      {"reproducible", "f64 only: the bits of every OpenCL device", true},
  };
  return table;
}

std::vector<std::string> direct_host_variants() {
  std::vector<std::string> names;
  for (const DirectHostVariant& variant : direct_host_variant_table()) {
    names.push_back(variant.name);
  }
  return names;
}

std::vector<std::string> direct_host_variants(Precision precision) {
  std::vector<std::string> names;
  for (const DirectHostVariant& variant : direct_host_variant_table()) {
    if (!variant.f64_only || precision == Precision::f64) names.push_back(variant.name);
  }
  return names;
}

#ifdef APSIS_HAS_HIGHWAY
std::string default_direct_host_variant(Radial radial) {
  return radial == newton ? "simd-symmetric" : "tiled-i";
}
std::string direct_host_instruction_set() { return direct::simd_target(); }
#else
std::string default_direct_host_variant(Radial radial) {
  return radial == newton ? "soa" : "tiled-i";
}
std::string direct_host_instruction_set() { return direct::instruction_set(); }
#endif

}  // namespace apsis
