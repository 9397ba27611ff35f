// Refuses for one rule.
#include <jute/base/refuse.hpp>

#include <utility>

namespace jute {

void refuse(ErrorCode code, std::string operand, std::string value, std::string rule,
            std::optional<std::string> nearest) {
  throw Exception({.code = code,
                   .operand = std::move(operand),
                   .value = std::move(value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::move(nearest)});
}

}  // namespace jute
