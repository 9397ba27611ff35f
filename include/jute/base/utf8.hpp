#pragma once
// Where the characters of a text end.
#include <jute/base/export.hpp>

#include <cstddef>
#include <string_view>

namespace JUTE_API jute {

/// Bytes of the UTF-8 character that a text begins with; 0 where it begins with none, as an empty
/// text does.
///   example  character_bytes("é") == 2
///   source   RFC 3629, section 4
[[nodiscard]] std::size_t character_bytes(std::string_view text);

}  // namespace jute
