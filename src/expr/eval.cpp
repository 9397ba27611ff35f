// Reads and evaluates expressions.
#include <jute/expr/eval.hpp>

#include "expr/function.hpp"
#include "layout/refusal.hpp"
#include "layout/text.hpp"

#include <algorithm>
#include <optional>

namespace jute {

namespace {

using layout::Cursor;
using layout::Fault;

constexpr std::string_view kWhat = "expression";
/// A value takes some hundred bytes, a character of the text one.
constexpr std::size_t kMostValues = 16384;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_char(char c) { return is_letter(c) || layout::is_digit(c) || c == '_'; }

/// A recursive-descent reader that evaluates while it reads.
class Reader {
 public:
  Reader(std::string_view text, const Catalogue& catalogue)
      : cursor_{text}, catalogue_(catalogue) {}

  Value whole() {
    Value value = expression();
    layout::expect_end(cursor_, kWhat);
    if (has_word(value)) {
      refuse(ErrorCode::unknown_name, "a word is an argument, no value by itself", 0);
    }
    return value;
  }

 private:
  [[noreturn]] void refuse(ErrorCode code, const char* rule, std::size_t column) const {
    layout::refuse_text(Fault{code, rule, column}, kWhat, cursor_.text);
  }
  [[noreturn]] void refuse(const char* rule) const { refuse(ErrorCode::syntax, rule, cursor_.at); }

  static bool has_word(const Value& value) {
    if (std::holds_alternative<Word>(value)) return true;
    const auto* list = std::get_if<ValueList>(&value);
    return list != nullptr && std::any_of(list->values.begin(), list->values.end(), has_word);
  }

  /// value | value 'o' offset 'o' value
  Value expression() {
    Value value = layout_or_value();
    cursor_.skip_spaces();
    if (cursor_.peek() != 'o') return value;
    ++cursor_.at;
    cursor_.skip_spaces();
    Index offset = 0;
    if (const Fault fault = layout::read_integer(cursor_, offset); fault.rule != nullptr) {
      layout::refuse_text(fault, kWhat, cursor_.text);
    }
    if (!cursor_.take('o')) refuse("'o' and a layout follow the offset of a composed layout");
    const std::size_t start = cursor_.at;
    return composed(std::move(value), offset, layout_or_value(), start);
  }

  Value composed(Value left, Index offset, Value right, std::size_t column) {
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
    refuse(ErrorCode::syntax, "layouts and swizzles are composed, with a layout on one side",
           column);
  }

  /// value | shape ':' stride
  Value layout_or_value() {
    cursor_.skip_spaces();
    const std::size_t start = cursor_.at;
    Value value = primary();
    cursor_.skip_spaces();
    if (cursor_.peek() != ':') return value;
    const auto* shape = std::get_if<IntTuple>(&value);
    if (shape == nullptr) refuse("':' follows a shape, a tuple of integers");
    ++cursor_.at;
    cursor_.skip_spaces();
    const Value second = primary();
    const auto* stride = std::get_if<IntTuple>(&second);
    if (stride == nullptr) refuse("a stride, a tuple of integers, follows ':'");
    return located(start, [&]() -> Value { return Layout(*shape, *stride); });
  }

  Value primary() {
    cursor_.skip_spaces();
    const char next = cursor_.peek();
    if (next == '(') return tuple();
    if (is_letter(next)) return word_or_call();
    if (cursor_.done()) refuse("a value is expected, but the text ends");
    layout::TupleSink sink;
    if (const Fault fault = layout::read_leaf(cursor_, sink); fault.rule != nullptr) {
      refuse(fault.code, fault.rule, fault.column);
    }
    return sink.take();
  }

  /// Does the bracket at the cursor close with only integers, '_', '@' and brackets before? A scan
  /// that comes upon something else answers for every bracket still open there, so that all scans
  /// together are linear in the text.
  [[nodiscard]] bool only_integers() {
    if (std::binary_search(mixed_.begin(), mixed_.end(), cursor_.at)) return false;
    std::vector<std::size_t> open;
    for (std::size_t i = cursor_.at; i < cursor_.text.size(); ++i) {
      const char c = cursor_.text[i];
      if (c == '(') open.push_back(i);
      if (c == ')') open.pop_back();
      if (open.empty()) return true;
      if (is_letter(c) || c == ':' || open.size() > layout::kMaxDepth) break;
    }
    mixed_ = std::move(open);
    return false;
  }

