// Says what the bits of operands mean, from types, numbers of blocks, groups and tables.
#include "codegen/memory_words.hpp"

#include <algorithm>
#include <array>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

/// Which numbers the bits of an element are, of types that C++ has not.
struct TypeWords {
  DType type;
  std::string_view words;
};
constexpr std::array kTypes{
    TypeWords{DType::u4, "0 to 15, two a byte, the first in its low bits"},
    TypeWords{DType::s4, "-8 to 7 in two's complement, two a byte, the first in its low bits"},
    TypeWords{DType::e2m1,
              "a sign, then 0, 0.5, 1, 1.5, 2, 3, 4 or 6, two a byte, the first in its low bits"},
    TypeWords{DType::u8, "0 to 255"},
    TypeWords{DType::s8, "-128 to 127 in two's complement"},
    TypeWords{DType::e4m3,
              "a sign, 4 bits of exponent + 7, 3 of fraction; all of these 1 is no number"},
    TypeWords{DType::e5m2, "a sign, 5 bits of exponent + 15, 2 of fraction; the upper half of f16"},
    TypeWords{DType::ue8m0, "2^(bits - 127)"}};

std::string type_words(DType type) {
  const auto* const row = std::ranges::find(kTypes, type, &TypeWords::type);
  const std::string text(name(type));
  return row == kTypes.end() ? text : base::format("{} ({})", text, row->words);
}

std::string of_blocks(const MoveNumbers& numbers, std::string_view mn) {
  const auto many = [](Index count) { return count == 0 ? "all" : std::to_string(count); };
  return base::format("one for {} of {} by {} of K", many(numbers.block_outer), mn,
                      many(numbers.block_inner));
}

std::string number_line(std::string_view what, const std::optional<MoveNumbers>& numbers,
                        std::string_view mn) {
  if (!numbers) return {};
  return base::format("//     {}: {}, {}\n", what, type_words(numbers->type),
                      of_blocks(*numbers, mn));
}

/// An operand that is converted on its way.
std::string converted_words(std::string_view letter, DType type, const MoveConversion& conversion,
                            DType multiplied) {
  const std::string_view mn = letter == "A" ? "M" : "N";
  std::string value = "q";
  if (conversion.zero) value = "(q - zero)";
  if (conversion.offset != 0)
    value = base::format("({} - {:g})", conversion.zero ? "q - zero" : "q", conversion.offset);
  if (conversion.scale) value += " * scale";
  return base::format("//   {}: q is {}\n//     counts as {}, rounded to {}\n", letter,
                      type_words(type), value, name(multiplied)) +
         number_line("scale", conversion.scale, mn) + number_line("zero", conversion.zero, mn);
}

std::string operand_words(std::string_view letter, const OperandPlan& operand) {
  const std::string_view mn = letter == "A" ? "M" : "N";
  std::string text;
  if (operand.stored)
    text = converted_words(letter, operand.stored->type, operand.stored->conversion, operand.type);
  else if (std::ranges::find(kTypes, operand.type, &TypeWords::type) != kTypes.end())
    text = base::format("//   {}: {}\n", letter, type_words(operand.type));
  if (operand.scales)
    text += base::format("//     products times scale: {}, {}\n",
                         type_words(operand.scales->numbers.type),
                         of_blocks(operand.scales->numbers, mn));
  if (operand.rows)
    text += base::format("//   row r of {0} is row rows_{1}[r] of memory, none where that is -1\n",
                         letter, letter == "A" ? "a" : "b");
  return text;
}

/// The line that tells what the device's list says of groups.
std::string group_words(const KernelGroups& groups) {
  const std::string_view index = groups.index == GroupIndex::i64 ? "long long" : "int";
  if (groups.along == GroupedAlong::all)
    return base::format(
        "//   a group is a problem of its own: ends[g], of {}, says its M, N and K, where its "
        "operands lie and how far apart their lines\n",
        groups.count);
  if (groups.along == GroupedAlong::k)
    return base::format(
        "//   group g of {} has k from ends[g - 1] up to ends[g], {}s, and matrix g of D\n",
        groups.count, index);
  const bool is_m = groups.along == GroupedAlong::m;
  const std::string_view lines = is_m ? "rows" : "columns", cut = is_m ? "A" : "B",
                         whole = is_m ? "B" : "A";
  if (groups.entry == GroupEntry::row)
    return base::format(
        "//   ends[i] is the group of line i of {} and D, an {} below {}, -1 of none; lines of a "
        "group lie together; group g is multiplied by matrix g of {}\n",
        cut, index, groups.count, whole);
  if (groups.is_masked)
    return base::format(
        "//   group g of {} has the first ends[g] {} of matrix g of {} and D, {}s; it is "
        "multiplied by matrix g of {}\n",
        groups.count, lines, cut, index, whole);
  return base::format(
      "//   group g of {} has the {} of {} and D from ends[g - 1] up to ends[g], {}s; it is "
      "multiplied by matrix g of {}\n",
      groups.count, lines, cut, index, whole);
}

std::string gate_words(const GatedHalves& gate) {
  const std::string_view letter = gate.operand == Operand::a ? "A" : "B";
  return gate.is_beside
             ? base::format(
                   "//   {} has the lines of a gate, and gate_stride elements behind each the one "
                   "that it gates\n",
                   letter)
             : base::format("//   {} has each line of a gate beside the one that it gates\n",
                            letter);
}

std::string with_heading(const std::string& lines) {
  return lines.empty() ? "" : "// What memory holds:\n" + lines;
}

}  // namespace

std::string memory_words(const GemmStep& step) {
  std::string text = operand_words("A", step.a) + operand_words("B", step.b);
  if (step.gate) text += gate_words(*step.gate);
  if (step.epilogue.d_rows)
    text += base::format("//   row r of D {} row rows_d[r] of memory, none where that is -1\n",
                         step.epilogue.d_rows->store == RowStore::add ? "is added to" : "goes to");
  if (step.groups) text += group_words(*step.groups);
  return with_heading(text);
}

std::string memory_words(const MoveStep& step) {
  std::string text;
  for (const Move& move : step.moves)
    if (move.conversion)
      text += converted_words(move.tensor == TensorRole::a ? "A" : "B", move.type, *move.conversion,
                              move.copy_type);
  return text.empty() ? "" : with_heading(text) + "\n";
}

}  // namespace jute::codegen
