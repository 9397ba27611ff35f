// What planning makes of every kind of product is what was kept: all held problems.
#include "support/catch.hpp"
#include "support/held_file.hpp"

using namespace jute::test;

TEST_CASE("plans, kernels, prices and ways of all held problems are the kept ones",
          "[soak][golden][held]") {
  const std::string differences = held_differences(1);
  INFO(differences << "JUTE_UPDATE_GOLDEN=1 test_codegen '[held]' writes all of it anew");
  CHECK(differences.empty());
}
