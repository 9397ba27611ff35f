// Scopes of names, and the parameters that are registers.
#include "emulator/ptx/body_names.hpp"

#include <utility>

namespace jute::emulator {
namespace {
constexpr int kMostNamedRegisters = 1 << 20;
}

BodyScope BodyNames::close() {
  BodyScope scope = std::move(scopes_.back());
  scopes_.pop_back();
  return scope;
}

void BodyNames::declare_parameter(int index) {
  const Variable& variable = function_.variables[static_cast<size_t>(index)];
  scopes_.front().variables[variable.name] = index;
  if (variable.is_register)
    scopes_.front().registers[variable.name] =
        add_register(variable.name, class_of_bytes(variable.type.bytes), variable.position);
}

int BodyNames::add_register(const std::string& name, RegisterClass kind, SourcePosition position) {
  if (function_.registers.size() >= kMostNamedRegisters)
    refuse_ptx(position, name, "a function must have at most 2^20 registers");
  function_.registers.push_back({name, kind});
  return static_cast<int>(function_.registers.size()) - 1;
}

int BodyNames::find_register(const std::string& name) {
  for (size_t i = scopes_.size(); i-- > 0;) {
    BodyScope& scope = scopes_[i];
    const auto found = scope.registers.find(name);
    if (found != scope.registers.end()) return found->second;
    const size_t letters = name.find_last_not_of("0123456789") + 1;
    if (letters == name.size() || name.size() - letters > 7) continue;
    const int number = std::stoi(name.substr(letters));
    if (std::to_string(number) != name.substr(letters)) continue;
    for (const BodyScope::Range& range : scope.ranges) {
      if (number >= range.count || name.compare(0, letters, range.prefix) != 0) continue;
      return scope.registers[name] = add_register(name, range.kind, {});
    }
  }
  return -1;
}

bool BodyNames::find_variable(PtxOperand& operand) const {
  operand.kind = OperandKind::symbol;
  for (size_t i = scopes_.size(); i-- > 0;) {
    const BodyScope& scope = scopes_[i];
    if (const auto found = scope.variables.find(operand.name); found != scope.variables.end()) {
      operand.kind = OperandKind::variable;
      operand.index = found->second;
      return true;
    }
    if (const auto found = scope.symbols.find(operand.name); found != scope.symbols.end()) {
      operand.name = found->second;
      return true;
    }
  }
  return false;
}

void BodyNames::move_registers(const std::vector<int>& parameters, const std::string& opcode) {
  for (const int index : parameters) {
    const Variable& variable = function_.variables[static_cast<size_t>(index)];
    if (!variable.is_register) continue;
    PtxOperand reg, place, base;
    reg.kind = OperandKind::reg;
    reg.index = scopes_.front().registers.at(variable.name);
    base.kind = OperandKind::variable;
    base.index = index;
    reg.name = base.name = variable.name;
    place.kind = OperandKind::address;
    place.items = {std::move(base)};
    PtxInstruction made;
    made.opcode = opcode + std::to_string(8 * variable.type.bytes);
    made.operands = {std::move(reg), std::move(place)};
    if (opcode.starts_with("st")) std::swap(made.operands[0], made.operands[1]);
    made.position = variable.position;
    function_.instructions.push_back(std::move(made));
  }
}

}  // namespace jute::emulator
