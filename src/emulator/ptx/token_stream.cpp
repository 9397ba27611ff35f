// Literals, constant expressions and variable declarations of PTX.
#include "emulator/ptx/token_stream.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <utility>

namespace jute::emulator {
namespace {
constexpr int kDeepestNesting = 32;
}

void TokenStream::refuse(std::string rule) const {
  const Token& token = peek();
  refuse_ptx(token.position,
             token.kind == TokenKind::end ? "end of text" : std::string(token.text.substr(0, 80)),
             std::move(rule));
}

void TokenStream::expect(char mark) {
  if (!accept(mark)) refuse(std::string("'") + mark + "' must stand here");
}

std::string TokenStream::expect_word(std::string_view what) {
  if (peek().kind != TokenKind::word) refuse(std::string(what) + " must stand here");
  return std::string(take().text);
}

namespace {

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    if (digit >= base) return std::nullopt;
    if (__builtin_mul_overflow(value, static_cast<std::uint64_t>(base), &value))
      return std::nullopt;
    if (__builtin_add_overflow(value, static_cast<std::uint64_t>(digit), &value))
      return std::nullopt;
  }
  return value;
}

std::optional<Literal> decimal_float(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return Literal{OperandKind::float64, std::bit_cast<std::uint64_t>(value)};
}

std::optional<Literal> bit_pattern(std::string_view text, size_t count, OperandKind kind) {
  const auto bits = digits(text.substr(2), 16);
  if (text.size() != count + 2 || !bits) return std::nullopt;
  return Literal{kind, *bits};
}

std::optional<Literal> read_literal(std::string_view text) {
  const auto integer = [&](size_t skip, int base) -> std::optional<Literal> {
    const auto bits = digits(text.substr(skip), base);
    if (!bits) return std::nullopt;
    return Literal{OperandKind::integer, *bits};
  };
  if (text.size() > 2 && text[0] == '0') {
    switch (text[1]) {
      case 'f':
      case 'F':
        return bit_pattern(text, 8, OperandKind::float32);
      case 'd':
      case 'D':
        return bit_pattern(text, 16, OperandKind::float64);
      case 'x':
      case 'X':
        return integer(2, 16);
      case 'b':
      case 'B':
        return integer(2, 2);
      default:
        break;
    }
  }
  if (text.find_first_of(".eE") != std::string_view::npos) return decimal_float(text);
  return text.size() > 1 && text[0] == '0' ? integer(1, 8) : integer(0, 10);
}

}  // namespace

Literal TokenStream::literal() {
  const bool negative = accept('-');
  if (!negative) accept('+');
  if (peek().kind != TokenKind::number) refuse("a number must stand here");
  const auto value = read_literal(peek().text);
  if (!value)
    refuse("a number must be decimal, 0x…, 0b…, 0f and 8 or 0d and 16 hexadecimal digits");
  take();
  if (!negative) return *value;
  if (value->kind == OperandKind::float32) return {value->kind, value->bits ^ 0x80000000U};
  if (value->kind == OperandKind::float64) return {value->kind, value->bits ^ (1ULL << 63)};
  return {value->kind, 0 - value->bits};
}

Index TokenStream::integer_term(std::string_view what) {
  if (accept('(')) {
    if (++depth_ > kDeepestNesting) refuse("parentheses must nest less than 32 deep");
    const Index value = expect_integer(what);
    expect(')');
    --depth_;
    return value;
  }
  const Literal value = literal();
  if (value.kind != OperandKind::integer) refuse(std::string(what) + " must be an integer");
  return static_cast<Index>(value.bits);
}

Index TokenStream::expect_integer(std::string_view what) {
  Index value = integer_term(what);
  for (;;) {
    bool overflow = false;
    if (accept('*')) {
      overflow = __builtin_mul_overflow(value, integer_term(what), &value);
    } else if (accept('+')) {
      overflow = __builtin_add_overflow(value, integer_term(what), &value);
    } else if (peek().is('-')) {
      take();
      overflow = __builtin_sub_overflow(value, integer_term(what), &value);
    } else {
      return value;
    }
    if (overflow) refuse(std::string(what) + " must fit 64 bits");
  }
}

