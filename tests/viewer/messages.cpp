// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/messages.hpp>

#include <gtest/gtest.h>

#include <string>

namespace apsis::viewer {
namespace {

TEST(Messages, say_what_a_page_may_want) {
  EXPECT_EQ(std::get<Command>(parse_message(R"({"do":"pause"})")).kind, Command::Kind::pause);
  EXPECT_EQ(std::get<Command>(parse_message(R"({"do":"speed","factor":2.5})")).number, 2.5);
  EXPECT_EQ(std::get<Command>(parse_message(R"({"do":"example","name":"king"})")).name, "king");
  EXPECT_EQ(std::get<Wish>(parse_message(R"({"by":"mass","do":"colour"})")).colour_by,
            ColourBy::mass);
  EXPECT_EQ(
      std::get<Closer>(parse_message(R"({"do":"region","x":1,"y":-2,"z":0.5,"radius":3})")).region,
      (Region{{1, -2, 0.5}, 3}));
  EXPECT_EQ(std::get<Shown>(parse_message(R"({"do":"shown","frame":7})")).frame, 7U);
  EXPECT_EQ(std::get<Capacity>(parse_message(R"({"do":"capacity","points":5000})")).points, 5000U);
  EXPECT_TRUE(std::get<Charting>(parse_message(R"({"do":"shape","on":1})")).shape);
  EXPECT_FALSE(std::get<Charting>(parse_message(R"({"on":0,"do":"shape"})")).shape);
  EXPECT_EQ(std::get<Question>(parse_message(R"({"do":"body","index":3})")).index, 3U);
}

TEST(Messages, anything_else_is_refused) {
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  for (const std::string& text :
       {std::string(),
        std::string("{"),
        std::string("[]"),
        std::string("null"),
        std::string("\"pause\""),
        std::string(R"({"do":1})"),
        std::string(R"({"do":"Pause"})"),
        std::string(R"({"do":"unknown"})"),
        std::string(R"({"pause":true})"),
        std::string(R"({"do":"pause","more":1})"),
        std::string(R"({"do":"speed"})"),
        std::string(R"({"do":"speed","factor":"2"})"),
        std::string(R"({"do":"speed","factor":-1})"),
        std::string(R"({"do":"speed","factor":1e400})"),
        std::string(R"({"do":"speed","factor":null})"),
        std::string(R"({"do":"example","name":"../../x"})"),
        std::string(R"({"do":"example","name":""})"),
        std::string(R"({"do":"colour","by":"taste"})"),
        std::string(R"({"do":"shown","frame":1.5})"),
        std::string(R"({"do":"shown","frame":4294967296})"),
        std::string(R"({"do":"capacity","points":1})"),
        std::string(R"({"do":"shape"})"),
        std::string(R"({"do":"shape","on":true})"),
        std::string(R"({"do":"shape","on":0.5})"),
        std::string("{\"do\":\"pa\xff\"}"),
        std::string(R"({"do":"pause"} )") + std::string(1, '\0'),
        deep,
        "{\"do\":\"pause\"," + std::string(most_message_bytes, ' ') + "}"}) {
    EXPECT_THROW(parse_message(text), Error) << text.substr(0, 60);
  }
}

}  // namespace
}  // namespace apsis::viewer
