// Writes named constants, their meanings in one column.
#include <jute/emit/constants.hpp>

#include "base/format.hpp"

namespace jute {

std::string constant(std::string_view name, Index value, std::string_view meaning) {
  return constant("int", name, base::format("{}", value), meaning);
}

std::string constant(std::string_view type, std::string_view name, std::string_view value,
                     std::string_view meaning) {
  constexpr int kMeaningColumn = 40;
  return base::format("{:<{}} // {}\n", base::format("constexpr {} {} = {};", type, name, value),
                      kMeaningColumn, meaning);
}

}  // namespace jute
