// Stochastic rounding: its random words, its values, what kernels compute of them.
#include <jute/epilogue/build.hpp>
#include <jute/epilogue/philox.hpp>
#include <jute/epilogue/types.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "epilogue/expression_kernel.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::refusal_of;

namespace {

constexpr DType kTypes[] = {DType::bf16, DType::f16, DType::e4m3, DType::e5m2, DType::s8};

/// Neighbours of x among the type's values, found by going through all of them.
std::pair<double, double> neighbours(DType type, double x) {
  double below = -std::numeric_limits<double>::infinity(), above = -below;
  for (std::uint32_t bits = 0; bits < 1u << width_bits(type); ++bits) {
    const double value = decode(type, bits);
    if (std::isnan(value)) continue;
    if (value <= x) below = std::max(below, value);
    if (value >= x) above = std::min(above, value);
  }
  return {below, above};
}

}  // namespace

// Random123's kat_vectors, as the paper's authors publish them.
TEST_CASE("Philox 4x32-10 gives the known answers", "[epilogue][stochastic]") {
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox_4x32_10({0, 0, 0, 0}, {0, 0}) ==
        Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox_4x32_10({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(
      philox_4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
      Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  CHECK(random_word(-5, (std::int64_t{7} << 32) + 9, 3) ==
        philox_4x32_10({9, 7, 3, 0}, {0xfffffffb, 0})[0]);
}

TEST_CASE("stochastic rounding takes either neighbour, as often as x is near to it",
          "[epilogue][stochastic]") {
  std::mt19937 random(1);
  for (const DType type : kTypes)
    for (int i = 0; i < 60; ++i) {
      const int exponent = static_cast<int>(random() % 24) - (type == DType::s8 ? 18 : 20);
      const double size =
          std::ldexp(1 + static_cast<double>(random() % 8388608) * 0x1p-23, exponent);
      const double x = i % 2 == 0 ? size : -size;
      const auto [below, above] = neighbours(type, x);
      if (std::isinf(below) || std::isinf(above)) continue;
      INFO(name(type) << " " << x << " between " << below << " and " << above);
      constexpr int kShares = 4096;
      int ups = 0;
      bool is_neighbour = true;
      for (int share = 0; share < kShares; ++share) {
        const double value = stochastic_value(type, x, share * (0x1p32 / kShares));
        is_neighbour &= value == below || value == above;
        ups += value == above ? 1 : 0;
      }
      CHECK(is_neighbour);
      const double expected = below == above ? 1 : (x - below) / (above - below);
      CHECK(std::abs(ups / static_cast<double>(kShares) - expected) <= 1.0 / kShares);
    }
}

TEST_CASE("a value of the type stays, and edges are those of rounding to nearest",
          "[epilogue][stochastic]") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const DType type : kTypes)
    for (const double word : {0.0, 77777777.0, 4294967295.0}) {
      for (std::uint32_t bits = 0; bits < 1u << width_bits(type); ++bits)
        if (const double value = decode(type, bits); std::isfinite(value))
          REQUIRE(stochastic_value(type, value, word) == value);
      const auto nearest = [&](double x) { return decode(type, encode(type, x)); };
      CHECK(stochastic_value(type, infinity, word) == nearest(infinity));
      if (type != DType::bf16) CHECK(stochastic_value(type, -3e38, word) == nearest(-3e38));
      const double of_none = stochastic_value(type, std::nan(""), word);
      CHECK((is_integer(type) ? of_none == 0 : std::isnan(of_none)));
      CHECK(std::signbit(stochastic_value(type, -0.0, word)) == std::signbit(nearest(-0.0)));
    }
}

TEST_CASE("kernels round stochastically to the same bits", "[epilogue][stochastic][emulator]") {
  test::Samples samples;
  std::mt19937 random(2);
  for (int i = 0; i < 4000; ++i) {
    const double size = std::ldexp(1 + static_cast<double>(random() % 8388608) * 0x1p-23,
                                   static_cast<int>(random() % 280) - 150);
    samples.x.push_back(static_cast<float>(random() % 2 == 0 ? size : -size));
    if (i % 2 == 0) samples.x.back() = static_cast<float>(std::remainder(samples.x.back(), 300));
    samples.y.push_back(static_cast<double>(random() % 16777216) * 256);
    samples.z.push_back(0);
  }
  for (const double x : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 65519.0, 448.5, 3.4e38}) {
    samples.x.push_back(static_cast<float>(x));
    samples.y.push_back(4294967040.0);
    samples.z.push_back(0);
  }
  for (const DType type : kTypes) {
    // Words are those that the f32 of the kernel holds.
    const std::string text = std::string(name(type)) + "(acc, seed)";
    const std::vector<double> found =
        test::run_on_emulator(text, DType::f32, EpilogueAccuracy::full, samples);
    int differ = 0;
    for (std::size_t i = 0; i < samples.x.size(); ++i) {
      const double expected = stochastic_value(type, samples.x[i], samples.y[i]);
      const bool same = std::isnan(expected) ? std::isnan(found[i]) : expected == found[i];
      if (!same)
        UNSCOPED_INFO(name(type) << " " << samples.x[i] << " by " << samples.y[i] << ": "
                                 << found[i] << ", not " << expected);
      differ += same ? 0 : 1;
    }
    CHECK(differ == 0);
  }
}

TEST_CASE("a seed is an input of its own", "[epilogue][stochastic][refusal]") {
  for (const char* text : {"bf16(acc, seed)", "y := e4m3(acc*s, seed); d = y; g = s8(acc, other)"})
    CHECK(to_string(parse_epilogue(text)) == text);
  CHECK(epilogue::output(
            epilogue::stochastic(DType::f16, epilogue::acc(), epilogue::input("seed"))) ==
        parse_epilogue("f16(acc, seed)"));
  CHECK(is_seed(parse_epilogue("bf16(acc*s, seed)"), 1));
  CHECK_FALSE(is_seed(parse_epilogue("bf16(acc*s, seed)"), 0));
  const auto rule = [](const char* text) {
    return refusal_of([&] { (void)parse_epilogue(text); }).violated_rules.at(0);
  };
  const std::string own = "a seed must be an input of its own";
  CHECK(rule("bf16(acc, 7)").starts_with(own));
  CHECK(rule("bf16(acc*seed, seed)").starts_with(own));
  CHECK(rule("d = bf16(acc, seed); g = seed").starts_with(own));
  CHECK(rule("bf16(acc, v[m])").starts_with("a seed must be one number for all of D"));
  CHECK(rule("f32(acc, seed)").starts_with("a type with a seed must be bf16"));
}
