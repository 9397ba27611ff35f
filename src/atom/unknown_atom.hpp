#pragma once
// Names that the catalogue does not have: what was probably meant.
#include <jute/atom/catalogue.hpp>

#include <optional>
#include <string_view>

namespace jute::atom {

/// throws  unknown_name, always: says of which kind the name is, how the names go on that begin
///         so, or which atom has the instruction that was typed; and offers the nearest name
[[noreturn]] void refuse_unknown(const Catalogue& catalogue, std::string_view name,
                                 std::optional<AtomKind> kind);

}  // namespace jute::atom