std::optional<Space> find_space(std::string_view dotted) {
  static constexpr std::array<std::pair<std::string_view, Space>, 5> kSpaces{
      {{".global", Space::global},
       {".shared", Space::shared},
       {".local", Space::local},
       {".param", Space::param},
       {".const", Space::constant}}};
  for (const auto& [name, space] : kSpaces)
    if (name == dotted) return space;
  return std::nullopt;
}

bool find_element_type(std::string_view dotted, ElementType& type) {
  static constexpr std::array<std::pair<std::string_view, ElementType>, 20> kTypes{
      {{".b8", {1, 'b'}},    {".u8", {1, 'u'}},     {".s8", {1, 's'}},    {".b16", {2, 'b'}},
       {".u16", {2, 'u'}},   {".s16", {2, 's'}},    {".f16", {2, 'f'}},   {".bf16", {2, 'f'}},
       {".b32", {4, 'b'}},   {".u32", {4, 'u'}},    {".s32", {4, 's'}},   {".f32", {4, 'f'}},
       {".f16x2", {4, 'f'}}, {".b64", {8, 'b'}},    {".u64", {8, 'u'}},   {".s64", {8, 's'}},
       {".f64", {8, 'f'}},   {".bf16x2", {4, 'f'}}, {".b128", {16, 'b'}}, {".pred", {0, 'b'}}}};
  for (const auto& [name, value] : kTypes) {
    if (name != dotted) continue;
    type = value;
    return true;
  }
  return false;
}