  Value tuple() {
    if (only_integers()) {
      layout::TupleSink sink;
      const Fault fault = layout::read_tuple(cursor_, sink, layout::kMaxDepth - depth_);
      if (fault.rule != nullptr) layout::refuse_text(fault, kWhat, cursor_.text);
      return sink.take();
    }
    ValueList list{values()};
    std::vector<IntTuple> modes;
    for (const Value& value : list.values) {
      if (const auto* mode = std::get_if<IntTuple>(&value)) modes.push_back(*mode);
    }
    if (modes.size() == list.values.size()) return IntTuple::tuple(modes);
    return list;
  }

  /// '(' value, value, … ')'
  std::vector<Value> values() {
    if (++depth_ > layout::kMaxDepth) {
      refuse(ErrorCode::too_deep, "expressions nest at most 64 deep", cursor_.at);
    }
    ++cursor_.at;  // the bracket
    std::vector<Value> values;
    if (!cursor_.take(')')) {
      do {
        if (values.size() == kMostValues) {
          refuse(ErrorCode::out_of_range, "a list holds at most 16384 values", cursor_.at);
        }
        values.push_back(expression());
      } while (cursor_.take(','));
      if (!cursor_.take(')')) refuse("',' or ')' is expected");
    }
    --depth_;
    return values;
  }

  Value word_or_call() {
    const std::size_t start = cursor_.at;
    const std::string_view name = word();
    cursor_.skip_spaces();
    if (name == "Sw" && cursor_.peek() == '<') {
      cursor_.at = start;
      return swizzle(start);
    }
    if (cursor_.peek() == '(') {
      std::vector<Value> arguments = values();
      return located(start,
                     [&] { return expr::call_function(name, std::move(arguments), catalogue_); });
    }
    if (cursor_.peek() == '<') skip_template_arguments();
    return Word{std::string(cursor_.text.substr(start, cursor_.at - start))};
  }

  /// Letters, digits and '_'; parts joined by "::", and `sparse2:f16`.
  std::string_view word() {
    const std::size_t start = cursor_.at;
    for (;;) {
      while (is_word_char(cursor_.peek())) ++cursor_.at;
      if (cursor_.peek() != ':') break;
      std::size_t after = cursor_.at + 1;
      const auto at = [&](std::size_t i) {
        return i < cursor_.text.size() ? cursor_.text[i] : '\0';
      };
      if (at(after) == ':') ++after;
      if (!is_letter(at(after))) break;
      cursor_.at = after;
    }
    return cursor_.text.substr(start, cursor_.at - start);
  }

  void skip_template_arguments() {
    int depth = 0;
    do {
      if (cursor_.done()) refuse("'>' is expected");
      if (cursor_.peek() == '<') ++depth;
      if (cursor_.peek() == '>') --depth;
      ++cursor_.at;
    } while (depth > 0);
    while (is_word_char(cursor_.peek())) ++cursor_.at;
  }

  Value swizzle(std::size_t start) {
    return located(start, [&]() -> Value { return layout::read_swizzle_value(cursor_, kWhat); });
  }

  /// Adds the place in the text to what a function refuses.
  template <class Call>
  Value located(std::size_t column, Call&& call) const {
    try {
      return call();
    } catch (const Exception& exception) {
      Error error = exception.error();
      if (error.position) throw;
      const layout::Excerpt shown = layout::excerpt(cursor_.text, column);
      error.position = SourcePosition{1, static_cast<int>(column) + 1};
      if (error.detail.empty()) {
        error.detail = shown.text + "\n" + std::string(shown.caret, ' ') + "^";
      }
      throw Exception(std::move(error));
    }
  }

  Cursor cursor_;
  const Catalogue& catalogue_;
  int depth_ = 0;
  std::vector<std::size_t> mixed_;  ///< brackets, from the left, that hold more than integers
};

}  // namespace

Value eval(std::string_view expression, const Catalogue& catalogue) {
  return Reader(expression, catalogue).whole();
}

LineResult eval_line(std::string_view expression, const Catalogue& catalogue) {
  try {
    return {true, to_string(eval(expression, catalogue))};
  } catch (const Exception& exception) {
    std::string text = std::string("error: ") + exception.what();
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return {false, std::move(text)};
  }
}

}  // namespace jute
