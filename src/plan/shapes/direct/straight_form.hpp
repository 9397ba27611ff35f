#pragma once
// How a kernel without shared-memory operands deals its work out.
#include <jute/layout/layout.hpp>
#include <jute/layout/tiler.hpp>

namespace jute::plan {

/// Atoms along (M,N,K), what they cover, and how often.
struct StraightForm {
  Layout atoms;
  Tiler permutation;
  int repeat_m, repeat_n, k_steps;
  int stages = 1;  ///< that stored elements come by
};

}  // namespace jute::plan
