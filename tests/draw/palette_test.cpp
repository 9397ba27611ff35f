// Colours that people tell apart, those without one kind of cone included.
#include "draw/palette.hpp"

#include <array>
#include <cmath>

#include "support/catch.hpp"

using namespace jute;
using namespace jute::draw;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple times(const Matrix& m, const Triple& v) {
  Triple out{};
  for (size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

Triple linear(Rgb rgb) {
  const auto one = [](int value) {
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return {one(rgb.red), one(rgb.green), one(rgb.blue)};
}

double luminance(Rgb rgb) {
  const Triple l = linear(rgb);
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
}

/// Of WCAG 2.
double contrast(Rgb light, Rgb dark) {
  return (luminance(light) + 0.05) / (luminance(dark) + 0.05);
}

/// CIELAB under D65.
Triple lab(const Triple& linear_rgb) {
  const Matrix to_xyz{
      {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  const Triple white{0.95047, 1.0, 1.08883};
  Triple f = times(to_xyz, linear_rgb);
  for (size_t i = 0; i < 3; ++i) {
    const double part = std::fmax(f[i] / white[i], 0.0);
    f[i] = part > 0.008856 ? std::cbrt(part) : 7.787 * part + 16.0 / 116.0;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double distance(const Triple& a, const Triple& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Machado, Oliveira, Fernandes, A Physiologically-based Model for Simulation of Color Vision
/// Deficiency (2009), severity 1: all cones, no red, no green, no blue ones.
const std::array<Matrix, 4> kEyes{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                   {{{0.152286, 1.052583, -0.204868},
                                     {0.114503, 0.786281, 0.099216},
                                     {-0.003882, -0.048116, 1.051998}}},
                                   {{{0.367322, 0.860646, -0.227968},
                                     {0.280085, 0.672501, 0.047413},
                                     {-0.011820, 0.042940, 0.968881}}},
                                   {{{1.255528, -0.076749, -0.178779},
                                     {-0.078411, 0.930809, 0.147602},
                                     {0.004733, 0.691367, 0.303900}}}}};

}  // namespace

TEST_CASE("text stands out from every colour of every palette", "[draw][palette]") {
  const Rgb text{0x1b, 0x1f, 0x24};
  for (const Palette palette : {Palette::sequence, Palette::threads, Palette::banks})
    for (int i = 0; i < kColors; ++i) CHECK(contrast(color(palette, i), text) >= 4.5);
}

TEST_CASE("neighbouring threads and banks differ for every eye", "[draw][palette]") {
  for (const Matrix& eye : kEyes)
    for (const Palette palette : {Palette::threads, Palette::banks})
      for (int i = 0; i + 1 < kColors; ++i) {
        const auto seen = [&](int index) { return lab(times(eye, linear(color(palette, index)))); };
        INFO(i);
        CHECK(distance(seen(i), seen(i + 1)) >= 5);  // 2 is what one just sees
      }
}

TEST_CASE("a sequence darkens from step to step", "[draw][palette]") {
  for (int i = 0; i + 1 < kColors; ++i)
    CHECK(luminance(color(Palette::sequence, i)) > luminance(color(Palette::sequence, i + 1)));
}
