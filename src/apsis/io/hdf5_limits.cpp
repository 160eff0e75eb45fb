// SPDX-License-Identifier: MIT
#include <apsis/files/folders.hpp>
#include <apsis/io/hdf5_limits.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace apsis::hdf5 {
namespace {

// A lattice at rest is packed to a hundredth; below the first number nobody asks how.
constexpr std::uint64_t free_bytes = std::uint64_t{64} << 20, bytes_per_stored_byte = 256;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

// Whether a stream of deflate gives more than `most` bytes. HDF5 goes on with it as long as there
// is memory, and lets nobody put another filter in the place of its own.
bool unpacks_to_more(std::span<const std::byte> stream, std::uint64_t most) {
  z_stream state{};
  if (inflateInit(&state) != Z_OK) return false;
  std::array<Bytef, 65536> scrap{};
  std::uint64_t unpacked = 0;
  int status = Z_OK;
  // zlib counts in 32 bits
  constexpr std::size_t piece = std::size_t{1} << 30;
  while (status == Z_OK && unpacked <= most) {
    if (state.avail_in == 0) {
      const auto next = stream.first(std::min(piece, stream.size()));
      if (next.empty()) break;
      stream = stream.subspan(next.size());
      // zlib does not write to what it reads
      state.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(next.data()));
      state.avail_in = static_cast<uInt>(next.size());
    }
    state.next_out = scrap.data();
    state.avail_out = static_cast<uInt>(scrap.size());
    status = inflate(&state, Z_NO_FLUSH);
    unpacked += scrap.size() - state.avail_out;
  }
  inflateEnd(&state);
  return unpacked > most;
}

// Elements that a filter says it unpacks to, by its third parameter.
void require_elements(const Session& session, const Handle& properties, unsigned filter,
                      const std::string& name, std::uint64_t elements) {
  std::array<unsigned, 3> values{};
  std::size_t count = values.size();
  unsigned flags = 0;
  H5Pget_filter2(properties.id(), filter, &flags, &count, values.data(), 0, nullptr, nullptr);
  if (count >= values.size() && values[2] <= elements) return;
  session.refuse(fmt::format("{} is packed in a way that unpacks to more than it holds", name),
                 "the file is damaged: get it anew");
}

struct Packing {
  std::optional<unsigned> deflate;  // its place in the row of filters
  std::uint64_t behind = 0;         // bytes that filters after it add to a chunk
};

Packing known_packing(const Session& session, const Handle& properties, const std::string& name,
                      std::uint64_t chunk_elements) {
  constexpr const char* repack =
      "repack it, for example with 'h5repack -f GZIP=4 old.hdf5 new.hdf5'";
  Packing packing;
  for (int f = 0; f < H5Pget_nfilters(properties.id()); ++f) {
    unsigned flags = 0;
    std::size_t count = 0;
    const auto number = static_cast<unsigned>(f);
    const H5Z_filter_t filter =
        H5Pget_filter2(properties.id(), number, &flags, &count, nullptr, 0, nullptr, nullptr);
    const bool after_deflate = packing.deflate.has_value();
    if (filter == H5Z_FILTER_DEFLATE && !after_deflate) {
      packing.deflate = number;
    } else if (filter == H5Z_FILTER_FLETCHER32) {
      if (after_deflate) packing.behind += 4;
    } else if (filter == H5Z_FILTER_SHUFFLE && !after_deflate) {
      continue;
    } else if ((filter == H5Z_FILTER_NBIT || filter == H5Z_FILTER_SCALEOFFSET) && !after_deflate) {
      require_elements(session, properties, number, name, chunk_elements);
    } else if (filter == H5Z_FILTER_DEFLATE) {
      session.refuse(fmt::format("{} is packed twice over", name), repack);
    } else {
      session.refuse(fmt::format("{} is packed with filter {}, which is not read", name, filter),
                     repack);
    }
  }
  return packing;
}

struct Chunks {
  int rank = 0;
  std::array<hsize_t, H5S_MAX_RANK> size{}, extent{};
  std::uint64_t elements = 1, bytes = 0;
};

Chunks chunks_of(const Session& session, const Handle& dataset, const Handle& properties,
                 const std::string& name) {
  Chunks chunks;
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  chunks.rank =
      H5Pget_chunk(properties.id(), static_cast<int>(chunks.size.size()), chunks.size.data());
  if (chunks.rank < 1 || !type.valid() ||
      H5Sget_simple_extent_dims(space.id(), chunks.extent.data(), nullptr) != chunks.rank) {
    session.fail("read " + name);
  }
  for (std::size_t d = 0; d < static_cast<std::size_t>(chunks.rank); ++d) {
    chunks.elements = product(chunks.elements, chunks.size[d]);
  }
  chunks.bytes = product(chunks.elements, H5Tget_size(type.id()));
  return chunks;
}

