// Contractions and convolutions on the emulator, exact on whole numbers.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/notation_run.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("16 random contractions are what loops over every letter make of them",
          "[gemm][contraction][random]") {
  CHECK(failures_of_contractions(1, 16) == "");
}

TEST_CASE("9 random convolutions and gradients are what loops over outputs and taps make of them",
          "[gemm][convolution][random]") {
  CHECK(failures_of_convolutions(1, 9) == "");
}

TEST_CASE("contractions and convolutions of aligned arrays come out right, by TMA where it can",
          "[gemm][contraction][convolution][tma]") {
  Context context(open_emulator(), with_kept_kernels());
  const int count = draws(10);
  const NotationRuns contractions = run_contractions(context, 1, count, NotationExtents::aligned),
                     convolutions = run_convolutions(context, 1, count, NotationExtents::aligned);
  CHECK(contractions.failures == "");
  CHECK(convolutions.failures == "");
  CHECK(contractions.by_maps + convolutions.by_maps > 0);
}
