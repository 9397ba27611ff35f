// Fills the pieces that read an element and its block's numbers, and compute what it counts as.
#include "codegen/conversions.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/piece.hpp>
#include <jute/plan/convert/conversion_way.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/format.hpp"
#include "codegen/edges.hpp"
#include "codegen/views.hpp"
#include "codegen/word_conversions.hpp"

namespace jute::codegen {
namespace {

Piece own_piece(const TemplateSet& set, const char* path, const Move& move) {
  return lettered(set, path, name(move.tensor))
      .fill_if("type", std::string(name(move.type)))
      .fill_if("part", std::string(name(move.copy_type)));
}

/// From the element to what it counts as, with the numbers as they are written.
std::string value_lines(const TemplateSet& templates, const MoveConversion& conversion,
                        const std::string& scale, const std::string& zero) {
  std::string lines;
  if (conversion.zero) lines += value_less(templates, "its zero point", zero);
  if (conversion.offset != 0)
    lines += value_less(templates, "its zero point",
                        base::format("static_cast<float>({:.9g})", conversion.offset));
  if (conversion.scale) lines += value_times(templates, scale);
  return lines;
}

/// The lines that make an element's value in a copy.
std::string value_lines(const TemplateSet& templates, const MoveConversion& conversion) {
  const auto number = [](const std::optional<MoveNumbers>& numbers, const char* it) {
    return numbers ? text_of(find_number(*numbers, it)) : std::string();
  };
  return value_lines(templates, conversion, number(conversion.scale, "scale"),
                     number(conversion.zero, "zero"));
}

std::string number_piece(const TemplateSet& templates, DType type) {
  return Piece(templates,
               width_bits(type) == 4 ? "move/convert.cu (half)" : "move/convert.cu (number)")
      .fill("type", std::string(name(type)))
      .fill("number", is_integer(type) ? "int" : "float")
      .text();
}

/// Functions, each once, in the order in which they are needed first.
struct Functions {
  std::vector<std::string> all{};
  std::string text{};
  void add(const std::vector<std::string>& more) {
    for (const std::string& one : more) {
      if (std::ranges::find(all, one) != all.end()) continue;
      all.push_back(one);
      text += one;
    }
  }
};

std::string element_text(const Move& move) {
  if (!move.view)
    return "matrix * it.batch_stride_source + row * it.outer_source + place * it.inner_source";
  return base::format("element_{}({}, matrix)", name(move.tensor),
                      move.transposed ? "place, row" : "row, place");
}

}  // namespace

std::string conversion_types(const TemplateSet& templates, const MoveStep& step) {
  std::set<DType> read, written;
  for (const Move& move : step.moves) {
    if (!move.conversion) continue;
    read.insert({move.type, move.copy_type});
    written.insert(move.copy_type);
    for (const auto* numbers : {&move.conversion->scale, &move.conversion->zero})
      if (*numbers) read.insert((*numbers)->type);
  }
  if (read.empty()) return {};
  std::string text;
  for (const DType type : read)
    text += element_type(templates, type, step.arch) + number_piece(templates, type) + "\n";
  text += conversions(templates, written, DType::f32, step.arch) +
          Piece(templates, "move/convert.cu").text() + "\n" +
          Piece(templates, "move/convert.cu (walk)").fill("chunks", kConvertedChunks).text() + "\n";
  Functions functions;
  for (const Move& move : step.moves)
    if (const auto words = word_conversion(templates, move, step.arch)) {
      functions.add(word_functions(templates, move.copy_type));
      functions.add(words->functions);
    }
  return text + functions.text;
}

void add_stored_types(std::set<DType>& types, const OperandPlan& operand) {
  if (operand.scales) types.insert(operand.scales->numbers.type);
  if (!operand.stored) return;
  types.insert(operand.stored->type);
  for (const auto* numbers : {&operand.stored->conversion.scale, &operand.stored->conversion.zero})
    if (*numbers) types.insert((*numbers)->type);
}

std::string conversion_types(const TemplateSet& templates, const GemmStep& step) {
  std::set<DType> numbers;
  Functions functions;
  bool are_wide = false;
  for (const OperandPlan* const operand : {&step.a, &step.b}) {
    if (operand->scales) numbers.insert(operand->scales->numbers.type);
    if (!operand->stored) continue;
    for (const auto& of_block :
         {operand->stored->conversion.scale, operand->stored->conversion.zero})
      if (of_block) numbers.insert(of_block->type);
    const auto words = word_conversion(templates, *operand, "", step.arch);
    are_wide |= !words && becomes_pairs(*operand, step.arch);
    if (words)
      functions.add(words->functions);
    else
      numbers.insert(operand->stored->type);
  }
  std::string text;
  for (const DType type : numbers) text += number_piece(templates, type);
  if (!functions.text.empty())
    for (const std::string& one : word_functions(templates, step.a.type)) text += one;
  else if (are_wide)
    text += Piece(templates, "convert/pairs.cu (vector)").text();
  return text + functions.text;
}

std::string settle_text(const GemmStep& step) {
  std::string calls;
  for (const auto& [operand, settle] : {std::pair{&step.b, "settle_b"}, {&step.a, "settle_a"}})
    if (straight_of(*operand).shifted || operand->stored) calls += call(settle);
  return calls;
}

namespace {

/// The numbers of its vectors' blocks that a thread keeps: declared, for the tile that is
/// converted and the one ahead of it; zero past the edge; loaded; taken over.
struct KeptNumbers {
  std::string held, outside, load, ahead, outside_ahead, load_ahead, take;
};

void add_kept(KeptNumbers& kept, const std::string& x, const std::string& mn, const char* what,
              const std::optional<MoveNumbers>& numbers) {
  if (!numbers) return;
  const std::string it = base::format("{}_{}", x, what), copies = x == "a" ? "A" : "B";
  const NumberPlace place{it, it + "_batch_stride", it + "_outer", it + "_inner"};
  const NumberAt found = find_number(*numbers, place);
  const std::string type = kept_type(*numbers);
  const std::string held = element(it + "_of", "i"), next = element(it + "_next", "i");
  kept.held += base::format("{} {}_of[kCopies{}] = {{}};\n", type, it, copies);
  kept.outside += assign(held, "{}");
  kept.load += assign(held, kept_of(*numbers, found));
  // Where each row has numbers of its own a thread's first row is found once.
  const bool is_by_rows = numbers->block_outer == 1;
  kept.ahead += base::format(
      "{0} {1}_next[kCopies{2}];\nconst long long {1}_first = matrix * {3}{4};\n", type, it, copies,
      place.batch, is_by_rows ? base::format(" + ({0} - {1}_left) * {2}", mn, x, place.outer) : "");
  kept.outside_ahead += assign(next, "{}");
  const std::string at_next = it + "_first" +
                              (is_by_rows ? base::format(" + mn * {}", place.outer)
                                          : block_step(numbers->block_outer, "row", place.outer)) +
                              block_step(numbers->block_inner, "place", place.inner);
  kept.load_ahead += assign(next, kept_of(*numbers, {found.array, at_next}));
  kept.take += assign(held, next);
}

/// The template with the letters of an operand and what it is stored as.
Piece lettered_as_stored(const TemplateSet& templates, const char* path, const OperandSide& side) {
  const DType type = side.plan->stored->type;
  return lettered(templates, path, side)
      .fill_if("type", std::string(name(type)))
      .fill_if("bits", std::to_string(width_bits(type)));
}

/// How elements come from memory: a tile ahead to registers of straight kernels or to stages, or
/// those of the tile that is next.
std::string stored_loads(const TemplateSet& templates, const OperandSide& side,
                         const KeptNumbers& kept) {
  const bool is_ahead = is_asked_ahead(*side.plan) || side.has_ring;
  const auto piece = [&](const char* path) {
    return lettered_as_stored(templates, path, side)
        .fill_if("numbers", is_ahead ? kept.ahead : std::string())
        .fill_if("take", kept.take)
        .fill_if("outside", is_ahead ? kept.outside_ahead : kept.outside)
        .fill_if("load", is_ahead ? kept.load_ahead : kept.load);
  };
  const std::string inside = joined({{side.whole_mn, "mn < " + side.lower + "_left"},
                                     {side.whole_k, "along_k < " + side.lower + "_asked_left"}});
  if (side.has_ring)
    return piece("copy/convert.cu (ring)")
               .fill("bytes", where(inside, "kStoredBytes" + side.upper))
               .text() +
           piece("copy/convert.cu (ring numbers)").text();
  if (is_ahead) {
    std::string next = piece("copy/convert.cu (next)").text();
    if (!inside.empty())
      next =
          piece("copy/convert.cu (next or zeros)").fill("inside", inside).fill("next", next).text();
    return piece("copy/convert.cu (asked)").text() +
           piece("copy/convert.cu (ask next)").fill("next", next).text();
  }
  return has_stored_stages(*side.plan)
             ? piece("copy/convert.cu (ask)").text() + piece("copy/convert.cu (landed)").text()
             : piece("copy/convert.cu (load)").text();
}

}  // namespace

bool is_asked_ahead(const OperandPlan& operand) {
  return operand.stored && transfer_of(operand) == Transfer::straight;
}

std::string stored_piece(const TemplateSet& templates, const OperandSide& side, Arch arch) {
  const StoredOperand& stored = *side.plan->stored;
  const std::string& x = side.lower;
  KeptNumbers kept;
  add_kept(kept, x, side.mn_lower, "scale", stored.conversion.scale);
  add_kept(kept, x, side.mn_lower, "zero", stored.conversion.zero);
  const auto piece = [&](const char* path) { return lettered_as_stored(templates, path, side); };
  const std::string loads = piece("copy/convert.cu").text() +
                            piece("copy/convert.cu (tile)").fill("numbers", kept.held).text() +
                            stored_loads(templates, side, kept);
  if (const auto words = word_conversion(templates, *side.plan, x, arch))
    return loads +
           piece(words->piece).fill("numbers", words->numbers).fill("value", words->value).text();
  return loads + piece("copy/convert.cu (settle)")
                     .fill("value", value_lines(templates, stored.conversion,
                                                kept_number(x, "scale", stored.conversion.scale),
                                                kept_number(x, "zero", stored.conversion.zero)))
                     .text();
}

namespace {

/// Adds the numbers of a copy that a thread keeps: declared, and asked for with its chunk.
void add_kept(std::string& held, std::string& load, const Move& move, const char* what,
              const std::optional<MoveNumbers>& numbers) {
  if (!numbers || !is_of_chunks(move, *numbers)) return;
  const std::string of = base::format("{}_{}_of", name(move.tensor), what);
  const NumberAt found = find_number(*numbers, what);
  held += base::format("{} {}[kChunks];\n", kept_type(*numbers), of);
  load += assign(element(of, "i"), kept_of(*numbers, found));
}

/// Where threads read words.
std::string by_words_text(const TemplateSet& templates, const Move& move,
                          const WordConversion& words) {
  std::string held, load;
  add_kept(held, load, move, "scale", move.conversion->scale);
  add_kept(held, load, move, "zero", move.conversion->zero);
  return own_piece(templates, "move/convert.cu (words)", move)
      .fill("bits", width_bits(move.type))
      .fill("held", held)
      .fill("load", load)
      .fill("convert", Piece(templates, words.piece)
                           .fill("type", std::string(name(move.type)))
                           .fill("numbers", words.numbers)
                           .fill("value", words.value)
                           .text())
      .text();
}

}  // namespace

std::string converting_text(const TemplateSet& templates, const Move& move, Arch arch) {
  if (const auto words = word_conversion(templates, move, arch))
    return by_words_text(templates, move, *words);
  return (move.view ? element_function(templates, name(move.tensor), *move.view) : std::string()) +
         own_piece(templates, "move/convert.cu (operand)", move)
             .fill("element", element_text(move))
             .fill("value", value_lines(templates, *move.conversion))
             .text();
}

namespace {

/// Elements from one to the next along a dimension, as the entry of a group has them: side by side,
/// or by its leading dimension.
std::string own_stride(const Count& stride, std::string_view tensor) {
  return stride == Count(1) ? std::string("1") : base::format("own.ld{}", tensor);
}

/// The turn that converts an operand which the device's list has.
std::string listed_turn(const TemplateSet& templates, const Move& move) {
  const std::string mn = move.tensor == TensorRole::a ? "m" : "n";
  const auto numbers = [&](const std::optional<MoveNumbers>& given) {
    if (!given) return std::string("{}");
    const std::string_view tensor = name(given->tensor);
    const std::string ld = base::format("_{}", tensor);
    return base::format("{{own.{}, {}, {}, 0}}", tensor, own_stride(given->stride_inner, ld),
                        own_stride(given->stride_outer, ld));
  };
  const std::string_view x = name(move.tensor);
  return own_piece(templates, "move/each.cu (turn)", move)
      .fill("inner", move.transposed ? mn : "k")
      .fill("outer", move.transposed ? "k" : mn)
      .fill("strides", own_stride(move.conversion->stride_inner, x) + ", " +
                           own_stride(move.conversion->stride_outer, x))
      .fill("numbers", numbers(move.conversion->scale) + ", " + numbers(move.conversion->zero))
      .text();
}

/// Where what is converted of a group lies as it must.
std::string lies_text(const MoveStep& step) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : " && ") + one; };
  for (const Move& move : step.moves) {
    const std::string_view x = name(move.tensor);
    add(base::format("lies(one.{0}, one.ld{0} * {1}, {2})", x, width_bits(move.type),
                     move.own_alignment));
    for (const auto& numbers : {move.conversion->scale, move.conversion->zero})
      if (numbers && width_bytes(numbers->type) > 1)
        add(base::format("lies(one.{}, 0, {})", name(numbers->tensor), width_bytes(numbers->type)));
  }
  return text;
}

}  // namespace

