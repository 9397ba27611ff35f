// Reads a function's body: scopes, declarations, labels, guards and operands.
#include "emulator/ptx/body_names.hpp"
#include "emulator/ptx/token_stream.hpp"

#include <array>
#include <unordered_map>
#include <utility>

namespace jute::emulator {
namespace {

constexpr int kMostRegisters = 1 << 20;
constexpr int kDeepestScope = 256;
constexpr size_t kDeepestOperand = 8;

/// A use of a name that may be a label of a scope which has not been read to its end.
struct PendingName {
  size_t instruction = 0;
  std::vector<int> path;  ///< operand index, then item indices
  std::string name;
};

class BodyParser {
 public:
  BodyParser(TokenStream& tokens, PtxFunction& function, PtxModule& module)
      : tokens_(tokens), function_(function), module_(module) {}

  void run() {
    names_.open();
    for (const auto* list : {&function_.parameters, &function_.results})
      for (const int index : *list) names_.declare_parameter(index);
    for (const Variable& variable : module_.locals) declare(variable);
    tokens_.expect('{');
    open_scope();
    names_.move_registers(function_.parameters, "ld.param.b");
    while (depth_ > 0) statement();
    names_.move_registers(function_.results, "st.param.b");
  }

 private:
  void declare(const Variable& variable) {
    names_.innermost().variables[variable.name] = static_cast<int>(function_.variables.size());
    function_.variables.push_back(variable);
  }

  void open_scope() {
    if (++depth_ > kDeepestScope) tokens_.refuse("scopes must nest less than 256 deep");
    names_.open();
    pending_.emplace_back();
    pending_tables_.emplace_back();
  }

  // Names not found here may be labels of an outer scope, or symbols of the module.
  void close_scope() {
    const BodyScope scope = names_.close();
    std::vector<PendingName> open = std::move(pending_.back());
    pending_.pop_back();
    for (PendingName& use : open) {
      const auto label = scope.labels.find(use.name);
      if (label != scope.labels.end()) {
        PtxOperand& operand = operand_at(use);
        operand.kind = OperandKind::label;
        operand.index = label->second;
      } else if (!pending_.empty()) {
        pending_.back().push_back(std::move(use));
      }
    }
    close_tables(scope);
    --depth_;
  }
  void close_tables(const BodyScope& scope) {
    std::vector<std::pair<int, std::vector<Token>>> tables = std::move(pending_tables_.back());
    pending_tables_.pop_back();
    for (const auto& [table, names] : tables) {
      for (const Token& name : names) {
        const auto label = scope.labels.find(std::string(name.text));
        if (label == scope.labels.end())
          refuse_ptx(name.position, std::string(name.text),
                     "a branch target must be a label in scope");
        function_.labels[static_cast<size_t>(table)].targets.push_back(label->second);
      }
    }
  }
  PtxOperand& operand_at(const PendingName& use) {
    PtxOperand* operand =
        &function_.instructions[use.instruction].operands[static_cast<size_t>(use.path[0])];
    for (size_t i = 1; i < use.path.size(); ++i)
      operand = &operand->items[static_cast<size_t>(use.path[i])];
    return *operand;
  }

  void statement() {
    const Token& token = tokens_.peek();
    if (token.kind == TokenKind::end) tokens_.refuse("a body must be closed by '}'");
    if (tokens_.accept(';')) return;
    if (tokens_.accept('{')) return open_scope();
    if (tokens_.accept('}')) return close_scope();
    if (token.kind == TokenKind::dotted) return directive();
    if (token.kind == TokenKind::word && tokens_.peek(1).is(':')) return label();
    instruction();
  }

  void directive() {
    const Token name = tokens_.take();
    if (name.text == ".reg") return registers();
    if (name.text == ".loc") return location();
    if (name.text == ".file") return parse_file(tokens_, module_);
    if (name.text == ".section") return skip_section(tokens_);
    if (name.text == ".pragma") {
      while (!tokens_.accept(';')) {
        if (tokens_.take().kind == TokenKind::end) tokens_.refuse("a pragma must end with ';'");
      }
      return;
    }
    if (const auto space = find_space(name.text)) return variables(*space);
    refuse_ptx(name.position, std::string(name.text), "it must be a directive of a body");
  }

