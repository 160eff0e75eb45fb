// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/step_form.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <string_view>

namespace apsis {
namespace {

using device::KernelParameter;
using Place = KernelParameter::Place;
using Words = std::initializer_list<std::string_view>;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool has_any(const std::string& name, Words parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}
bool is_any(const std::string& name, Words names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool means_velocity(const std::string& name) {
  return name.starts_with('v') || has_any(name, {"vel", "geschw", "speed"});
}
bool means_mass(const std::string& name) { return name == "m" || has_any(name, {"mass"}); }
bool means_new(const std::string& name) {
  return has_any(name, {"new", "out", "next", "dst", "dest", "neu", "after", "write"});
}
bool means_old(const std::string& name) {
  return has_any(name, {"old", "src", "alt", "cur", "prev", "before", "read"}) || name == "in" ||
         name.ends_with("_in") || name.starts_with("in_");
}

// Makes the form of one kernel; throws where something can't be told.
class Reading {
 public:
  explicit Reading(const device::KernelOutline& outline) : outline_(outline) {
    form_.kernel = outline.name;
    form_.fixed_group = outline.fixed_group;
    form_.roles.resize(outline.parameters.size());
    told_.resize(outline.parameters.size());
  }

  StepForm result() {
    for (std::size_t i = 0; i < told_.size(); ++i) read_type(i);
    read_arrays();
    read_numbers();
    require_all();
    form_.words = words();
    return std::move(form_);
  }

 private:
  const KernelParameter& at(std::size_t i) const { return outline_.parameters[i]; }
  std::string name(std::size_t i) const { return lower(at(i).name); }
  std::string element(std::size_t i) const {
    std::string type = at(i).type;
    std::erase(type, '*');
    return type;
  }
  std::string described(std::size_t i) const {
    static constexpr std::array<const char*, 4> places{"", "global ", "constant ", "local "};
    return fmt::format("argument {} of kernel {} ({}{} {})", i + 1, outline_.name,
                       places[static_cast<std::size_t>(at(i).place)], at(i).type, at(i).name);
  }
  Error unclear(const std::string& what) const {
    return bad_data(what, std::string("understood are ") + step_forms);
  }
  void tell(std::size_t i, StepRole role) {
    for (std::size_t other = 0; other < told_.size(); ++other) {
      if (!told_[other] || form_.roles[other] != role || role == StepRole::tile) continue;
      throw unclear(fmt::format("{} seems to be the same as argument {} ({})", described(i),
                                other + 1, at(other).name));
    }
    form_.roles[i] = role;
    told_[i] = true;
  }

  void read_type(std::size_t i) {
    const std::string type = element(i);
    form_.types.push_back(type);
    const bool pointer = at(i).type.find('*') != std::string::npos;
    if (at(i).place == Place::local) return tell(i, StepRole::tile);
    if (at(i).place == Place::value) {
      if (pointer || !is_any(type, {"int", "uint", "unsignedint", "long", "ulong", "unsignedlong",
                                    "float", "double"})) {
        throw unclear(fmt::format("{} is neither a number nor an array", described(i)));
      }
      return;
    }
    if (!is_any(type, {"float", "float3", "float4"})) {
      throw unclear(fmt::format("{} is no array of float or float4", described(i)));
    }
    if (has_any(name(i), {"acc", "force", "kraft"})) {
      throw unclear(
          fmt::format("{} looks like forces: a whole step gives new positions", described(i)));
    }
    arrays_.push_back(i);
  }

  void read_arrays() {
    std::vector<std::size_t> places, velocities, unnamed;
    for (const std::size_t i : arrays_) {
      if (means_mass(name(i))) {
        tell(i, StepRole::masses);
      } else if (means_velocity(name(i))) {
        velocities.push_back(i);
      } else {
        places.push_back(i);
      }
    }
    if (velocities.empty()) separate(places, velocities);
    read_pair(places, StepRole::positions, StepRole::new_positions, "positions");
    read_pair(velocities, StepRole::velocities, StepRole::new_velocities, "velocities");
    if (places.empty() || velocities.empty()) return;
    form_.packed = element(places.front()) == "float";
    for (const std::size_t i : arrays_) {
      const bool masses = form_.roles[i] == StepRole::masses;
      if (masses ? element(i) == "float" : (element(i) == "float") == form_.packed) continue;
      throw unclear(fmt::format("{} does not fit the others", described(i)));
    }
  }

  // Names that say nothing: as the documents have them, positions before velocities.
  void separate(std::vector<std::size_t>& places, std::vector<std::size_t>& velocities) const {
    if (places.size() == 3) {
      velocities = {places[2]};
      places.resize(2);
      return;
    }
    if (places.size() != 4) return;
    const auto read_only = [&](std::size_t k) { return at(places[k]).read_only; };
    if (read_only(0) && read_only(1) && !read_only(2) && !read_only(3)) {
      velocities = {places[1], places[3]};
      places = {places[0], places[2]};
    } else if (read_only(0) && !read_only(1) && read_only(2) && !read_only(3)) {
      velocities = {places[2], places[3]};
      places.resize(2);
    } else {
      throw unclear(fmt::format(
          "kernel {} has four arrays whose names do not say which are velocities", outline_.name));
    }
  }

  void read_pair(std::vector<std::size_t>& arrays, StepRole old_role, StepRole new_role,
                 const char* what) {
    if (arrays.size() > 2) {
      throw unclear(fmt::format("kernel {} has {} arrays of {}: {} is one too many", outline_.name,
                                arrays.size(), what, described(arrays[2])));
    }
    if (arrays.empty()) throw unclear(fmt::format("kernel {} has no {}", outline_.name, what));
    if (arrays.size() == 1) {
      if (old_role == StepRole::positions) {
        throw unclear(
            fmt::format("kernel {} has one array of positions: work-items would read "
                        "what others have written already",
                        outline_.name));
      }
      return tell(arrays[0], old_role);
    }
    const std::size_t a = arrays[0], b = arrays[1];
    bool swapped = means_new(name(a)) || means_old(name(b));
    const bool in_order = means_new(name(b)) || means_old(name(a));
    if (swapped && in_order) {
      throw unclear(
          fmt::format("of {} and {} it can't be told which is new", described(a), at(b).name));
    }
    if (!in_order) swapped = swapped || (at(b).read_only && !at(a).read_only);
    if (swapped) std::swap(arrays[0], arrays[1]);
    tell(arrays[0], old_role);
    tell(arrays[1], new_role);
  }

  void read_numbers() {
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (told_[i] || at(i).place != Place::value) continue;
      if (is_any(element(i), {"float", "double"})) {
        read_real(i);
      } else {
        read_whole(i);
      }
    }
    // what names leave open, in the order of the documents
    for (const StepRole role : {StepRole::step, StepRole::softening}) {
      if (form_.takes(role) || unnamed_.empty()) continue;
      tell(unnamed_.front(), role);
      unnamed_.erase(unnamed_.begin());
    }
    if (unnamed_.empty()) return;
    throw unclear(fmt::format("{} can't be told", described(unnamed_.front())));
  }

  void read_real(std::size_t i) {
    const std::string n = name(i);
    if (has_any(n, {"eps", "soft"}) || is_any(n, {"e2", "damping"})) {
      tell(i, StepRole::softening);
      if (has_any(n, {"2", "sq"})) form_.softening_is_squared = true;
    } else if (is_any(n, {"g", "grav", "gravity", "gamma", "k"}) || n.starts_with("grav")) {
      tell(i, StepRole::constant);
    } else if (means_mass(n)) {
      tell(i, StepRole::mass);
    } else if (n.starts_with("dt") || is_any(n, {"h", "t", "tau"}) ||
               has_any(n, {"delta", "step"})) {
      tell(i, StepRole::step);
    } else {
      unnamed_.push_back(i);
    }
  }

  void read_whole(std::size_t i) {
    const std::string n = name(i);
    if (has_any(n, {"group", "local", "tile", "block", "work"})) return tell(i, StepRole::group);
    if (has_any(n, {"step", "iter"})) {
      throw unclear(fmt::format("{} looks like a number of steps: a whole-step kernel takes one",
                                described(i)));
    }
    tell(i, StepRole::count);
  }

  void require_all() const {
    for (const auto& [role, what] :
         {std::pair(StepRole::positions, "positions"), std::pair(StepRole::step,
                                                                 "length of a step "
                                                                 "(dt)")}) {
      if (!form_.takes(role)) {
        throw unclear(fmt::format("kernel {} has no {}", outline_.name, what));
      }
    }
    const auto out = *form_.place_of(StepRole::new_positions);
    if (at(out).read_only) {
      throw unclear(
          fmt::format("{} would be the new positions, and can't be written", described(out)));
    }
  }

  std::string words() const {
    std::string arrays, numbers;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      std::string& list = at(i).place == Place::value ? numbers : arrays;
      list += (list.empty() ? "" : ", ") + at(i).name;
    }
    return fmt::format("{}: {}; {}", form_.packed ? "packed xyz" : "float4", arrays, numbers);
  }

