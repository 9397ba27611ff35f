#pragma once
// Stored elements that become what is multiplied a word at a time.
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::codegen {

/// A block's number that threads keep, of vector `i`, as a float. `what` is scale or zero, `letter`
/// the operand's.
[[nodiscard]] std::string kept_number(const std::string& letter, const char* what,
                                      const std::optional<MoveNumbers>& numbers);

/// A piece that makes words of elements what is multiplied, its fills, and the functions that it
/// calls.
struct WordConversion {
  const char* piece;                   ///< of copy/convert.cu or move/convert.cu
  std::vector<std::string> functions;  ///< of the stored type, in the order they need each other
  std::string numbers;                 ///< of a vector: what its elements are less, and times
  std::string value;                   ///< of a pair, or of a float
};

/// How the operand's elements are converted by words, with the same bits as one by one; none where
/// the chip lacks an instruction for it, or threads have less than a word. `letter` is the
/// operand's.
[[nodiscard]] std::optional<WordConversion> word_conversion(const TemplateSet& templates,
                                                            const OperandPlan& operand,
                                                            const std::string& letter, Arch arch);
/// Is there one?
[[nodiscard]] bool is_by_words(const OperandPlan& operand, Arch arch);
/// Does what one load brings become more than a word of 16 bytes can hold, or pairs?
[[nodiscard]] bool becomes_pairs(const OperandPlan& operand, Arch arch);

/// How threads make fragments of A of a stage's words, part by part.
[[nodiscard]] std::optional<WordConversion> stored_conversion(const TemplateSet& templates,
                                                              const GemmStep& step);

/// How a copy's threads convert words; none where the copy goes by elements. A number that not all
/// elements of a chunk share is found where its element becomes a float.
[[nodiscard]] std::optional<WordConversion> word_conversion(const TemplateSet& templates,
                                                            const Move& move, Arch arch);
/// Have all elements of the copy's chunks of 16 bytes one of these numbers?
[[nodiscard]] bool is_of_chunks(const Move& move, const MoveNumbers& numbers);

/// An array of numbers that a run has, `reinterpret_cast<const bf16*>(it.scale.base)`, and the
/// place of an element's number in it.
struct NumberAt {
  std::string array, at;
};
/// Where numbers of blocks lie: their base, and how far they lie apart.
struct NumberPlace {
  std::string base, batch, outer, inner;
};
/// ` + place / 128 * it.scale.inner`: which block's number along a dimension.
[[nodiscard]] std::string block_step(Index block, const char* coordinate,
                                     const std::string& stride);
/// The number of the element at `matrix`, `row`, `place`.
[[nodiscard]] NumberAt find_number(const MoveNumbers& numbers, const NumberPlace& place);
/// As a copy's function finds it; `what` is scale or zero.
[[nodiscard]] NumberAt find_number(const MoveNumbers& numbers, const char* what);
[[nodiscard]] std::string text_of(const NumberAt& number);
/// The type in which a thread keeps a number, and the number as it is taken from memory.
[[nodiscard]] std::string kept_type(const MoveNumbers& numbers);
[[nodiscard]] std::string kept_of(const MoveNumbers& numbers, const NumberAt& number);

/// The functions that all conversions by words to a type call.
[[nodiscard]] std::vector<std::string> word_functions(const TemplateSet& templates,
                                                      DType multiplied);

/// An element in f32 less a number, of which `what` is said; times its scale.
[[nodiscard]] std::string value_less(const TemplateSet& templates, const char* what,
                                     const std::string& less);
[[nodiscard]] std::string value_times(const TemplateSet& templates, const std::string& factor);

}  // namespace jute::codegen
