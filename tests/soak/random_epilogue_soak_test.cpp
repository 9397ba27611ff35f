// Ten times as many random epilogues as every change is held against.
#include "support/catch.hpp"
#include "support/random_epilogue_run.hpp"

using namespace jute::test;

TEST_CASE("500 random epilogues, each with four sets of numbers, are what their text says",
          "[soak][epilogue][random]") {
  for (int part = 0; part < 10; ++part)
    CHECK(failures_of_random_epilogues(1001 + 50 * static_cast<unsigned>(part), 50) == "");
}
