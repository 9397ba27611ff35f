#pragma once
// The 32 colours of a picture, of each palette.
#include <jute/draw/picture.hpp>

namespace jute::draw {

inline constexpr int kColors = 32;

struct Rgb {
  int red = 0, green = 0, blue = 0;
};

/// Colour `index` (any integer, taken modulo 32).
[[nodiscard]] Rgb color(Palette palette, int index);
/// The nearest of the 216 cube colours of a 256-colour terminal.
[[nodiscard]] int terminal_color(Rgb rgb);

}  // namespace jute::draw
