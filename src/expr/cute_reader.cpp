// Reads what CuTe writes and prints: types, templates, pointers, named layouts.
#include "expr/cute_names.hpp"
#include "expr/reader.hpp"

#include <jute/atom/gmma_descriptor.hpp>
#include <jute/base/refuse.hpp>
#include <jute/layout/modes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace jute::expr {

namespace {

constexpr std::string_view kPointers[] = {"ptr",      "gmem_ptr", "smem_ptr",
                                          "rmem_ptr", "subptr",   "tmem_ptr",
                                          "raw_ptr",  "tmem_",    "counting_iter"};

/// The element's bits in a pointer's name, as in `smem_ptr16b` and `raw_ptr_16b`; 0: they follow
/// it. Nothing: the name is no pointer's.
std::optional<int> bits_of_pointer(std::string_view name) {
  for (const std::string_view pointer : kPointers) {
    if (name == pointer) return 0;
    if (!name.starts_with(pointer) || !name.ends_with('b')) continue;
    const char* const end = name.data() + name.size() - 1;
    const char* begin = name.data() + pointer.size();
    if (*begin == '_') ++begin;
    int bits = 0;
    const auto [rest, status] = std::from_chars(begin, end, bits);
    if (status == std::errc() && rest == end && bits > 0 && bits <= 1024) return bits;
  }
  return std::nullopt;
}

/// Does what comes behind a pointer's name belong to it?
bool continues_pointer(int bits, char next) {
  return next == '(' || (bits > 0 ? next == 'o' : next == '[');
}

/// `GMMA::Layout_K_SW128_Atom`, without its type.
struct GmmaAtomName {
  Major major;
  GmmaSwizzle swizzle;
};
std::optional<GmmaAtomName> gmma_atom_name(std::string_view name) {
  for (const std::string_view space : {"SM90::", "SM100::"})
    if (name.starts_with(space)) name.remove_prefix(space.size());
  for (const std::string_view space : {"GMMA::", "UMMA::"})
    if (name.starts_with(space)) name.remove_prefix(space.size());
  constexpr std::array<std::string_view, 4> kSwizzles{"INTER", "SW32", "SW64", "SW128"};
  for (const auto& [word, major] : {std::pair{"K", Major::k}, std::pair{"MN", Major::mn}})
    for (std::size_t i = 0; i < kSwizzles.size(); ++i)
      if (name == "Layout_" + std::string(word) + "_" + std::string(kSwizzles[i]) + "_Atom")
        return GmmaAtomName{major, static_cast<GmmaSwizzle>(i)};
  return std::nullopt;
}

bool is_zero(const IntTuple& tuple) {
  const std::vector<Index> leaves = tuple.leaves();
  return std::ranges::all_of(leaves, [](Index leaf) { return leaf == 0; });
}

/// A swizzle of bytes as one of elements.
std::optional<Swizzle> of_elements(const Swizzle& bytes, int element_bits) {
  if (!std::has_single_bit(static_cast<unsigned>(element_bits))) return std::nullopt;
  const int base = bytes.base() + 3 - std::countr_zero(static_cast<unsigned>(element_bits));
  if (base < 0) return std::nullopt;
  return Swizzle(bytes.bits(), base, bytes.shift());
}

}  // namespace

/// `sA: `, `  ThrID:      ` and `tCrA shape = `, which programs print before a layout.
void Reader::skip_label() {
  cursor_.skip_spaces();
  const std::size_t start = cursor_.at;
  const auto is_in_label = [](char c) { return is_word_char(c) || c == '.'; };
  const bool is_name = is_letter(cursor_.peek());
  while (is_in_label(cursor_.peek())) ++cursor_.at;
  const bool is_known = variables_.contains(cursor_.text.substr(start, cursor_.at - start));
  cursor_.skip_spaces();
  const std::size_t first_end = cursor_.at;
  while (is_name && (is_in_label(cursor_.peek()) || cursor_.peek() == ' ')) ++cursor_.at;
  const bool is_label = takes(": ") || takes(":\t") || (cursor_.at > first_end && takes("= "));
  if (!is_name || is_known || !is_label) cursor_.at = start;
}

