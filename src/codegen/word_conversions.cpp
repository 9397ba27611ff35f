// Which piece turns words of a type into which other, and what has to be subtracted behind it.
#include "codegen/word_conversions.hpp"

#include <jute/emit/piece.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

/// A word's elements two by two, above `base`.
struct PairsRow {
  DType type, part;
  int arch;
  const char* piece;
  int base;
  const char* number;  ///< of the piece's hole
};
constexpr std::array kPairs{
    PairsRow{DType::s4, DType::bf16, 80, "half", 136, "0x43084308"},
    PairsRow{DType::u4, DType::bf16, 80, "half", 128, "0x43004300"},
    PairsRow{DType::s4, DType::f16, 80, "half", 1032, "0x64086408"},
    PairsRow{DType::u4, DType::f16, 80, "half", 1024, "0x64006400"},
    PairsRow{DType::s8, DType::f16, 80, "byte", 1152, "word ^ 0x80808080"},
    PairsRow{DType::u8, DType::f16, 80, "byte", 1024, "word"},
    PairsRow{DType::e5m2, DType::f16, 80, "e5m2", 0, ""},
    PairsRow{DType::e4m3, DType::f16, 89, "e4m3", 0, ""},
    PairsRow{DType::e2m1, DType::f16, 80, "e2m1 in f16", 0, ""},
    PairsRow{DType::e2m1, DType::bf16, 80, "e2m1 in bf16", 0, ""},
};

/// A word's elements in f32, above `base`.
struct FloatsRow {
  DType type;
  int arch;
  const char* piece;
  int base;
  const char* flip;
};
constexpr int kUnit = 1 << 23;  // from here on the last bit of an f32 is 1
constexpr std::array kFloats{
    FloatsRow{DType::s4, 80, "f32 of half", kUnit + 8, "0x08080808"},
    FloatsRow{DType::u4, 80, "f32 of half", kUnit, "0"},
    FloatsRow{DType::s8, 80, "f32 of byte", kUnit + 128, "word ^ 0x80808080"},
    FloatsRow{DType::u8, 80, "f32 of byte", kUnit, "word"},
    FloatsRow{DType::e5m2, 80, "f32 of f16", 0, ""},
    FloatsRow{DType::e4m3, 89, "f32 of f16", 0, ""},
    FloatsRow{DType::e2m1, 80, "f32 of f16", 0, ""},
};

const PairsRow* pairs_row(DType type, DType part, Arch arch) {
  const auto* const row = std::ranges::find_if(
      kPairs, [&](const PairsRow& one) { return one.type == type && one.part == part; });
  return row != kPairs.end() && arch.number >= row->arch ? row : nullptr;
}

const FloatsRow* floats_row(DType type, Arch arch) {
  const auto* const row = std::ranges::find(kFloats, type, &FloatsRow::type);
  return row != kFloats.end() && arch.number >= row->arch ? row : nullptr;
}

/// The most that a whole number of the type differs from zero.
double whole_size(DType type) {
  const bool is_signed = type != DType::u4 && type != DType::u8;
  return std::ldexp(1.0, width_bits(type) - (is_signed ? 1 : 0));
}

/// Is what lies above zero, with the elements' base, a whole number of at most `most`? Then all of
/// it is subtracted at once, exactly.
bool is_subtracted_at_once(const MoveConversion& conversion, double above, double most) {
  if (conversion.zero)
    return is_integer(conversion.zero->type) && above + whole_size(conversion.zero->type) <= most;
  return std::trunc(conversion.offset) == conversion.offset &&
         above + std::abs(conversion.offset) <= most;
}

/// Is the result, in steps of the type that is multiplied, that of steps in f32 which is rounded to
/// it? The difference is exact, and of the product nothing is lost before it is rounded.
bool is_same_in_pairs(const PairsRow& row, const MoveConversion& conversion) {
  const bool is_above = conversion.zero || conversion.offset != 0;
  if (row.base == 0
          ? is_above
          : !is_subtracted_at_once(conversion, row.base, std::ldexp(1.0, precision_bits(row.part))))
    return false;
  if (!conversion.scale) return true;
  const DType scale = conversion.scale->type;
  return scale == row.part || scale == DType::e4m3 ||
         (scale == DType::ue8m0 && row.part == DType::bf16);
}

/// The number twice.
std::string pair_of(DType type, double number) {
  const std::vector<std::byte> bytes = encode(type, std::array{number});
  const unsigned bits = std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1])
                                                                  << 8;
  return base::format("{:#010x}", bits << 16 | bits);
}

/// Elements past the edge come as zeros, and stay that if they are less something and not scaled
/// by a zero.
bool needs_edge(const MoveConversion& conversion) {
  return !conversion.scale && (conversion.zero || conversion.offset != 0);
}

