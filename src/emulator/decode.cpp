// Decodes a kernel and the functions it calls: twice, first to learn which registers live when.
#include "emulator/decode.hpp"

#include "emulator/global_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace jute::emulator {
namespace {

constexpr int kDeepestCall = 64;
constexpr Index kMostLocalBytes = 512 * 1024;  // PTX ISA: local memory of a thread
constexpr Index kMostSharedBytes = Index{1} << 24;
// Device functions and call frames share a thread's local memory.
Index aligned_up(Index value, Index align) { return (value + align - 1) / align * align; }

}  // namespace

Program Decoder::decode(const PtxFunction& entry) {
  if (!entry.has_body) refuse_ptx(entry.position, entry.name, "a kernel has a body");
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
  describe_kernel(entry);
  return std::move(program_);
}

void Decoder::describe_kernel(const PtxFunction& entry) {
  program_.name = entry.name;
  program_.signature = read_signature(entry);
  program_.target = module_.target;
  program_.files = module_.files;
  program_.static_shared_bytes = std::max(static_shared_, dynamic_shared_);
  program_.local_bytes = aligned_up(local_bytes_, 16);
  program_.max_threads = entry.max_threads;
  program_.required_threads = entry.required_threads;
  program_.required_cluster = entry.required_cluster;
  program_.min_blocks = entry.min_blocks;
}

// Functions in order of first call; a call of itself would need a stack of registers.
void Decoder::collect(const PtxFunction& function, int depth) {
  if (depth > kDeepestCall ||
      std::find(call_path_.begin(), call_path_.end(), &function) != call_path_.end())
    refuse_ptx(function.position, function.name, "recursive calls are not supported");
  if (function_index_.contains(&function)) return;
  function_index_[&function] = functions_.size();
  functions_.emplace_back();
  functions_.back().function = &function;
  layout_variables(functions_.back());
  call_path_.push_back(&function);
  for (const PtxInstruction& instruction : function.instructions) {
    if (!instruction.opcode.starts_with("call")) continue;
    for (const PtxOperand& operand : instruction.operands) {
      const PtxFunction* callee =
          operand.kind == OperandKind::symbol ? module_.find_function(operand.name) : nullptr;
      if (callee == nullptr) continue;
      if (!callee->has_body)
        refuse_ptx(operand.position, operand.name, "a called function is defined in the module");
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
                   "a function declares .shared, .local and .param variables only");
    }
    const Index at = aligned_up(*place, std::max(variable.align, 1));
    const Index most = variable.space == Space::local ? kMostLocalBytes : kMostSharedBytes;
    if (at + variable.bytes > most)
      refuse_ptx(variable.position, variable.name,
                 fmt::format("a function's variables in this space fit {} bytes", most));
    *place = at + variable.bytes;
    state.variable_offsets.push_back(at);
  }
}

void Decoder::decode_pass() {
  program_ = Program{};
  constants_.clear();
  presets_.clear();
  patches_.clear();
  table_patches_.clear();
  call_patches_.clear();
  for (FunctionState& state : functions_) decode_function(state);
  for (const auto& [instruction, index] : call_patches_)
    program_.code[instruction].target = functions_[index].registers.begin;
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
    if (!use.is_write) registers.uses.push_back(use);
  }
}

void Decoder::decode_instruction() {
  const std::string& text = current_->opcode;
  Origin origin;
  origin.ptx_line = current_->position.line;
  origin.source_file = current_->source_file;
  origin.source_line = current_->source_line;
  origin.opcode = text;
  program_.origins.push_back(std::move(origin));
  const Arch needed = required_arch(text);
  if (needed.number != 0 && !provides(module_.target, needed))
    refuse(fmt::format("it needs {}, the text is for {}", to_string(needed),
                       to_string(module_.target)));
  // mov and cvt take operands that a row does not describe, and so does a pair of results.
  const bool is_plain =
      !text.starts_with("mov.") && !text.starts_with("cvt.") &&
      (current_->operands.empty() || current_->operands[0].kind != OperandKind::pair);
  const LaneRow* row = is_plain ? table_.find(text) : nullptr;
  if (row != nullptr) return decode_row(*row);
  Opcode opcode(text);
  const FamilyDecoder family = find_family(opcode.head());
  if (family == nullptr) refuse("the emulator knows this instruction");
  family(*this, opcode);
}