void Reader::refuse_call(std::string_view call, std::string meant, std::size_t start) const {
  located(start, [&]() -> Value {
    jute::refuse(ErrorCode::unknown_name, "function", std::string(call),
                 "it must be written as the language has it", std::move(meant));
  });
}

/// Behind `!cute.`, a type of CuTe's Python: `layout<"(4,8):(8,1)">`,
/// `memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">`.
Value Reader::program_type() {
  const std::string_view text = cursor_.text;
  const std::size_t angle = text.find('<', cursor_.at);
  const std::size_t quote = std::min(text.find('"', cursor_.at), text.size());
  const std::size_t last = text.rfind('"');
  // One in another would be read by as many readers as there are.
  const bool is_nested = text.find("!cute.", cursor_.at) != std::string_view::npos;
  if (angle > quote || last <= quote || text.substr(last + 1) != ">" || is_nested)
    refuse("a type must hold a layout in quotes: !cute.layout<\"(4,8):(8,1)\">");
  std::string inner(text.substr(quote + 1, last - quote - 1));
  const std::string_view before = text.substr(angle + 1, quote - angle - 1);
  if (const std::size_t comma = before.rfind(','); comma != std::string_view::npos)
    inner = "ptr<" + std::string(before.substr(0, comma)) + "> o " + inner;
  return Reader(inner, catalogue_, variables_).whole();
}

/// `E<0,1>`: the unit of a mode of a mode.
Value Reader::basis(std::size_t start) {
  const std::vector<Value> modes = values('>');
  if (modes.empty()) refuse(ErrorCode::syntax, "a basis must name a mode: E<0>", start);
  std::string text = "1";
  for (const Value& mode : modes) text += "@" + to_string(mode);
  return located(start, [&]() -> Value { return IntTuple(text); });
}

/// `ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<…>>`, as compilers write it. A
/// flag of a pointer's bits makes it a swizzle of bytes.
Value Reader::composed_type(std::size_t start) {
  const std::vector<Value> parts = values('>');
  const auto* swizzle = parts.size() == 3 ? std::get_if<Swizzle>(&parts[0]) : nullptr;
  const auto* layout = parts.size() == 3 ? std::get_if<Layout>(&parts[2]) : nullptr;
  if (swizzle == nullptr || layout == nullptr)
    refuse(ErrorCode::syntax, "a ComposedLayout must hold a swizzle, an offset and a layout",
           start);
  if (const auto* offset = std::get_if<IntTuple>(&parts[1]); offset && offset->is_integer())
    return ComposedLayout(*swizzle, offset->value(), *layout);
  int bits = 0;
  constexpr std::string_view kFlag = "smem_ptr_flag_bits<";
  const auto* word = std::get_if<Word>(&parts[1]);
  if (word != nullptr && word->text.starts_with(kFlag))
    std::from_chars(word->text.data() + kFlag.size(), word->text.data() + word->text.size(), bits);
  const auto elements = bits > 0 ? of_elements(*swizzle, bits) : std::nullopt;
  if (!elements)
    refuse(ErrorCode::syntax,
           "the offset of a ComposedLayout must be a number or smem_ptr_flag_bits<16>", start);
  return ComposedLayout(*elements, 0, *layout);
}

/// A word that CuTe gives a meaning, with what belongs to it; nothing for any other.
std::optional<Value> Reader::cute_word(std::string_view name, std::size_t start) {
  const char next = cursor_.peek();
  if (next == '<') return cute_template(name, start);
  if (name == "ArithTuple" && next == '(') return coordinates(start);
  if (name.ends_with("DescriptorIterator")) {
    expect('o', "'o' and a layout must follow an iterator");
    return expression();
  }
  if (const auto bits = bits_of_pointer(name); bits && continues_pointer(*bits, next)) {
    cursor_.at = start;
    return pointed(pointer(), std::nullopt, start);
  }
  if (const auto text = named_layout(name)) return Layout(*text);
  // X of a step, None of Python's coordinates
  if ((name == "X" || name == "None") && next != '(') return IntTuple::wildcard();
  return std::nullopt;
}

