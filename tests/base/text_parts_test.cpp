// Numbers that texts spell, and texts between marks.
#include <jute/base/parsed_number.hpp>
#include <jute/base/split_at.hpp>

#include <string>

#include "support/catch.hpp"

using jute::parsed_number;
using jute::split_at;

TEST_CASE("a number is all of its text", "[base][text]") {
  CHECK(parsed_number<int>("-12") == -12);
  CHECK(parsed_number<double>("1e3") == 1000.0);
  CHECK(parsed_number<unsigned>("ff", 16) == 255U);
  for (const char* none : {"", " 12", "12 ", "+12", "12a", "0x10", "2147483648"})
    CHECK(parsed_number<int>(none) == std::nullopt);
}

TEST_CASE("a text has one part more than it has marks", "[base][text]") {
  using Parts = std::vector<std::string>;
  CHECK(split_at<std::string>(',', "a,,b,") == Parts{"a", "", "b", ""});
  CHECK(split_at<std::string>(',', "") == Parts{""});
  CHECK(split_at('\n', "one") == std::vector<std::string_view>{"one"});
}