void Decoder::decode_row(const LaneRow& row) {
  require_operands(static_cast<size_t>(row.source_count) + 1,
                   static_cast<size_t>(row.source_count) + 1);
  std::array<Slot, 4> sources{};
  for (size_t i = 0; i < static_cast<size_t>(row.source_count); ++i)
    sources[i] = source(operand(i + 1), row.sources[i]);
  const Slot dst = target(operand(0), row.result.kind);
  Instruction& made = emit(row.run);
  made.dst = dst;
  made.src = sources;
}

const PtxOperand& Decoder::operand(size_t index) const {
  if (index >= current_->operands.size())
    refuse(fmt::format("it has {} operands, not {}", index + 1, current_->operands.size()));
  return current_->operands[index];
}
void Decoder::refuse(std::string rule) const {
  refuse_ptx(current_->position, current_->opcode, std::move(rule));
}
void Decoder::refuse(const PtxOperand& operand, std::string rule) const {
  refuse_ptx(operand.position.line > 0 ? operand.position : current_->position, current_->opcode,
             std::move(rule));
}
void Decoder::finish(const Opcode& opcode) const {
  if (!opcode.rest().empty())
    refuse(fmt::format("the emulator knows its suffix {}", opcode.rest().front()));
}
void Decoder::require_operands(size_t least, size_t most) const {
  const size_t count = current_->operands.size();
  if (count < least || count > most)
    refuse(least == most ? fmt::format("it has {} operands, not {}", least, count)
                         : fmt::format("it has {} to {} operands, not {}", least, most, count));
}

// Registers under a guard are written in some lanes only: that keeps the old value alive.
void Decoder::record(int reg, bool is_write) {
  // Temporaries are read under the guard that wrote them.
  const bool is_whole =
      current_->guard < 0 || static_cast<size_t>(reg) >= state_->function->registers.size();
  state_->registers.uses.push_back(
      {static_cast<std::uint32_t>(program_.code.size()), reg, is_write, is_write && is_whole});
}
Slot Decoder::slot_of(int reg, bool is_write) {
  record(reg, is_write);
  return final_pass_ ? state_->registers.slots[static_cast<size_t>(reg)] : 0;
}
int Decoder::make_temporary(RegisterClass kind) {
  state_->registers.kinds.push_back(kind);
  return static_cast<int>(state_->registers.kinds.size()) - 1;
}
Slot Decoder::temporary(RegisterClass kind) { return slot_of(make_temporary(kind), true); }
Slot Decoder::read_temporary(int reg) { return slot_of(reg, false); }
Slot Decoder::write_temporary(int reg) { return slot_of(reg, true); }
int Decoder::hidden_predicate() {
  if (state_->hidden_predicate < 0) state_->hidden_predicate = make_temporary(RegisterClass::pred);
  return state_->hidden_predicate;
}

Slot Decoder::constant(std::uint64_t bits, int lane_bytes) {
  if (lane_bytes < 8) bits &= (std::uint64_t{1} << (8 * lane_bytes)) - 1;
  const auto [entry, is_new] = constants_.try_emplace({bits, lane_bytes}, 0);
  if (is_new) {
    entry->second = static_cast<Slot>(program_.constants.size()) | kConstantBit;
    for (int lane = 0; lane < kWarpLanes; ++lane)
      for (int i = 0; i < lane_bytes; ++i)
        program_.constants.push_back(static_cast<std::byte>(bits >> (8 * i)));
  }
  return entry->second;
}
Slot Decoder::constant_predicate(bool value) { return constant(value ? ~std::uint64_t{0} : 0, 4); }