std::string inside_text(const std::string& x, const std::string& letter) {
  return base::format(
      "const bool is_inside = is_inside_{0}(copy_{0}_mn(i * kCopyElems{1}), copy_{0}_k(i * "
      "kCopyElems{1}));\n",
      x, letter);
}

std::string upper(const std::string& x) { return x == "a" ? "A" : "B"; }

std::string pairs_function(const TemplateSet& templates, const PairsRow& row) {
  return Piece(templates, base::format("convert/pairs.cu ({})", row.piece))
      .fill_if("type", std::string(name(row.type)))
      .fill_if("number", row.number)
      .fill_if("flip", row.number)
      .text();
}

WordConversion in_pairs(const TemplateSet& templates, const PairsRow& row,
                        const MoveConversion& conversion, const std::string& x) {
  WordConversion result{"copy/convert.cu (settle pairs)", pairs_function(templates, row), "", ""};
  if (row.base != 0) {
    std::string less = pair_of(row.part, -(row.base + conversion.offset));
    if (conversion.zero) {
      result.numbers += base::format("const float above = {}.0f - {}_zero_of[i];\n", -row.base, x);
      less = "rounded_pair(above, above)";
    }
    const bool is_cut = needs_edge(conversion);
    if (is_cut) result.numbers += inside_text(x, upper(x));
    const char* const or_zero = is_cut ? "is_inside ? " : "";
    const char* const otherwise = is_cut ? " : 0" : "";
    result.numbers += base::format("const unsigned one = {0}{1}{3}, less = {0}{2}{3};\n", or_zero,
                                   pair_of(row.part, 1), less, otherwise);
    result.value += "pair = pair_fma(pair, one, less);\n";
  }
  if (conversion.scale) {
    result.numbers +=
        base::format("const unsigned scale = rounded_pair({0}_scale_of[i], {0}_scale_of[i]);\n", x);
    result.value += "pair = pair_fma(pair, scale, 0x80008000);\n";
  }
  return result;
}

WordConversion in_floats(const TemplateSet& templates, const FloatsRow& row,
                         const MoveConversion& conversion, const std::string& x) {
  const PairsRow* const by_f16 =
      row.base == 0 ? pairs_row(row.type, DType::f16, Arch{row.arch}) : nullptr;
  WordConversion result{"copy/convert.cu (settle floats)",
                        by_f16 != nullptr ? pairs_function(templates, *by_f16) : "", "", ""};
  result.functions += Piece(templates, base::format("convert/pairs.cu ({})", row.piece))
                          .fill_if("type", std::string(name(row.type)))
                          .fill_if("flip", row.flip)
                          .fill_if("pairs", std::to_string(16 / width_bits(row.type)))
                          .text();
  const auto subtract = [&](const std::string& what) {
    result.value += base::format("value = __fsub_rn(value, {});\n", what);
  };
  const bool at_once = is_subtracted_at_once(conversion, row.base, 2 * kUnit);
  if (row.base != 0 && !at_once) subtract(base::format("{}.0f", row.base));
  const int above = at_once ? row.base : 0;
  if (conversion.zero) {
    result.numbers += above == 0
                          ? base::format("const float less = {}_zero_of[i];\n", x)
                          : base::format("const float less = {}.0f + {}_zero_of[i];\n", above, x);
    subtract("less");
  } else if (above + conversion.offset != 0) {
    subtract(base::format("static_cast<float>({:.9g})", above + conversion.offset));
  }
  if (conversion.scale)
    result.value += base::format("value = __fmul_rn(value, {}_scale_of[i]);\n", x);
  if (needs_edge(conversion)) {
    result.numbers += inside_text(x, upper(x));
    result.value += "if (!is_inside) value = 0;\n";
  }
  return result;
}

}  // namespace

bool is_by_words(const OperandPlan& operand, Arch arch) {
  return operand.stored && operand.vector_elems > 1 && width_bits(operand.type) == 16 &&
         floats_row(operand.stored->type, arch) != nullptr;
}

std::optional<WordConversion> word_conversion(const TemplateSet& templates,
                                              const OperandPlan& operand, const std::string& letter,
                                              Arch arch) {
  if (!is_by_words(operand, arch)) return std::nullopt;
  const MoveConversion& conversion = operand.stored->conversion;
  const PairsRow* const pairs = pairs_row(operand.stored->type, operand.type, arch);
  if (pairs != nullptr && is_same_in_pairs(*pairs, conversion))
    return in_pairs(templates, *pairs, conversion, letter);
  return in_floats(templates, *floats_row(operand.stored->type, arch), conversion, letter);
}

std::string word_functions(const TemplateSet& templates, DType multiplied) {
  std::string text;
  for (const char* const path : {"convert/pairs.cu (vector)", "convert/pairs.cu",
                                 "convert/pairs.cu (rounded)", "convert/pairs.cu (masked)"})
    text += Piece(templates, path).fill_if("part", std::string(name(multiplied))).text();
  return text;
}

}  // namespace jute::codegen
