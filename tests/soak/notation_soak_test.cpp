// As many random contractions and convolutions as take minutes.
#include "support/catch.hpp"
#include "support/notation_run.hpp"

using namespace jute::test;

TEST_CASE("300 random contractions are what loops over every letter make of them",
          "[soak][contraction][random]") {
  for (int part = 0; part < 10; ++part)
    CHECK(failures_of_contractions(1001 + 30 * static_cast<unsigned>(part), 30) == "");
}

TEST_CASE("200 random convolutions and gradients are what loops over outputs and taps make of them",
          "[soak][convolution][random]") {
  for (int part = 0; part < 10; ++part)
    CHECK(failures_of_convolutions(1001 + 20 * static_cast<unsigned>(part), 20) == "");
}
