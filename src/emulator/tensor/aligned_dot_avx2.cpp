// The AVX2 build of the tensor core's sum.
#include "emulator/tensor/aligned_dot.hpp"

#include "emulator/run/avx2_begin.inc"
namespace jute::emulator::avx2 {
namespace {
#include "emulator/tensor/aligned_dot_body.inc"
}  // namespace

void aligned_dot(AlignedDot& dot) { run_aligned_dot(dot); }

}  // namespace jute::emulator::avx2
#include "emulator/run/avx2_end.inc"