std::optional<RegisterClass> Decoder::register_class(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::reg) return std::nullopt;
  return state_->function->registers[static_cast<size_t>(operand.index)].kind;
}
std::int64_t Decoder::integer(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::integer) refuse(operand, "this operand is an integer constant");
  return static_cast<std::int64_t>(operand.bits);
}

namespace {

const char* class_name(RegisterClass kind) {
  switch (kind) {
    case RegisterClass::pred:
      return "a predicate";
    case RegisterClass::b16:
      return "a 16-bit register";
    case RegisterClass::b32:
      return "a 32-bit register";
    case RegisterClass::b64:
      return "a 64-bit register";
    case RegisterClass::b128:
      return "a 128-bit register";
  }
  return "";
}

struct PresetName {
  std::string_view name;
  Preset preset;
};
constexpr std::array kPresets{PresetName{"%tid.x", Preset::tid_x},
                              PresetName{"%tid.y", Preset::tid_y},
                              PresetName{"%tid.z", Preset::tid_z},
                              PresetName{"%ntid.x", Preset::ntid_x},
                              PresetName{"%ntid.y", Preset::ntid_y},
                              PresetName{"%ntid.z", Preset::ntid_z},
                              PresetName{"%ctaid.x", Preset::ctaid_x},
                              PresetName{"%ctaid.y", Preset::ctaid_y},
                              PresetName{"%ctaid.z", Preset::ctaid_z},
                              PresetName{"%nctaid.x", Preset::nctaid_x},
                              PresetName{"%nctaid.y", Preset::nctaid_y},
                              PresetName{"%nctaid.z", Preset::nctaid_z},
                              PresetName{"%laneid", Preset::laneid},
                              PresetName{"%warpid", Preset::warpid},
                              PresetName{"%nwarpid", Preset::nwarpid},
                              PresetName{"%smid", Preset::smid},
                              PresetName{"%nsmid", Preset::nsmid},
                              PresetName{"%gridid", Preset::gridid},
                              PresetName{"%lanemask_eq", Preset::lanemask_eq},
                              PresetName{"%lanemask_le", Preset::lanemask_le},
                              PresetName{"%lanemask_lt", Preset::lanemask_lt},
                              PresetName{"%lanemask_ge", Preset::lanemask_ge},
                              PresetName{"%lanemask_gt", Preset::lanemask_gt},
                              PresetName{"%dynamic_smem_size", Preset::dynamic_smem_size},
                              PresetName{"%total_smem_size", Preset::total_smem_size},
                              PresetName{"%clusterid.x", Preset::clusterid_x},
                              PresetName{"%clusterid.y", Preset::clusterid_y},
                              PresetName{"%clusterid.z", Preset::clusterid_z},
                              PresetName{"%nclusterid.x", Preset::nclusterid_x},
                              PresetName{"%nclusterid.y", Preset::nclusterid_y},
                              PresetName{"%nclusterid.z", Preset::nclusterid_z},
                              PresetName{"%cluster_ctaid.x", Preset::cluster_ctaid_x},
                              PresetName{"%cluster_ctaid.y", Preset::cluster_ctaid_y},
                              PresetName{"%cluster_ctaid.z", Preset::cluster_ctaid_z},
                              PresetName{"%cluster_nctaid.x", Preset::cluster_nctaid_x},
                              PresetName{"%cluster_nctaid.y", Preset::cluster_nctaid_y},
                              PresetName{"%cluster_nctaid.z", Preset::cluster_nctaid_z},
                              PresetName{"%cluster_ctarank", Preset::cluster_ctarank},
                              PresetName{"%cluster_nctarank", Preset::cluster_nctarank},
                              PresetName{"%is_explicit_cluster", Preset::is_explicit_cluster}};

RegisterClass preset_class(Preset preset) {
  if (preset == Preset::gridid) return RegisterClass::b64;
  return preset == Preset::is_explicit_cluster ? RegisterClass::pred : RegisterClass::b32;
}

std::uint64_t immediate_bits(const PtxOperand& operand, OperandType type) {
  if (operand.kind == OperandKind::integer) return operand.bits;
  if (operand.kind == OperandKind::float32) {
    if (type.immediate != ImmediateKind::f64) return operand.bits;
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
  }
  if (type.kind == RegisterClass::b64) return operand.bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
}

}  // namespace

