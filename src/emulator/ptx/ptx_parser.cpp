// Reads a PTX module: header, variables, functions and their performance directives.
#include "emulator/ptx/token_stream.hpp"

#include <array>
#include <utility>

namespace jute::emulator {

const PtxFunction* PtxModule::find_function(std::string_view name) const {
  if (const auto alias = aliases.find(name); alias != aliases.end()) name = alias->second;
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
    if (name.text == ".pragma") return skip_statement();
    if (name.text == ".alias") return alias();
    if (name.text == ".visible" || name.text == ".weak" || name.text == ".common") return;
    if (name.text == ".extern") {
      is_extern_ = true;
      return;
    }
    if (name.text == ".entry" || name.text == ".func") {
      function(name.text == ".entry");
    } else if (const auto space = find_space(name.text); space && *space != Space::param) {
      variables(*space);
    } else {
      refuse_ptx(name.position, std::string(name.text),
                 "it must be a directive that opens a statement");
    }
    is_extern_ = false;
  }

  void variables(Space space) {
    do {
      Variable made = parse_variable(tokens_, space, is_extern_);
      if (!is_extern_ && made.is_array && made.bytes == 0)
        refuse_ptx(made.position, made.name, "an array must have an extent or initial data");
      // PTX before 3.0: every function has a place of the thread's own.
      (space == Space::local ? module_.locals : module_.variables).push_back(std::move(made));
    } while (tokens_.accept(','));
    tokens_.expect(';');
  }

  void skip_statement() {
    while (!tokens_.accept(';'))
      if (tokens_.take().kind == TokenKind::end) tokens_.refuse("';' must end this directive");
  }

  /// `.alias name, function;`: both are declared before it, and the function is defined.
  void alias() {
    const Token name = tokens_.peek();
    const PtxFunction* declared = module_.find_function(tokens_.expect_word("a function"));
    tokens_.expect(',');
    const Token target = tokens_.peek();
    const PtxFunction* defined = module_.find_function(tokens_.expect_word("a function"));
    tokens_.expect(';');
    if (declared == nullptr || declared->has_body || declared->is_entry)
      refuse_ptx(name.position, std::string(name.text),
                 "an alias must be declared by .func, and have no body");
    if (defined == nullptr || !defined->has_body || defined->is_entry)
      refuse_ptx(target.position, std::string(target.text),
                 "what an alias means must be a function that is defined before it");
    module_.aliases.emplace(name.text, target.text);
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
    if (module_.version_major < 1 || module_.version_major > 99 || module_.version_minor < 0)
      refuse_ptx(name.position, std::string(text.substr(0, 20)), ".version must be 1.0 or later");
  }

  void target() {
    const Token name = tokens_.peek();
    const std::string text = tokens_.expect_word("an architecture");
    Arch arch;
    const size_t digits = text.find('_') + 1;
    size_t at = digits;
    while (at < text.size() && at < digits + 4 && text[at] >= '0' && text[at] <= '9')
      arch.number = arch.number * 10 + (text[at++] - '0');
    if (at + 1 == text.size()) arch.suffix = text[at++];
    const bool is_named = text.starts_with("sm_") || text.starts_with("compute_");
    if (!is_named || arch.number < 10 || at != text.size())
      refuse_ptx(name.position, text, ".target must name an architecture such as sm_90a");
    module_.target = arch;
    while (tokens_.accept(',')) tokens_.expect_word("a target option");
  }

  void address_size() {
    if (std::pair(module_.version_major, module_.version_minor) < std::pair(2, 3))
      tokens_.refuse(".address_size needs .version 2.3 or later");
    if (tokens_.expect_integer("an address size") != 64)
      tokens_.refuse("addresses must have 64 bits");
  }

  std::vector<int> parameters(PtxFunction& function) {
    std::vector<int> indices;
    if (!tokens_.accept('(')) return indices;
    if (tokens_.accept(')')) return indices;
    do {
      const bool is_register = !function.is_entry && tokens_.accept_dotted(".reg");
      if (!is_register && !tokens_.accept_dotted(".param"))
        tokens_.refuse("parameters must live in .param space");
      indices.push_back(static_cast<int>(function.variables.size()));
      Variable made = parse_variable(tokens_, Space::param, false);
      if (function.is_entry && made.is_array && made.bytes == 0)
        refuse_ptx(made.position, made.name, "a kernel's parameter must have an extent");
      made.is_register = is_register;
      function.variables.push_back(std::move(made));
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
    // Compilers of PTX before 3.0 end a prototype without a semicolon.
    if (is_entry ? !tokens_.accept(';') : tokens_.peek().is('{')) {
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
      } else if ((made.is_entry || !tokens_.accept_dotted(".noreturn")) &&
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
