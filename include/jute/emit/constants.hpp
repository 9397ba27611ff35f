#pragma once
// Named constants of a kernel, each with what it says.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <string>
#include <string_view>

namespace JUTE_API jute {

/// `constexpr int kStages = 4;           // k-tiles in shared memory at once`
[[nodiscard]] std::string constant(std::string_view name, Index value, std::string_view meaning);
/// The same of another type, its value as text.
[[nodiscard]] std::string constant(std::string_view type, std::string_view name,
                                   std::string_view value, std::string_view meaning);

}  // namespace jute
