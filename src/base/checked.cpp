// The refusal of arithmetic that would wrap.
#include <jute/base/checked.hpp>

namespace jute {

void throw_overflow(std::string_view what, Index left, std::string_view sign, Index right) {
  throw Exception(
      {.code = ErrorCode::overflow,
       .operand = std::string(what),
       .value = std::to_string(left) + " " + std::string(sign) + " " + std::to_string(right),
       .violated_rules = {"the result must fit a signed 64-bit integer"}});
}

}  // namespace jute
