#pragma once
// Layouts as CuTe's C++ prints them.
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

#include <string>

namespace JUTE_API jute {

/// Every integer marked as one that is known at compile time.
///   example  cute_text(Layout("(4,8):(8,1)")) == "(_4,_8):(_8,_1)"
[[nodiscard]] std::string cute_text(const Layout& layout);
/// The same of jute's own notation of anything: `_2@1` for `2@1`.
[[nodiscard]] std::string cute_text(const std::string& notation);

}  // namespace jute
