#pragma once
// Problems that letters of einsum, or shapes of images, say: --contract and --conv.
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <string>
#include <vector>

#include "options/problem_options.hpp"

namespace jute::command {

[[nodiscard]] bool is_notation(const ProblemOptions& options);

/// `like` with the operands of the notation.
///   throws  UsageError: --extents, --gradient or --part without what it belongs to, or missing;
///           what contraction and convolution throw
[[nodiscard]] Problem notation_problem(const ProblemOptions& options, const Problem& like);

/// The problems of the options: one, or the parts of one D, of --problem with semicolons and of a
/// strided gradient without --part; completed by nothing.
///   throws  what problem_of throws
[[nodiscard]] std::vector<Problem> problems_of(const ProblemOptions& options);

/// `a=64,b=32`.
struct LetterCount {
  char letter = 0;
  Index extent = 0;
};
///   throws  UsageError
[[nodiscard]] std::vector<LetterCount> letter_counts(const std::string& extents);

/// Operands of a text that lie packed in C order, their letters as long as told.
///   throws  UsageError: a letter without an extent, an extent without a letter
[[nodiscard]] std::vector<StridedArray> packed_operands(const Subscripts& subscripts,
                                                        const std::vector<LetterCount>& extents);

}  // namespace jute::command
