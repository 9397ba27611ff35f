// Names and derived figures of results.
#include "race/results/results.hpp"

#include <array>

namespace jute::bench {
namespace {

constexpr std::array<std::string_view, kModeCount> kModeNames{"cool",  "pdl off",   "stream",
                                                              "chain", "sustained", "cold"};

constexpr std::array<std::string_view, kSideCount> kSides{"jute", "plain", "peer"};

}  // namespace

std::string_view name(Mode mode) { return kModeNames[static_cast<size_t>(mode)]; }

std::optional<Mode> find_mode(std::string_view text) {
  for (size_t i = 0; i < kModeNames.size(); ++i)
    if (kModeNames[i] == text) return static_cast<Mode>(i);
  return std::nullopt;
}

std::string_view name(Side side) { return kSides[static_cast<size_t>(side)]; }

std::optional<Side> find_side(std::string_view text) {
  for (size_t i = 0; i < kSides.size(); ++i)
    if (kSides[i] == text) return static_cast<Side>(i);
  return std::nullopt;
}

double tflops(const Result& result) { return result.us > 0 ? result.flop / result.us * 1e-6 : 0.0; }

bool is_right(const Result& result) { return !(result.error > 1.0); }

}  // namespace jute::bench
