#include "support/catch.hpp"

#include <jute/base/error.hpp>

#include <set>

using namespace jute;

TEST_CASE("an error prints as one line with every rule and the nearest legal value",
          "[base][error]") {
  const Error error{.code = ErrorCode::illegal_config,
                    .operand = "tile.k",
                    .value = "20",
                    .violated_rules = {"a multiple of 16", "at most 16"},
                    .nearest_legal = "16",
                    .detail = "long log"};
  CHECK(to_string(error) == "tile.k = 20: a multiple of 16; at most 16 (nearest legal: 16)");
  CHECK(std::string(Exception(error).what()) == "illegal_config: " + to_string(error));
}

TEST_CASE("a position in a text comes first, the line only where there are several",
          "[base][error]") {
  Error error{.code = ErrorCode::syntax, .violated_rules = {"expected ')'"}};
  error.position = SourcePosition{1, 5};
  CHECK(to_string(error) == "column 5: expected ')'");
  error.position = SourcePosition{3, 5};
  CHECK(to_string(error) == "line 3, column 5: expected ')'");
}

TEST_CASE("each error code has its own spelling", "[base][error]") {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
    names.insert(code_name(static_cast<ErrorCode>(code)));
  CHECK(names.size() == static_cast<size_t>(ErrorCode::internal) + 1);
  CHECK(code_name(ErrorCode::no_gpu) == "no_gpu");
}
