// Words of the language.
#include "epilogue/words.hpp"

#include <jute/epilogue/operations.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute::epilogue {

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"neg"};
    for (const EpilogueOperation& row : epilogue_operations())
      if (row.form == EpilogueForm::call && !row.spelling.empty() &&
          row.op != EpilogueOp::block_amax)
        all.emplace_back(row.spelling);
    for (int type = 0; type < kDTypeCount; ++type) all.emplace_back(name(static_cast<DType>(type)));
    return all;
  }();
  return names;
}

bool is_reserved(std::string_view word) {
  for (const char* const taken : {"d", "m", "n", "batch", "inf", "nan", "amax", "sum", "row_sum",
                                  "col_sum", "row_amax", "col_amax", "math"})
    if (word == taken) return true;
  for (const EpilogueOperation& row : epilogue_operations())
    if (!row.spelling.empty() && row.spelling == word) return true;
  return std::ranges::find(function_names(), word) != function_names().end();
}

std::string name_fault(std::string_view name) {
  if (name.empty() || !is_letter(name[0]) || !std::ranges::all_of(name, is_word_char))
    return base::format("a name must be a letter, then letters, digits and '_', unlike '{}'", name);
  if (name.size() > static_cast<std::size_t>(kLongestEpilogueName))
    return base::format("a name must have at most {} letters", kLongestEpilogueName);
  if (is_reserved(name))
    return base::format("{} has a meaning of its own: a name must be another word", name);
  return {};
}

std::string sum_fault(const EpilogueExpression& expression) {
  for (const EpilogueOp sum :
       {EpilogueOp::acc, EpilogueOp::gate, EpilogueOp::a_sum, EpilogueOp::b_sum})
    if (names(expression, sum)) return {};
  return "an epilogue must name acc, the sum of products, or the sum of an operand, a_sum[m] or "
         "b_sum[n]: without, nothing of A·B is in it";
}

}  // namespace jute::epilogue
