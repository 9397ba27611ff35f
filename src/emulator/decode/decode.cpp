// Decodes a kernel and the functions it calls: twice, first to learn which registers live when.
#include "emulator/decode/decode.hpp"

#include "base/format.hpp"
#include "emulator/ptx/aligned.hpp"
#include "emulator/ptx/parameters.hpp"
#include "emulator/run/global_memory.hpp"
#include "emulator/tensor/mma.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jute::emulator {
namespace {

constexpr int kDeepestCall = 64;
constexpr Index kMostLocalBytes = 512 * 1024;  // PTX ISA: local memory of a thread
constexpr Index kMostSharedBytes = Index{1} << 24;
// Device functions and call frames share a thread's local memory.
}  // namespace

Program Decoder::decode(const PtxFunction& entry) {
  if (!entry.has_body) refuse_ptx(entry.position, entry.name, "a kernel must have a body");
  find_addressed_functions();
  if (uses_reserved_shared()) static_shared_ = kReservedSharedBytes;
  collect(entry, 0);
  final_pass_ = false;
  decode_pass();
  assign_all_slots();
  final_pass_ = true;
  const std::uint32_t bytes = program_.register_bytes;
  const std::uint32_t unset_begin = program_.unset_begin;
  decode_pass();
  program_.register_bytes = bytes;
  program_.unset_begin = unset_begin;
  track_unset();
  list_operands();
  describe_kernel(entry);
  return std::move(program_);
}

bool Decoder::uses_reserved_shared() const {
  const auto names = [](const PtxOperand& operand) {
    return operand.kind == OperandKind::special && operand.name.starts_with(kReservedShared);
  };
  for (const PtxFunction& function : module_.functions)
    for (const PtxInstruction& instruction : function.instructions)
      if (std::ranges::any_of(instruction.operands, names)) return true;
  return false;
}

void Decoder::describe_kernel(const PtxFunction& entry) {
  program_.name = entry.name;
  program_.parameters = declared_parameters(entry);
  program_.target = module_.target;
  program_.files = module_.files;
  program_.reserved_shared_bytes = uses_reserved_shared() ? kReservedSharedBytes : 0;
  program_.static_shared_bytes = std::max(static_shared_, dynamic_shared_);
  program_.local_bytes = aligned_up(local_bytes_, 16);
  if (uses_stack_) {
    program_.stack_begin = program_.local_bytes;
    program_.local_bytes += kStackBytes;
  }
  program_.max_threads = entry.max_threads;
  program_.required_threads = entry.required_threads;
  program_.required_cluster = entry.required_cluster;
  program_.blocks_are_clusters = entry.blocks_are_clusters;
  program_.min_blocks = entry.min_blocks;
}

// Functions in order of first call; a call of itself would need a stack of registers.
void Decoder::collect(const PtxFunction& function, int depth) {
  if (depth > kDeepestCall ||
      std::find(call_path_.begin(), call_path_.end(), &function) != call_path_.end())
    refuse_ptx(function.position, function.name, "calls must not be recursive");
  if (function_index_.contains(&function)) return;
  function_index_[&function] = functions_.size();
  functions_.emplace_back();
  functions_.back().function = &function;
  functions_.back().needed = needed_bytes(function);
  layout_variables(functions_.back());
  call_path_.push_back(&function);
  for (const PtxInstruction& instruction : function.instructions) {
    if (!instruction.opcode.starts_with("call")) continue;
    for (const PtxOperand& operand : instruction.operands) {
      if (operand.kind == OperandKind::label) collect_pointees(function, operand, depth);
      const PtxFunction* callee =
          operand.kind == OperandKind::symbol ? module_.find_function(operand.name) : nullptr;
      if (callee == nullptr || (!callee->has_body && is_system_function(operand.name))) continue;
      if (!callee->has_body)
        refuse_ptx(operand.position, operand.name,
                   "a called function must be defined in the module");
      collect(*callee, depth + 1);
    }
  }
  call_path_.pop_back();
}

