// Calls: of functions of the module, through pointers to them, and of what the driver provides.
#include "base/format.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/run/collectives.hpp"

#include <algorithm>
#include <array>

namespace jute::emulator {
namespace {

struct SystemRow {
  std::string_view name;
  SystemFunction function;
  size_t arguments;
  size_t results;
};
// Source: CUDA C++ Programming Guide, assertion, formatted output, dynamic global memory; the
// declarations that nvcc writes.
constexpr std::array kSystemFunctions{
    SystemRow{"__assertfail", SystemFunction::assert_fail, 5, 0},
    SystemRow{"vprintf", SystemFunction::print, 2, 1},
    SystemRow{"malloc", SystemFunction::allocate, 1, 1},
    SystemRow{"free", SystemFunction::release, 1, 0},
};
const SystemRow* find_system_function(std::string_view name) {
  const auto* row = std::ranges::find(kSystemFunctions, name, &SystemRow::name);
  return row == kSystemFunctions.end() ? nullptr : row;
}

/// Does a function take and give what the prototype says?
bool fits(const PtxFunction& function, const PtxLabel::Prototype& prototype) {
  const auto agree = [&](const std::vector<int>& variables, const std::vector<Index>& sizes) {
    return std::ranges::equal(variables, sizes, {}, [&](int index) {
      return function.variables[static_cast<size_t>(index)].bytes;
    });
  };
  return agree(function.parameters, prototype.parameters) &&
         agree(function.results, prototype.results);
}

}  // namespace

bool is_system_function(std::string_view name) { return find_system_function(name) != nullptr; }

// Functions that initial data or an instruction other than a call names.
void Decoder::find_addressed_functions() {
  const auto add = [&](const std::string& name) {
    const PtxFunction* function = module_.find_function(name);
    const bool counts = function != nullptr && function->has_body && !function->is_entry;
    if (counts && std::ranges::find(addressed_, function) == addressed_.end())
      addressed_.push_back(function);
  };
  for (const Variable& variable : module_.variables)
    for (const Relocation& relocation : variable.relocations) add(relocation.symbol);
  for (const PtxFunction& function : module_.functions)
    for (const PtxInstruction& instruction : function.instructions)
      if (!instruction.opcode.starts_with("call"))
        for (const PtxOperand& operand : instruction.operands)
          if (operand.kind == OperandKind::symbol) add(operand.name);
}

void Decoder::collect_prototype(const PtxFunction& caller, const PtxOperand& label, int depth) {
  const auto& prototype = caller.labels[static_cast<size_t>(label.index)].prototype;
  if (!prototype) return;
  for (const PtxFunction* function : addressed_)
    if (fits(*function, *prototype) && std::ranges::find(call_path_, function) == call_path_.end())
      collect(*function, depth + 1);
}

Index Decoder::frame_offset(const PtxOperand& actual, Index bytes) {
  const SymbolAddress place = locate(actual);
  if (place.space != Space::local || actual.kind != OperandKind::variable ||
      state_->function->variables[static_cast<size_t>(actual.index)].bytes < bytes)
    refuse(actual, "an argument must be a .param variable of the parameter's size");
  return static_cast<Index>(place.address);
}

std::uint32_t Decoder::add_call(size_t callee, const CallOperands& operands) {
  const FunctionState& target = functions_[callee];
  const PtxFunction& function = *target.function;
  if (operands.arguments.size() != function.parameters.size() ||
      operands.results.size() != function.results.size())
    refuse(base::format("{} must be given {} parameters and {} results", function.name,
                        function.parameters.size(), function.results.size()));
  Call copies;
  const auto copy = [&](const PtxOperand& actual, int formal, bool is_result) {
    const auto index = static_cast<size_t>(formal);
    const Index bytes = function.variables[index].bytes;
    const Index here = frame_offset(actual, bytes);
    const Index there = target.variable_offsets[index];
    return is_result ? CallCopy{there, here, bytes} : CallCopy{here, there, bytes};
  };
  for (size_t i = 0; i < operands.arguments.size(); ++i)
    copies.arguments.push_back(copy(*operands.arguments[i], function.parameters[i], false));
  for (size_t i = 0; i < operands.results.size(); ++i)
    copies.results.push_back(copy(*operands.results[i], function.results[i], true));
  program_.calls.push_back(std::move(copies));
  return static_cast<std::uint32_t>(program_.calls.size()) - 1;
}

void Decoder::call(const PtxOperand& callee, const CallOperands& operands) {
  const PtxFunction* function =
      callee.kind == OperandKind::symbol ? module_.find_function(callee.name) : nullptr;
  if (function == nullptr || function->is_entry)
    refuse(callee, "a call must name a function of the module");
  if (!function->has_body) return call_system(callee, operands);
  const size_t index = function_index_.at(function);
  const std::uint32_t copies = add_call(index, operands);
  Instruction& made = emit(nullptr);
  made.flow = Flow::call;
  made.extra = copies;
  call_patches_.emplace_back(static_cast<std::uint32_t>(program_.code.size()) - 1, index);
}

void Decoder::call_system(const PtxOperand& callee, const CallOperands& operands) {
  const SystemRow* row = find_system_function(callee.name);
  if (row == nullptr || operands.arguments.size() != row->arguments ||
      operands.results.size() != row->results)
    refuse(callee, "a called function must be defined in the module");
  SystemCall use;
  use.function = row->function;
  const auto bytes_of = [&](const PtxOperand& actual) {
    return actual.kind != OperandKind::variable
               ? Index{0}
               : state_->function->variables[static_cast<size_t>(actual.index)].bytes;
  };
  for (size_t i = 0; i < operands.arguments.size(); ++i) {
    // Every argument has 8 bytes but for the line of an assertion.
    const bool is_line = use.function == SystemFunction::assert_fail && i == 2;
    use.arguments[i] = frame_offset(*operands.arguments[i], is_line ? 4 : 8);
  }
  if (!operands.results.empty())
    use.result = frame_offset(*operands.results[0], bytes_of(*operands.results[0]));
  if (row->function == SystemFunction::allocate || row->function == SystemFunction::release)
    mark_ordered();
  program_.system_calls.push_back(use);
  Instruction& made = emit(&run_system_call);
  made.extra = static_cast<std::uint32_t>(program_.system_calls.size()) - 1;
  made.flow = Flow::polling;
}

void Decoder::call_pointer(const PtxOperand& callee, const CallOperands& operands,
                           const PtxOperand& label) {
  const PtxLabel* prototype = label.kind == OperandKind::label
                                  ? &state_->function->labels[static_cast<size_t>(label.index)]
                                  : nullptr;
  if (prototype == nullptr || !prototype->prototype)
    refuse(label, "a call through a pointer must name its .callprototype");
  PointerCall use;
  const auto index = static_cast<std::uint32_t>(program_.pointer_calls.size());
  for (const PtxFunction* function : addressed_) {
    const auto found = function_index_.find(function);
    if (found == function_index_.end() || !fits(*function, *prototype->prototype)) continue;
    const std::uint64_t address = symbols_.find(function->name)->second.address;
    use.targets[address].call = add_call(found->second, operands);
    pointer_patches_.push_back({index, address, found->second});
  }
  program_.pointer_calls.push_back(std::move(use));
  const Slot pointer = source(callee, RegisterClass::b64);
  Instruction& made = emit(nullptr);
  made.flow = Flow::pointer_call;
  made.extra = index;
  made.src[0] = pointer;
}

}  // namespace jute::emulator
