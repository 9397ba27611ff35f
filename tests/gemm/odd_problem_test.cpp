// Odd leading dimensions and bases aligned to one element, on the emulator.
#include "support/odd_problem.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("odd leading dimensions and bases of one element's alignment come out right",
          "[gemm][random][odd]") {
  Context context(open_emulator(), with_kept_kernels());
  // One of each twelve that share kernels: copied to aligned rows first, or multiplied in place.
  CHECK(odd_failures(context, 0, kOddProblems, 13) == "");
}

TEST_CASE("odd problems are odd: nothing promises more than one element", "[gemm][odd]") {
  for (int index = 0; index < kOddProblems; ++index) {
    const Problem problem = completed(odd_case(index).problem);
    for (const Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) {
      CHECK(matrix->ld_elems % 2 == 1);
      CHECK(matrix->batch_stride_elems % 2 == 1);
      CHECK(matrix->alignment_bytes == width_bytes(matrix->type));
    }
  }
}
