#pragma once
// Families of kernels, one row each: who multiplies, what brings operands there, what such kernels
// can do beside multiplying whole matrices, and by which words and figures they go. What carriers
// find is a table of its own.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace JUTE_API jute {

enum class Family : std::uint8_t {
  warpgroups,         ///< wgmma of what a producer brings by TMA
  warp_groups,        ///< mma.sync, likewise
  thread_groups,      ///< multiply-adds of threads, likewise
  warps_async,        ///< mma.sync of stages that all warps keep filling by cp.async
  warps_registers,    ///< the same multipliers, fed through registers
  threads_async,      ///< multiply-adds of threads, stages filled by cp.async
  threads_registers,  ///< the same multipliers, fed through registers
  straight_tiles,     ///< instructions of fragments that each warp loads from global memory
  lane_tiles,         ///< multiply-adds of what each thread loads from global memory
  dot_products,       ///< multiply-adds of threads, whose lanes add up sums along K
  line_warps,         ///< mma.sync of lines that are read once in whole chunks
  line_threads,       ///< multiply-adds of threads, likewise
};

/// Whose instruction it is.
enum class MultipliedBy : std::uint8_t { threads, warps, warpgroups };

/// The frame that a kernel's text is written in.
enum class KernelFrame : std::uint8_t { straight, staged, specialised };

/// Where stored elements become what is multiplied, beside a step of its own ahead of the kernel.
enum class ConvertsIn : std::uint8_t { nowhere, registers, stages, fragments };

/// A carrier brings operands where instructions read them: what it finds beside whole matrices.
struct CarrierRow {
  Transfer by;
  bool walks_views = false;       ///< elements where Views have them
  bool boxes_views = false;       ///< elements where Views have them, as boxes
  bool takes_parts_of_k = false;  ///< k-tiles that begin and end where a list says
  bool takes_pairs = false;       ///< columns of B that are a gate's and others by turns
  bool finds_rows = false;        ///< rows that tables name
};

inline constexpr auto kCarriers = std::to_array<CarrierRow>({
    {.by = Transfer::straight},
    {.by = Transfer::registers,
     .walks_views = true,
     .takes_parts_of_k = true,
     .takes_pairs = true,
     .finds_rows = true},
    {.by = Transfer::cp_async,
     .walks_views = true,
     .takes_parts_of_k = true,
     .takes_pairs = true,
     .finds_rows = true},
    {.by = Transfer::tma, .boxes_views = true},
});
[[nodiscard]] constexpr const CarrierRow& row_of(Transfer by) {
  return kCarriers.at(static_cast<std::size_t>(by));
}

struct FamilyRow {
  Family family;
  std::string_view name;  ///< of its coefficients, in tables and in files of chips
  MultipliedBy by;
  Transfer transfer;
  MainLoop main_loop;
  KernelFrame frame;
  ConvertsIn converts = ConvertsIn::nowhere;
  std::string_view idea;          ///< how it is told apart
  bool names_instruction = true;  ///< ahead of that
  Family coefficients = family;   ///< whose it takes: some were not timed
  /// Elements of fewer bytes are waited for under the k-tiles on their way behind them. Doubles are
  /// multiplied for so long that none is waited for.
  int waits_ahead_below = 0;
  // Abilities of its kernels beside multiplying whole matrices.
  bool deals_groups = false;     ///< a block finds its tile by the device's list
  bool takes_halves = false;     ///< a thread has a gate's accumulator beside what it gates
  bool scales_products = false;  ///< sums of a run of k are multiplied as they are added
  bool takes_copies = false;     ///< warps of the producer may fill stages by cp.async, too
};

