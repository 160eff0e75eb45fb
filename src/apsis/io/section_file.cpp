// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/io/byte_stream.hpp>
#include <apsis/io/section_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <set>

namespace apsis {
namespace {

constexpr std::string_view magic = "APSISCKP";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t order_mark = 0x01020304;
constexpr std::uint32_t swapped_mark = 0x04030201;
constexpr std::size_t hash_offset = 8 + 4 + 4 + 8 + 8;
constexpr std::size_t header_size = hash_offset + sizeof(Hash128);
constexpr std::size_t entry_size = section_name_length + 8 + 8 + sizeof(Hash128);

// Over header and table, the place of the hash itself left out.
Hash128 table_hash(std::span<const std::byte> header_and_table) {
  Hasher hasher;
  hasher.add(header_and_table.first(hash_offset));
  hasher.add(header_and_table.subspan(header_size));
  return hasher.hash();
}

Hash128 take_hash(ByteReader& reader) {
  Hash128 hash;
  const auto bytes = reader.take_bytes(sizeof hash.bytes);
  std::copy(bytes.begin(), bytes.end(), hash.bytes.begin());
  return hash;
}

struct Header {
  std::uint64_t length = 0, sections = 0;
  Hash128 hash;
};

Header read_header(std::span<const std::byte> file) {
  ByteReader reader(file, "the header");
  const auto start = reader.take_bytes(magic.size());
  if (!std::ranges::equal(start, bytes_of(magic))) throw bad_data("not an Apsis checkpoint");
  const auto file_version = reader.take<std::uint32_t>();
  const auto mark = reader.take<std::uint32_t>();
  if (mark == swapped_mark) {
    throw bad_data("written on a machine of the other byte order",
                   "resume on a machine like the one that wrote it");
  }
  if (mark != order_mark) throw bad_data("its byte order mark is damaged");
  if (file_version != version) {
    throw bad_data(
        fmt::format("checkpoint format {}, and this Apsis reads {}", file_version, version),
        "resume with the version of Apsis that wrote it");
  }
  Header header;
  header.length = reader.take<std::uint64_t>();
  header.sections = reader.take<std::uint64_t>();
  header.hash = take_hash(reader);
  return header;
}

SectionEntry take_entry(ByteReader& reader) {
  const auto name = reader.take_bytes(section_name_length);
  SectionEntry entry;
  entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  entry.name.resize(std::min(entry.name.size(), entry.name.find('\0')));
  entry.offset = reader.take<std::uint64_t>();
  entry.length = reader.take<std::uint64_t>();
  entry.hash = take_hash(reader);
  return entry;
}

}  // namespace

Bytes section_table(std::span<const Section> sections) {
  const std::size_t table_end = header_size + sections.size() * entry_size;
  std::uint64_t end = table_end;
  for (const auto& section : sections) end += section.bytes.size();
  ByteWriter writer;
  writer.put_bytes(bytes_of(magic));
  writer.put(version);
  writer.put(order_mark);
  writer.put(end);
  writer.put(std::uint64_t{sections.size()});
  writer.put_bytes(Hash128{}.bytes);
  std::uint64_t offset = table_end;
  for (const auto& section : sections) {
    assert(section.name.size() <= section_name_length);
    std::string name = section.name;
    name.resize(section_name_length, '\0');
    writer.put_bytes(bytes_of(name));
    writer.put(offset);
    writer.put(std::uint64_t{section.bytes.size()});
    writer.put_bytes(hash_of(section.bytes).bytes);
    offset += section.bytes.size();
  }
  Bytes bytes = writer.take();
  const Hash128 hash = table_hash(bytes);
  std::copy(hash.bytes.begin(), hash.bytes.end(), bytes.begin() + hash_offset);
  return bytes;
}

bool has_section_magic(std::span<const std::byte> file) {
  return file.size() >= magic.size() &&
         std::ranges::equal(file.first(magic.size()), bytes_of(magic));
}

std::vector<SectionEntry> read_section_table(std::span<const std::byte> file) {
  const Header header = read_header(file);
  if (header.length != file.size()) {
    throw bad_data(
        fmt::format("{} bytes long where its header says {}", file.size(), header.length));
  }
  if (header.sections > section_count_limit ||
      header.sections * entry_size > file.size() - header_size) {
    throw bad_data(fmt::format("claims {} sections, more than it can hold", header.sections));
  }
  std::uint64_t end = header_size + header.sections * entry_size;
  if (table_hash(file.first(end)) != header.hash) throw bad_data("its section table is damaged");
  ByteReader reader(file.subspan(header_size), "the section table");
  std::vector<SectionEntry> entries;
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < header.sections; ++i) {
    entries.push_back(take_entry(reader));
    const auto& entry = entries.back();
    if (entry.offset != end || entry.length > file.size() - end ||
        !names.insert(entry.name).second) {
      throw bad_data(fmt::format("section '{}' is not where it belongs", entry.name));
    }
    end += entry.length;
  }
  if (end != file.size())
    throw bad_data(fmt::format("{} bytes belong to no section", file.size() - end));
  return entries;
}

std::vector<Section> read_sections(std::span<const std::byte> file) {
  std::vector<Section> sections;
  for (auto& entry : read_section_table(file)) {
    const auto bytes = file.subspan(entry.offset, entry.length);
    if (hash_of(bytes) != entry.hash) {
      throw bad_data(fmt::format("section '{}' is damaged", entry.name));
    }
    sections.push_back({std::move(entry.name), bytes});
  }
  return sections;
}

}  // namespace apsis
