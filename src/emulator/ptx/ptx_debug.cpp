// Directives that only debuggers read.
#include "emulator/ptx/token_stream.hpp"

namespace jute::emulator {

void parse_file(TokenStream& tokens, PtxModule& module) {
  const int number = static_cast<int>(tokens.expect_integer("a file number"));
  if (tokens.peek().kind != TokenKind::text) tokens.refuse("a file name must be a string");
  module.files[number] = std::string(tokens.take().text);
  while (tokens.accept(',')) tokens.expect_integer("a time stamp or size");
}

void skip_section(TokenStream& tokens) {
  tokens.take();
  tokens.expect('{');
  for (int depth = 1; depth > 0;) {
    const Token& token = tokens.take();
    if (token.kind == TokenKind::end) tokens.refuse("a section must be closed by '}'");
    depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
  }
}

}  // namespace jute::emulator
