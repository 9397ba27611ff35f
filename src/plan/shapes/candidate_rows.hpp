#pragma once
// The tables that planning chooses from, of what no model ranks.
#include <array>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Types of operands that rows differ for.
enum class Operands : std::uint8_t { any, f64, fp8, halves };

/// The needs of a row: of a problem and a chip.
struct Needs {
  Operands operands = Operands::any;
  int arch = 0;              ///< the first that the row is for
  int next_arch = 1000;      ///< the first that it is no more for
  int access_bytes = 1;      ///< of both operands: cp.async moves 4 at least
  int smem_kib = 0;          ///< of a block
  Index n = 0;               ///< the least literal N
  bool whole_reads = false;  ///< no operand is gathered element by element from its tile
  TileShape fills{};         ///< of which the chip must have one for each SM
  Index k_bytes = 0;         ///< the most that K has; 0: any
  bool large_d = false;      ///< D is more than the L2 cache keeps
};

struct GroupRow {
  MmaForm form;
  Needs needs;
  Tile tile;
};
struct StagedRow {
  Needs needs;
  Family family;
  Tile tile;
  int k = 0;  ///< elements of K in a stage, of whatever type; 0: the tile says how many bytes
};
constexpr Tile staged_tile(int m, int n, int k_bytes, int groups_m, int groups_n, int stages) {
  return {.m = m,
          .n = n,
          .k_bytes = k_bytes,
          .groups_m = groups_m,
          .groups_n = groups_n,
          .stages = stages};
}
/// The tile of threads with two vectors each along M and N.
constexpr Tile thread_tile(int m, int n, int vector, int stages) {
  return {.m = m, .n = n, .repeat_m = 2, .repeat_n = 2, .vector = vector, .stages = stages};
}

// A producer and groups of consumers; TMA moves rows that begin at multiples of 16 bytes. By
// hardware: wgmma is sm_90's alone, which has 227 KiB for a block.
inline constexpr Needs kWgmmaNeeds{Operands::any, 90, 100, 16, 220, 0, false};
// Where the caller fixes what tiles are ranked by.
inline constexpr GroupRow kWgmmaRow{MmaForm::wgmma_ss,
                                    kWgmmaNeeds,
                                    {.m = 128,
                                     .n = 256,
                                     .k_bytes = 128,
                                     .groups_m = 2,
                                     .stages = 8,
                                     .first_stages = FirstStages::by_initialiser}};
// mma.sync reads what TMA has written as well. Where the caller names its instruction, large tiles
// come so: sooner than threads copy them (bf16 4096^3 on an H200: 265 us, 280;
// bench/results/2026-11-27-warp-tiles-all-types.md).
inline constexpr std::array kNamedGroupRows{
    GroupRow{MmaForm::mma,
             {Operands::halves, 90, 100, 16, 200, 129, true},
             staged_tile(128, 256, 128, 2, 4, 4)},
};
// Others where the caller asks for that main loop. Hardware: TMA from sm_90 on.
inline constexpr std::array kWishedGroupRows{
    GroupRow{MmaForm::mma,
             {Operands::any, 90, 1000, 16, 0, 0, false},
             staged_tile(128, 128, 128, 2, 4, 8)},
};
// The first row that fits is preferred. Ada multiplies 8-bit floats by mma.sync as they are; Hopper
// and the chips after it, up to sm_120, convert them first: shorter k-tiles, fewer conversions in
// flight. Gathered operands need more registers than the 128 accumulators of the largest tile
// leave. Where K is one short k-tile nothing is to be loaded ahead: tiles that D leaves from soon,
// large ones again where it waits for memory.
// A tile of 256 columns reads a third less from shared memory than one of 128, by short k-tiles
// where most chips have room for four (bf16 4096^3 by an H200's mma.sync: 274 us, 358).
// bench/results/2026-11-22-f32-f64-s8.md, 2026-11-27-warp-tiles-all-types.md.
// clang-format off
inline constexpr std::array kWarpRows{
  // operands, arch, access, smem, N, whole reads; family; m, n, bytes of K, warps, stages
  StagedRow{{Operands::f64, 90, 1000, 4,   100,   0,  true,  {128, 128}},    Family::warps_async,     staged_tile(128, 128, 128, 4, 2, 3)},
  StagedRow{{Operands::f64, 80, 1000, 4,   130,   0,  false, {128, 128}},    Family::warps_async,     staged_tile(128, 128, 128, 4, 2, 4)},
  StagedRow{{Operands::f64, 80, 1000, 4,     0,   0,  false},                Family::warps_async,     staged_tile(128,  64, 128, 4, 2, 4)},
  StagedRow{{Operands::any, 80, 1000, 1,     0,   0,  false, {}, 64, true},  Family::warps_registers, staged_tile(128, 128,  64, 2, 4, 2)},
  StagedRow{{Operands::any, 80, 1000, 1,     0,   0,  false, {128, 64}, 64}, Family::warps_registers, staged_tile( 64,  64,  64, 2, 2, 2)},
  StagedRow{{Operands::any, 80, 1000, 1,     0,   0,  false, {}, 64},        Family::warps_registers, staged_tile( 32,  64,  64, 2, 2, 2)},
  StagedRow{{Operands::fp8, 90,  120, 4,     0,   0,  false},                Family::warps_async,     staged_tile(128, 128,  64, 2, 4, 6)},
  StagedRow{{Operands::fp8, 80, 1000, 4,     0,   0,  false},                Family::warps_async,     staged_tile(128, 128, 128, 2, 4, 4)},
  StagedRow{{Operands::halves, 80, 1000, 4, 96, 129,  true,  {128, 256}},    Family::warps_async,     staged_tile(128, 256,  64, 2, 4, 4)},
  StagedRow{{Operands::any, 80, 1000, 4,   200, 129,  true},                 Family::warps_async,     staged_tile(128, 256, 128, 2, 4, 4)},
  StagedRow{{Operands::any, 80, 1000, 4,     0,   0,  false},                Family::warps_async,     staged_tile(128, 128, 128, 2, 4, 4)},
  StagedRow{{Operands::f64,  0, 1000, 1,     0,   0,  false},                Family::warps_registers, staged_tile(128,  64, 128, 4, 2, 4)},
  StagedRow{{Operands::any,  0, 1000, 1,     0,   0,  false},                Family::warps_registers, staged_tile(128, 128,  64, 2, 4, 2)},
};
// clang-format on

// Rows of threads. Hardware: cp.async from sm_80 on, of 4 bytes at least.
// clang-format off
inline constexpr std::array kThreadRows{
  //         operands      arch      access                                 m    n  vector stages  k
  StagedRow{{Operands::f64},              Family::threads_registers, thread_tile( 64,  64, 2, 2),  8},
  StagedRow{{Operands::any},              Family::threads_registers, thread_tile(128, 128, 4, 2),  8},
  StagedRow{{Operands::any, 80, 1000, 4}, Family::threads_async,     thread_tile(128, 128, 4, 3), 16},
};
// clang-format on

[[nodiscard]] bool suits(const Needs& needs, const KernelProblem& problem,
                         const DeviceInfo& device);

}  // namespace jute::plan
