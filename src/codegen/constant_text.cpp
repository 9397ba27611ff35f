// Writes named constants, their meanings in one column.
#include "codegen/constant_text.hpp"

#include "base/format.hpp"

namespace jute::codegen {
namespace {

constexpr int kMeaningColumn = 40;

std::string with_meaning(const std::string& declaration, std::string_view meaning) {
  return base::format("{:<{}} // {}\n", declaration, kMeaningColumn, meaning);
}

}  // namespace

std::string constant(std::string_view name, Index value, std::string_view meaning) {
  return with_meaning(base::format("constexpr int {} = {};", name, value), meaning);
}

std::string flag(std::string_view name, bool value, std::string_view meaning) {
  return with_meaning(base::format("constexpr bool {} = {};", name, value), meaning);
}

}  // namespace jute::codegen