// Whether addresses in the file count from its first byte.
bool begins_at_once(const Handle& dataset) {
  const Handle file(H5Iget_file_id(dataset.id()), H5Fclose);
  const Handle creation(H5Fget_create_plist(file.id()), H5Pclose);
  hsize_t user_block = 0;
  return H5Pget_userblock(creation.id(), &user_block) >= 0 && user_block == 0;
}

// Every chunk that is packed so well that it could be a bomb.
void require_chunks_fit(const Session& session, const Handle& dataset, const std::string& name,
                        const Chunks& chunks, const Packing& packing,
                        std::span<const std::byte> file) {
  constexpr std::uint64_t best_deflate = 1032, harmless = std::uint64_t{128} << 20;
  const auto rank = static_cast<std::size_t>(chunks.rank);
  if (!begins_at_once(dataset)) {
    session.refuse("has a block of its user's before its first byte, and packed arrays",
                   "copy it with 'h5repack old.hdf5 new.hdf5'");
  }
  std::array<hsize_t, H5S_MAX_RANK> at{};
  for (std::size_t d = 0; d < rank; ++d) {
    if (chunks.extent[d] == 0) return;
  }
  for (;;) {
    unsigned left_out = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t stored = 0;
    if (H5Dget_chunk_info_by_coord(dataset.id(), at.data(), &left_out, &address, &stored) < 0) {
      session.fail("read " + name);
    }
    const bool packed = (left_out >> *packing.deflate & 1U) == 0 && stored > packing.behind;
    if (address != HADDR_UNDEF && packed && product(stored, best_deflate) > harmless) {
      if (address > file.size() || stored > file.size() - address) session.fail("read " + name);
      const auto stream = file.subspan(address, stored - packing.behind);
      // checksums of a chunk come on top of it
      if (unpacks_to_more(stream, chunks.bytes + 64)) {
        session.refuse(fmt::format("a chunk of {} unpacks to more than the {} it has room for",
                                   name, readable_size(chunks.bytes)),
                       "the file is damaged: get it anew");
      }
    }
    std::size_t d = 0;
    while (d < rank && (at[d] += chunks.size[d]) >= chunks.extent[d]) at[d++] = 0;
    if (d == rank) return;
  }
}

std::uint64_t little_endian(std::span<const std::byte> bytes, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t k = width; k-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[k]);
  return value;
}

// From its head on: objects, each with a head of its own, up to the free space, which has number 0.
bool heap_is_sound(std::span<const std::byte> from, std::uint64_t& steps) {
  constexpr std::size_t head = 16;
  if (from.size() < head) return false;
  const std::uint64_t size = little_endian(from.subspan(8), 8);
  if (size < head || size > from.size()) return false;
  auto left = from.subspan(head, size - head);
  for (; left.size() >= head; --steps) {
    if (steps == 0) return false;
    const bool free_space = little_endian(left, 2) == 0;
    const std::uint64_t length = little_endian(left.subspan(8), 8);
    if (length > left.size()) return false;
    const std::uint64_t taken = free_space ? length : head + (length + 7) / 8 * 8;
    if (taken < head || taken > left.size()) return false;
    left = left.subspan(taken);
  }
  return true;
}

}  // namespace

bool heaps_are_sound(std::span<const std::byte> file) {
  constexpr std::array sign{std::byte{'G'}, std::byte{'C'}, std::byte{'O'}, std::byte{'L'},
                            std::byte{1},   std::byte{0},   std::byte{0},   std::byte{0}};
  // stores that lie within each other would be walked again and again: nobody writes such
  std::uint64_t steps = file.size() / 8;
  for (auto at = file.begin();; ++at) {
    at = std::search(at, file.end(), sign.begin(), sign.end());
    if (at == file.end()) return true;
    if (!heap_is_sound(file.subspan(static_cast<std::size_t>(at - file.begin())), steps)) {
      return false;
    }
  }
}

Budget::Budget(std::span<const std::byte> file)
    : file_(file),
      limit_(free_bytes + product(bytes_per_stored_byte, file.size())),
      left_(limit_) {}

void Budget::take(const Session& session, const Handle& dataset, const std::string& name,
                  std::uint64_t numbers) {
  const std::uint64_t bytes = product(numbers, sizeof(double));
  const auto require = [&](std::uint64_t needed, std::uint64_t there) {
    if (needed <= there) return;
    session.refuse(
        fmt::format("{} would take {}, more than a file of this length may unpack to ({})", name,
                    readable_size(needed), readable_size(limit_)),
        "if it is a snapshot that you trust, repack it, for example with 'h5repack -f NONE'");
  };
  require(bytes, left_);
  left_ -= bytes;
  const Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (!properties.valid()) session.fail("read " + name);
  if (H5Pget_layout(properties.id()) != H5D_CHUNKED) return;
  const Chunks chunks = chunks_of(session, dataset, properties, name);
  require(chunks.bytes, limit_);
  const Packing packing = known_packing(session, properties, name, chunks.elements);
  if (packing.deflate) require_chunks_fit(session, dataset, name, chunks, packing, file_);
}

}  // namespace apsis::hdf5
