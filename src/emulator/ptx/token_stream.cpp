// Literals, constant expressions and variable declarations of PTX.
#include "emulator/ptx/token_stream.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <utility>

namespace jute::emulator {
namespace {
constexpr std::string_view kWarpSize = "WARP_SZ";
}  // namespace

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
  // `12U`, and what .s64 does not hold, is .u64.
  const auto integer = [&](size_t skip, int base) -> std::optional<Literal> {
    const bool has_suffix = text.ends_with('U');
    const auto bits = digits(text.substr(skip, text.size() - skip - (has_suffix ? 1 : 0)), base);
    if (!bits) return std::nullopt;
    return Literal{OperandKind::integer, *bits, has_suffix || *bits >> 63 != 0};
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
  const bool is_octal = text.size() > 1 && text[0] == '0' && is_digit(text[1]);
  return is_octal ? integer(1, 8) : integer(0, 10);
}

}  // namespace

bool TokenStream::at_constant() const {
  return peek().kind != TokenKind::word || peek().text == kWarpSize;
}

Literal TokenStream::number() {
  if (peek().kind == TokenKind::word && peek().text == kWarpSize) {
    take();
    return {OperandKind::integer, 32};
  }
  // `.5` looks like a suffix.
  const bool is_fraction = peek().kind == TokenKind::dotted && is_digit(peek().text[1]);
  if (peek().kind != TokenKind::number && !is_fraction) refuse("a number must stand here");
  const auto value = read_literal(peek().text);
  if (!value)
    refuse("a number must be decimal, 0x…, 0b…, 0f and 8 or 0d and 16 hexadecimal digits");
  take();
  return *value;
}

Index TokenStream::expect_integer(std::string_view what) {
  const bool is_negative = accept('-');
  const Literal value = number();
  if (value.kind != OperandKind::integer) refuse(std::string(what) + " must be an integer");
  return static_cast<Index>(is_negative ? 0 - value.bits : value.bits);
}

std::optional<Space> find_space(std::string_view dotted) {
  static constexpr std::array<std::pair<std::string_view, Space>, 6> kSpaces{
      {{".global", Space::global},
       {".tex", Space::global},  // of PTX before 1.5: what .global .texref is
       {".shared", Space::shared},
       {".local", Space::local},
       {".param", Space::param},
       {".const", Space::constant}}};
  for (const auto& [name, space] : kSpaces)
    if (name == dotted) return space;
  return std::nullopt;
}

bool find_element_type(std::string_view dotted, ElementType& type) {
  // The name of a .texref and its like is an object's handle.
  static constexpr std::array<std::pair<std::string_view, ElementType>, 23> kTypes{
      {{".texref", {8, 'b'}}, {".samplerref", {8, 'b'}}, {".surfref", {8, 'b'}},
       {".b8", {1, 'b'}},     {".u8", {1, 'u'}},         {".s8", {1, 's'}},
       {".b16", {2, 'b'}},    {".u16", {2, 'u'}},        {".s16", {2, 's'}},
       {".f16", {2, 'f'}},    {".bf16", {2, 'f'}},       {".b32", {4, 'b'}},
       {".u32", {4, 'u'}},    {".s32", {4, 's'}},        {".f32", {4, 'f'}},
       {".f16x2", {4, 'f'}},  {".b64", {8, 'b'}},        {".u64", {8, 'u'}},
       {".s64", {8, 's'}},    {".f64", {8, 'f'}},        {".bf16x2", {4, 'f'}},
       {".b128", {16, 'b'}},  {".pred", {0, 'b'}}}};
  for (const auto& [name, value] : kTypes) {
    if (name != dotted) continue;
    type = value;
    return true;
  }
  return false;
}

namespace {

constexpr Index kMostVariableBytes = Index{1} << 30;
constexpr Index kMostAlignment = Index{1} << 30;

/// `symbol`, `generic(symbol)` and an offset.
Relocation parse_pointer(TokenStream& tokens) {
  Relocation pointer;
  pointer.symbol = tokens.expect_word("a symbol");
  if (pointer.symbol == "generic" && tokens.accept('(')) {
    pointer.symbol = tokens.expect_word("a symbol");
    tokens.expect(')');
  }
  if (tokens.accept('+')) pointer.addend = tokens.constant_integer("an offset");
  return pointer;
}
/// The rest of `0xFF00(generic(symbol))` behind the mask.
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

/// Initial data, one pair of braces for each dimension: what a list leaves out is zero.
class InitialData {
 public:
  /// `extents`: of the array, then of a vector; 0: as many as there are.
  InitialData(TokenStream& tokens, Variable& variable, std::vector<Index> extents)
      : tokens_(tokens), variable_(variable), extents_(std::move(extents)) {}