  void registers() {
    ElementType type;
    if (tokens_.accept_dotted(".v2") || tokens_.accept_dotted(".v4"))
      tokens_.refuse("registers must be declared as scalars, not as vectors");
    if (!find_element_type(tokens_.peek().text, type))
      tokens_.refuse("a register must have a type");
    tokens_.take();
    const RegisterClass kind = class_of_bytes(type.bytes);
    do {
      const std::string name = tokens_.expect_word("a register's name");
      if (tokens_.accept('<')) {
        const Index count = tokens_.expect_integer("a count");
        if (count < 0 || count > kMostRegisters)
          tokens_.refuse("a range must have at most 2^20 registers");
        tokens_.expect('>');
        names_.innermost().ranges.push_back({name, static_cast<int>(count), kind});
      } else {
        names_.innermost().registers[name] =
            names_.add_register(name, kind, tokens_.peek().position);
      }
    } while (tokens_.accept(','));
    tokens_.expect(';');
  }

  void variables(Space space) {
    do {
      Variable variable = parse_variable(tokens_, space, false);
      if (variable.is_array && variable.bytes == 0 && space != Space::param)
        refuse_ptx(variable.position, variable.name, "an array must have an extent");
      if (space == Space::global || space == Space::constant) {
        std::string& symbol = names_.innermost().symbols[variable.name];
        symbol =
            function_.name + "::" + variable.name + "::" + std::to_string(module_.variables.size());
        variable.name = symbol;
        module_.variables.push_back(std::move(variable));
        continue;
      }
      declare(variable);
    } while (tokens_.accept(','));
    tokens_.expect(';');
  }

  void location() {
    source_file_ = static_cast<int>(tokens_.expect_integer("a file number"));
    source_line_ = static_cast<int>(tokens_.expect_integer("a line number"));
    tokens_.expect_integer("a column number");
    if (!tokens_.accept(',')) return;
    tokens_.expect_word("function_name");
    tokens_.expect_word("a label");
    if (tokens_.accept('+')) tokens_.expect_integer("an offset");
    tokens_.expect(',');
    tokens_.expect_word("inlined_at");
    for (int i = 0; i < 3; ++i) tokens_.expect_integer("a number");
  }

  void label() {
    const Token name = tokens_.take();
    tokens_.expect(':');
    const int index = static_cast<int>(function_.labels.size());
    PtxLabel made;
    made.name = std::string(name.text);
    made.instruction = static_cast<int>(function_.instructions.size());
    made.position = name.position;
    function_.labels.push_back(std::move(made));
    if (!names_.innermost().labels.emplace(std::string(name.text), index).second)
      refuse_ptx(name.position, std::string(name.text), "a label must stand once in its scope");
    if (tokens_.accept_dotted(".callprototype")) {
      function_.labels.back().prototype = parse_prototype(tokens_);
      return;
    }
    if (tokens_.accept_dotted(".calltargets")) {
      for (const Token& callee : words()) function_.labels.back().callees.emplace_back(callee.text);
    } else if (tokens_.accept_dotted(".branchtargets")) {
      pending_tables_.back().emplace_back(index, words());
    }
  }
  /// `A, B, C;`
  std::vector<Token> words() {
    std::vector<Token> list;
    do {
      if (tokens_.peek().kind != TokenKind::word) tokens_.refuse("a name must stand here");
      list.push_back(tokens_.take());
    } while (tokens_.accept(','));
    tokens_.expect(';');
    return list;
  }

  void instruction() {
    PtxInstruction made;
    made.source_file = source_file_;
    made.source_line = source_line_;
    if (tokens_.accept('@')) {
      made.guard_negated = tokens_.accept('!');
      const Token name = tokens_.peek();
      made.guard = names_.find_register(tokens_.expect_word("a predicate"));
      if (made.guard < 0 ||
          function_.registers[static_cast<size_t>(made.guard)].kind != RegisterClass::pred)
        refuse_ptx(name.position, std::string(name.text), "a guard must be a predicate register");
    }
    made.position = tokens_.peek().position;
    made.opcode = tokens_.expect_word("an instruction");
    while (tokens_.peek().kind == TokenKind::dotted) made.opcode += tokens_.take().text;
    if (made.opcode.starts_with("ret")) names_.move_registers(function_.results, "st.param.b");
    function_.instructions.push_back(std::move(made));
    path_.clear();
    if (tokens_.accept(';')) return;
    do {
      path_.push_back(static_cast<int>(function_.instructions.back().operands.size()));
      function_.instructions.back().operands.emplace_back();
      PtxOperand parsed = operand();
      function_.instructions.back().operands.back() = std::move(parsed);
      path_.pop_back();
    } while (tokens_.accept(','));
    if (!tokens_.accept(';')) tokens_.refuse("';' must end an instruction");
  }

