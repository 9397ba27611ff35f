#pragma once
// Text as HTML and SVG take it.
#include <string>
#include <string_view>

namespace jute::command {

/// `&lt;` for `<` and its like.
[[nodiscard]] std::string escaped(std::string_view text);
/// For `data:` addresses.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace jute::command
