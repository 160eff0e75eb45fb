// SPDX-License-Identifier: MIT
#include <apsis/engines/engine.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

constexpr std::string_view separator = " + ";

}  // namespace

std::string listed(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, separator));
}

std::vector<std::string> texts_in(const std::string& list) {
  std::vector<std::string> texts;
  std::size_t begin = 0;
  for (std::size_t end = list.find(separator); end != std::string::npos;
       end = list.find(separator, begin)) {
    texts.push_back(list.substr(begin, end - begin));
    begin = end + separator.size();
  }
  texts.push_back(list.substr(begin));
  return texts;
}

}  // namespace apsis
