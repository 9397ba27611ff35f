// Reads our notation: values, tuples, layouts, calls.
#include "expr/reader.hpp"

#include "expr/cute_names.hpp"

#include <jute/base/refuse.hpp>

#include <algorithm>

namespace jute::expr {

namespace {

using layout::Fault;

constexpr std::string_view kWhat = "expression";
/// A value takes some hundred bytes, a character of the text one.
constexpr std::size_t kMostValues = 16384;

bool is_function(const Value& value) {
  return std::holds_alternative<Layout>(value) || std::holds_alternative<ComposedLayout>(value) ||
         std::holds_alternative<ChainedLayout>(value) || std::holds_alternative<Swizzle>(value);
}

bool has_word(const Value& value) {
  if (std::holds_alternative<Word>(value)) return true;
  const auto* list = std::get_if<ValueList>(&value);
  return list != nullptr && std::any_of(list->values.begin(), list->values.end(), has_word);
}

/// The atom of `Copy_Atom<OP, half_t>`, whose type says nothing by itself.
std::optional<Value> atom_of(const Value& value) {
  const auto* typed = std::get_if<ValueList>(&value);
  const bool is_typed = typed != nullptr && typed->values.size() == 2 &&
                        std::holds_alternative<Boxed<CopyAtom>>(typed->values.front()) &&
                        std::holds_alternative<Word>(typed->values.back());
  return is_typed ? std::optional(typed->values.front()) : std::nullopt;
}

}  // namespace

Value tuple_of(std::vector<Value> values) {
  std::vector<IntTuple> modes;
  for (const Value& value : values) {
    if (const auto* mode = std::get_if<IntTuple>(&value)) modes.push_back(*mode);
  }
  if (modes.size() == values.size()) return IntTuple::tuple(modes);
  return ValueList{std::move(values)};
}

Value Reader::whole() {
  if (takes("!cute.")) return program_type();
  skip_label();
  Value value = expression();
  while (cursor_.take(';')) {
  }
  // A tensor's element type may follow its layout.
  cursor_.skip_spaces();
  if (takes(", data=") || takes("= ") || (cursor_.peek() == ':' && ends_behind_colon()))
    cursor_.at = cursor_.text.size();
  layout::expect_end(cursor_, kWhat);
  if (auto atom = atom_of(value)) return *std::move(atom);
  if (has_word(value)) {
    if (const auto* word = std::get_if<Word>(&value)) refuse_word(word->text);
    refuse(ErrorCode::unknown_name,
           "a word needs a function to be an argument of; it is no value by itself", 0);
  }
  return value;
}

/// An atom or a function by its bare name, which is no value.
void Reader::refuse_word(const std::string& name) const {
  const auto told = [&](std::string rule, std::optional<std::string> nearest) {
    located(0, [&]() -> Value {
      jute::refuse(ErrorCode::unknown_name, std::string(kWhat), name, std::move(rule),
                   std::move(nearest));
    });
  };
  if (catalogue_.try_mma(name))
    told("an atom must be an argument of a function, such as layout_a, layout_b, layout_c",
         "layout_c(" + name + ")");
  if (catalogue_.try_copy(name))
    told("an atom must be an argument of a function, such as layout_src, layout_dst",
         "layout_src(" + name + ")");
  if (const Function* function = try_function(name))
    told("a function needs its arguments in brackets: " + std::string(function->usage), {});
}

bool Reader::takes(std::string_view text) {
  if (!cursor_.text.substr(cursor_.at).starts_with(text)) return false;
  cursor_.at += text.size();
  return true;
}

/// A layout is a function: `L(3)`, `L(1,2)`, and `L(1,_)` for a part of it.
Value Reader::expression() {
  cursor_.skip_spaces();
  const std::size_t start = cursor_.at;
  Value value = composition();
  while (cursor_.peek() == '(' && is_function(value)) value = applied(std::move(value), start);
  return value;
}

Value Reader::applied(Value function, std::size_t start) {
  const std::vector<Value> arguments = values(')');
  if (arguments.empty()) refuse("a coordinate must stand between '(' and ')'");
  Value coordinate = arguments.size() == 1 ? arguments.front() : tuple_of(arguments);
  if (std::holds_alternative<Swizzle>(function))
    return call("get",
                {call("swizzle_apply", {std::move(function), std::move(coordinate)}, start), 0},
                start);
  const bool is_whole = to_string(coordinate).find('_') == std::string::npos;
  return call(is_whole ? "crd2idx" : "slice", {std::move(coordinate), std::move(function)}, start);
}

/// value | value 'o' [offset 'o'] value
Value Reader::composition() {
  const std::size_t start = cursor_.at;
  Value value = layout_or_value();
  const auto* swizzle = std::get_if<Swizzle>(&value);
  // CuTe joins a swizzle to its pointer: `Sw<3,4,3>_smem_ptr[16b](0x400) o …`.
  if (swizzle != nullptr && cursor_.peek() == '_') {
    ++cursor_.at;
    if (!at_pointer()) refuse("'o' or a pointer must follow the swizzle");
    const Swizzle bytes = *swizzle;
    return pointed(pointer(), bytes, start);
  }
  cursor_.skip_spaces();
  if (cursor_.peek() != 'o') return value;
  ++cursor_.at;
  cursor_.skip_spaces();
  if (swizzle != nullptr && at_pointer()) {
    const Swizzle bytes = *swizzle;
    return pointed(pointer(), bytes, start);
  }
  return composition_of(std::move(value));
}

/// The right side of `value o`.
Value Reader::composition_of(Value left) {
  const Index between = offset().value_or(0);
  cursor_.skip_spaces();
  const std::size_t start = cursor_.at;
  Value right = layout_or_value();
  offsets_ = OffsetMeaning::elements;
  return composed(std::move(left), between, std::move(right), start);
}

/// `8 o`, `_0 o`; nothing where a layout begins.
std::optional<Index> Reader::offset() {
  const std::size_t start = cursor_.at;
  if (cursor_.peek() == '_') ++cursor_.at;
  if (!layout::is_digit(cursor_.peek()) && cursor_.peek() != '-') {
    cursor_.at = start;
    return std::nullopt;
  }
  Index value = 0;
  if (const Fault fault = layout::read_integer(cursor_, value); fault.rule != nullptr) {
    layout::refuse_text(fault, kWhat, cursor_.text);
  }
  cursor_.skip_spaces();
  if (cursor_.peek() == ':') {
    cursor_.at = start;
    return std::nullopt;
  }
  if (!cursor_.take('o')) refuse("'o' and a layout must follow the offset of a composed layout");
  return value;
}

Value Reader::composed(Value left, Index offset, Value right, std::size_t column) const {
  const auto* inner = std::get_if<Layout>(&right);
  if (const auto* swizzle = std::get_if<Swizzle>(&left); swizzle != nullptr && inner != nullptr) {
    return ComposedLayout(*swizzle, offset, *inner);
  }
  if (const auto* outer = std::get_if<Layout>(&left)) {
    if (inner != nullptr) return ChainedLayout{*outer, offset, *inner};
    if (const auto* swizzle = std::get_if<Swizzle>(&right)) {
      return ChainedLayout{*outer, offset, *swizzle};
    }
  }
  refuse(ErrorCode::syntax, "'o' needs a layout on one side, and a layout or swizzle on the other",
         column);
}

/// value | shape ':' stride
Value Reader::layout_or_value() {
  cursor_.skip_spaces();
  const std::size_t start = cursor_.at;
  Value value = primary();
  const std::size_t end = cursor_.at;
  cursor_.skip_spaces();
  if (cursor_.peek() != ':') {
    cursor_.at = end;
    return value;
  }
  const auto* shape = std::get_if<IntTuple>(&value);
  if (shape == nullptr && ends_behind_colon()) return value;
  if (shape == nullptr) refuse("':' must follow a shape, a tuple of integers");
  ++cursor_.at;
  cursor_.skip_spaces();
  const Value second = primary();
  const auto* stride = std::get_if<IntTuple>(&second);
  if (stride == nullptr) refuse("a stride, a tuple of integers, must follow ':'");
  offsets_ = OffsetMeaning::elements;
  return located(start, [&]() -> Value { return Layout(*shape, *stride); });
}

/// `print_tensor` ends its first line so.
bool Reader::ends_behind_colon() const {
  const std::string_view rest = cursor_.text.substr(cursor_.at + 1);
  return rest.empty() || rest.front() == '\n';
}

Value Reader::primary() {
  cursor_.skip_spaces();
  const char next = cursor_.peek();
  if (next == '(') return tuple();
  if (is_letter(next)) return word_or_call();
  if (cursor_.done()) refuse("a value must follow, but the text ends");
  layout::TupleSink sink;
  if (const Fault fault = layout::read_leaf(cursor_, sink); fault.rule != nullptr) {
    refuse(fault.code, fault.rule, fault.column);
  }
  (void)takes("{}");  // `_8{}`
  return sink.take();
}

/// Does the bracket at the cursor close with only integers, '_', '@' and brackets before? A scan
/// that comes upon something else answers for every bracket still open there, so that all scans
/// together are linear in the text.
bool Reader::only_integers() {
  if (std::binary_search(mixed_.begin(), mixed_.end(), cursor_.at)) return false;
  std::vector<std::size_t> open;
  for (std::size_t i = cursor_.at; i < cursor_.text.size(); ++i) {
    const char c = cursor_.text[i];
    if (c == '(') open.push_back(i);
    if (c == ')') open.pop_back();
    if (open.empty()) return true;
    if (is_letter(c) || c == ':' || c == '{' || open.size() > layout::kMaxDepth) break;
  }
  mixed_ = std::move(open);
  return false;
}

Value Reader::tuple() {
  if (!only_integers()) return tuple_of(values(')'));
  layout::TupleSink sink;
  const Fault fault = layout::read_tuple(cursor_, sink, layout::kMaxDepth - depth_);
  if (fault.rule != nullptr) layout::refuse_text(fault, kWhat, cursor_.text);
  return sink.take();
}

/// A bracket, value, value, … and the bracket that closes. Python's last comma is taken, and its
/// `mode=[0,1]` are values that `modes_` counts.
std::vector<Value> Reader::values(char close) {
  if (++depth_ > layout::kMaxDepth) {
    refuse(ErrorCode::too_deep, "expressions must nest at most 64 deep", cursor_.at);
  }
  ++cursor_.at;  // the bracket
  std::vector<Value> values;
  std::size_t modes = 0;
  for (bool is_first = true; !cursor_.take(close); is_first = false) {
    if (values.size() == kMostValues) {
      refuse(ErrorCode::out_of_range, "a list must hold at most 16384 values", cursor_.at);
    }
    if (!is_first && !cursor_.take(',')) {
      refuse(close == ')' ? "',' or ')' must follow here" : "',' or '>' must follow here");
    }
    if (!is_first && cursor_.take(close)) break;
    const std::string_view name = name_of_argument();
    if (name == "mode" && cursor_.peek() == '[') {
      for (Value& mode : this->values(']')) values.push_back(std::move(mode)), ++modes;
      continue;
    }
    Value value = expression();
    // Where a call of CuTe's Python stands in its program says nothing of the value.
    if (name != "loc" && name != "ip") values.push_back(std::move(value));
  }
  --depth_;
  modes_ = modes;
  return values;
}

/// `stride` before Python's argument `stride=(8,1)`; empty: it has no name.
std::string_view Reader::name_of_argument() {
  cursor_.skip_spaces();
  const std::size_t start = cursor_.at;
  std::size_t end = cursor_.at;
  while (end < cursor_.text.size() && is_word_char(cursor_.text[end])) ++end;
  if (end > cursor_.at && end < cursor_.text.size() && cursor_.text[end] == '=') {
    cursor_.at = end + 1;
    return cursor_.text.substr(start, end - start);
  }
  return {};
}

Value Reader::word_or_call() {
  const std::size_t start = cursor_.at;
  const std::string_view name = word();
  if (const auto found = variables_.find(name); found != variables_.end()) return found->second;
  if (unqualified(name).starts_with('_')) {  // `cute::_8`
    cursor_.at = start + name.size() - unqualified(name).size();
    return primary();
  }
  cursor_.skip_spaces();
  if (auto value = cute_word(unqualified(name), start)) {
    (void)takes("{}");
    return *std::move(value);
  }
  if (cursor_.peek() == '(') return called(unqualified(name), start);
  if (cursor_.peek() == '<') skip_template_arguments();
  const std::size_t end = cursor_.at;
  (void)takes("{}");
  return Word{std::string(unqualified(cursor_.text.substr(start, end - start)))};
}

/// A call as C++ and Python write it, at its bracket.
Value Reader::called(std::string_view name, std::size_t start) {
  const std::size_t open = cursor_.at;
  std::vector<Value> arguments = values(')');
  const std::string_view inner = cursor_.text.substr(open + 1, cursor_.at - open - 2);
  if (try_function(name) == nullptr)
    if (auto meant = meant_call(name, inner))
      refuse_call(cursor_.text.substr(start, cursor_.at - start), *std::move(meant), start);
  if (modes_ > 0 && is_of_mode(name)) {
    Value part = call("get", std::move(arguments), start);
    return call(name, {std::move(part)}, start);
  }
  if (name == "slice_" && arguments.size() == 2) {
    std::swap(arguments[0], arguments[1]);
    return call("slice", std::move(arguments), start);
  }
  if (name.starts_with("make_tiled_copy") && !arguments.empty()) {
    if (const auto* atom = std::get_if<ValueList>(&arguments.front())) {
      const std::vector<Value> parts = atom->values;
      arguments.erase(arguments.begin());
      arguments.insert(arguments.begin(), parts.begin(), parts.end());
    }
    return call(name.substr(std::string_view("make_").size()), std::move(arguments), start);
  }
  return call(function_name(name), std::move(arguments), start);
}

Value Reader::call(std::string_view name, std::vector<Value> arguments, std::size_t start) {
  if (makes_tuple(name)) return tuple_of(std::move(arguments));
  Value value = located(
      start, [&] { return call_function(name, std::move(arguments), catalogue_, remarks_); });
  offsets_ = find_function(name).offsets;
  (void)takes("{}");
  return value;
}

/// Letters, digits and '_'; parts joined by "::", and `sparse2:f16`; Python's `cute.`.
std::string_view Reader::word() {
  const std::size_t start = cursor_.at;
  const auto so_far = [&] { return cursor_.text.substr(start, cursor_.at - start); };
  for (;;) {
    while (is_word_char(cursor_.peek())) ++cursor_.at;
    const auto at = [&](std::size_t i) { return i < cursor_.text.size() ? cursor_.text[i] : '\0'; };
    std::size_t after = cursor_.at + 1;
    if (cursor_.peek() == '.' && so_far() == "cute" && is_letter(at(after))) {
      cursor_.at = after;
      continue;
    }
    if (cursor_.peek() != ':') break;
    if (at(after) == ':') ++after;
    if (at(after) == '_' && so_far() == "cute" && after == cursor_.at + 2) {
      cursor_.at = after;
      continue;
    }
    // A shape that a variable holds, and its stride.
    if (!is_letter(at(after)) || variables_.contains(so_far())) break;
    cursor_.at = after;
  }
  return so_far();
}

void Reader::skip_template_arguments() {
  int depth = 0;
  do {
    if (cursor_.done()) refuse("'>' must follow");
    if (cursor_.peek() == '<') ++depth;
    if (cursor_.peek() == '>') --depth;
    ++cursor_.at;
  } while (depth > 0);
  while (is_word_char(cursor_.peek())) ++cursor_.at;
}

Value Reader::swizzle(std::size_t start) {
  cursor_.at = start;
  return located(start, [&]() -> Value { return layout::read_swizzle_value(cursor_, kWhat); });
}

}  // namespace jute::expr
