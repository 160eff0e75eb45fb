// SPDX-License-Identifier: MIT
// Inside io/: the second line of a frame of XYZ: free text, or key=value pairs of extended XYZ.
#pragma once

#include <apsis/io/snapshot.hpp>
#include <apsis/io/text_table.hpp>
#include <apsis/io/xyz_columns.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

struct XyzPair {
  std::string_view key;
  TextField value;  // without quotes, as it stands there: with a backslash before odd letters
};

class XyzComment {
 public:
  // `place` of its line.
  XyzComment(std::string_view line, const TextPlace& place);

  // Nothing in plain XYZ, which does not say what its columns are.
  std::optional<XyzProperties> properties() const;
  // Time, units and law. Of free text only a time that reads Time=1.5.
  void apply(Snapshot& snapshot) const;

 private:
  const XyzPair* find(std::string_view key) const;
  TextPlace place_of(const XyzPair& pair) const;

  TextPlace place_;
  std::vector<XyzPair> pairs_;
};

std::string xyz_comment(const Snapshot& snapshot, const XyzProperties& properties);

}  // namespace apsis
