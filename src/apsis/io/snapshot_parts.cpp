// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/snapshot_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace apsis {
namespace {

constexpr const char* one_snapshot = "put the files of one snapshot into a folder of their own";

bool is_number(std::string_view text) {
  constexpr std::size_t longest = 9;
  return !text.empty() && text.size() <= longest &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum = count > most - sum ? most : sum + count;
  return sum;
}

// All of them, before any is read: what is missing is found in a moment.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path,
                                            std::uint64_t files) {
  const auto name = part_name(path);
  if (!name) {
    throw bad_data(fmt::format("{} is one of {} files of a snapshot, and its name has no number to "
                               "find the others by",
                               path.string(), files),
                   "give the files back the names they were written with, such as snap_000.0.hdf5");
  }
  if (name->number >= files) {
    throw bad_data(fmt::format("{} has number {}, and says that it is one of {} files, from 0 on",
                               path.string(), name->number, files),
                   "give the files back the names they were written with");
  }
  std::vector<std::filesystem::path> found;
  for (std::uint64_t k = 0; k < files; ++k) {
    const auto file = name->file(k);
    if (!file_exists(file)) {
      throw bad_data(fmt::format("{} is missing: {} is one of {} files of a snapshot",
                                 file.string(), path.string(), files),
                     "get all of them, into one folder");
    }
    found.push_back(file);
  }
  return found;
}

// Takes the bodies of one file after the other.
class Joined {
 public:
  Joined(std::string first, Snapshot&& snapshot, ReadLimits limits)
      : first_(std::move(first)), limits_(limits), whole_(std::move(snapshot)) {
    require_fits(sum_of(whole_.parts.bodies), first_, limits_);
    take_fields(whole_, 0);
  }

  void add(const std::string& file, Snapshot&& part) {
    require_alike(file, part);
    const std::size_t before = whole_.bodies.size();
    require_fits(before + part.bodies.size(), file, limits_);
    take_fields(part, before);
    whole_.bodies.append(part.bodies);
    for (Warning& warning : part.warnings) {
      const auto same = [&](const Warning& other) { return other.code == warning.code; };
      if (std::ranges::none_of(whole_.warnings, same)) {
        whole_.warnings.push_back(std::move(warning));
      }
    }
  }

  Snapshot finished() {
    require_counts();
    const std::size_t n = whole_.bodies.size();
    if (potential_.size() != n) potential_.clear();
    if (accelerations_.size() != n) accelerations_ = {};
    order_by_type();
    finish_ids();
    whole_.potential = std::move(potential_);
    whole_.accelerations = std::move(accelerations_);
    return std::move(whole_);
  }

 private:
  void require_alike(const std::string& file, const Snapshot& part) const {
    const auto differs = [&](const auto& what, const auto& here, const auto& there) {
      throw bad_data(fmt::format("{} has {} {}, and {} has {}: they are not of one snapshot", file,
                                 what, here, first_, there),
                     one_snapshot);
    };
    const auto& a = whole_.parts;
    const auto& b = part.parts;
    if (b.files != a.files) differs("NumFilesPerSnapshot", b.files, a.files);
    if (b.bodies != a.bodies) {
      differs("in all files together", counted(sum_of(b.bodies), "body"), sum_of(a.bodies));
    }
    if (part.time != whole_.time) differs("time", part.time, whole_.time);
    if (part.units != whole_.units) {
      throw bad_data(fmt::format("{} has other units than {}", file, first_), one_snapshot);
    }
    if (part.law != whole_.law) {
      throw bad_data(fmt::format("{} has another law or softening than {}", file, first_),
                     one_snapshot);
    }
  }

  // Of use only when every body has one; so is an id.
  void take_fields(Snapshot& part, std::size_t before) {
    const std::size_t n = part.bodies.size();
    if (potential_.size() == before && part.potential.size() == n) {
      potential_.insert(potential_.end(), part.potential.begin(), part.potential.end());
    }
    if (accelerations_.size() == before && part.accelerations.size() == n) {
      accelerations_.resize(before + n);
      for (std::size_t i = 0; i < n; ++i) {
        accelerations_.set(before + i, part.accelerations.at(i));
      }
    }
    if (n == 0) return;
    (std::ranges::count(part.not_given, "id") > 0 ? without_ids_ : with_ids_) += n;
  }

  // Over all files: what the headers say that the snapshot has.
  void require_counts() const {
    const auto& wanted = whole_.parts.bodies;
    if (wanted.empty()) return;
    std::array<std::uint64_t, type_count> found{};
    for (std::size_t i = 0; i < whole_.bodies.size(); ++i) ++found[whole_.bodies.type_of(i)];
    for (std::size_t type = 0; type < type_count; ++type) {
      const std::uint64_t claimed = type < wanted.size() ? wanted[type] : 0;
      if (found[type] == claimed) continue;
      throw bad_data(fmt::format("{} and the files that go with it hold {} of type {}, and their "
                                 "headers speak of {}",
                                 first_, counted(found[type], "body"), type, claimed),
                     "get all of them anew");
    }
  }

