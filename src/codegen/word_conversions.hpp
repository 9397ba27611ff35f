#pragma once
// Stored elements that become what is multiplied a word at a time.
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <string>

namespace jute::codegen {

/// Is a block's number kept as memory has it until elements are converted? Who made a number of it
/// at once would wait for its load, ahead of the next. Of a byte with two that is the number.
[[nodiscard]] inline bool is_kept_as_stored(const MoveNumbers& numbers) {
  return width_bits(numbers.type) >= 8;
}
/// That number of vector `i`, as a float. `what` is scale or zero, `letter` the operand's.
[[nodiscard]] std::string kept_number(const std::string& letter, const char* what,
                                      const std::optional<MoveNumbers>& numbers);

/// A piece of copy/convert.cu that settles words, its fills, and the functions that it calls.
struct WordConversion {
  const char* piece;      ///< "copy/convert.cu (settle pairs)" or "(settle floats)"
  std::string functions;  ///< of the stored type
  std::string numbers;    ///< of a vector: what its elements are less, and times
  std::string value;      ///< of a pair, or of a float
};

/// How the operand's elements are converted by words, with the same bits as one by one; none where
/// the chip lacks an instruction for it, or threads have single elements. `letter` is the
/// operand's.
[[nodiscard]] std::optional<WordConversion> word_conversion(const TemplateSet& templates,
                                                            const OperandPlan& operand,
                                                            const std::string& letter, Arch arch);
/// Is there one?
[[nodiscard]] bool is_by_words(const OperandPlan& operand, Arch arch);
/// Does what one load brings become more than a word of 16 bytes can hold, or pairs?
[[nodiscard]] bool becomes_pairs(const OperandPlan& operand, Arch arch);

/// What all conversions by words call: of the type that is multiplied.
[[nodiscard]] std::string word_functions(const TemplateSet& templates, DType multiplied);

}  // namespace jute::codegen
