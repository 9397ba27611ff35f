// The portable build of the tensor core's sum.
#include "emulator/tensor/aligned_dot.hpp"

namespace jute::emulator::portable {
namespace {
#include "emulator/tensor/aligned_dot_body.inc"
}  // namespace

void aligned_dot(AlignedDot& dot) { run_aligned_dot(dot); }

}  // namespace jute::emulator::portable