  const device::KernelOutline& outline_;
  StepForm form_;
  std::vector<bool> told_;
  std::vector<std::size_t> arrays_, unnamed_;
};

}  // namespace

const char* const step_forms =
    "kernels that take old positions, new positions and velocities (in place, or old and new) as "
    "global float4* with the mass in w, or as global float* with x, y, z one after the other and a "
    "float* of masses where they differ; dt, and where they are needed n, eps, G, a mass, and "
    "local "
    "memory";

std::optional<std::size_t> StepForm::place_of(StepRole role) const {
  const auto found = std::ranges::find(roles, role);
  if (found == roles.end()) return std::nullopt;
  return static_cast<std::size_t>(found - roles.begin());
}

StepForm step_form(const device::KernelOutline& outline) { return Reading(outline).result(); }

std::vector<StepForm> step_forms_in(const std::vector<device::KernelOutline>& kernels,
                                    const std::string& file, std::vector<std::string>& left_out) {
  if (kernels.empty()) {
    throw bad_data(fmt::format("{} has no kernel", file),
                   std::string("understood are ") + step_forms);
  }
  std::vector<StepForm> forms;
  std::optional<Error> first;
  for (const device::KernelOutline& outline : kernels) {
    try {
      forms.push_back(step_form(outline));
    } catch (const Error& error) {
      left_out.emplace_back(error.what());
      if (!first) first = bad_data(fmt::format("{}: {}", file, error.what()), error.remedy());
    }
  }
  if (forms.empty()) throw Error(*first);
  return forms;
}

}  // namespace apsis
