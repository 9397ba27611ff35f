// What planning chooses from is what it was: all kept problems, on each chip.
#include "support/catch.hpp"
#include "support/kept_choices.hpp"
#include "support/kept_problems.hpp"

using namespace jute::test;

TEST_CASE("candidates of all kept problems are the kept ones, in their order", "[soak][golden]") {
  check_kept_lines("candidates.hashes", kept_choices({0, kKeptProblems / kKeptInBlock}),
                   KeptPart::all);
}