void Decoder::layout_variables(FunctionState& state) {
  const PtxFunction& function = *state.function;
  Index parameter = 0;
  for (size_t i = 0; i < function.variables.size(); ++i) {
    const Variable& variable = function.variables[i];
    const bool is_parameter =
        function.is_entry && std::find(function.parameters.begin(), function.parameters.end(),
                                       static_cast<int>(i)) != function.parameters.end();
    Index* place = nullptr;
    switch (variable.space) {
      case Space::param:
        place = is_parameter ? &parameter : &local_bytes_;
        break;
      case Space::local:
        place = &local_bytes_;
        break;
      case Space::shared:
        place = &static_shared_;
        break;
      default:
        refuse_ptx(variable.position, variable.name,
                   "a function must declare .shared, .local and .param variables only");
    }
    const Index at = aligned_up(*place, std::max(variable.align, 1));
    const Index most = variable.space == Space::shared ? kMostSharedBytes
                       : is_parameter                  ? ArgumentBlock::kCapacityBytes
                                                       : kMostLocalBytes;
    if (at + variable.bytes > most)
      refuse_ptx(variable.position, variable.name,
                 base::format("a function's variables in this space must fit {} bytes", most));
    *place = at + variable.bytes;
    state.variable_offsets.push_back(at);
  }
}

void Decoder::decode_pass() {
  program_ = Program{};
  program_.byte_passings.emplace_back();
  byte_passings_.clear();
  constants_.clear();
  presets_.clear();
  patches_.clear();
  table_patches_.clear();
  call_patches_.clear();
  pointer_patches_.clear();
  for (FunctionState& state : functions_) decode_function(state);
  for (const auto& [instruction, index] : call_patches_)
    program_.code[instruction].target = functions_[index].registers.begin;
  for (const PointerPatch& patch : pointer_patches_)
    std::get<std::vector<PointerCall>>(program_.uses)[patch.call].targets[patch.address].pc =
        functions_[patch.function].registers.begin;
}

void Decoder::decode_function(FunctionState& state) {
  state_ = &state;
  const PtxFunction& function = *state.function;
  state.temporaries = 0;
  state.hidden_predicate = -1;
  state.label_pcs.assign(function.labels.size(), 0);
  FunctionRegisters& registers = state.registers;
  registers.uses.clear();
  registers.kinds.clear();
  for (const RegisterName& reg : function.registers) registers.kinds.push_back(reg.kind);
  registers.begin = static_cast<std::uint32_t>(program_.code.size());
  patches_.clear();
  table_patches_.clear();
  size_t label = 0;
  std::vector<size_t> by_place(function.labels.size());
  for (size_t i = 0; i < by_place.size(); ++i) by_place[i] = i;
  std::stable_sort(by_place.begin(), by_place.end(), [&](size_t a, size_t b) {
    return function.labels[a].instruction < function.labels[b].instruction;
  });
  const auto place_labels = [&](int instruction) {
    for (; label < by_place.size() && function.labels[by_place[label]].instruction <= instruction;
         ++label)
      state.label_pcs[by_place[label]] = static_cast<std::uint32_t>(program_.code.size());
  };
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    place_labels(static_cast<int>(i));
    current_ = &function.instructions[i];
    const size_t first_use = registers.uses.size();
    const size_t first = program_.code.size();
    decode_instruction();
    keep_sources_alive(registers, first_use, first);
  }
  place_labels(static_cast<int>(function.instructions.size()));
  static const PtxInstruction kEnd{.opcode = "ret", .operands = {}, .position = {}};
  current_ = &kEnd;
  emit(nullptr).flow = Flow::ret;
  registers.end = static_cast<std::uint32_t>(program_.code.size());
  for (const Patch& patch : patches_)
    program_.code[patch.instruction].target = state.label_pcs[static_cast<size_t>(patch.label)];
  for (const Patch& patch : table_patches_) {
    std::vector<std::uint32_t> targets;
    for (const int target : function.labels[static_cast<size_t>(patch.label)].targets)
      targets.push_back(state.label_pcs[static_cast<size_t>(target)]);
    program_.code[patch.instruction].extra = add(std::move(targets));
  }
}

// Where one PTX instruction became several, its sources live until the last of them.
void Decoder::keep_sources_alive(FunctionRegisters& registers, size_t first_use,
                                 size_t first) const {
  const size_t size = program_.code.size();
  if (size - first < 2) return;
  for (size_t i = first_use, end = registers.uses.size(); i < end; ++i) {
    RegisterUse use = registers.uses[i];
    use.instruction = static_cast<std::uint32_t>(size) - 1;
    use.is_echo = true;
    if (!use.is_write) registers.uses.push_back(use);
  }
}

