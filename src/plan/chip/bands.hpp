#pragma once
// The tiles of producers and consumers by their rows.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace jute::plan {

/// The place of sums: they stay in the instructions' accumulators, threads add them up, or threads
/// scale and add them instruction by instruction (adds_by_instruction).
enum class SumsOf : std::uint8_t { all_k, runs, scaled_runs };

/// Rows of a block by the groups of 64 that share it, and the widths that their registers hold.
struct Band {
  int m, groups;
  int most_n, most_promoted_n, most_scaled_n;
};
/// Hardware: registers of a block; bench/results/2026-11-21-hopper-kernels.md. Of scaled sums none
/// of 256 rows, which take longer than twice 128: 2026-11-29-scaled-sums.md.
inline constexpr std::array kBands{Band{128, 2, 256, 192, 192}, Band{256, 2, 200, 96, 0},
                                   Band{192, 3, 200, 112, 112}, Band{64, 1, 256, 192, 192}};
/// Bands of each of two teams, who share nothing but the stages:
/// bench/results/2026-11-21-hopper-kernels.md.
inline constexpr std::array kTeamBands{Band{128, 1, 200, 96, 96}, Band{64, 1, 256, 192, 192}};

constexpr int most_columns(const Band& band, SumsOf sums) {
  if (sums == SumsOf::all_k) return band.most_n;
  return sums == SumsOf::runs ? band.most_promoted_n : band.most_scaled_n;
}

inline std::span<const Band> bands_of(int ping_pong) {
  return ping_pong > 1 ? std::span<const Band>(kTeamBands) : std::span<const Band>(kBands);
}
inline const Band& band_of(int rows, int ping_pong) {
  const std::span<const Band> bands = bands_of(ping_pong);
  const auto found = std::ranges::find(bands, rows, &Band::m);
  return found == bands.end() ? bands.front() : *found;
}

}  // namespace jute::plan
