// The refusal of arithmetic that would wrap.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>

namespace jute {

void throw_overflow(std::string_view what, Index left, std::string_view sign, Index right) {
  jute::refuse(ErrorCode::overflow, std::string(what),
               std::to_string(left) + " " + std::string(sign) + " " + std::to_string(right),
               "the result must fit a signed 64-bit integer");
}

}  // namespace jute
