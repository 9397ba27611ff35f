// Does a row of the tables suit a problem?
#include "plan/shapes/candidate_rows.hpp"

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/values/promotion.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

bool are(Operands operands, const KernelProblem& problem) {
  switch (operands) {
    case Operands::f64:
      return problem.accumulate == DType::f64;
    case Operands::fp8:
      return is_small_float(problem.a.type);
    case Operands::halves:
      return width_bits(problem.a.type) == 16;
    case Operands::any:
      break;
  }
  return true;
}

bool is_read_whole(const KernelMatrix& matrix) {
  return matrix.major == Major::k || width_bits(matrix.type) == 16;
}

/// Do rows begin where what brings them asks for it?
bool begins_at(const KernelMatrix& matrix, int access_bytes) {
  const bool is_copied = matrix.carry == Transfer::cp_async;
  return matrix.access_bytes >= (is_copied ? std::min(access_bytes, kLeastAsync) : access_bytes);
}

/// Is D more than the L2 cache keeps until it is written?
bool leaves_cache(const KernelProblem& problem, const DeviceInfo& device) {
  constexpr double kKept = 0.8;  // of the cache: bench/results/2026-11-28-straight-short-k-suite.md
  return elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
             width_bytes(problem.d.type) >
         kKept * static_cast<double>(device.l2_bytes);
}

}  // namespace

bool suits(const Needs& needs, const KernelProblem& problem, const DeviceInfo& device) {
  const int arch = device.arch.number;
  return are(needs.operands, problem) && arch >= needs.arch && arch < needs.next_arch &&
         begins_at(problem.a, needs.access_bytes) && begins_at(problem.b, needs.access_bytes) &&
         device.smem_bytes_per_block >= needs.smem_kib * 1024 &&
         (!problem.n.baked || problem.n.value >= needs.n) &&
         (!needs.whole_reads || (is_read_whole(problem.a) && is_read_whole(problem.b))) &&
         (needs.fills.m == 0 || tiles_of(needs.fills, problem.m.value, problem.n.value,
                                         problem.batch.value) >= device.sm_count) &&
         (needs.k_bytes == 0 ||
          (problem.k.baked && problem.k.value * width_bytes(problem.a.type) <= needs.k_bytes)) &&
         (!needs.large_d || leaves_cache(problem, device));
}

}  // namespace jute::plan
