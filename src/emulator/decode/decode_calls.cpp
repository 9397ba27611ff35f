// Calls: of functions of the module, through pointers to them, and of what the driver provides.
#include "base/format.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/ptx/body_names.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <array>
#include <iterator>

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

constexpr std::string_view kNeedsTargets =
    "a call through a pointer must name its .callprototype or .calltargets";

bool is_place(const PtxOperand* actual) { return actual->kind == OperandKind::variable; }

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

std::vector<const PtxFunction*> Decoder::pointees(const PtxLabel& label) const {
  std::vector<const PtxFunction*> found;
  for (const std::string& name : label.callees) {
    const PtxFunction* function = module_.find_function(name);
    if (function == nullptr || !function->has_body || function->is_entry)
      refuse_ptx(label.position, name, "a call's target must be a function that is defined");
    found.push_back(function);
  }
  if (label.prototype)
    std::ranges::copy_if(addressed_, std::back_inserter(found), [&](const PtxFunction* function) {
      return fits(*function, *label.prototype);
    });
  return found;
}

void Decoder::collect_pointees(const PtxFunction& caller, const PtxOperand& label, int depth) {
  for (const PtxFunction* function : pointees(caller.labels[static_cast<size_t>(label.index)]))
    if (std::ranges::find(call_path_, function) == call_path_.end()) collect(*function, depth + 1);
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
    if (is_place(operands.arguments[i]))
      copies.arguments.push_back(copy(*operands.arguments[i], function.parameters[i], false));
  for (size_t i = 0; i < operands.results.size(); ++i)
    if (is_place(operands.results[i]))
      copies.results.push_back(copy(*operands.results[i], function.results[i], true));
  return add(std::move(copies));
}

void Decoder::call(const PtxOperand& callee, const CallOperands& operands) {
  const PtxFunction* function =
      callee.kind == OperandKind::symbol ? module_.find_function(callee.name) : nullptr;
  if (function == nullptr || function->is_entry)
    refuse(callee, "a call must name a function of the module");
  if (!function->has_body) return call_system(callee, operands);
  const size_t index = function_index_.at(function);
  const FunctionState& target = functions_[index];
  const std::uint32_t copies = add_call(index, operands);
  for (size_t i = 0; i < operands.arguments.size(); ++i)
    move_argument(*operands.arguments[i], target, function->parameters[i], &store_memory);
  Instruction& made = emit(nullptr);
  made.flow = Flow::call;
  made.extra = copies;
  call_patches_.emplace_back(static_cast<std::uint32_t>(program_.code.size()) - 1, index);
  for (size_t i = 0; i < operands.results.size(); ++i)
    move_argument(*operands.results[i], target, function->results[i], &load_memory);
}

// Registers and numbers go to the callee's own places, and results come from there.
void Decoder::move_argument(const PtxOperand& actual, const FunctionState& callee, int formal,
                            LaneFunction run) {
  if (actual.kind == OperandKind::variable) return;
  const auto index = static_cast<size_t>(formal);
  const Variable& variable = callee.function->variables[index];
  if (variable.bytes != variable.type.bytes)
    refuse(actual, "an array or vector must be passed by a .param variable");
  const OperandType type = operand_type(variable.type);
  MemoryAccess access;
  access.space = Space::local;
  access.offset = callee.variable_offsets[index];
  access.element_bytes = static_cast<std::uint8_t>(variable.type.bytes);
  access.register_bytes = static_cast<std::uint8_t>(lane_bytes(type.kind));
  access.data[0] = run == &store_memory ? source(actual, type) : target(actual, type.kind);
  emit_use(run, access);
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
  emit_use(&run_system_call, use).flow = Flow::polling;
}

void Decoder::call_pointer(const PtxOperand& callee, const CallOperands& operands,
                           const PtxOperand& operand) {
  if (operand.kind != OperandKind::label) refuse(operand, std::string(kNeedsTargets));
  const PtxLabel& label = state_->function->labels[static_cast<size_t>(operand.index)];
  if (!label.prototype && label.callees.empty()) refuse(operand, std::string(kNeedsTargets));
  PointerCall use;
  const auto index = static_cast<std::uint32_t>(program_.all<PointerCall>().size());
  if (!std::ranges::all_of(operands.arguments, is_place) ||
      !std::ranges::all_of(operands.results, is_place))
    refuse("a call through a pointer must pass .param variables");
  for (const PtxFunction* function : pointees(label)) {
    const auto found = function_index_.find(function);
    if (found == function_index_.end()) continue;
    const std::uint64_t address = symbols_.find(function->name)->second.address;
    use.targets[address].call = add_call(found->second, operands);
    pointer_patches_.push_back({index, address, found->second});
  }
  add(std::move(use));
  const Slot pointer = source(callee, RegisterClass::b64);
  Instruction& made = emit(nullptr);
  made.flow = Flow::pointer_call;
  made.extra = index;
  made.src[0] = pointer;
}

}  // namespace jute::emulator