namespace {

[[noreturn]] void refuse_form(const PtxInstruction& instruction, const RowMatch& match) {
  Error error{.code = ErrorCode::bad_file,
              .operand = "ptx",
              .value = instruction.opcode,
              .violated_rules = {match.broken_rule},
              .nearest_legal = std::nullopt,
              .position = instruction.position,
              .detail = {}};
  if (!match.nearest_form.empty()) error.nearest_legal = match.nearest_form;
  throw Exception(std::move(error));
}

}  // namespace

// Modifiers of lane rows may stand in any order, too.
const std::string& Decoder::spelled(const std::string& opcode) {
  if (table_.find(opcode) != nullptr) return opcode;
  // Before sm_20 there was no rounding to name.
  const bool is_old = module_.target.number < 20 && opcode.starts_with("mad.") &&
                      opcode.ends_with(".f32") && !opcode.starts_with("mad.rn");
  const auto [known, is_new] = spellings_.try_emplace(opcode);
  if (is_new && is_old) {
    known->second = "mad.rn" + opcode.substr(3);
  } else if (is_new) {
    const std::string_view spelling = table_.spelling_of(opcode);
    known->second = spelling.empty() ? opcode : spelling;
  }
  return known->second;
}

void Decoder::decode_instruction() {
  const std::string& text = spelled(current_->opcode);
  Origin origin;
  origin.ptx_line = current_->position.line;
  origin.source_file = current_->source_file;
  origin.source_line = current_->source_line;
  origin.opcode = text;
  program_.origins.push_back(std::move(origin));
  // mov and cvt take operands that a row does not describe, and so does a pair of results.
  const bool is_plain =
      !text.starts_with("mov.") && (!text.starts_with("cvt.") || text.starts_with("cvt.pack.")) &&
      (current_->operands.empty() || current_->operands[0].kind != OperandKind::pair);
  const LaneRow* row = is_plain ? table_.find(text) : nullptr;
  if (row != nullptr) return decode_lane_row(text, *row);
  const auto [known, is_new] = matches_.try_emplace(text);
  RowMatch& match = known->second;
  if (is_new) match = find_row(text);
  if (match.row == nullptr) refuse_form(*current_, match);
  row_ = match.row;
  require_arch(lists_lane_rows(*row_) ? lane_arch(text) : row_->arch);
  require_operands(operands_named(row_->operands));
  Opcode opcode(text);
  row_->decode(*this, opcode);
}

void Decoder::require_arch(Arch needed) const {
  if (!provides(module_.target, needed))
    refuse(base::format("it needs {}, the text is for {}", to_string(needed),
                        to_string(module_.target)));
}

void Decoder::decode_lane_row(std::string_view name, const LaneRow& row) {
  require_arch(lane_arch(name));
  const auto count = static_cast<size_t>(row.source_count) + 1;
  require_operands({count, count});
  std::array<Slot, 4> sources{};
  for (size_t i = 0; i < static_cast<size_t>(row.source_count); ++i)
    sources[i] = source(operand(i + 1), row.sources[i]);
  const Slot dst = target(operand(0), row.result.kind);
  Instruction& made = emit(row.run);
  made.dst = dst;
  made.src = sources;
  note_passing(made, name, row);
}

void Decoder::branch_to(Instruction& instruction, const PtxOperand& label) {
  if (label.kind != OperandKind::label) refuse(label, "a label in scope must stand here");
  patches_.push_back(
      {static_cast<std::uint32_t>(&instruction - program_.code.data()), label.index});
}
void Decoder::branch_table(Instruction& instruction, const PtxOperand& label) {
  if (label.kind != OperandKind::label ||
      state_->function->labels[static_cast<size_t>(label.index)].targets.empty())
    refuse(label, "a .branchtargets list must stand here");
  table_patches_.push_back(
      {static_cast<std::uint32_t>(&instruction - program_.code.data()), label.index});
}

void Decoder::assign_all_slots() {
  auto next = static_cast<std::uint32_t>(program_.presets.size()) * 256;
  for (FunctionState& state : functions_) next = assign_slots(program_, state.registers, next);
  next = (next + 63) / 64 * 64;
  program_.unset_begin = next;
  for (FunctionState& state : functions_) {
    for (Slot& mask : state.registers.set_masks) {
      if (mask == kNoSlot) continue;
      mask = next;
      next += 4;
    }
  }
  program_.register_bytes = (next + 63) / 64 * 64;
}

}  // namespace jute::emulator
