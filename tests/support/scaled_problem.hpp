#pragma once
// Products of operands that are converted, drawn at random: types, scales, blocks, orders, edges.
#include "support/gemm_case.hpp"

namespace jute::test {

/// The same index gives the same case. Neighbours share what kernels hold, so that some are
/// compiled once.
[[nodiscard]] GemmCase scaled_case(int index);

/// Likewise of e4m3 and e5m2, most of which kernels multiply as they are and scale in their sums.
[[nodiscard]] GemmCase scaled_product_case(int index);

/// Likewise of weights that TMA can bring as they are stored, by the main loop in which threads
/// make fragments of them.
[[nodiscard]] GemmCase fragments_case(int index);

/// Likewise converted operands of groups of rows, columns and masked rows, with their epilogues.
[[nodiscard]] GemmCase converted_group_case(int index);

/// Likewise of groups of every kind that shares operands, parts of K among them, of any types,
/// orders and K: most are converted ahead of the product.
[[nodiscard]] GemmCase copied_group_case(int index);

/// scaled_case with an epilogue of its own.
[[nodiscard]] GemmCase converted_epilogue_case(int index);

}  // namespace jute::test
