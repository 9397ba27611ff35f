// What planning makes of every kind of product is what was kept: fields, kernels, prices and ways.
#include "support/catch.hpp"
#include "support/held_file.hpp"

using namespace jute::test;

TEST_CASE("the file of held plans has every problem of every kind", "[codegen][golden][held]") {
  const HeldFile file = HeldFile::read();
  int all = 0;
  for (const HeldKind& kind : held_kinds()) {
    INFO(kind.name << "; JUTE_UPDATE_GOLDEN=1 test_codegen '[held]' writes all of it anew");
    CHECK(file.count(kind.name) == kind.count);
    CHECK(kind.count % 6 == 0);
    all += kind.count;
  }
  CHECK(all >= 9000);
}

TEST_CASE("plans, kernels, prices and ways of a sixth of the held problems are the kept ones",
          "[codegen][golden][held]") {
  const std::string differences = held_differences(6);
  INFO(differences << "JUTE_UPDATE_GOLDEN=1 test_codegen '[held]' writes all of it anew");
  CHECK(differences.empty());
}
