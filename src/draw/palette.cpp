// Pastel colours from hue, saturation and lightness.
#include "draw/palette.hpp"

#include <cmath>

namespace jute::draw {
namespace {

/// One channel of an HSL colour. Source: W3C, CSS Color Module Level 3, "HSL color values".
int channel(double hue, double saturation, double lightness, double shift) {
  const double k = std::fmod(shift + hue / 30.0, 12.0);
  const double chroma = saturation * std::fmin(lightness, 1.0 - lightness);
  const double wave = std::fmax(-1.0, std::fmin(std::fmin(k - 3.0, 9.0 - k), 1.0));
  return static_cast<int>(std::lround(255.0 * (lightness - chroma * wave)));
}

Rgb from_hsl(double hue, double saturation, double lightness) {
  return {channel(hue, saturation, lightness, 0), channel(hue, saturation, lightness, 8),
          channel(hue, saturation, lightness, 4)};
}

int modulo(int value, int divisor) { return ((value % divisor) + divisor) % divisor; }

}  // namespace

Rgb color(Palette palette, int index) {
  const int slot = modulo(index, kColors);
  if (palette == Palette::sequence) return from_hsl(210.0 + 300.0 * slot / kColors, 0.68, 0.83);
  constexpr double kShades[] = {0.84, 0.77, 0.91, 0.71};
  return from_hsl(220.0 + 45.0 * (slot % 8), 0.60, kShades[slot / 8]);
}

int terminal_color(Rgb rgb) {
  const auto step = [](int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; };
  return 16 + 36 * step(rgb.red) + 6 * step(rgb.green) + step(rgb.blue);
}

}  // namespace jute::draw
