// Says what an argument is, and what it could be.
#include "options/layout_argument.hpp"

#include <jute/base/error.hpp>

#include <cstdlib>
#include <optional>

namespace jute::command {
namespace {

/// A swizzle over the offsets after which it repeats, where these are few.
std::optional<std::string> behind(const Swizzle& swizzle) {
  const int bits = swizzle.base() + swizzle.bits() + std::abs(swizzle.shift());
  if (bits > 16) return std::nullopt;
  return to_string(ComposedLayout(swizzle, 0, Layout(IntTuple(Index{1} << bits))));
}

}  // namespace

void refuse_kind(const std::string& text, const Value& value, const std::string& rule) {
  const auto* swizzle = std::get_if<Swizzle>(&value);
  refuse(ErrorCode::wrong_type, std::string(kind_name(value)), text, rule,
         swizzle == nullptr ? std::nullopt : behind(*swizzle));
}

}  // namespace jute::command
