#pragma once
// Matrices of bits that move in words: word_of_in0(value), along_of_in0(value) and their like.
#include <jute/emit/piece.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstddef>
#include <string>

namespace jute::codegen {

/// A matrix of bits in words, an input or an output by its place.
struct BitMatrix {
  const EpilogueOperandPlan& plan;
  std::size_t place;
  bool is_input;
};

/// Where its words lie.
[[nodiscard]] std::string word_functions(const GemmStep& step, const BitMatrix& matrix);
/// One of the pieces that move it.
[[nodiscard]] Piece words_piece(const TemplateSet& templates, const BitMatrix& matrix,
                                const char* name);
/// The pieces that store and read the words of a turn, as far as they lie inside D.
[[nodiscard]] Piece stored_words(const TemplateSet& templates, const GemmStep& step,
                                 const BitMatrix& matrix);
[[nodiscard]] Piece read_words(const TemplateSet& templates, const GemmStep& step,
                               const BitMatrix& matrix);
/// The word of a turn that holds a thread's `value`, and where in the word its bit is.
[[nodiscard]] std::string word_text(const BitMatrix& matrix, std::string_view value);
[[nodiscard]] std::string bit_text(const BitMatrix& matrix, std::string_view value);

}  // namespace jute::codegen
