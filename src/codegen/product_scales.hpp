#pragma once
// Sums of products that are multiplied by the scales of their blocks. Of a step without scales all
// of it is empty, and sums are added as they are.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// How many scales a thread takes of each operand for a run of k.
[[nodiscard]] std::string scale_constants(const Kernel& kernel);
/// Which lines of a tile a thread's accumulators belong to.
[[nodiscard]] std::string scale_functions(const Kernel& kernel);
/// The blocks of a tile, once.
[[nodiscard]] std::string scales_of_tile(const Kernel& kernel);
/// How a block begins whose warps all copy and multiply, and the sums of a k-tile there.
[[nodiscard]] std::string scales_of_block(const Kernel& kernel);
[[nodiscard]] KTileSums sums_of_k_tile(const Kernel& kernel);
/// The scales of a run of k, ahead of its products.
[[nodiscard]] std::string scales_of_run(const Kernel& kernel);
/// The copies of a warp of producers where stages have scales beside their tiles.
[[nodiscard]] std::string staged_scales_piece(const Kernel& kernel);
/// The statement that adds the sum of a run, as the piece calls it, to acc.elem[i].
[[nodiscard]] std::string scaled_addition(const Kernel& kernel, const char* sum);
/// Products of a k-tile by one instruction's tile after the other, whose sums are added while the
/// next one's are formed; `meanwhile`: what else is done once products of a k-tile run.
[[nodiscard]] std::string promoted_by_instruction(const Kernel& kernel,
                                                  const std::string& meanwhile);

}  // namespace jute::codegen
