// Colours that eyes without one kind of cone tell apart, too: their lightness differs, not their
// hue alone. All are light enough for dark text.
#include "draw/palette.hpp"

#include <array>
#include <cmath>

namespace jute::draw {
namespace {

/// Okabe and Ito, Color Universal Design (2008), in an order that keeps neighbours apart.
constexpr std::array<Rgb, 8> kHues{{{86, 180, 233},
                                    {153, 153, 153},
                                    {230, 159, 0},
                                    {240, 228, 66},
                                    {0, 158, 115},
                                    {204, 121, 167},
                                    {0, 114, 178},
                                    {213, 94, 0}}};

/// From light to deep, each darker than the one before.
constexpr std::array<Rgb, 5> kRamp{
    {{253, 243, 184}, {190, 226, 165}, {126, 200, 186}, {112, 168, 214}, {140, 143, 208}}};

int modulo(int value, int divisor) { return ((value % divisor) + divisor) % divisor; }

int between(int from, int to, double part) {
  return static_cast<int>(std::lround(from + (to - from) * part));
}

Rgb mixed(Rgb from, Rgb to, double part) {
  return {between(from.red, to.red, part), between(from.green, to.green, part),
          between(from.blue, to.blue, part)};
}

/// How much white a hue of a palette gets.
double whiteness(Palette palette, int slot) {
  constexpr std::array<double, 4> kShades{0.5, 0.3, 0.7, 0.4}, kBankShades{0.22, 0.66, 0.4, 0.82};
  if (palette == Palette::banks) return kBankShades[static_cast<size_t>(slot % 4)];
  const double shade = kShades[static_cast<size_t>(slot / 8)] + (slot % 2 == 0 ? -0.14 : 0.14);
  return std::fmax(shade, 0.22);
}

}  // namespace

Rgb color(Palette palette, int index) {
  const int slot = modulo(index, kColors);
  if (palette == Palette::sequence) {
    const double at = slot * (kRamp.size() - 1.0) / (kColors - 1);
    const auto step = static_cast<size_t>(std::fmin(at, kRamp.size() - 2.0));
    return mixed(kRamp[step], kRamp[step + 1], at - static_cast<double>(step));
  }
  const int hue = palette == Palette::banks ? slot / 4 : slot % 8;
  return mixed(kHues[static_cast<size_t>(hue)], {255, 255, 255}, whiteness(palette, slot));
}

int terminal_color(Rgb rgb) {
  const auto step = [](int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; };
  return 16 + 36 * step(rgb.red) + 6 * step(rgb.green) + step(rgb.blue);
}

}  // namespace jute::draw
