// SPDX-License-Identifier: MIT
// What rank 0 was told must reach the others whole: a field that is forgotten would silently have
// its default there.
#include <apsis/mpi/field_bytes.hpp>
#include <apsis/mpi/orders.hpp>

#include <gtest/gtest.h>

#include <set>

namespace apsis {
namespace {

// Another value than the default, and than that of any other field of the type.
class Changed {
 public:
  void operator()(const FieldInfo&, auto& value) const { change(value); }

 private:
  template <class Value>
  void change(Value& value) const {
    ++number_;
    if constexpr (IsOptional<Value>::value) {
      change(value.emplace());
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = "text " + std::to_string(number_);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = !value;
    } else if constexpr (std::is_same_v<Value, Box>) {
      for (double& side : value) side = ++number_;
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(1);
    } else if constexpr (std::is_same_v<Value, SolverChoice>) {
      for_each_field(value.template emplace<FarFieldChoice>(), *this);
    } else if constexpr (std::is_same_v<Value, std::vector<DeviceResolution>>) {
      value.resize(2);
      for (DeviceResolution& at : value) for_each_field(at, *this);
    } else {
      value = static_cast<Value>(number_);
    }
  }
  mutable int number_ = 100;
};

TEST(FieldBytes, carry_every_field_of_an_engines_settings) {
  mpi::RankTask task;
  for_each_field(task, Changed{});
  EXPECT_NE(task.settings, EngineSettings{});
  const mpi::RankTask there = mpi::decoded_task(mpi::encoded(task));
  EXPECT_EQ(there.settings, task.settings);
  EXPECT_EQ(there.recorded, task.recorded);
  EXPECT_EQ(there.recorded.size(), 2U);
  EXPECT_EQ(there.bodies, task.bodies);
}

TEST(FieldBytes, carry_whatever_a_solver_chose) {
  for (const SolverChoice& choice :
       {SolverChoice{}, SolverChoice{DirectSizes{.rows = 4, .chunk = 7}},
        SolverChoice{BinsChoice{9}}, SolverChoice{FarFieldChoice{.order = 6, .careful_sums = true}},
        SolverChoice{FmmOpenclChoice{.order = 3, .tolerance = 1e-4}}}) {
    const Resolution resolution{
        .solver = "fmm", .bodies = 5, .ranks = 3, .devices = {{.variant = "v", .choice = choice}}};
    EXPECT_EQ(mpi::decoded_resolution(mpi::encoded(resolution)), resolution) << to_string(choice);
  }
}

TEST(FieldBytes, keep_what_was_left_open_open) {
  EXPECT_EQ(mpi::decoded_task(mpi::encoded(mpi::RankTask{})).settings, EngineSettings{});
}

// As somebody would add a key: a member and its line in the list.
struct GrownSettings {
  ForceSettings force;
  std::optional<double> screening_length;
  friend bool operator==(const GrownSettings&, const GrownSettings&) = default;
};
template <SameBut<GrownSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [force, screening_length] = settings;
  for_each_field(force, visit);
  visit(FieldInfo{"screening_length", "none", "beyond which forces fade"}, screening_length);
}

TEST(FieldBytes, carry_a_field_that_was_added) {
  GrownSettings settings;
  for_each_field(settings, Changed{});
  ByteWriter writer;
  mpi::put_fields(writer, settings);
  ByteReader reader(writer.bytes(), "settings");
  GrownSettings there;
  mpi::take_fields(reader, there);
  EXPECT_EQ(there, settings);
  EXPECT_TRUE(there.screening_length);
}

TEST(OperationBytes, carry_every_kind_whole) {
  const auto some = ActiveBodies::only({4, 1, 7});
  mpi::Batch batch;
  batch.operations = {Operation::drift(0.5),
                      Operation::kick(-0.25, some),
                      Operation::accelerate(3),
                      Operation::accelerate_with_jerk(4, ActiveBodies::only({})),
                      Operation::keep_potential(true),
                      Operation::save(2),
                      Operation::combine(1, {{0, 0.1}, {3, 0.2}}),
                      Operation::predict(0.125),
                      Operation::correct(0.125),
                      Operation::accept(some)};
  batch.question = mpi::Question::write_part, batch.step = 77;
  batch.payload = {std::byte{1}, std::byte{2}};
  const mpi::Batch there = mpi::decoded_batch(mpi::encoded(batch));
  EXPECT_EQ(there.operations, batch.operations);
  EXPECT_EQ(there.question, batch.question);
  EXPECT_EQ(there.step, batch.step);
  EXPECT_EQ(there.payload, batch.payload);
}

// Messages and documents name fields; two of one name in a section would be one key.
TEST(FieldBytes, fields_of_one_struct_have_names_of_their_own) {
  std::set<std::string_view> names;
  const ForceSettings force;
  for_each_field(force, [&](const FieldInfo& field, const auto&) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
  });
}

}  // namespace
}  // namespace apsis
