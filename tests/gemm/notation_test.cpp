// Contractions and convolutions on the emulator, exact on whole numbers.
#include "support/catch.hpp"
#include "support/notation_run.hpp"

using namespace jute::test;

TEST_CASE("16 random contractions are what loops over every letter make of them",
          "[gemm][contraction][random]") {
  CHECK(failures_of_contractions(1, 16) == "");
}

TEST_CASE("9 random convolutions and gradients are what loops over outputs and taps make of them",
          "[gemm][convolution][random]") {
  CHECK(failures_of_convolutions(1, 9) == "");
}
