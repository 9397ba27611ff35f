#pragma once
// The numbers and parameters of GEMM kernels.
#include "plan/ask/kernel_problem.hpp"

#include <array>

namespace jute::plan {

/// Has every block of a grid that could walk one tile, as it is planned? Then blocks lie in rows,
/// and find their tile without a division.
[[nodiscard]] bool has_own_tiles(const GemmStep& step);

/// Every parameter of the step's kernel in its order: addresses, numbers that are no literals,
/// scale factors.
[[nodiscard]] std::vector<KernelParameter> kernel_parameters(const GemmStep& step,
                                                             const KernelProblem& problem);
/// What passes a scale factor or a scalar of the type.
[[nodiscard]] ParameterKind scale_kind(DType type);
/// One block for a tile and matrix.
[[nodiscard]] Count tiles(const GemmStep& step);
/// The same along M, along N and for each matrix of the batch.
[[nodiscard]] std::array<Count, 3> tile_grid(const GemmStep& step);
/// Tiles that cover all matrices; as a number that no extents make overflow.
[[nodiscard]] double tiles_of(const TileShape& tile, Index m, Index n, Index batch);
/// Elements of D in all matrices, likewise.
[[nodiscard]] double elements_of_d(Index m, Index n, Index batch);
/// Bytes of A and B, of so many for an element.
[[nodiscard]] double operand_bytes(Index m, Index n, Index k, Index batch, int width);
/// And of D.
[[nodiscard]] double all_bytes(Index m, Index n, Index k, Index batch, int width);
/// Likewise the blocks of whole clusters, one a tile.
[[nodiscard]] double blocks_of(const TileShape& tile, const ClusterShape& cluster, Index m, Index n,
                               Index batch);
/// How often a block was doubled, at least, to have the cluster's.
[[nodiscard]] int doublings(const ClusterShape& cluster);
/// Blocks of such clusters that run together, where an SM has room for one.
[[nodiscard]] Index blocks_at_once(const ClusterShape& cluster, const DeviceInfo& device);
/// Blocks of an SM, which shares out threads and registers: at least one.
[[nodiscard]] double blocks_of_sm(int threads, double registers_of_thread,
                                  const DeviceInfo& device);
/// Of an SM's shared memory, what each block takes beside its own.
[[nodiscard]] Index reserved_smem(const DeviceInfo& device);
/// Blocks of an SM that walk over tiles beside each other.
[[nodiscard]] int blocks_beside(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