  /// Reads the values at a byte of the variable, from a dimension on.
  void read(size_t dimension, Index at) {
    if (dimension == extents_.size()) return element(at);
    tokens_.expect('{');
    const Index most = extents_[dimension];
    Index stride = variable_.type.bytes, count = 0;
    for (size_t i = dimension + 1; i < extents_.size(); ++i) stride *= extents_[i];
    if (!tokens_.accept('}')) {
      do {
        if (count == most && most != 0) tokens_.refuse("initial data must fit its variable");
        if (at + (count + 1) * stride > kMostVariableBytes)
          tokens_.refuse("an array must have between 0 and 2^30 bytes");
        read(dimension + 1, at + count++ * stride);
      } while (tokens_.accept(','));
      tokens_.expect('}');
    }
    if (most == 0) variable_.bytes = count * stride;
  }

 private:
  void element(Index at) {
    const ElementType& type = variable_.type;
    std::uint64_t bits = 0;
    const auto point = [&](Relocation pointer) {
      pointer.offset = at;
      pointer.bytes = type.bytes;
      variable_.relocations.push_back(std::move(pointer));
    };
    if (!tokens_.at_constant()) {
      point(parse_pointer(tokens_));
    } else {
      const Literal value = tokens_.constant();
      const bool is_integer = value.kind == OperandKind::integer;
      if (is_integer && tokens_.peek().is('('))
        point(parse_masked(tokens_, value.bits));
      else
        bits = bits_of(value);
    }
    variable_.initial.resize(static_cast<size_t>(at + type.bytes));
    for (int i = 0; i < std::min(type.bytes, 8); ++i)
      variable_.initial[static_cast<size_t>(at + i)] = static_cast<std::byte>(bits >> (8 * i));
  }

  [[nodiscard]] std::uint64_t bits_of(const Literal& value) const {
    const ElementType& type = variable_.type;
    const bool is_integer = value.kind == OperandKind::integer;
    if (type.kind == 'f' && type.bytes == 2)
      tokens_.refuse("a variable of 16-bit floating-point numbers must have no initial value");
    if (type.kind != 'b' && is_integer == (type.kind == 'f'))
      tokens_.refuse(is_integer ? "the initial value of a floating-point number must have a point"
                                : "the initial value of an integer must be one");
    if (value.kind == OperandKind::float64 && type.bytes == 4)
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
    return value.bits;
  }

  TokenStream& tokens_;
  Variable& variable_;
  std::vector<Index> extents_;
};

/// `[4][8]`, of which the first may be empty: what initial data says.
std::vector<Index> parse_extents(TokenStream& tokens, Variable& variable) {
  std::vector<Index> extents;
  Index bytes = variable.bytes;
  while (tokens.accept('[')) {
    const bool is_open = extents.empty() && tokens.peek().is(']');
    const Index extent = is_open ? 0 : tokens.expect_integer("an array extent");
    tokens.expect(']');
    if (extent < (extents.empty() ? 0 : 1) || extent > kMostVariableBytes ||
        __builtin_mul_overflow(bytes, std::max(extent, Index{1}), &bytes) ||
        bytes > kMostVariableBytes)
      tokens.refuse("an array must have between 0 and 2^30 bytes");
    extents.push_back(extent);
  }
  variable.is_array = !extents.empty();
  variable.bytes = !extents.empty() && extents[0] == 0 ? 0 : bytes;
  return extents;
}

}  // namespace

// Attributes hold by themselves here: memory that host and device share, and an identity
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
      if (given < 1 || given > kMostAlignment || (given & (given - 1)) != 0)
        tokens.refuse("an alignment must be a power of two up to 2^30");
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
  std::vector<Index> extents = parse_extents(tokens, variable);
  if (vector > 1) extents.push_back(vector);
  if (tokens.accept('=')) InitialData(tokens, variable, std::move(extents)).read(0, 0);
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