namespace {

constexpr Index kMostVariableBytes = Index{1} << 30;

/// `symbol`, `generic(symbol)` and an offset.
Relocation parse_pointer(TokenStream& tokens) {
  Relocation pointer;
  pointer.symbol = tokens.expect_word("a symbol");
  if (pointer.symbol == "generic" && tokens.accept('(')) {
    pointer.symbol = tokens.expect_word("a symbol");
    tokens.expect(')');
  }
  if (tokens.accept('+')) pointer.addend = tokens.expect_integer("an offset");
  return pointer;
}
/// What is left of `0xFF00(generic(symbol))` behind the mask.
Relocation parse_masked(TokenStream& tokens, std::uint64_t mask) {
  const int shift = mask == 0 ? 0 : std::countr_zero(mask);
  if (mask == 0 || mask >> shift != 0xFF || shift % 8 != 0)
    tokens.refuse("the mask of an address must be one of its bytes: 0xFF, 0xFF00, …");
  tokens.expect('(');
  Relocation pointer = parse_pointer(tokens);
  tokens.expect(')');
  pointer.mask = mask;
  return pointer;
}

void append_initial(TokenStream& tokens, Variable& variable, int depth = 0) {
  if (tokens.accept('{')) {
    if (depth > kDeepestNesting) tokens.refuse("initial data must nest less than 32 deep");
    if (tokens.accept('}')) return;
    do append_initial(tokens, variable, depth + 1);
    while (tokens.accept(','));
    tokens.expect('}');
    return;
  }
  const auto at = static_cast<Index>(variable.initial.size());
  std::uint64_t bits = 0;
  const auto point = [&](Relocation pointer) {
    pointer.offset = at;
    pointer.bytes = variable.type.bytes;
    variable.relocations.push_back(std::move(pointer));
  };
  if (tokens.peek().kind == TokenKind::word) {
    point(parse_pointer(tokens));
  } else {
    const Literal value = tokens.literal();
    const bool is_mask = value.kind == OperandKind::integer && tokens.peek().is('(');
    if (is_mask) point(parse_masked(tokens, value.bits));
    bits = is_mask ? 0 : value.bits;
    if (value.kind == OperandKind::float64 && variable.type.bytes == 4)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  for (int i = 0; i < variable.type.bytes; ++i)
    variable.initial.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

void parse_extents(TokenStream& tokens, Variable& variable) {
  while (tokens.accept('[')) {
    variable.is_array = true;
    const Index extent = tokens.peek().is(']') ? 0 : tokens.expect_integer("an array extent");
    tokens.expect(']');
    if (extent < 0 || extent > kMostVariableBytes ||
        __builtin_mul_overflow(variable.bytes, extent, &variable.bytes) ||
        variable.bytes > kMostVariableBytes)
      tokens.refuse("an array must have between 0 and 2^30 bytes");
  }
}

}  // namespace

// What .attribute says holds by itself here: memory that host and device share, and an identity
// across address spaces.
void parse_attributes(TokenStream& tokens) {
  while (tokens.accept_dotted(".attribute")) {
    tokens.expect('(');
    do {
      const bool is_unified = tokens.accept_dotted(".unified");
      if (!is_unified && !tokens.accept_dotted(".managed"))
        tokens.refuse("an attribute must be .managed or .unified");
      if (!is_unified) continue;
      tokens.expect('(');
      do (void)tokens.expect_integer("a part of an identity");
      while (tokens.accept(','));
      tokens.expect(')');
    } while (tokens.accept(','));
    tokens.expect(')');
  }
}

Variable parse_variable(TokenStream& tokens, Space space, bool is_extern) {
  Variable variable;
  variable.space = space;
  variable.is_extern = is_extern;
  Index align = 0;
  Index vector = 1;
  for (;;) {
    if (tokens.peek().is_dotted(".attribute")) {
      if (space != Space::global) tokens.refuse("an attribute needs a .global variable");
      parse_attributes(tokens);
    } else if (tokens.accept_dotted(".align")) {
      const Index given = tokens.expect_integer("an alignment");
      if (given < 1 || given > 1024 || (given & (given - 1)) != 0)
        tokens.refuse("an alignment must be a power of two up to 1024");
      // `.param .u64 .ptr .global .align 1 p`: what it points at is aligned so.
      if (!variable.is_pointer) align = given;
    } else if (tokens.accept_dotted(".ptr")) {  // attributes of a pointer parameter
      variable.is_pointer = true;
      while (find_space(tokens.peek().text)) tokens.take();
    } else if (tokens.accept_dotted(".v2")) {
      vector = 2;
    } else if (tokens.accept_dotted(".v4")) {
      vector = 4;
    } else if (find_element_type(tokens.peek().text, variable.type)) {
      tokens.take();
      // `.param .u64 .ptr .global .align 1 name`: attributes may follow the type.
      if (!tokens.peek().is_dotted(".ptr")) break;
    } else if (variable.type.bytes != 0 && tokens.peek().kind == TokenKind::word) {
      break;
    } else {
      tokens.refuse("a type such as .b32 must stand here");
    }
  }
  if (variable.type.bytes == 0) tokens.refuse("a variable must have a type with a size");
  while (tokens.peek().is_dotted(".ptr") || tokens.peek().is_dotted(".align") ||
         find_space(tokens.peek().text)) {
    const std::string_view attribute = tokens.take().text;
    variable.is_pointer |= attribute == ".ptr";
    if (attribute == ".align") (void)tokens.expect_integer("an alignment");
  }
  variable.position = tokens.peek().position;
  variable.name = tokens.expect_word("a variable's name");
  variable.bytes = variable.type.bytes * vector;
  variable.align = static_cast<int>(align != 0 ? align : variable.bytes);
  if (tokens.accept('<'))
    tokens.refuse("only registers may be declared by a range: a variable needs a name of its own");
  const bool sized_by_data = tokens.peek().is('[') && tokens.peek(1).is(']');
  parse_extents(tokens, variable);
  if (tokens.accept('=')) append_initial(tokens, variable);
  const auto given = static_cast<Index>(variable.initial.size());
  if (sized_by_data) variable.bytes = given;
  if (given > variable.bytes) tokens.refuse("initial data must fit its variable");
  return variable;
}

PtxLabel::Prototype parse_prototype(TokenStream& tokens) {
  PtxLabel::Prototype prototype;
  const auto group = [&](std::vector<Index>& sizes) {
    if (!tokens.accept('(') || tokens.accept(')')) return;
    do {
      if (!tokens.accept_dotted(".param")) tokens.refuse("parameters must live in .param space");
      sizes.push_back(parse_variable(tokens, Space::param, false).bytes);
    } while (tokens.accept(','));
    tokens.expect(')');
  };
  group(prototype.results);
  (void)tokens.expect_word("a prototype's name");
  group(prototype.parameters);
  while (!tokens.accept(';')) {
    if (tokens.peek().kind == TokenKind::end) tokens.refuse("';' must end a prototype");
    tokens.take();
  }
  return prototype;
}

}  // namespace jute::emulator
