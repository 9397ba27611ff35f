#pragma once
// The reader of expressions: our notation (reader.cpp) and what CuTe writes and prints
// (cute_reader.cpp).
#include <jute/base/detail/excerpt.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>

#include <jute/expr/eval.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/function.hpp"

namespace jute::expr {

/// Values by the names that a session gave them.
using Variables = std::map<std::string, Value, std::less<>>;

/// A recursive-descent reader that evaluates while it reads.
class Reader {
 public:
  Reader(std::string_view text, const Catalogue& catalogue, const Variables& variables)
      : cursor_{text}, catalogue_(catalogue), variables_(variables) {}

  /// The value of the whole text.
  Value whole();
  /// The meaning of offsets, once the text is read.
  [[nodiscard]] OffsetMeaning offsets() const { return offsets_; }
  [[nodiscard]] std::vector<std::string> remarks() { return std::move(remarks_); }

 private:
  /// `smem_ptr[16b](0x7f00)`, `ptr<f16, smem, S<3,4,3>>`: what stands left of an `o` and holds no
  /// layout. A swizzle next to it counts bytes.
  struct Pointer {
    int bits = 0;                    ///< of an element; 0: not told
    Index address = 0;               ///< 0: not told
    std::optional<Swizzle> swizzle;  ///< of the pointer's type
  };

  // reader.cpp
  Value expression();
  Value applied(Value function, std::size_t start);
  Value composition();
  Value composition_of(Value left);
  Value composed(Value left, Index offset, Value right, std::size_t column) const;
  std::optional<Index> offset();
  Value layout_or_value();
  Value primary();
  Value tuple();
  [[nodiscard]] bool only_integers();
  std::vector<Value> values(char close);
  Value word_or_call();
  Value called(std::string_view name, std::size_t start);
  Value call(std::string_view name, std::vector<Value> arguments, std::size_t start);
  std::string_view word();
  void skip_template_arguments();
  [[nodiscard]] bool ends_behind_colon() const;
  Value swizzle(std::size_t start);
  [[nodiscard]] bool takes(std::string_view text);
  [[nodiscard]] std::string_view name_of_argument();

  // cute_reader.cpp
  void skip_label();
  Value program_type();
  Value basis(std::size_t start);
  Value composed_type(std::size_t start);
  std::optional<Value> cute_word(std::string_view name, std::size_t start);
  std::optional<Value> cute_template(std::string_view name, std::size_t start);
  std::optional<Value> template_call(std::string_view name, std::size_t start);
  Value coordinates(std::size_t start);
  Value tensor(std::size_t start);
  [[nodiscard]] bool at_pointer();
  Pointer pointer();
  void pointer_type(Pointer& pointer);
  void pointer_address(Pointer& pointer);
  Value pointed(const Pointer& pointer, const std::optional<Swizzle>& swizzle, std::size_t start);

  [[noreturn]] void refuse(ErrorCode code, const char* rule, std::size_t column) const {
    layout::refuse_text(layout::Fault{code, rule, column}, "expression", cursor_.text);
  }
  void refuse_word(const std::string& name) const;
  /// A call of another program's, with how it is written here.
  void refuse_call(std::string_view call, std::string meant, std::size_t start) const;
  [[noreturn]] void refuse(const char* rule) const { refuse(ErrorCode::syntax, rule, cursor_.at); }
  void expect(char wanted, const char* rule) {
    if (!cursor_.take(wanted)) refuse(rule);
  }

  /// Adds the place in the text to what a function refuses.
  template <class Call>
  Value located(std::size_t column, Call&& make) const {
    try {
      return make();
    } catch (const Exception& exception) {
      Error error = exception.error();
      if (error.position) throw;
      const Excerpt shown = excerpt(cursor_.text, column);
      error.position = SourcePosition{1, static_cast<int>(column) + 1};
      if (error.detail.empty()) error.detail = caret_lines(shown);
      throw Exception(std::move(error));
    }
  }

  layout::Cursor cursor_;
  const Catalogue& catalogue_;
  const Variables& variables_;
  int depth_ = 0;
  std::size_t modes_ = 0;           ///< how many values of the list read last were a mode's
  std::vector<std::size_t> mixed_;  ///< brackets, from the left, that hold more than integers
  OffsetMeaning offsets_ = OffsetMeaning::elements;  ///< of the call that was read last
  std::vector<std::string> remarks_;                 ///< of all calls
};

[[nodiscard]] inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] inline bool is_word_char(char c) {
  return is_letter(c) || layout::is_digit(c) || c == '_';
}

/// One tuple where all are tuples of integers, else a list.
[[nodiscard]] Value tuple_of(std::vector<Value> values);

/// The value of a text.
///   throws  what Reader throws; of a syntax error, where closing brackets is all it takes, with
///   the
///           text that has them
[[nodiscard]] Evaluation evaluated(std::string_view text, const Catalogue& catalogue,
                                   const Variables& variables);

}  // namespace jute::expr
