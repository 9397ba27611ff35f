// What planning chooses from is what it was: the first of the kept problems, on each chip.
#include "support/kept_choices.hpp"
#include "support/catch.hpp"
#include "support/kept_problems.hpp"

using namespace jute::test;

TEST_CASE("candidates are the kept ones, in their order", "[plan][golden]") {
  check_kept_lines("candidates.hashes", kept_choices({0, 1}), KeptPart::some);
}
