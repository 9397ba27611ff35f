#pragma once
// The SVG of a picture, alone or inside a page.
#include <cstdint>
#include <jute/draw/picture.hpp>

#include <string>

namespace jute::draw {

/// The data that cells carry besides their look.
enum class CellData : std::uint8_t { none, holders };

/// `columns`: of a strip; 0: as many as fit.
[[nodiscard]] std::string svg(const Picture& picture, CellData data, int columns);
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace jute::draw
