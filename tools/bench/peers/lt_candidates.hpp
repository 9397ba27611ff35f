#pragma once
// The bookkeeping of cuBLASLt's candidates: which there are, and in which forms each is launched.
#include <span>
#include <string>
#include <vector>

#include "bench/peers/cublas_api.hpp"

namespace jute::bench {

/// Workspaces that the heuristic is asked for. With more it offers mostly products split along K,
/// without any other tiles, which are often faster.
inline constexpr size_t kLtWorkspaces[] = {size_t{64} << 20, size_t{32} << 20, 0};
/// How many candidates it is asked for each time; it has not been seen to give more than 8.
inline constexpr int kLtMostCandidates = 64;

/// Each algorithm once, in the order of their first appearance.
[[nodiscard]] std::vector<LtChoice> distinct(std::span<const LtChoice> choices);

enum class LtWorkspace : std::uint8_t { given, none };
/// With the workspace and, where the algorithm needs none, without: then it is one graph node
/// instead of two, and mostly faster.
[[nodiscard]] std::vector<LtWorkspace> forms(const LtChoice& choice);

/// The fields by which algorithms differ.
struct LtNumbers {
  int id = 0, tile = 0, stages = 0, splits = 0;
};
/// `cublasLt 3: 66/20/36 x1, no workspace`: number, algorithm/tile/stages, slices of K.
[[nodiscard]] std::string lt_name(size_t number, const LtNumbers& numbers, LtWorkspace workspace);

}  // namespace jute::bench
