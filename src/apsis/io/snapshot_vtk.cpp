// SPDX-License-Identifier: MIT
// Writes VTK's XML of PolyData (.vtp), which ParaView, VisIt and VTK read in any version: a point
// and a vertex for each body, columns as arrays of the points. A head of text tells where in the
// raw bytes behind it each array lies.
#include <apsis/core/columns.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace apsis {
namespace {

template <class Value>
constexpr const char* vtk_type() {
  if constexpr (std::is_same_v<Value, double>) {
    return "Float64";
  } else if constexpr (std::is_same_v<Value, std::int64_t>) {
    return "Int64";
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return "UInt64";
  } else {
    static_assert(std::is_same_v<Value, std::uint8_t>);
    return "UInt8";
  }
}

class Appended {
 public:
  explicit Appended(std::size_t expected) { bytes_.reserve(expected); }

  // Gives the element that tells of the array. `value(i, k)` is component k of row i.
  template <class Value, class ValueAt>
  std::string add(std::string_view name, std::size_t rows, std::size_t width, ValueAt value) {
    std::string element = fmt::format(
        R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
        vtk_type<Value>(), name, width, bytes_.size());
    put(std::uint64_t{rows * width * sizeof(Value)});
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < width; ++k) put<Value>(value(i, k));
    }
    return element + "\n";
  }

  template <class Values>
  std::string add_column(std::string_view name, const Values& values) {
    using Value = typename Values::value_type;
    const auto parts = components_of(values);
    return add<Value>(name, values.size(), parts.size(),
                      [&](std::size_t i, std::size_t k) { return parts[k][i]; });
  }

  const Bytes& bytes() const { return bytes_; }

 private:
  template <class Value>
  void put(Value value) {
    std::byte raw[sizeof(Value)];
    std::memcpy(raw, &value, sizeof(Value));
    bytes_.insert(bytes_.end(), raw, raw + sizeof(Value));
  }

  Bytes bytes_;
};

std::string field(std::string_view name, double value) {
  return fmt::format(
      "<DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{:.17g}</DataArray>\n",
      name, value);
}

// What is the same for all bodies; ParaView takes the time from TimeValue.
std::string fields(const Snapshot& snapshot) {
  const Units& units = snapshot.units;
  return field("TimeValue", snapshot.time) + field("length_in_cm", units.length_in_cm) +
         field("mass_in_g", units.mass_in_g) +
         field("velocity_in_cm_per_s", units.velocity_in_cm_per_s) +
         field("force_constant", snapshot.law.constant) +
         field("softening", snapshot.law.softening);
}

std::string point_data(const Snapshot& snapshot, Appended& data) {
  std::string arrays;
  for_each_column(snapshot.bodies, [&](const auto& column, const auto& values) {
    if (column.name == "position" || (column.optional && values.empty())) return;
    arrays += data.add_column(column.name, values);
  });
  if (!snapshot.potential.empty()) arrays += data.add_column("potential", snapshot.potential);
  if (!snapshot.accelerations.empty()) {
    arrays += data.add_column("acceleration", snapshot.accelerations);
  }
  return "<PointData Scalars=\"mass\" Vectors=\"velocity\">\n" + arrays + "</PointData>\n";
}

// A cell for each body, so that filters that go by cells (Threshold) take bodies one by one.
std::string vertices(std::size_t n, Appended& data) {
  const auto number = [](std::size_t i, std::size_t) { return static_cast<std::int64_t>(i); };
  const auto end = [](std::size_t i, std::size_t) { return static_cast<std::int64_t>(i + 1); };
  return "<Verts>\n" + data.add<std::int64_t>("connectivity", n, 1, number) +
         data.add<std::int64_t>("offsets", n, 1, end) + "</Verts>\n";
}

std::vector<std::string> vtk_losses(const Snapshot& snapshot) {
  std::vector<std::string> lost{
      "VTK files are for ParaView and its like: apsis does not read them"};
  if (snapshot.law.law != Law::gravity || snapshot.law.radial.radial != newton) {
    lost.emplace_back("VTK files have no force law");
  }
  if (!snapshot.provenance.empty()) lost.emplace_back("VTK files have no provenance");
  return lost;
}

}  // namespace

Bytes format_vtk(const Snapshot& snapshot) {
  const std::size_t n = snapshot.bodies.size();
  Appended data(n * 160);
  const std::string points = data.add_column("Points", snapshot.bodies.positions);
  const std::string of_points = point_data(snapshot, data);
  const std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "<PolyData>\n<FieldData>\n{}</FieldData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n{}<Points>\n{}</Points>\n{}</Piece>\n</PolyData>\n"
      "<AppendedData encoding=\"raw\">\n_",
      std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian", fields(snapshot), n,
      n, of_points, points, vertices(n, data));
  constexpr std::string_view tail = "\n</AppendedData>\n</VTKFile>\n";
  Bytes file;
  file.reserve(head.size() + data.bytes().size() + tail.size());
  for (const std::span<const std::byte> part :
       {bytes_of(head), std::span<const std::byte>(data.bytes()), bytes_of(tail)}) {
    file.insert(file.end(), part.begin(), part.end());
  }
  return file;
}

SnapshotFormat vtk_format() {
  return {.name = "VTK",
          .endings = {".vtp"},
          .summary = "PolyData for ParaView and VisIt",
          .write =
              [](const std::filesystem::path& path, const Snapshot& snapshot,
                 const SnapshotWriteOptions& /*options*/) {
                write_atomically(path, format_vtk(snapshot));
              },
          .losses = vtk_losses};
}

}  // namespace apsis
