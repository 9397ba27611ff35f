#pragma once
// Named constants of a kernel, each with what it says.
#include <jute/base/types.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// `constexpr int kStages = 4;           // k-tiles in shared memory at once`
[[nodiscard]] std::string constant(std::string_view name, Index value, std::string_view meaning);
/// The same for a yes or no.
[[nodiscard]] std::string flag(std::string_view name, bool value, std::string_view meaning);

}  // namespace jute::codegen