// clang-format off
inline constexpr auto kFamilies = std::to_array<FamilyRow>({
  {.family = Family::warpgroups, .name = "warpgroups", .by = MultipliedBy::warpgroups,
   .transfer = Transfer::tma, .main_loop = MainLoop::warp_specialised, .frame = KernelFrame::specialised,
   .converts = ConvertsIn::fragments,
   .idea = "by TMA", .deals_groups = true, .takes_halves = true, .scales_products = true,
   .takes_copies = true},
  {.family = Family::warp_groups, .name = "warp_groups", .by = MultipliedBy::warps,
   .transfer = Transfer::tma, .main_loop = MainLoop::warp_specialised, .frame = KernelFrame::specialised,
   .idea = "by TMA", .deals_groups = true, .takes_halves = true},
  {.family = Family::thread_groups, .name = "thread_groups", .by = MultipliedBy::threads,
   .transfer = Transfer::tma, .main_loop = MainLoop::warp_specialised, .frame = KernelFrame::specialised,
   .idea = "by TMA", .deals_groups = true, .takes_halves = true},
  {.family = Family::warps_async, .name = "warps_async", .by = MultipliedBy::warps,
   .transfer = Transfer::cp_async, .main_loop = MainLoop::multistage, .frame = KernelFrame::staged,
   .converts = ConvertsIn::stages,
   .idea = "by cp.async", .waits_ahead_below = sizeof(double), .deals_groups = true, .takes_halves = true,
   .scales_products = true},
  {.family = Family::warps_registers, .name = "warps_registers", .by = MultipliedBy::warps,
   .transfer = Transfer::registers, .main_loop = MainLoop::register_staged, .frame = KernelFrame::staged,
   .converts = ConvertsIn::stages,
   .idea = "through registers", .deals_groups = true,
   .takes_halves = true, .scales_products = true},
  {.family = Family::threads_async, .name = "threads_async", .by = MultipliedBy::threads,
   .transfer = Transfer::cp_async, .main_loop = MainLoop::multistage, .frame = KernelFrame::staged,
   .idea = "by cp.async", .deals_groups = true, .takes_halves = true},
  {.family = Family::threads_registers, .name = "threads_registers", .by = MultipliedBy::threads,
   .transfer = Transfer::registers, .main_loop = MainLoop::register_staged, .frame = KernelFrame::staged,
   .idea = "through registers", .coefficients = Family::threads_async, .deals_groups = true, .takes_halves = true},
  {.family = Family::straight_tiles, .name = "straight_tiles", .by = MultipliedBy::warps,
   .transfer = Transfer::straight, .main_loop = MainLoop::straight, .frame = KernelFrame::straight,
   .converts = ConvertsIn::registers,
   .idea = "straight", .takes_halves = true},
  {.family = Family::lane_tiles, .name = "lane_tiles", .by = MultipliedBy::threads,
   .transfer = Transfer::straight, .main_loop = MainLoop::straight, .frame = KernelFrame::straight,
   .idea = "straight", .takes_halves = true},
  {.family = Family::dot_products, .name = "dot_products", .by = MultipliedBy::threads,
   .transfer = Transfer::straight, .main_loop = MainLoop::straight, .frame = KernelFrame::straight,
   .converts = ConvertsIn::registers,
   .idea = "dot products", .names_instruction = false, .takes_halves = true},
  {.family = Family::line_warps, .name = "line_warps", .by = MultipliedBy::warps,
   .transfer = Transfer::straight, .main_loop = MainLoop::straight, .frame = KernelFrame::straight,
   .idea = "of lines in whole chunks"},
  {.family = Family::line_threads, .name = "line_threads", .by = MultipliedBy::threads,
   .transfer = Transfer::straight, .main_loop = MainLoop::straight, .frame = KernelFrame::straight,
   .idea = "of lines in whole chunks"},
});
// clang-format on

[[nodiscard]] constexpr const FamilyRow& row_of(Family family) {
  return kFamilies.at(static_cast<std::size_t>(family));
}
/// That of tiles in shared memory whose operands come there so.
[[nodiscard]] constexpr Family staged_family(MultipliedBy by, Transfer transfer) {
  for (const FamilyRow& row : kFamilies)
    if (row.by == by && row.transfer == transfer) return row.family;
  return Family::warps_registers;
}
/// Whose such an instruction is.
[[nodiscard]] constexpr MultipliedBy multiplied_by(MmaForm form) {
  if (form == MmaForm::fma) return MultipliedBy::threads;
  return form == MmaForm::mma ? MultipliedBy::warps : MultipliedBy::warpgroups;
}
static_assert([] {
  for (std::size_t i = 0; i < kFamilies.size(); ++i)
    if (kFamilies.at(i).family != static_cast<Family>(i)) return false;
  for (std::size_t i = 0; i < kCarriers.size(); ++i)
    if (kCarriers.at(i).by != static_cast<Transfer>(i)) return false;
  return true;
}());

}  // namespace jute
