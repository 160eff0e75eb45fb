// SPDX-License-Identifier: MIT
#include <apsis/version.hpp>
#include <apsis/viewer/page.hpp>
#include <apsis/viewer/page_text.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace apsis::viewer {
namespace {

using Json = nlohmann::ordered_json;

Json rows_of(const Stage::Chart& chart) {
  Json rows = Json::array();
  for (const ChartPoint& p : chart.points) {
    rows.push_back(
        {p.time, p.energy_error, p.momentum, p.steps_per_second, p.kinetic, p.potential});
  }
  return rows;
}

// titles and messages may come from others' files: bytes that are no UTF-8 are replaced
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string scene_text(const Scene& s, Role role, const Stage::Chart& chart,
                       std::string_view share_link) {
  Json json{{"type", "scene"},
            {"scene", s.number},
            {"version", version},
            {"title", s.title},
            {"kind", s.kind},
            {"bodies", s.bodies},
            {"charged", s.charged},
            {"device", s.device},
            {"solver", s.solver},
            {"integrator", s.integrator},
            {"precision", s.precision},
            {"step", s.step},
            {"first_time", s.first_time},
            {"last_time", s.last_time},
            {"time_unit", s.time_unit},
            {"length_unit", s.length_unit},
            {"mass_unit", s.mass_unit},
            {"can_restart", s.can_restart},
            {"can_choose", s.can_choose},
            {"can_step", s.can_step},
            {"can_seek", s.can_seek},
            {"example", s.example},
            {"names", s.names},
            {"controls", role == Role::controller},
            {"share", share_link},
            {"chart", rows_of(chart)}};
  json["examples"] = Json::array();
  if (s.can_choose) {
    for (const Example& example : examples()) {
      json["examples"].push_back({{"name", example.name}, {"title", example.title}});
    }
  }
  return dumped(json);
}

std::string figures_text(const Figures& f, std::size_t viewers, const Stage::Chart& chart,
                         std::span<const Vec3> flashes, std::span<const std::string_view> colours) {
  Json json{{"type", "figures"},
            {"state", name_of(f.state)},
            {"message", f.message},
            {"step", f.step},
            {"time", f.time},
            {"steps_per_second", f.steps_per_second},
            {"interactions_per_second", f.interactions_per_second},
            {"speed", f.speed},
            {"viewers", viewers},
            {"chart", rows_of(chart)}};
  if (f.events) {
    json["contacts"] = {{"all", f.events->merged + f.events->bounced},
                        {"merged", f.events->merged},
                        {"left", f.events->left},
                        {"wall_hits", f.events->wall_hits}};
  }
  if (!colours.empty()) json["colours"] = colours;
  if (!flashes.empty()) json["flashes"] = Json::array();
  for (const Vec3& place : flashes) json["flashes"].push_back({place.x, place.y, place.z});
  return dumped(json);
}

std::vector<std::string_view> colours_for(const Points& points) {
  // fewer bodies than that share no cell of the grid that densities are counted in
  constexpr std::uint64_t crowd = 100;
  std::vector<std::string_view> colours;
  for (const auto& [kind, name] : Choice<ColourBy>::values) {
    const bool tells = kind == ColourBy::mass      ? !points.one_mass
                       : kind == ColourBy::charge  ? points.charged
                       : kind == ColourBy::density ? points.bodies >= crowd
                                                   : true;
    if (tells) colours.push_back(name);
  }
  return colours;
}

std::string few_text(std::uint32_t frame, const Points& points, const std::vector<Orbit>& orbits) {
  const auto triple = [](Vec3 a) { return Json{a.x, a.y, a.z}; };
  Json json{{"type", "few"},           {"frame", frame},
            {"scene", points.scene},   {"step", points.step},
            {"time", points.time},     {"all", points.few.size() == points.bodies},
            {"bodies", Json::array()}, {"orbits", Json::array()}};
  for (const FewBody& body : points.few) {
    Json row{{"id", body.id}, {"mass", body.mass}, {"speed", body.speed}};
    row["at"] = triple(body.place), row["velocity"] = triple(body.velocity);
    if (points.charged) row["charge"] = body.charge;
    if (body.radius > 0) row["radius"] = body.radius;
    json["bodies"].push_back(std::move(row));
  }
  for (const Orbit& orbit : orbits) {
    json["orbits"].push_back({{"body", orbit.body},
                              {"pair", orbit.pair},
                              {"major", triple(orbit.major)},
                              {"minor", triple(orbit.minor)},
                              {"eccentricity", orbit.eccentricity},
                              {"period", orbit.period}});
  }
  return dumped(json);
}

std::string shape_text(const Shape& shape) {
  Json json{{"type", "shape"},        {"scene", shape.scene},   {"time", shape.time},
            {"bodies", shape.bodies}, {"radii", Json::array()}, {"profile", Json::array()}};
  if (shape.bodies > 0) json["radii"] = shape.radii;
  for (const Shape::At& at : shape.profile) {
    json["profile"].push_back({at.radius, at.density, at.error});
  }
  return dumped(json);
}

std::string body_text(const Points& points, std::size_t index) {
  if (index >= points.size()) return refusal_text("there is no such point");
  if (std::isnan(points.x[index])) return refusal_text("this body is gone");
  return dumped({{"type", "body"},
                 {"index", index},
                 {"id", points.id[index]},
                 {"mass", points.mass[index]},
                 {"speed", points.speed[index]}});
}

std::string refusal_text(std::string_view reason) {
  return dumped({{"type", "refused"}, {"reason", reason}});
}

}  // namespace apsis::viewer