Slot Decoder::source(const PtxOperand& operand, OperandType type) {
  switch (operand.kind) {
    case OperandKind::reg: {
      if (*register_class(operand) != type.kind || operand.offset != 0)
        refuse(operand, fmt::format("{} is {}; {} is expected here", operand.name,
                                    class_name(*register_class(operand)), class_name(type.kind)));
      if (!operand.negated) return slot_of(operand.index, false);
      if (type.kind != RegisterClass::pred) refuse(operand, "'!' stands before a predicate");
      const int inverse = make_temporary(RegisterClass::pred);
      const Slot from = slot_of(operand.index, false);
      const Slot to = write_temporary(inverse);
      emit_row("not.pred", to, {from});
      return read_temporary(inverse);
    }
    case OperandKind::special: {
      for (const auto& [name, preset] : kPresets) {
        if (name != operand.name) continue;
        if (preset_class(preset) != type.kind)
          refuse(operand, fmt::format("{} is {}; {} is expected here", name,
                                      class_name(preset_class(preset)), class_name(type.kind)));
        const auto [entry, is_new] = presets_.try_emplace(preset, 0);
        if (is_new) {
          entry->second = static_cast<Slot>(program_.presets.size()) * 256;
          program_.presets.push_back({preset, entry->second});
        }
        return entry->second;
      }
      refuse(operand, fmt::format("{} is a register or a special register", operand.name));
    }
    case OperandKind::integer:
    case OperandKind::float32:
    case OperandKind::float64: {
      if (type.immediate == ImmediateKind::none) refuse(operand, "a register is expected here");
      const std::uint64_t bits = immediate_bits(operand, type);
      if (type.kind == RegisterClass::pred) return constant_predicate(bits != 0);
      return constant(bits, lane_bytes(type.kind));
    }
    case OperandKind::variable:
    case OperandKind::symbol: {
      if (type.kind != RegisterClass::b32 && type.kind != RegisterClass::b64)
        refuse(operand, "an address has 32 or 64 bits");
      return constant(locate(operand).address + static_cast<std::uint64_t>(operand.offset),
                      lane_bytes(type.kind));
    }
    default:
      refuse(operand, "a register or an immediate is expected here");
  }
}

Slot Decoder::target(const PtxOperand& operand, RegisterClass kind) {
  if (operand.kind == OperandKind::sink) return temporary(kind);
  if (operand.kind != OperandKind::reg) refuse(operand, "a result goes to a register");
  if (*register_class(operand) != kind)
    refuse(operand, fmt::format("{} is {}; {} is expected here", operand.name,
                                class_name(*register_class(operand)), class_name(kind)));
  return slot_of(operand.index, true);
}

Instruction& Decoder::emit(LaneFunction run) {
  Instruction made;
  made.run = run;
  made.src.fill(kNoSlot);
  if (current_->guard >= 0) {
    made.guard = slot_of(current_->guard, false);
    made.guard_negated = current_->guard_negated;
  }
  if (program_.origins.empty()) program_.origins.emplace_back();
  made.origin = static_cast<std::int32_t>(program_.origins.size()) - 1;
  program_.code.push_back(made);
  return program_.code.back();
}
Instruction& Decoder::emit_row(std::string_view name, Slot dst, std::vector<Slot> sources) {
  const LaneRow* row = table_.find(name);
  if (row == nullptr) refuse(fmt::format("the emulator knows {}", name));
  Instruction& made = emit(row->run);
  made.dst = dst;
  std::copy(sources.begin(), sources.end(), made.src.begin());
  return made;
}