std::string listed_types(const TemplateSet& templates, const MoveStep& step) {
  const auto has_numbers = [](const Move& move) {
    return move.conversion->scale || move.conversion->zero;
  };
  return Piece(templates, "move/each.cu").text() +
         (std::ranges::any_of(step.moves, has_numbers)
              ? Piece(templates, "move/each.cu (numbers)").text()
              : alias("ListedGroup", "EachGroup")) +
         alias("GroupEnd", "ListedGroup");
}

std::string list_turn(const TemplateSet& templates, const MoveStep& step) {
  std::string copies;
  for (const Move& move : step.moves)
    copies += own_piece(templates, "move/each.cu (copy)", move).text();
  return Piece(templates, "move/each.cu (right)").fill("lies", lies_text(step)).text() +
         Piece(templates, "move/each.cu (list)").fill("copies", copies).text();
}

std::string converting_turn(const TemplateSet& templates, const Move& move) {
  if (move.own_alignment > 0) return listed_turn(templates, move);
  const auto numbers = [&](const char* what, const std::optional<MoveNumbers>& given) {
    const std::string it = base::format("{}_{}", name(move.tensor), what);
    return given ? base::format("{{{0}, {0}_inner, {0}_outer, {0}_batch_stride}}", it)
                 : std::string("{}");
  };
  return own_piece(templates, "move/convert.cu (turn)", move)
      .fill("scale", numbers("scale", move.conversion->scale))
      .fill("zero", numbers("zero", move.conversion->zero))
      .text();
}

}  // namespace jute::codegen
