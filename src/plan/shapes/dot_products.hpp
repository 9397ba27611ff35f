#pragma once
// D with few rows, or few columns: dot products, for which the large operand is read once as it
// lies.
#include <optional>
#include <vector>

#include "plan/choose/staged_cost.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

/// Has D few rows or columns, and are dot products of them what the caller wishes, or known to be
/// faster than tensor cores? Cheap, as it is asked of every problem.
[[nodiscard]] bool may_be_dot_products(const KernelProblem& problem, const Config& config);

/// The ways to deal the large operand to lanes that suit the problem, fastest first by the model;
/// those of the short list where kernels are shared; empty where D has more than a few rows and
/// columns, or its outputs are of many elements.
[[nodiscard]] std::vector<DotTile> ranked_dot_tiles(const KernelProblem& problem,
                                                    const DeviceInfo& device, size_t most,
                                                    Specialize specialize = Specialize::usual);

/// Atoms, permutation and tile.
[[nodiscard]] StraightForm form_of(const DotTile& tile, const KernelProblem& problem);

[[nodiscard]] Prediction predicted(const DotTile& tile, const KernelProblem& problem,
                                   const DeviceInfo& device);
/// Elements of a row that whole chunks of 16 bytes leave, at most: fewer than a chunk has ahead of
/// those and behind, and as many again where the other operand is cut out of chunks.
[[nodiscard]] int most_ends_of_row(DType type);
/// Is B the operand of which much is read once?
[[nodiscard]] bool streams_b(const GemmStep& step);
/// Of a step; none where lanes do not share out K.
[[nodiscard]] std::optional<Prediction> dot_prediction(const GemmStep& step,
                                                       const DeviceInfo& device);

/// `rows`, the straight kernels that the planner would take, behind those of dot products where the
/// model expects less of these than of the first of them, or of every other kernel where there is
/// none. What the caller wishes stands behind them at least.
[[nodiscard]] std::vector<Candidate> with_dot_products(
    std::vector<Candidate> rows, std::optional<double> clocks_of_first,
    const std::vector<MmaAtom>& atoms, const KernelProblem& problem, const DeviceInfo& device,
    const Config& config, BestStaged& staged, Others others);

}  // namespace jute::plan