std::optional<Value> Reader::cute_template(std::string_view name, std::size_t start) {
  if (name == "Sw" || name == "Swizzle" || name == "S")
    return swizzle(cursor_.text.find(name, start));  // behind `cute::`
  if (name == "ptr") {
    cursor_.at = start;
    return pointed(pointer(), std::nullopt, start);
  }
  if (name == "tensor") return tensor(start);
  if (name == "Int" || name == "C" || name == "constant") {
    const std::vector<Value> number = values('>');
    const auto* value = number.empty() ? nullptr : std::get_if<IntTuple>(&number.back());
    if (value == nullptr || !value->is_integer()) refuse("a static integer must hold a number");
    return *value;
  }
  if (makes_tuple(name)) return tuple_of(values('>'));
  if (name == "Layout") return call("make_layout", values('>'), start);
  if (name == "ComposedLayout") return composed_type(start);
  if (name == "E") return basis(start);
  if (name == "TiledMMA") return call("tiled_mma", values('>'), start);
  if (is_of_atom(name)) {
    std::vector<Value> parts = values('>');
    if (parts.empty()) refuse(ErrorCode::syntax, "an atom must have a name", start);
    const bool is_copy = name.starts_with("Copy");
    parts.front() = call(is_copy ? "copy_atom" : "mma_atom", {parts.front()}, start);
    if (name != "Copy_Atom" || parts.size() == 1) return parts.front();
    return ValueList{std::move(parts)};  // with its type
  }
  if (name.ends_with("_v") && is_of_mode(name.substr(0, name.size() - 2)))
    return call(name.substr(0, name.size() - 2), values('>'), start);
  if (const auto atom = gmma_atom_name(name)) {
    const std::vector<Value> type = values('>');
    const auto* word = type.size() == 1 ? std::get_if<Word>(&type[0]) : nullptr;
    if (word == nullptr) refuse("a type must stand between '<' and '>'");
    return located(start, [&]() -> Value {
      return gmma_layout_atom(atom->major, parse_value_type(word->text), atom->swizzle);
    });
  }
  return template_call(name, start);
}

/// `size<0>(L)`, `take<0,2>(L)`: template arguments follow the value, or pick a mode of it. What
/// has no call behind it is an atom's name.
std::optional<Value> Reader::template_call(std::string_view name, std::size_t start) {
  const std::size_t angle = cursor_.at;
  skip_template_arguments();
  const bool is_call = cursor_.peek() == '(';
  cursor_.at = angle;
  if (!is_call) return std::nullopt;
  std::vector<Value> chosen = values('>');
  for (Value& one : chosen)
    if (const auto* word = std::get_if<Word>(&one); word != nullptr && name == "recast_layout")
      if (const auto type = find_value_type(word->text)) one = Value(type->bits);
  std::vector<Value> arguments = values(')');
  if (arguments.empty()) refuse("a value must stand between '(' and ')'");
  if (is_of_mode(name) && !chosen.empty()) {
    std::vector<Value> path{arguments.front()};
    path.insert(path.end(), chosen.begin(), chosen.end());
    arguments.front() = call("get", std::move(path), start);
  } else {
    arguments.insert(arguments.begin() + 1, chosen.begin(), chosen.end());
  }
  return call(function_name(name), std::move(arguments), start);
}

/// `ArithTuple(_0,_64) o L`: the layout of coordinates, with its first one unless that is 0.
Value Reader::coordinates(std::size_t start) {
  const Value first = tuple_of(values(')'));
  const auto* origin = std::get_if<IntTuple>(&first);
  if (origin == nullptr) refuse(ErrorCode::syntax, "a coordinate must hold integers", start);
  if (!cursor_.take('o')) return first;
  Value layout = expression();
  if (is_zero(*origin)) return layout;
  return ValueList{{std::move(layout), *origin}};
}

/// `tensor<ptr<f32, gmem> o (4,3):(3,1)>`
Value Reader::tensor(std::size_t start) {
  const std::vector<Value> parts = values('>');
  if (parts.size() != 1) refuse(ErrorCode::syntax, "a tensor must hold one layout", start);
  return parts[0];
}

