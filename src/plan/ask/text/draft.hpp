#pragma once
// A problem while its words are read, and the table of words with what reads each of them.
#include <jute/plan/ask/words.hpp>

#include <optional>
#include <string_view>

#include "plan/ask/text/problem_words.hpp"

namespace jute::plan {

/// A problem half read: what operands are follows from each other once all is known.
struct ProblemDraft {
  Problem problem;
  MatrixText a, b, c, d;
  std::optional<DType> type;  ///< of A and of B, where these say none themselves
  std::optional<ValueBlock> block_a, block_b;
  std::optional<Index> bound, expected;    ///< of all groups together, of one
  std::optional<EpilogueBlock> quantised;  ///< blocks of D that are divided by a scale
  bool is_drawn = false;                   ///< D is rounded by random words
};

struct WordRow {
  Keyword word;
  void (*read)(ProblemDraft&, const ProblemWord&);
  std::string_view left_out = {};  ///< as a Keyword has it
};
/// The row of a word; null where there is none.
[[nodiscard]] const WordRow* find_row(std::string_view name);

}  // namespace jute::plan