  PtxOperand operand() {
    PtxOperand first = simple_operand();
    if (!tokens_.accept('|')) return first;
    PtxOperand pair;
    pair.kind = OperandKind::pair;
    pair.position = first.position;
    pair.items.push_back(std::move(first));
    pair.items.push_back(simple_operand());
    return pair;
  }

  PtxOperand simple_operand() {
    PtxOperand result;
    result.position = tokens_.peek().position;
    if (path_.size() > kDeepestOperand) tokens_.refuse("operands must nest less than 8 deep");
    if (tokens_.peek().is('!') && tokens_.peek(1).kind == TokenKind::word) {
      tokens_.take();
      result = name();
      result.negated = true;
      return result;
    }
    if (tokens_.accept('{')) return list(OperandKind::vector, '}');
    // Elsewhere than around what a call takes and gives, parentheses are an expression's.
    const bool is_group =
        path_.size() == 1 && function_.instructions.back().opcode.starts_with("call");
    if (is_group && tokens_.accept('(')) return list(OperandKind::group, ')');
    if (tokens_.accept('[')) return address();
    if (!tokens_.at_constant()) return name();
    const Literal value = tokens_.constant();
    result.kind = value.kind;
    result.bits = value.bits;
    return result;
  }

  PtxOperand list(OperandKind kind, char close) {
    PtxOperand result;
    result.kind = kind;
    result.position = tokens_.peek().position;
    if (tokens_.accept(close)) return result;
    do {
      path_.push_back(static_cast<int>(result.items.size()));
      result.items.push_back(simple_operand());
      path_.pop_back();
    } while (tokens_.accept(','));
    tokens_.expect(close);
    return result;
  }

  PtxOperand address() {
    PtxOperand result;
    result.kind = OperandKind::address;
    result.position = tokens_.peek().position;
    path_.push_back(0);
    result.items.push_back(simple_operand());
    result.offset = result.items[0].offset;
    path_.back() = 1;
    while (tokens_.accept(',')) {
      result.items.push_back(simple_operand());
      ++path_.back();
    }
    path_.pop_back();
    tokens_.expect(']');
    return result;
  }

  PtxOperand name() {
    PtxOperand result;
    result.position = tokens_.peek().position;
    result.name = tokens_.expect_word("a name");
    if (result.name == "_") {
      result.kind = OperandKind::sink;
    } else if (const int reg = names_.find_register(result.name); reg >= 0) {
      result.kind = OperandKind::reg;
      result.index = reg;
      // Only video instructions have names that begin so and operands of a part.
      if (tokens_.peek().kind == TokenKind::dotted &&
          function_.instructions.back().opcode.starts_with('v'))
        result.parts = tokens_.take().text;
    } else if (!names_.find_variable(result)) {
      if (result.name[0] == '%')
        special(result);
      else
        pending_.back().push_back({function_.instructions.size() - 1, path_, result.name});
    }
    offset(result);
    return result;
  }
  void special(PtxOperand& result) {
    result.kind = OperandKind::special;
    static constexpr std::array<std::string_view, 4> kParts{".x", ".y", ".z", ".w"};
    for (const std::string_view part : kParts)
      if (tokens_.accept_dotted(part)) result.name += part;
  }
  void offset(PtxOperand& result) {
    if (result.kind != OperandKind::reg && result.kind != OperandKind::symbol &&
        result.kind != OperandKind::variable)
      return;
    if (tokens_.accept('+')) result.offset = tokens_.constant_integer("an offset");
  }

  TokenStream& tokens_;
  PtxFunction& function_;
  PtxModule& module_;
  BodyNames names_{function_};
  std::vector<std::vector<PendingName>> pending_;
  std::vector<std::vector<std::pair<int, std::vector<Token>>>> pending_tables_;
  std::vector<int> path_;
  int depth_ = 0;
  int source_file_ = 0;
  int source_line_ = 0;
};

}  // namespace

void parse_body(TokenStream& tokens, PtxFunction& function, PtxModule& module) {
  BodyParser(tokens, function, module).run();
}

}  // namespace jute::emulator
