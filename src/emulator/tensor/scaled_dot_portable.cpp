// The portable build of the sum by f32.
#include "emulator/tensor/scaled_dot.hpp"

#include <bit>
#include <cfenv>
#include <cstring>

namespace jute::emulator::portable {
namespace {

class TowardZero {
 public:
  TowardZero() : before_(std::fegetround()) { std::fesetround(FE_TOWARDZERO); }
  ~TowardZero() { std::fesetround(before_); }
  TowardZero(const TowardZero&) = delete;
  TowardZero& operator=(const TowardZero&) = delete;

 private:
  int before_;
};

#include "emulator/tensor/scaled_dot_body.inc"

}  // namespace

const ScaledDotFunctions kScaledDot{&split,   &unpack_rows, &unpack_columns, &multiply, &gather,
                                    &scatter, &sum};

}  // namespace jute::emulator::portable
