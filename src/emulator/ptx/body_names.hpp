#pragma once
// What the names of a function's body mean: registers, variables and labels, scope by scope.
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/ptx_ast.hpp"

namespace jute::emulator {

/// The names that `{ … }` declares.
struct BodyScope {
  struct Range {
    std::string prefix;
    int count = 0;
    RegisterClass kind = RegisterClass::b32;
  };
  std::unordered_map<std::string, int> registers;
  std::vector<Range> ranges;  ///< `.reg .b32 %r<9>`
  std::unordered_map<std::string, int> variables;
  std::unordered_map<std::string, std::string> symbols;  ///< variables that became the module's
  std::unordered_map<std::string, int> labels;
};

class BodyNames {
 public:
  explicit BodyNames(PtxFunction& function) : function_(function) {}

  void open() { scopes_.emplace_back(); }
  [[nodiscard]] BodyScope close();
  [[nodiscard]] BodyScope& innermost() { return scopes_.back(); }

  /// A parameter or result, in the outermost scope: of a .reg one the register has the name.
  void declare_parameter(int index);
  /// throws  bad_file: a function has too many registers
  int add_register(const std::string& name, RegisterClass kind, SourcePosition position);
  [[nodiscard]] int find_register(const std::string& name);
  /// Makes the operand that its name says: a variable, or a name of the module or a label, which
  /// gives false.
  [[nodiscard]] bool find_variable(PtxOperand& operand) const;
  /// Appends, for each .reg parameter, what moves its value between its register and its place:
  /// `ld.param.b32 a, [a]`, `st.param.b32 [r], r`.
  void move_registers(const std::vector<int>& parameters, const std::string& opcode);

 private:
  PtxFunction& function_;
  std::vector<BodyScope> scopes_;
};

}  // namespace jute::emulator
