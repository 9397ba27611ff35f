// JSON as it is printed.
#include "files/json_writer.hpp"

#include "support/catch.hpp"

using jute::Json;
using jute::command::one_line;
using jute::command::parsed_json;

TEST_CASE("a value that was spelled elsewhere is checked and put on one line", "[cli][json]") {
  CHECK(one_line(parsed_json("{ \"z\": [1, 2],\n \"a\": null }")) == R"({"z":[1,2],"a":null})");
  CHECK_THROWS(parsed_json("[1,"));
}
