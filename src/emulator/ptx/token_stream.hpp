#pragma once
// Reads tokens one by one, and the small grammar that module and body share.
#include <cstdint>
#include "emulator/ptx/ptx_ast.hpp"

#include <optional>
#include <string>
#include <vector>

namespace jute::emulator {

/// A literal: an integer, or the bits of a float.
struct Literal {
  OperandKind kind = OperandKind::integer;
  std::uint64_t bits = 0;
  bool is_unsigned = false;  ///< of an integer: .u64, else .s64
};

class TokenStream {
 public:
  explicit TokenStream(std::string_view text) : tokens_(tokenize(text)) {}

  [[nodiscard]] const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(char mark) {
    if (!peek().is(mark)) return false;
    take();
    return true;
  }
  bool accept_dotted(std::string_view name) {
    if (!peek().is_dotted(name)) return false;
    take();
    return true;
  }
  void expect(char mark);
  std::string expect_word(std::string_view what);
  /// An integer without operators, as extents and alignments are written; a sign may stand before.
  Index expect_integer(std::string_view what);
  /// A number without its sign.
  Literal number();
  /// A constant expression, evaluated.
  Literal constant();
  Index constant_integer(std::string_view what);
  /// Does a constant expression begin here, rather than a name?
  [[nodiscard]] bool at_constant() const;
  [[noreturn]] void refuse(std::string rule) const;

 private:
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

/// `(.param .b32 _) _ (.param .b64 _, …) .noreturn;` behind .callprototype.
[[nodiscard]] PtxLabel::Prototype parse_prototype(TokenStream& tokens);
/// `.align 4 .b8 name[16] = {…}` after its state space word, up to but without `;` or `,`.
[[nodiscard]] Variable parse_variable(TokenStream& tokens, Space space, bool is_extern);
/// `.attribute(.managed)`, `.attribute(.unified(19, 95))`: any number of them, or none.
void parse_attributes(TokenStream& tokens);
/// The space that `.shared` and its like name; nothing for another directive.
[[nodiscard]] std::optional<Space> find_space(std::string_view dotted);

/// Reads `{ … }` of a function into it. `globals` are the names that a body may refer to.
void parse_body(TokenStream& tokens, PtxFunction& function, PtxModule& module);
/// `.file 1 "name"`, after the directive's name.
void parse_file(TokenStream& tokens, PtxModule& module);
/// Skips `.section name { … }` after the directive's name.
void skip_section(TokenStream& tokens);

}  // namespace jute::emulator
