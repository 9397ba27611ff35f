// Functions of the language, called with values.
#include <jute/expr/operation.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using jute::test::refusal_of;

TEST_CASE("a function that is called with values gives what its text gives", "[expr][operation]") {
  const Operation composition("composition");
  CHECK(composition({Layout("(4,8):(8,1)"), Layout("(2,4):(4,1)")}) ==
        eval("composition((4,8):(8,1),(2,4):(4,1))"));
  CHECK(Operation("layout_a")({Word{"SM80_16x8x16_F32F16F16F32_TN"}}) ==
        eval("layout_a(SM80_16x8x16_F32F16F16F32_TN)"));
  for (const FunctionSummary& function : functions())
    CHECK(Operation(function.name).summary().usage == function.usage);
}

TEST_CASE("a function that does not exist or lacks arguments is refused", "[expr][operation]") {
  CHECK(refusal_of([] { (void)Operation("coalese"); }).nearest_legal == "coalesce");
  CHECK(refusal_of([] { (void)Operation("composition")({Layout("4:1")}); }).code ==
        ErrorCode::wrong_arity);
}
