// JSON as it is written.
#include <jute/base/json.hpp>

#include <limits>

#include "support/catch.hpp"

using jute::Json;

TEST_CASE("members keep their order, and containers may be empty or nested", "[base][json]") {
  Json json{{"b", 1}, {"a", Json::array({1, 2, 3})}, {"none", Json::array()}};
  json.add("o", Json::object());
  json.add("inner", {{"x", true}, {"y", nullptr}});
  CHECK(json.text() == R"({"b":1,"a":[1,2,3],"none":[],"o":{},"inner":{"x":true,"y":null}})");
}

TEST_CASE("text is escaped, and bytes that are no UTF-8 are replaced", "[base][json]") {
  CHECK(Json("a\"b\\\n\x01").text() == R"("a\"b\\\n\u0001")");
  CHECK(Json("\xff").text() == "\"\xef\xbf\xbd\"");
  CHECK(Json{{"k\"", "v"}}.text() == R"({"k\"":"v"})");
}

TEST_CASE("numbers read back as they were", "[base][json]") {
  CHECK(Json(std::numeric_limits<std::int64_t>::min()).text() == "-9223372036854775808");
  CHECK(Json(std::numeric_limits<std::uint64_t>::max()).text() == "18446744073709551615");
  CHECK(Json(0.1).text() == "0.1");
  CHECK(Json(2.0).text() == "2.0");
  CHECK(Json(std::numeric_limits<double>::infinity()).text() == "null");
}

TEST_CASE("what may be absent is null when it is", "[base][json]") {
  CHECK(Json(std::optional<std::string>()).text() == "null");
  CHECK(Json(std::optional<int>(7)).text() == "7");
}
