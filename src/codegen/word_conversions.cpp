// Which piece turns words of a type into another, and what is subtracted and multiplied behind it.
#include "codegen/word_conversions.hpp"

#include <jute/emit/constants.hpp>
#include <jute/plan/convert/conversion_way.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/format.hpp"
#include "codegen/edges.hpp"
#include "codegen/letters.hpp"

namespace jute::codegen {
namespace {

/// The piece of convert/pairs.cu that gives a word's elements two by two in a type, and what fills
/// its hole.
struct PairsPiece {
  DType type, part;
  const char *piece, *number, *derivation = "";
};
constexpr int kChunkBits = 128;

constexpr std::array kPairs{
    PairsPiece{DType::s4, DType::bf16, "half", "0x43084308",
               "0x4308 ^ q is 136 + q in bf16, whose last bit of fraction is 1 there"},
    PairsPiece{DType::u4, DType::bf16, "half", "0x43004300",
               "0x4300 | q is 128 + q in bf16, whose last bit of fraction is 1 there"},
    PairsPiece{DType::s4, DType::f16, "half", "0x64086408",
               "0x6408 ^ q is 1032 + q in f16, whose last bit of fraction is 1 there"},
    PairsPiece{DType::u4, DType::f16, "half", "0x64006400",
               "0x6400 | q is 1024 + q in f16, whose last bit of fraction is 1 there"},
    PairsPiece{DType::s8, DType::f16, "byte", "word ^ 0x80808080"},
    PairsPiece{DType::u8, DType::f16, "byte", "word"},
    PairsPiece{DType::e5m2, DType::f16, "e5m2", ""},
    PairsPiece{DType::e4m3, DType::f16, "e4m3", ""},
    PairsPiece{DType::e2m1, DType::f16, "e2m1 in f16", ""},
    PairsPiece{DType::e2m1, DType::bf16, "e2m1 in bf16", ""},
};

/// The pieces that make f32 of words.
struct FloatsPiece {
  DType type;
  const char *piece, *flip;
};
constexpr std::array kFloats{
    FloatsPiece{DType::s4, "f32 of half", "0x08080808"},
    FloatsPiece{DType::u4, "f32 of half", "0"},
    FloatsPiece{DType::s8, "f32 of byte", "word ^ 0x80808080"},
    FloatsPiece{DType::u8, "f32 of byte", "word"},
    FloatsPiece{DType::e5m2, "f32 of f16", ""},
    FloatsPiece{DType::e4m3, "f32 of f16", ""},
    FloatsPiece{DType::e2m1, "f32 of f16", ""},
};

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

std::string inside_text(const std::string& x) {
  return assign(
      "const bool is_inside",
      base::format("is_inside_{0}(copy_{0}_mn(i * kCopyElems{1}), copy_{0}_k(i * kCopyElems{1}))",
                   x, capital(x)));
}

/// Is a block's number kept as memory has it until elements are converted? Who made a number of it
/// at once would wait for its load, ahead of the next. Of a byte with two that is the number.
bool is_kept_as_stored(const MoveNumbers& numbers) { return width_bits(numbers.type) >= 8; }

const PairsPiece* pairs_row(DType type, DType part) {
  const auto* const row = std::ranges::find_if(
      kPairs, [&](const PairsPiece& one) { return one.type == type && one.part == part; });
  return row == kPairs.end() ? nullptr : row;
}

std::string pairs_function(const TemplateSet& templates, DType type, DType part,
                           const char* pairs_of = "pairs_of") {
  const PairsPiece* const row = pairs_row(type, part);
  return Piece(templates, base::format("convert/pairs.cu ({})", row->piece))
      .fill_if("type", std::string(name(type)))
      .fill_if("number", row->number)
      .fill_if("derivation", row->derivation)
      .fill_if("flip", row->number)
      .fill_if("pairs_of", pairs_of)
      .text();
}

/// By way of f16, whose pairs have another name where the other operand may have those of `part`.
std::vector<std::string> floats_functions(const TemplateSet& templates, DType type, DType part) {
  const auto* const row = std::ranges::find(kFloats, type, &FloatsPiece::type);
  const bool has_other = part != DType::f16 && pairs_row(type, part) != nullptr;
  const char* const pairs_of = has_other ? "halves_of" : "pairs_of";
  std::vector<std::string> result;
  if (std::string_view(row->piece) == "f32 of f16")
    result.push_back(pairs_function(templates, type, DType::f16, pairs_of));
  result.push_back(Piece(templates, base::format("convert/pairs.cu ({})", row->piece))
                       .fill_if("type", std::string(name(type)))
                       .fill_if("flip", row->flip)
                       .fill_if("pairs_of", pairs_of)
                       .fill_if("pairs", std::to_string(16 / width_bits(type)))
                       .text());
  return result;
}

/// The holes that an operand's types and its numbers fill.
struct Settled {
  const TemplateSet& templates;
  DType type, part;
  const MoveConversion& conversion;
  ConversionWay way;
  const char *in_pairs, *in_floats;  ///< pieces
  std::string scale, zero;           ///< a block's numbers
  bool scale_of_element = false, zero_of_element = false;
  std::string place{};   ///< declares an element's, for numbers of elements
  std::string inside{};  ///< declares is_inside, where past the edge come zeros
};

Piece step_of(const TemplateSet& templates, const char* name) {
  return Piece(templates, base::format("convert/pairs.cu ({})", name));
}

WordConversion in_pairs(const Settled& of) {
  WordConversion result{of.in_pairs, {pairs_function(of.templates, of.type, of.part)}, "", ""};
  const auto step = [&](const char* name) { return step_of(of.templates, name); };
  if (of.way.base != 0) {
    std::string less = pair_of(of.part, -(of.way.base + of.conversion.offset));
    if (of.conversion.zero) {
      result.numbers += step("zero point")
                            .fill("type", std::string(name(of.type)))
                            .fill("base", -of.way.base)
                            .fill("zero", of.zero)
                            .text();
      less = "rounded_pair(above, above)";
    }
    const bool is_cut = needs_edge(of.conversion) && !of.inside.empty();
    if (is_cut) result.numbers += of.inside;
    const std::string inside = is_cut ? "is_inside" : "";
    result.numbers += step("constants")
                          .fill("one", where(inside, pair_of(of.part, 1)))
                          .fill("less", where(inside, less))
                          .text();
    result.value += step("less").text();
  }
  if (of.conversion.scale) {
    result.numbers += step("factor").fill("scale", of.scale).text();
    result.value += step("times").text();
  }
  return result;
}

WordConversion in_floats(const Settled& of) {
  const double offset = of.conversion.offset;
  WordConversion result{of.in_floats, floats_functions(of.templates, of.type, of.part), "", ""};
  if (of.scale_of_element || of.zero_of_element) result.value += of.place;
  const auto declare = [&](bool of_element, const char* name, const std::string& number) {
    (of_element ? result.value : result.numbers) +=
        assign(std::string("const float ") + name, number);
  };
  if (of.way.base != 0 && !of.way.at_once)
    result.value += value_less(of.templates, "what its bits stand for beside it",
                               base::format("{}.0f", of.way.base));
  const int above = of.way.at_once ? of.way.base : 0;
  if (of.conversion.zero) {
    declare(of.zero_of_element, "less",
            above == 0 ? of.zero : base::format("{}.0f + {}", above, of.zero));
    result.value += value_less(of.templates, "its zero point", "less");
  } else if (above + offset != 0) {
    result.value += value_less(of.templates, "its zero point",
                               base::format("static_cast<float>({:.9g})", above + offset));
  }
  if (of.conversion.scale) {
    declare(of.scale_of_element, "factor", of.scale);
    result.value += value_times(of.templates, "factor");
  }
  if (needs_edge(of.conversion) && !of.inside.empty()) {
    result.numbers += of.inside;
    result.value += "if (!is_inside) " + assign("value", "0");
  }
  return result;
}

}  // namespace

std::string value_less(const TemplateSet& templates, const char* what, const std::string& less) {
  return step_of(templates, "value less").fill("what", what).fill("less", less).text();
}
std::string value_times(const TemplateSet& templates, const std::string& factor) {
  return step_of(templates, "value times").fill("factor", factor).text();
}

std::string kept_number(const std::string& letter, const char* what,
                        const std::optional<MoveNumbers>& numbers) {
  const std::string array = base::format("{}_{}_of", letter, what);
  return numbers && is_kept_as_stored(*numbers) ? base::format("number_at({}, i)", array)
                                                : array + "[i]";
}

bool is_by_words(const OperandPlan& operand, Arch arch) {
  constexpr int kWordBits = 32;
  return operand.stored && operand.vector_elems * width_bits(operand.stored->type) >= kWordBits &&
         conversion_way(*operand.stored, operand.type, arch).by != ConvertedBy::elements;
}

bool becomes_pairs(const OperandPlan& operand, Arch arch) {
  constexpr int kWidestWord = 16;
  return is_by_words(operand, arch) ||
         (operand.stored && operand.vector_elems * width_bytes(operand.type) > kWidestWord);
}

std::optional<WordConversion> word_conversion(const TemplateSet& templates,
                                              const OperandPlan& operand, const std::string& letter,
                                              Arch arch) {
  if (!is_by_words(operand, arch)) return std::nullopt;
  const MoveConversion& conversion = operand.stored->conversion;
  const Settled of{.templates = templates,
                   .type = operand.stored->type,
                   .part = operand.type,
                   .conversion = conversion,
                   .way = conversion_way(*operand.stored, operand.type, arch),
                   .in_pairs = "copy/convert.cu (settle pairs)",
                   .in_floats = "copy/convert.cu (settle floats)",
                   .scale = kept_number(letter, "scale", conversion.scale),
                   .zero = kept_number(letter, "zero", conversion.zero),
                   .inside = inside_text(letter)};
  return of.way.by == ConvertedBy::pairs ? in_pairs(of) : in_floats(of);
}

std::optional<WordConversion> stored_conversion(const TemplateSet& templates,
                                                const GemmStep& step) {
  const StoredOperand& stored = *step.a.stored;
  const MoveConversion& conversion = stored.conversion;
  const ConversionWay way = conversion_way(stored, step.a.type, step.arch);
  if (way.by == ConvertedBy::elements) return std::nullopt;
  const auto number = [](const char* what, const std::optional<MoveNumbers>& numbers) {
    const std::string of_part = element(
        base::format("a_{}_of", what), "i + kRowsOfThread * (part * kNumbersOfRow / kPartsOfTile)");
    return numbers && is_kept_as_stored(*numbers) ? base::format("number_at(&{}, 0)", of_part)
                                                  : of_part;
  };
  const Settled of{.templates = templates,
                   .type = stored.type,
                   .part = step.a.type,
                   .conversion = conversion,
                   .way = way,
                   .in_pairs = "specialised/fragments.cu (pairs)",
                   .in_floats = "specialised/fragments.cu (floats)",
                   .scale = number("scale", conversion.scale),
                   .zero = number("zero", conversion.zero)};
  return way.by == ConvertedBy::pairs ? in_pairs(of) : in_floats(of);
}

bool is_of_chunks(const Move& move, const MoveNumbers& numbers) {
  return numbers.block_inner % (kChunkBits / width_bits(move.copy_type)) == 0;
}

std::optional<WordConversion> word_conversion(const TemplateSet& templates, const Move& move,
                                              Arch arch) {
  const int elems = kChunkBits / width_bits(move.copy_type);
  if (!move.conversion || move.view || move.access_bytes * 8 < elems * width_bits(move.type))
    return std::nullopt;
  const MoveConversion& conversion = *move.conversion;
  const auto of_element = [&](const std::optional<MoveNumbers>& numbers) {
    return numbers && !is_of_chunks(move, *numbers);
  };
  const auto number = [&](const char* what, const std::optional<MoveNumbers>& numbers) {
    return of_element(numbers) ? text_of(find_number(*numbers, what))
                               : kept_number(std::string(name(move.tensor)), what, numbers);
  };
  // Past the edge it is the row's last element, which becomes zero with it.
  const Settled of{
      .templates = templates,
      .type = move.type,
      .part = move.copy_type,
      .conversion = conversion,
      .way = (of_element(conversion.scale) || of_element(conversion.zero)
                  ? conversion_way_by_f32
                  : conversion_way)({move.type, conversion}, move.copy_type, arch),
      .in_pairs = "move/convert.cu (pairs)",
      .in_floats = "move/convert.cu (floats)",
      .scale = number("scale", conversion.scale),
      .zero = number("zero", conversion.zero),
      .scale_of_element = of_element(conversion.scale),
      .zero_of_element = of_element(conversion.zero),
      .place = assign("const unsigned place", "min(first + word * kOfWord + e, it.inner - 1u)")};
  if (of.way.by == ConvertedBy::elements) return std::nullopt;
  return of.way.by == ConvertedBy::pairs ? in_pairs(of) : in_floats(of);
}

std::string block_step(Index block, const char* coordinate, const std::string& stride) {
  if (block == 0) return {};
  return block == 1 ? base::format(" + {} * {}", coordinate, stride)
                    : base::format(" + {} / {} * {}", coordinate, block, stride);
}

NumberAt find_number(const MoveNumbers& numbers, const NumberPlace& place) {
  return {base::format("reinterpret_cast<const {}*>({})", name(numbers.type), place.base),
          base::format("matrix * {}{}{}", place.batch,
                       block_step(numbers.block_outer, "row", place.outer),
                       block_step(numbers.block_inner, "place", place.inner))};
}

NumberAt find_number(const MoveNumbers& numbers, const char* what) {
  const std::string it = base::format("it.{}", what);
  return find_number(numbers, {it + ".base", it + ".batch", it + ".outer", it + ".inner"});
}

std::string text_of(const NumberAt& number) {
  return base::format("number_at({}, {})", number.array, number.at);
}

std::string kept_type(const MoveNumbers& numbers) {
  return is_kept_as_stored(numbers) ? std::string(name(numbers.type)) : "float";
}

std::string kept_of(const MoveNumbers& numbers, const NumberAt& number) {
  return is_kept_as_stored(numbers) ? element(number.array, number.at) : text_of(number);
}

std::vector<std::string> word_functions(const TemplateSet& templates, DType multiplied) {
  std::vector<std::string> result;
  for (const char* const path : {"convert/pairs.cu (vector)", "convert/pairs.cu",
                                 "convert/pairs.cu (rounded)", "convert/pairs.cu (masked)"})
    result.push_back(Piece(templates, path).fill_if("part", std::string(name(multiplied))).text());
  return result;
}

}  // namespace jute::codegen
