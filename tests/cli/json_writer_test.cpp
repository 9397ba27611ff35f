// JSON as it is printed.
#include "json_writer.hpp"

#include <limits>

#include "support/catch.hpp"

using jute::command::Json;
using jute::command::one_line;

TEST_CASE("members keep their order, and containers may be empty or nested", "[cli][json]") {
  Json json{{"b", 1}, {"a", Json::array({1, 2, 3})}, {"none", Json::array()}};
  json.add("o", Json::object());
  json.add("inner", {{"x", true}, {"y", nullptr}});
  CHECK(one_line(json) == R"({"b":1,"a":[1,2,3],"none":[],"o":{},"inner":{"x":true,"y":null}})");
}

TEST_CASE("text is escaped, and bytes that are no UTF-8 are replaced", "[cli][json]") {
  CHECK(one_line(Json("a\"b\\\n\x01")) == R"("a\"b\\\n\u0001")");
  CHECK(one_line(Json("\xff")) == "\"\xef\xbf\xbd\"");
  CHECK(one_line({{"k\"", "v"}}) == R"({"k\"":"v"})");
}

TEST_CASE("numbers read back as they were", "[cli][json]") {
  CHECK(one_line(Json(std::numeric_limits<std::int64_t>::min())) == "-9223372036854775808");
  CHECK(one_line(Json(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
  CHECK(one_line(Json(0.1)) == "0.1");
  CHECK(one_line(Json(2.0)) == "2.0");
  CHECK(one_line(Json(std::numeric_limits<double>::infinity())) == "null");
}

TEST_CASE("what may be absent is null when it is", "[cli][json]") {
  CHECK(one_line(Json(std::optional<std::string>())) == "null");
  CHECK(one_line(Json(std::optional<int>(7))) == "7");
}

TEST_CASE("a value that was spelled elsewhere is checked and put on one line", "[cli][json]") {
  CHECK(one_line(Json::parse("{ \"z\": [1, 2],\n \"a\": null }")) == R"({"z":[1,2],"a":null})");
  CHECK_THROWS(Json::parse("[1,"));
}