SymbolAddress Decoder::locate(const PtxOperand& operand) {
  if (operand.kind == OperandKind::variable) {
    const auto index = static_cast<size_t>(operand.index);
    const Variable& variable = state_->function->variables[index];
    const auto& parameters = state_->function->parameters;
    const bool in_frame =
        variable.space == Space::param &&
        !(state_->function->is_entry &&
          std::find(parameters.begin(), parameters.end(), operand.index) != parameters.end());
    return {in_frame ? Space::local : variable.space,
            static_cast<std::uint64_t>(state_->variable_offsets[index])};
  }
  const auto found = symbols_.find(operand.name);
  if (found == symbols_.end()) refuse(operand, fmt::format("{} is declared", operand.name));
  SymbolAddress result = found->second;
  if (result.shared == nullptr) return result;
  const Variable& variable = *result.shared;
  if (variable.is_extern) {
    dynamic_align_ = std::max(dynamic_align_, variable.align);
    dynamic_shared_ = aligned_up(static_shared_, dynamic_align_);
    result.address = static_cast<std::uint64_t>(dynamic_shared_);
    return result;
  }
  const auto [place, is_new] = placed_shared_.try_emplace(&variable, 0);
  if (is_new) {
    place->second = aligned_up(static_shared_, variable.align);
    static_shared_ = place->second + variable.bytes;
  }
  result.address = static_cast<std::uint64_t>(place->second);
  return result;
}

void Decoder::address(const PtxOperand& operand, MemoryAccess& access) {
  if (operand.kind != OperandKind::address || operand.items.empty())
    refuse(operand, "an address in brackets is expected here");
  const PtxOperand& base = operand.items[0];
  access.offset = operand.offset;
  if (base.kind == OperandKind::integer) {
    access.offset = static_cast<Index>(base.bits);
  } else if (base.kind == OperandKind::reg) {
    const RegisterClass kind = *register_class(base);
    if (kind != RegisterClass::b32 && kind != RegisterClass::b64)
      refuse(base, "an address register has 32 or 64 bits");
    access.base_is_64 = kind == RegisterClass::b64;
    access.base = slot_of(base.index, false);
  } else if (base.kind == OperandKind::variable || base.kind == OperandKind::symbol) {
    const SymbolAddress symbol = locate(base);
    if (access.space == Space::param && symbol.space == Space::local) access.space = Space::local;
    if (access.space == Space::generic) {
      access.offset += static_cast<Index>(window_of(symbol.space));
    } else if (symbol.space != access.space) {
      refuse(base, fmt::format("{} lies in the space that the instruction names", base.name));
    }
    access.offset += static_cast<Index>(symbol.address);
  } else {
    refuse(base, "an address is a register, a variable or a number");
  }
}

std::uint32_t Decoder::add(const MemoryAccess& access) {
  program_.memory.push_back(access);
  return static_cast<std::uint32_t>(program_.memory.size()) - 1;
}
std::uint32_t Decoder::add(BarrierUse use) {
  program_.barriers.push_back(use);
  return static_cast<std::uint32_t>(program_.barriers.size()) - 1;
}
std::uint32_t Decoder::add(const AtomicUse& use) {
  program_.atomics.push_back(use);
  return static_cast<std::uint32_t>(program_.atomics.size()) - 1;
}
std::uint32_t Decoder::add(const AsyncCopyUse& use) {
  program_.copies.push_back(use);
  return static_cast<std::uint32_t>(program_.copies.size()) - 1;
}
std::uint32_t Decoder::add(const MbarrierUse& use) {
  program_.mbarriers.push_back(use);
  return static_cast<std::uint32_t>(program_.mbarriers.size()) - 1;
}
std::uint32_t Decoder::add(const BulkUse& use) {
  program_.bulks.push_back(use);
  return static_cast<std::uint32_t>(program_.bulks.size()) - 1;
}
std::uint32_t Decoder::add(const WgmmaUse& use) {
  program_.wgmmas.push_back(use);
  return static_cast<std::uint32_t>(program_.wgmmas.size()) - 1;
}
std::uint32_t Decoder::add(const MmaUse& use) {
  program_.mmas.push_back(use);
  return static_cast<std::uint32_t>(program_.mmas.size()) - 1;
}
std::uint32_t Decoder::add(const MatrixUse& use) {
  program_.matrices.push_back(use);
  return static_cast<std::uint32_t>(program_.matrices.size()) - 1;
}
std::uint32_t Decoder::add(std::vector<std::uint32_t> list) {
  program_.tables.push_back(std::move(list));
  return static_cast<std::uint32_t>(program_.tables.size()) - 1;
}

