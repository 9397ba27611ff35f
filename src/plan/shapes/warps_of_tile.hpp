#pragma once
// How warps share out a tile of instructions of 16 x 8.
#include <optional>

namespace jute::plan {

inline constexpr int kRowUnit = 16, kColumnUnit = 8;  ///< of an instruction

struct WarpsOfTile {
  int m, n;
};
/// So many warps, a power of two, each with the fewest rows and columns to read; none where they
/// have no whole instructions each.
[[nodiscard]] inline std::optional<WarpsOfTile> warps_of_tile(int m, int n, int warps) {
  const auto reads = [&](const WarpsOfTile& ways) { return m / ways.m + n / ways.n; };
  std::optional<WarpsOfTile> best;
  for (int along_m = warps; along_m >= 1; along_m /= 2) {
    const WarpsOfTile ways{along_m, warps / along_m};
    const bool is_whole = m % (kRowUnit * ways.m) == 0 && n % (kColumnUnit * ways.n) == 0;
    if (is_whole && (!best || reads(ways) < reads(*best))) best = ways;
  }
  return best;
}

}  // namespace jute::plan