bool Reader::at_pointer() {
  const std::size_t start = cursor_.at;
  const std::optional<int> bits = bits_of_pointer(word());
  if (bits && *bits > 0) cursor_.skip_spaces();
  const char next = cursor_.peek();
  cursor_.at = start;
  return bits && (continues_pointer(*bits, next) || next == '<');
}

Reader::Pointer Reader::pointer() {
  Pointer pointer;
  pointer.bits = bits_of_pointer(word()).value_or(0);
  if (cursor_.take('[')) {
    Index bits = 0;
    const bool good = layout::read_integer(cursor_, bits).rule == nullptr && cursor_.take('b') &&
                      cursor_.take(']') && bits > 0 && bits <= 1024;
    if (!good) refuse("the bits of an element must be written as [16b]");
    pointer.bits = static_cast<int>(bits);
  }
  if (cursor_.peek() == '<') pointer_type(pointer);
  if (cursor_.peek() == '(') pointer_address(pointer);
  return pointer;
}

/// `<f16, smem, align<128>, S<3,4,3>>`
void Reader::pointer_type(Pointer& pointer) {
  for (const Value& part : values('>')) {
    if (const auto* word = std::get_if<Word>(&part)) {
      const auto type = find_value_type(word->text);
      if (type && pointer.bits == 0) pointer.bits = type->bits;
    } else if (const auto* swizzle = std::get_if<Swizzle>(&part)) {
      pointer.swizzle = *swizzle;
    }
  }
}

/// `(unset)`, `(0x7f00)`, `(0x7f00: f16, smem, align<16>)`; names of addresses are passed over.
void Reader::pointer_address(Pointer& pointer) {
  const std::size_t open = cursor_.at++;
  const std::size_t close = cursor_.text.find(')', open);
  if (close == std::string_view::npos) refuse("')' must close the address");
  std::string_view text = cursor_.text.substr(open + 1, close - open - 1);
  if (text.starts_with("0x")) {
    std::uint64_t address = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
    pointer.address = static_cast<Index>(address & 0xFFFFFFFF);
  }
  const std::size_t colon = text.find_first_of(':');
  if (colon != std::string_view::npos) {
    const std::size_t type = text.find_first_not_of(": ", colon);
    const std::size_t end = std::min(text.find_first_of(", ", type), text.size());
    const auto found = type == std::string_view::npos
                           ? std::nullopt
                           : find_value_type(text.substr(type, end - type));
    if (found) pointer.bits = found->bits;
    if (const std::size_t at = text.find("S<"); at != std::string_view::npos)
      pointer.swizzle = Swizzle(text.substr(at, text.find('>', at) + 1 - at));
  }
  cursor_.at = close + 1;
}

/// The layout behind a pointer. A swizzle that stands before it, or in its type, moves bits of byte
/// addresses: here it moves those of elements, from where the address lies in the swizzle's span.
Value Reader::pointed(const Pointer& pointer, const std::optional<Swizzle>& swizzle,
                      std::size_t start) {
  cursor_.skip_spaces();
  if (!cursor_.take('o')) refuse("'o' and a layout must follow a pointer");
  const Value value = composition();
  const std::optional<Swizzle> bytes = swizzle ? swizzle : pointer.swizzle;
  if (!bytes) return value;
  const auto* layout = std::get_if<Layout>(&value);
  if (layout != nullptr && bytes->bits() == 0) return *layout;
  if (layout == nullptr)
    refuse(ErrorCode::syntax, "a layout must follow a swizzled pointer", start);
  const auto elements = of_elements(*bytes, pointer.bits == 0 ? 8 : pointer.bits);
  if (!elements) {
    refuse(ErrorCode::unsupported,
           "a swizzle of bytes needs elements of 1, 2, 4, 8, … bits that it does not split", start);
  }
  const Index span = Index{1} << (bytes->base() + bytes->bits() + std::abs(bytes->shift()));
  const Index place = pointer.bits == 0 ? 0 : pointer.address % span * 8 / pointer.bits;
  return ComposedLayout(*elements, place, *layout);
}

}  // namespace jute::expr