void Decoder::branch_to(Instruction& instruction, const PtxOperand& label) {
  if (label.kind != OperandKind::label) refuse(label, "a label in scope is expected here");
  patches_.push_back(
      {static_cast<std::uint32_t>(&instruction - program_.code.data()), label.index});
}
void Decoder::branch_table(Instruction& instruction, const PtxOperand& label) {
  if (label.kind != OperandKind::label ||
      state_->function->labels[static_cast<size_t>(label.index)].targets.empty())
    refuse(label, "a .branchtargets list is expected here");
  table_patches_.push_back(
      {static_cast<std::uint32_t>(&instruction - program_.code.data()), label.index});
}

void Decoder::call(const PtxOperand& callee, std::vector<const PtxOperand*> arguments,
                   std::vector<const PtxOperand*> results) {
  const PtxFunction* function =
      callee.kind == OperandKind::symbol ? module_.find_function(callee.name) : nullptr;
  if (function == nullptr || function->is_entry)
    refuse(callee, "a call names a function of the module");
  const size_t index = function_index_.at(function);
  const FunctionState& target = functions_[index];
  if (arguments.size() != function->parameters.size() || results.size() != function->results.size())
    refuse(callee, fmt::format("{} has {} parameters and {} results", callee.name,
                               function->parameters.size(), function->results.size()));
  Call copies;
  const auto frame = [&](const PtxOperand& actual, int formal, bool is_result) {
    const SymbolAddress place = locate(actual);
    const Variable& variable = function->variables[static_cast<size_t>(formal)];
    const auto here = static_cast<Index>(place.address);
    const Index there = target.variable_offsets[static_cast<size_t>(formal)];
    if (place.space != Space::local || actual.kind != OperandKind::variable ||
        state_->function->variables[static_cast<size_t>(actual.index)].bytes < variable.bytes)
      refuse(actual, "an argument is a .param variable of the parameter's size");
    copies.arguments.reserve(arguments.size());
    if (is_result) {
      copies.results.push_back({there, here, variable.bytes});
    } else {
      copies.arguments.push_back({here, there, variable.bytes});
    }
  };
  for (size_t i = 0; i < arguments.size(); ++i)
    frame(*arguments[i], function->parameters[i], false);
  for (size_t i = 0; i < results.size(); ++i) frame(*results[i], function->results[i], true);
  program_.calls.push_back(std::move(copies));
  Instruction& made = emit(nullptr);
  made.flow = Flow::call;
  made.extra = static_cast<std::uint32_t>(program_.calls.size()) - 1;
  call_patches_.emplace_back(static_cast<std::uint32_t>(program_.code.size()) - 1, index);
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

// A mere copy of an unset register is no error: compilers copy what is never used.
void Decoder::track_unset() {
  std::map<std::uint32_t, UnsetTracking> found;
  for (const FunctionState& state : functions_) {
    for (const RegisterUse& use : state.registers.uses) {
      const Slot mask = state.registers.set_masks[static_cast<size_t>(use.reg)];
      if (mask == kNoSlot) continue;
      const auto reg = static_cast<size_t>(use.reg);
      const bool is_copy =
          program_.origins[static_cast<size_t>(program_.code[use.instruction].origin)]
              .opcode.starts_with("mov.");
      if (use.is_write) {
        found[use.instruction].writes.push_back(mask);
      } else if (reg < state.function->registers.size() && !is_copy) {
        found[use.instruction].reads.emplace_back(mask, state.function->registers[reg].name);
      }
    }
  }
  for (auto& [instruction, tracking] : found) {
    program_.code[instruction].tracks_unset = true;
    program_.unset.emplace_back(instruction, std::move(tracking));
  }
}

}  // namespace jute::emulator
