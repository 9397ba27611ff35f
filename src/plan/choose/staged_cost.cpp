// What kernels take of which no better model speaks, and the copies that some of them read.
#include "plan/choose/staged_cost.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "plan/chip/chip_rates.hpp"
#include "plan/chip/line.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

// Of kernels that bring tiles to shared memory, where no better model speaks: launch and start, a
// k-tile of 128 bytes of a tile of 128 x 128, its end.
constexpr double kStagedStart = 2100, kStagedTile = 1100, kStagedEnd = 1500;
// Likewise where rows begin anywhere, so that threads bring elements one by one: for 64 bytes of k.
constexpr double kGatheredStart = 2100, kGatheredTile = 2800;
constexpr int kGatheredBytes = 64;
constexpr int kStagedExtent = 128;
// Tiles of f64 have half as many columns, and take the tensor cores as long; words along M or N are
// read one by one.
constexpr int kStagedColumns64 = 64;
constexpr double kStagedTile64 = 1085, kStagedWords = 1350;
// Of threads that multiply such a tile without tensor cores, for each k, at its end; blocks of an
// SM.
constexpr double kThreadsOfK = 180, kThreadsEnd = 5200, kThreadBlocks = 2;
// An operand that a kernel before it copies to rows of whole lines.
constexpr double kCopiedOf = 0.92;  // of what memory moves

/// A kernel of 128 x 128 tiles that takes so long for so many bytes of k.
double staged_clocks(const KernelProblem& problem, const DeviceInfo& device, double start,
                     double k_tile, int bytes) {
  const int columns = problem.a.type == DType::f64 ? kStagedColumns64 : kStagedExtent;
  const double tiles =
      tiles_of({kStagedExtent, columns}, problem.m.value, problem.n.value, problem.batch.value);
  const double k_tiles =
      std::ceil(static_cast<double>(problem.k.value) * width_bytes(problem.a.type) / bytes);
  const double waves = std::ceil(tiles / std::max(device.sm_count, 1));
  return start + waves * (k_tiles * k_tile + kStagedEnd);
}
double staged_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const bool is_across = problem.a.major == Major::mn || problem.b.major == Major::mn;
  const double k_tile = problem.a.type == DType::f64                 ? kStagedTile64
                        : problem.a.type == DType::tf32 && is_across ? kStagedWords
                                                                     : kStagedTile;
  return staged_clocks(problem, device, kStagedStart, k_tile, kStagedExtent);
}
/// By tensor cores of warps that copy tiles as they lie, where these are ranked.
std::optional<double> copying_warp_clocks(BestStaged& staged) {
  if (staged.copying_warps().empty()) return std::nullopt;
  return staged.copying_warps().front().clocks;
}
/// By what a producer loads, with the copies that it reads, where these are ranked.
std::optional<double> warp_clocks(const KernelProblem& problem, const DeviceInfo& device,
                                  BestStaged& staged) {
  if (staged.warps().empty()) return std::nullopt;
  return staged.warps().front().clocks + copies_clocks(problem, device);
}

/// The best kernel of a producer and consumers, where the chip has them: more than `limit`, at
/// least, where it takes longer than that.
double specialised_clocks(const KernelProblem& problem, const DeviceInfo& device,
                          BestStaged& staged, double limit) {
  return staged.tiles.best_within(limit).value_or(staged_clocks(problem, device));
}

/// What tiles that warps copy take at least, however small they are.
double least_of_copying(const KernelProblem& problem, const DeviceInfo& device) {
  const auto launch = [&](Transfer transfer) {
    const FamilyLaw law = law_of_warps(transfer, problem, device);
    return law.of.launch * law.rates.launch_gap;
  };
  return std::min(launch(Transfer::cp_async), launch(Transfer::registers));
}

bool is_copied(const KernelMatrix& matrix) { return matrix.access_bytes < kChunk || matrix.view; }

/// Without tensor cores, by all threads: asynchronously, or through registers.
double thread_clocks(const KernelProblem& problem, const DeviceInfo& device, BestStaged& staged) {
  if (!staged.threads().empty()) return staged.threads().front().clocks;
  const double tiles = tiles_of({kStagedExtent, kStagedExtent}, problem.m.value, problem.n.value,
                                problem.batch.value);
  const double rounds = std::ceil(tiles / (kThreadBlocks * std::max(device.sm_count, 1)));
  return kStagedStart + rounds * (static_cast<double>(problem.k.value) * kThreadsOfK + kThreadsEnd);
}
/// Likewise, what a producer loads, with the copies that it reads.
std::optional<double> thread_group_clocks(const KernelProblem& problem, const DeviceInfo& device,
                                          BestStaged& staged) {
  if (staged.groups().empty()) return std::nullopt;
  return staged.groups().front().clocks + copies_clocks(problem, device);
}

}  // namespace

double copies_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const double rate = kCopiedOf * memory_rate(device);
  const auto copied = [&](const KernelMatrix& matrix, Index lines) {
    const double bytes = static_cast<double>(lines) * static_cast<double>(problem.k.value) *
                         static_cast<double>(problem.batch.value) * width_bytes(matrix.type);
    return is_copied(matrix) ? std::max(fitted::kLeastOfCopies, 2 * bytes / rate) : 0;
  };
  return copied(problem.a, problem.m.value) + copied(problem.b, problem.n.value);
}

bool needs_copies(const KernelProblem& problem) {
  return is_copied(problem.a) || is_copied(problem.b);
}

double gathered_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  return staged_clocks(problem, device, kGatheredStart, kGatheredTile, kGatheredBytes);
}

bool is_for_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                        BestStaged& staged) {
  const std::optional<double> groups = warp_clocks(problem, device, staged);
  if (!groups) return false;
  return *groups < copying_warp_clocks(staged).value_or(staged_clocks(problem, device));
}

bool copies_pay_for_warps(const KernelProblem& problem, const DeviceInfo& device,
                          BestStaged& staged) {
  const std::optional<double> own = copying_warp_clocks(staged);
  if (!own) return is_for_warp_groups(problem, device, staged);
  const double copied =
      staged.copying_warps_of_copies().front().clocks + copies_clocks(problem, device);
  return std::min(copied, warp_clocks(problem, device, staged).value_or(copied)) < *own;
}

bool copies_pay_for_threads(const KernelProblem& problem, const DeviceInfo& device,
                            BestStaged& staged) {
  const std::optional<double> groups = thread_group_clocks(problem, device, staged);
  return groups && *groups < thread_clocks(problem, device, staged);
}

double other_clocks(const KernelProblem& problem, const DeviceInfo& device, BestStaged& staged,
                    Others others, double rival) {
  if (others == Others::threads) {
    const double clocks = thread_clocks(problem, device, staged);
    const std::optional<double> groups = thread_group_clocks(problem, device, staged);
    return groups ? std::min(clocks, *groups) : clocks;
  }
  const double copies = copies_clocks(problem, device);
  const auto copying = [&] { return copying_warp_clocks(staged); };
  if (others == Others::staged) {
    const double clocks = copying().value_or(staged_clocks(problem, device) + copies);
    return std::min(clocks, warp_clocks(problem, device, staged).value_or(clocks));
  }
  constexpr double kRounding = 1;  // what a sum of clocks may be off
  const double other =
      specialised_clocks(problem, device, staged, rival - copies + kRounding) + copies;
  if (copies == 0 || rival < std::min(other, least_of_copying(problem, device))) return other;
  return std::min({other, gathered_clocks(problem, device), copying().value_or(other)});
}

}  // namespace jute::plan
