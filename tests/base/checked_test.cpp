#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/nearest_name.hpp>

#include <limits>

using namespace jute;

TEST_CASE("checked arithmetic refuses to wrap and names what overflowed", "[base][checked]") {
  constexpr Index kMax = std::numeric_limits<Index>::max();
  CHECK(checked_mul(3, -4) == -12);
  CHECK(checked_add(kMax - 1, 1) == kMax);
  const Error error = test::refusal_of([] { return checked_mul(kMax, 2, "bytes of A"); });
  CHECK(error.code == ErrorCode::overflow);
  CHECK(error.operand == "bytes of A");
  CHECK(error.value == "9223372036854775807 * 2");
  CHECK(test::refusal_of([] { return checked_add(kMax, 1); }).value == "9223372036854775807 + 1");
}

TEST_CASE("ceil_div rounds up without overflow", "[base][checked]") {
  CHECK(ceil_div(7, 8) == 1);
  CHECK(ceil_div(8, 8) == 1);
  CHECK(ceil_div(9, 8) == 2);
  CHECK(ceil_div(0, 8) == 0);
  CHECK(ceil_div(std::numeric_limits<Index>::max(), 1) == std::numeric_limits<Index>::max());
}

TEST_CASE("the nearest name is the one with the fewest edits", "[base][names]") {
  const std::vector<std::string> names{"composition", "complement", "coalesce"};
  CHECK(nearest_name("compositon", names) == "composition");
  CHECK(nearest_name("colesce", names) == "coalesce");
  CHECK(nearest_name("zzz", names) == std::nullopt);
  CHECK(nearest_name("coalesce2", names) == std::nullopt);  // not it, but another one
  CHECK(nearest_name(std::string(10000, 'c'), names) == std::nullopt);
  CHECK(joined(names) == "composition, complement, coalesce");
}

TEST_CASE("capitals and the order of letters count little in a name", "[base][names]") {
  const std::vector<std::string> names{"row", "col"};
  CHECK(nearest_name("ROW", names) == "row");
  CHECK(nearest_name("rwo", names) == "row");
  CHECK(nearest_name("locc", names) == std::nullopt);
}
