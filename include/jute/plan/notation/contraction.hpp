#pragma once
// A contraction as a Problem: its operands are Views.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/notation/contraction_modes.hpp>

#include <span>

namespace JUTE_API jute {

/// The product of one or two arrays, and where its sides come from: `modes.a` is the operand of the
/// text that is the Problem's A, `modes.b` its B; one behind the last is an array of a single 1.
struct Contraction {
  Problem problem{};
  ContractionModes modes{};
};

/// The Problem that a text means for arrays that lie so.
///   operands       elements begin at the arrays' addresses
///   like           types, alignments, scale factors, epilogue: `a` and `b` are the text's first
///   and
///                  second operand, whichever sides they become. Its epilogue's rows are the
///                  coordinates of M, its columns those of N, counted as `modes` has them
///   result_strides_elems  of its letters, as they stand; empty: packed in C order. C lies as D
///   throws   what contraction_modes throws
[[nodiscard]] Contraction contraction(const Subscripts& subscripts,
                                      std::span<const StridedArray> operands,
                                      const Problem& like = {},
                                      std::span<const Index> result_strides_elems = {});

}  // namespace jute
