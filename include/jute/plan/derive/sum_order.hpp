#pragma once
// The order of sums: all that decides the bits of an element of D, beside its operands.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace JUTE_API jute {

/// In which order a kernel adds the products of an element, and by which arithmetic. Two plans of
/// one epilogue give the same bits of the same row and column where it is equal. Empty where
/// elements of a run differ in it, or where a launch decides it.
///   example  `wgmma of 16 k, bf16 by bf16 in f32, k ascending`
[[nodiscard]] std::string sum_order(const Plan& plan);

}  // namespace jute
