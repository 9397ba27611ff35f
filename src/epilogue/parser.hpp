#pragma once
// Reads the text of an expression: statements (parse.cpp) of values (parse_value.cpp), inputs with
// their indices (parse_index.cpp).
#include <jute/base/error.hpp>
#include <jute/epilogue/operations.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "epilogue/kinds.hpp"

namespace jute::epilogue {

/// A recursive-descent reader.
class Parser {
 public:
  /// An offer is itself read, without offers.
  enum class Offers { made, left_out };

  explicit Parser(std::string_view text, Offers offers = Offers::made)
      : text_(text), offers_(offers) {
    expression_.nodes.clear();
    expression_.outputs.clear();
  }

  /// The expression of the whole text, in order.
  EpilogueExpression whole();
  /// The same of a text that may be a part of one, without a sum.
  EpilogueExpression statements();

 private:
  /// A fault at a place of the text.
  struct Fault {
    ErrorCode code = ErrorCode::syntax;
    std::string rule;
    std::optional<std::string> nearest{};  ///< what may stand instead of `value`
    std::string value{};                   ///< empty: the text around the place
  };
  [[noreturn]] void refuse(std::size_t column, Fault fault) const;
  /// Keeps what is offered where it makes an epilogue, if need be with a d; drops it elsewhere.
  void settle_offer(std::size_t column, Fault& fault) const;
  /// With the rest of the text as an output beside D, where that makes it an epilogue.
  [[nodiscard]] Fault beside_d(std::size_t column, ErrorCode code, std::string rule) const;
  [[noreturn]] void refuse(std::size_t column, std::string rule) const {
    refuse(column, {ErrorCode::syntax, std::move(rule), {}});
  }

  // The text.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[noreturn]] void refuse_without_sum(const EpilogueExpression& read, std::string rule) const;
  /// Where a name stands first.
  [[nodiscard]] std::size_t column_of(std::string_view name) const;
  void skip_spaces();
  [[nodiscard]] bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }
  bool take(char wanted);
  [[nodiscard]] std::string_view word();
  /// The next character as a message calls it.
  [[nodiscard]] std::string next_text() const;

  // Statements.
  void statement();
  void local(const std::string& name, std::size_t column);
  void output(const std::string& name, std::size_t column);
  void math();
  void bare_output(std::size_t column);
  void add_output(EpilogueOutput output, std::size_t name_column, std::size_t value_column);
  [[nodiscard]] EpilogueGather gather();
  void expect_index_of(std::string_view name, std::string_view index);
  void check_new_name(const std::string& name, std::size_t column);

  // Values: each gives the node.
  int value() { return infix(1); }
  int infix(int level);
  [[nodiscard]] const EpilogueOperation* infix_operator(int level);
  void refuse_foreign_operator() const;
  int unary();
  int primary();
  int bracket();
  int number_literal();
  int word_value();
  int call(std::string_view name, std::size_t column);
  void settle_arity(EpilogueNode& node, std::string_view name, int count, std::size_t column) const;
  int block_amax(std::size_t column);
  int named(const std::string& name, std::size_t column);
  int input(const std::string& name, std::size_t column);
  void read_index(EpilogueInput& input, std::size_t column);
  [[noreturn]] void refuse_index(const std::string& name, std::size_t column,
                                 std::size_t index_column) const;
  void refuse_misused(const std::string& name, std::size_t column) const;

  // The expression so far.
  int leaf(const EpilogueNode& node, std::size_t column);
  /// `columns` says where the texts of the operands begin.
  int apply(const EpilogueNode& node, std::size_t column,
            const std::array<std::size_t, 3>& columns);
  int push(const EpilogueNode& node, std::size_t column);

  /// One more level of brackets, calls or signs.
  class Deeper {
   public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  std::string_view text_;
  Offers offers_;
  std::size_t at_ = 0;
  int depth_ = 0;
  EpilogueExpression expression_;
  KindTracker kinds_;
};

}  // namespace jute::epilogue