  void order_by_type() {
    const auto& types = whole_.bodies.type;
    if (std::ranges::is_sorted(types)) return;
    std::vector<std::size_t> order(types.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return types[i]; });
    if (!potential_.empty()) {
      std::vector<double> sorted;
      sorted.reserve(order.size());
      for (const std::size_t i : order) sorted.push_back(potential_[i]);
      potential_ = std::move(sorted);
    }
    if (!accelerations_.empty()) {
      Accelerations sorted(order.size());
      for (std::size_t k = 0; k < order.size(); ++k) sorted.set(k, accelerations_.at(order[k]));
      accelerations_ = std::move(sorted);
    }
    whole_.bodies = picked(whole_.bodies, order);
  }

  void finish_ids() {
    std::erase(whole_.not_given, "id");
    if (without_ids_ == 0) return;
    whole_.bodies.renumber();
    whole_.not_given.emplace_back("id");
    const auto dropped = [](const Warning& w) { return w.code == WarningCode::ids_dropped; };
    if (with_ids_ == 0 || std::ranges::any_of(whole_.warnings, dropped)) return;
    whole_.warnings.push_back(
        {WarningCode::ids_dropped,
         fmt::format("{} is one of several files, of which some have no ids: those of the other {} "
                     "bodies are dropped and all are numbered from 0; add them there",
                     first_, with_ids_)});
  }

  std::string first_;
  ReadLimits limits_;
  Snapshot whole_;
  std::vector<double> potential_;
  Accelerations accelerations_;
  std::uint64_t with_ids_ = 0, without_ids_ = 0;
};

}  // namespace

std::filesystem::path PartName::file(std::uint64_t part) const {
  return folder / fmt::format("{}{:0{}}{}", before, part, digits, after);
}

std::optional<PartName> part_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos || last == 0) return std::nullopt;
  std::size_t end = name.size(), dot = last;
  if (!is_number(std::string_view(name).substr(last + 1))) {
    end = last;
    dot = name.rfind('.', last - 1);
    if (dot == std::string::npos || dot == 0) return std::nullopt;
  }
  const std::string_view digits = std::string_view(name).substr(dot + 1, end - dot - 1);
  if (!is_number(digits)) return std::nullopt;
  PartName found{.folder = path.parent_path(),
                 .before = name.substr(0, dot + 1),
                 .after = name.substr(end),
                 .digits = digits.front() == '0' ? digits.size() : 1};
  std::from_chars(digits.data(), digits.data() + digits.size(), found.number);
  return found;
}

std::filesystem::path first_part_of(const std::filesystem::path& path) {
  if (file_exists(path) || folder_exists(path) || !path.has_filename()) return path;
  const auto with = [](std::filesystem::path base, const std::string& end) {
    return std::filesystem::path(base += end);
  };
  std::vector<std::filesystem::path> possible;
  if (path.has_extension()) {
    auto bare = path;
    bare.replace_extension();
    possible.push_back(with(bare, ".0" + path.extension().string()));
  }
  for (const SnapshotFormat& format : snapshot_formats()) {
    for (const std::string_view ending : format.endings) {
      possible.push_back(with(path, ".0" + std::string(ending)));
    }
  }
  possible.push_back(with(path, ".0"));
  const auto found =
      std::ranges::find_if(possible, [](const auto& file) { return file_exists(file); });
  return found == possible.end() ? path : *found;
}

void refuse_part(const SnapshotParts& parts, const std::string& name, ReadLimits limits) {
  if (parts.files <= 1 || limits.one_part) return;
  throw bad_data(fmt::format("{} is one of {} files of a snapshot", name, parts.files),
                 "give it with the others in one folder");
}

Snapshot read_all_parts(const std::filesystem::path& path, const SnapshotFormat& format,
                        ReadLimits limits, const FileSeen& seen) {
  limits.one_part = true;
  std::uint64_t files = 1;
  {
    const Bytes bytes = read_file(path, memory_limit(limits));
    Snapshot alone = parse_snapshot(bytes, format, path.string(), limits);
    files = alone.parts.files;
    if (files <= 1) {
      if (seen) seen(path, bytes);
      return alone;
    }
  }
  std::optional<Joined> joined;
  for (const auto& file : files_of(path, files)) {
    const Bytes bytes = read_file(file, memory_limit(limits));
    if (seen) seen(file, bytes);
    Snapshot part = parse_snapshot(bytes, format, file.string(), limits);
    if (joined) {
      joined->add(file.string(), std::move(part));
    } else {
      joined.emplace(file.string(), std::move(part), limits);
    }
  }
  return joined->finished();
}

}  // namespace apsis
