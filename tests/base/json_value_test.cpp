// JSON as it is read, and set on lines.
#include <jute/base/json_object.hpp>
#include <jute/base/json_value.hpp>

#include <limits>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string again(std::string_view text) { return to_json(parse_json(text, "x.json")).text(); }

std::string rule_of(std::string_view text) {
  return refusal_of([&] { (void)parse_json(text, "x.json"); }).violated_rules.front();
}

JsonNumber number_in(std::string_view text) {
  const JsonValue json = parse_json(text, "");
  REQUIRE(json.as<JsonNumber>() != nullptr);
  return *json.as<JsonNumber>();
}

}  // namespace

TEST_CASE("what is read is written on one line, its members in their order", "[base][json]") {
  CHECK(again("{ \"z\": [1, 2],\n \"a\": null }") == R"({"z":[1,2],"a":null})");
  CHECK(again("\xEF\xBB\xBF\t[true,false,\r\n[],{} ] ") == "[true,false,[],{}]");
  CHECK(again(R"("a\"\\\/\b\f\n\r\té\u00e9\u20AC\ud83d\ude00")") ==
        "\"a\\\"\\\\/\\b\\f\\n\\r\\téé€😀\"");
}

TEST_CASE("numbers are whole where they are written so and fit", "[base][json]") {
  CHECK(number_in("-0") == JsonNumber(std::int64_t{0}));
  CHECK(number_in("-9223372036854775808") == JsonNumber(std::numeric_limits<std::int64_t>::min()));
  CHECK(number_in("18446744073709551615") == JsonNumber(std::numeric_limits<std::uint64_t>::max()));
  CHECK(number_in("18446744073709551616") == JsonNumber(0x1p64));
  CHECK(number_in("1.0") == JsonNumber(1.0));
  CHECK(number_in("-2.5e+3") == JsonNumber(-2500.0));
  CHECK(number_in("1E-400") == JsonNumber(0.0));
  CHECK(rule_of("1e400") == "its numbers must fit 64 bits");
}

TEST_CASE("the first mistake is told with its line and column", "[base][json][refusal]") {
  for (const auto& [text, place] :
       {std::pair("", "line 1, column 1"), std::pair("[1,", "line 1, column 4"),
        std::pair("{\"a\": tru}", "line 1, column 7"), std::pair("[1]\n [", "line 2, column 2"),
        std::pair("{\n\"a\" 1}", "line 2, column 5"), std::pair("[01]", "line 1, column 3"),
        std::pair("[1.]", "line 1, column 4"), std::pair("[+1]", "line 1, column 2"),
        std::pair("[-]", "line 1, column 3"), std::pair("[1,]", "line 1, column 4"),
        std::pair("\"\\x\"", "line 1, column 3"), std::pair("\"\n\"", "line 1, column 2"),
        std::pair("\"\\u12g4\"", "line 1, column 4"), std::pair("\"\\udc00\"", "line 1, column 8"),
        std::pair("\"\\ud800x\"", "line 1, column 8"), std::pair("\"\xff\"", "line 1, column 2"),
        std::pair("\"", "line 1, column 2")}) {
    INFO(text);
    CHECK(rule_of(text) == std::string("it must be valid JSON, and is not at ") + place);
  }
}

TEST_CASE("a key twice and nesting without end are refused", "[base][json][refusal]") {
  const Error twice = refusal_of([] { (void)parse_json(R"({"a":{"b":1,"b":2}})", "x.json"); });
  CHECK(twice.operand == "x.json");
  CHECK(twice.value == "b");
  CHECK(rule_of(std::string(100000, '[')) == "it must nest at most 512 deep");
}

TEST_CASE("a value is set on lines, two blanks a level", "[base][json]") {
  CHECK(indented({{"a", Json::array({1, 2})}, {"b", Json::object()}, {"c", "{\"[,"}}) ==
        "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": \"{\\\"[,\"\n}\n");
  CHECK(indented(Json::array()) == "[]\n");
}

TEST_CASE("keys of an object are known, and of the type that is asked for",
          "[base][json][refusal]") {
  const JsonValue json = parse_json(R"({"n":1.5,"list":[{"x":"y"},{"z":[1,"2"]}]})", "x.json");
  JsonObject object(json, "x.json", "");
  CHECK(object.objects("list").front().text("x") == "y");
  const auto value_of = [&](auto ask) { return refusal_of(ask).value; };
  CHECK(value_of([&] { (void)object.integer("n"); }) == "n");
  CHECK(value_of([&] { (void)object.objects("list")[1].integers("z"); }) == "list[1].z");
  CHECK(value_of([&] { (void)object.objects("list")[1].texts("z"); }) == "list[1].z");
  const Error missing = refusal_of([&] { (void)JsonObject(json, "x.json", "").text("lisst"); });
  CHECK(missing.value == "list");
  CHECK(missing.nearest_legal == "lisst");
  CHECK(value_of([&] { JsonObject(json, "x.json", "").refuse_unknown_keys(); }) == "n");
}
