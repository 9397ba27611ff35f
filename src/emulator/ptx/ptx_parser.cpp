// Reads a PTX module: header, variables, functions and their performance directives.
#include "emulator/ptx/token_stream.hpp"

#include <array>
#include <utility>

namespace jute::emulator {

const PtxFunction* PtxModule::find_function(std::string_view name) const {
  const PtxFunction* found = nullptr;
  for (const PtxFunction& function : functions)
    if (function.name == name && (found == nullptr || function.has_body)) found = &function;
  return found;
}

namespace {

class ModuleParser {
 public:
  explicit ModuleParser(PtxModule& module) : tokens_(*module.text), module_(module) {}

  void run() {
    if (!tokens_.peek().is_dotted(".version"))
      tokens_.refuse("a PTX text must begin with .version");
    while (tokens_.peek().kind != TokenKind::end) directive();
    if (module_.target.number == 0) tokens_.refuse("a PTX text must name its .target");
  }

 private:
  void directive() {
    if (tokens_.accept(';')) return;
    const Token name = tokens_.peek();
    if (name.kind != TokenKind::dotted) tokens_.refuse("a directive must begin with a dot");
    tokens_.take();
    if (name.text == ".version") return version(name);
    if (name.text == ".target") return target();
    if (name.text == ".address_size") return address_size();
    if (name.text == ".file") return parse_file(tokens_, module_);
    if (name.text == ".section") return skip_section(tokens_);
    if (name.text == ".pragma" || name.text == ".alias") return skip_statement();
    if (name.text == ".visible" || name.text == ".weak" || name.text == ".common") return;
    if (name.text == ".extern") {
      is_extern_ = true;
      return;
    }
    if (name.text == ".entry" || name.text == ".func") {
      function(name.text == ".entry");
    } else if (const auto space = find_space(name.text); space && *space != Space::param) {
      do module_.variables.push_back(parse_variable(tokens_, *space, is_extern_));
      while (tokens_.accept(','));
      tokens_.expect(';');
    } else {
      refuse_ptx(name.position, std::string(name.text),
                 "it must be a directive that opens a statement");
    }
    is_extern_ = false;
  }

  void skip_statement() {
    while (!tokens_.accept(';'))
      if (tokens_.take().kind == TokenKind::end) tokens_.refuse("';' must end this directive");
  }

  void version(const Token& name) {
    const std::string_view text = tokens_.take().text;
    const size_t dot = text.find('.');
    const auto number = [&](std::string_view part) {
      int value = 0;
      if (part.empty() || part.size() > 3) return -1;
      for (const char c : part) value = c >= '0' && c <= '9' ? value * 10 + (c - '0') : 9999;
      return value;
    };
    module_.version_major = number(text.substr(0, dot));
    module_.version_minor = dot == std::string_view::npos ? -1 : number(text.substr(dot + 1));
    if (module_.version_major < 6 || module_.version_major > 99 || module_.version_minor < 0)
      refuse_ptx(name.position, std::string(text.substr(0, 20)), ".version must be 6.0 or later");
  }

  void target() {
    const Token name = tokens_.peek();
    const std::string text = tokens_.expect_word("an architecture");
    Arch arch;
    size_t at = 3;
    while (at < text.size() && at < 7 && text[at] >= '0' && text[at] <= '9')
      arch.number = arch.number * 10 + (text[at++] - '0');
    if (at + 1 == text.size()) arch.suffix = text[at++];
    if (!text.starts_with("sm_") || arch.number < 50 || at != text.size())
      refuse_ptx(name.position, text, ".target must name an architecture such as sm_90a");
    module_.target = arch;
    while (tokens_.accept(',')) tokens_.expect_word("a target option");
  }

  void address_size() {
    if (tokens_.expect_integer("an address size") != 64)
      tokens_.refuse("addresses must have 64 bits");
  }

  std::vector<int> parameters(PtxFunction& function) {
    std::vector<int> indices;
    if (!tokens_.accept('(')) return indices;
    if (tokens_.accept(')')) return indices;
    do {
      if (!tokens_.accept_dotted(".param")) tokens_.refuse("parameters must live in .param space");
      indices.push_back(static_cast<int>(function.variables.size()));
      function.variables.push_back(parse_variable(tokens_, Space::param, false));
    } while (tokens_.accept(','));
    tokens_.expect(')');
    return indices;
  }

  void function(bool is_entry) {
    PtxFunction made;
    made.is_entry = is_entry;
    parse_attributes(tokens_);
    if (!is_entry) made.results = parameters(made);
    made.position = tokens_.peek().position;
    made.name = tokens_.expect_word("a function's name");
    made.parameters = parameters(made);
    performance_directives(made);
    if (made.blocks_are_clusters &&
        (made.required_threads[0] == 0 || made.required_cluster[0] == 0))
      refuse_ptx(made.position, made.name,
                 ".blocksareclusters must stand beside .reqntid and .reqnctapercluster");
    if (!tokens_.accept(';')) {
      made.has_body = true;
      parse_body(tokens_, made, module_);
    }
    module_.functions.push_back(std::move(made));
  }

  void dimensions(std::array<int, 3>& values) {
    values = {1, 1, 1};
    for (size_t i = 0; i < 3; ++i) {
      const Index value = tokens_.expect_integer("an extent");
      if (value < 0 || value > 1 << 30) tokens_.refuse("an extent must be a positive number");
      values[i] = static_cast<int>(value);
      if (!tokens_.accept(',')) return;
    }
  }

  void performance_directives(PtxFunction& made) {
    for (;;) {
      if (tokens_.accept_dotted(".maxntid")) {
        dimensions(made.max_threads);
      } else if (tokens_.accept_dotted(".reqntid")) {
        dimensions(made.required_threads);
      } else if (tokens_.accept_dotted(".reqnctapercluster")) {
        dimensions(made.required_cluster);
      } else if (tokens_.accept_dotted(".blocksareclusters")) {
        made.blocks_are_clusters = true;
      } else if (tokens_.accept_dotted(".minnctapersm")) {
        made.min_blocks = static_cast<int>(tokens_.expect_integer("a count"));
      } else if (tokens_.accept_dotted(".maxnreg")) {
        made.max_registers = static_cast<int>(tokens_.expect_integer("a count"));
      } else if (tokens_.accept_dotted(".maxnctapersm") ||
                 tokens_.accept_dotted(".maxclusterrank")) {
        (void)tokens_.expect_integer("a count");
      } else if (tokens_.accept_dotted(".pragma")) {
        skip_statement();
      } else if (!tokens_.accept_dotted(".noreturn") &&
                 !tokens_.accept_dotted(".explicitcluster")) {
        return;
      }
    }
  }

  TokenStream tokens_;
  PtxModule& module_;
  bool is_extern_ = false;
};

}  // namespace

PtxModule parse_ptx(std::string_view text) {
  PtxModule module;
  module.text = std::make_unique<const std::string>(text);
  ModuleParser(module).run();
  return module;
}

}  // namespace jute::emulator
