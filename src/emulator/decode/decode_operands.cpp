// Operands of an instruction: registers, constants, special registers, addresses; and the tables
// that decoded instructions point into.
#include "base/format.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/ptx/aligned.hpp"
#include "emulator/run/global_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jute::emulator {

const PtxOperand& Decoder::operand(size_t index) const {
  if (index >= current_->operands.size())
    refuse(base::format("it must have {} operands, not {}", index + 1, current_->operands.size()));
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
    refuse(base::format("{} must be a suffix that the emulator knows", opcode.rest().front()));
}
void Decoder::require_operands(OperandCount allowed) const {
  const auto [least, most] = allowed;
  const size_t count = current_->operands.size();
  if (count < least || count > most)
    refuse(least == most
               ? base::format("it must have {} operands, not {}", least, count)
               : base::format("it must have {} to {} operands, not {}", least, most, count));
}

// Registers under a guard are written in some lanes only: that keeps the old value alive.
void Decoder::record(int reg, bool is_write) {
  // Temporaries are read under the guard that wrote them.
  const bool is_whole =
      current_->guard < 0 || static_cast<size_t>(reg) >= state_->function->registers.size();
  state_->registers.uses.push_back({static_cast<std::uint32_t>(program_.code.size()), reg, is_write,
                                    is_write && is_whole, kNoSlot, false});
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
int Decoder::emit_temporary(std::string_view row, RegisterClass kind, std::vector<Slot> sources) {
  const int result = make_temporary(kind);
  emit_row(row, write_temporary(result), std::move(sources));
  return result;
}
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
      for (int i = 0; i < lane_bytes;
           ++i)  // above 64 bits lie zeros, also where these are negative
        program_.constants.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) : 0));
  }
  return entry->second;
}
Slot Decoder::constant_predicate(bool value) { return constant(value ? ~std::uint64_t{0} : 0, 4); }

ByteMask Decoder::needed(const PtxOperand& operand) const {
  if (operand.kind == OperandKind::sink) return 0;
  if (operand.kind != OperandKind::reg) return kEveryByte;
  return state_->needed[static_cast<size_t>(operand.index)];
}

std::optional<RegisterClass> Decoder::register_class(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::reg) return std::nullopt;
  return state_->function->registers[static_cast<size_t>(operand.index)].kind;
}
std::int64_t Decoder::integer(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::integer)
    refuse(operand, "this operand must be an integer constant");
  return static_cast<std::int64_t>(operand.bits);
}

namespace {

/// The low half of the address of what grid.sync counts in.
constexpr std::string_view kGridWorkspace = "%envreg2";

const char* class_name(RegisterClass kind) {
  static constexpr std::array kNames{"a predicate", "a 16-bit register", "a 32-bit register",
                                     "a 64-bit register", "a 128-bit register"};
  return kNames.at(static_cast<size_t>(kind));
}

std::uint64_t immediate_bits(const PtxOperand& operand, OperandType type) {
  if (operand.kind == OperandKind::integer) return operand.bits;
  if (operand.kind == OperandKind::float32) {
    if (!type.is_f64) return operand.bits;
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
  }
  if (type.kind == RegisterClass::b64) return operand.bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
}

}  // namespace

const char* bits_name(RegisterClass kind) {
  static constexpr std::array kNames{"pred", "b16", "b32", "b64", "b128"};
  return kNames.at(static_cast<size_t>(kind));
}

Slot Decoder::source(const PtxOperand& operand, OperandType type) {
  switch (operand.kind) {
    case OperandKind::reg: {
      if (*register_class(operand) != type.kind)
        refuse(operand, base::format("{} is {}; {} must stand here", operand.name,
                                     class_name(*register_class(operand)), class_name(type.kind)));
      if (operand.offset != 0) return displaced(operand, type.kind);
      if (!operand.negated) return slot_of(operand.index, false);
      if (type.kind != RegisterClass::pred) refuse(operand, "'!' must stand before a predicate");
      const Slot from = slot_of(operand.index, false);
      return read_temporary(emit_temporary("not.pred", RegisterClass::pred, {from}));
    }
    case OperandKind::special: {
      if (operand.name.starts_with(kReservedShared)) return reserved_shared(operand, type.kind);
      if (const PresetRow* const row = find_preset(operand.name)) {
        // In PTX before 2.0 special registers had 16 bits.
        if (row->kind == RegisterClass::b32 && type.kind == RegisterClass::b16)
          return low_half(preset({row, row->kind}));
        if (row->kind != type.kind)
          refuse(operand, base::format("{} is {}; {} must stand here", row->name,
                                       class_name(row->kind), class_name(type.kind)));
        program_.uses_grid_workspace |= row->name == kGridWorkspace;
        return preset({row, type.kind});
      }
      refuse(operand, base::format("{} must be a register or a special register", operand.name));
    }
    case OperandKind::integer:
    case OperandKind::float32:
    case OperandKind::float64: {
      const std::uint64_t bits = immediate_bits(operand, type);
      if (type.kind == RegisterClass::pred) return constant_predicate(bits != 0);
      return constant(bits, lane_bytes(type.kind));
    }
    case OperandKind::variable:
    case OperandKind::symbol: {
      if (type.kind != RegisterClass::b32 && type.kind != RegisterClass::b64)
        refuse(operand, "an address must have 32 or 64 bits");
      const SymbolAddress symbol = locate(operand);
      const std::uint64_t at = symbol.address + static_cast<std::uint64_t>(operand.offset);
      if (symbol.space == Space::shared) return shared_address(at, type.kind);
      return constant(at, lane_bytes(type.kind));
    }
    default:
      refuse(operand, "a register or an immediate must stand here");
  }
}

Slot Decoder::reserved_shared(const PtxOperand& operand, RegisterClass kind) {
  static constexpr std::array<std::pair<std::string_view, Index>, 5> kPlaces{
      {{"begin", 0},
       {"0", 0},
       {"1", kReservedSharedBytes / 2},
       {"cap", kReservedSharedBytes},
       {"end", kReservedSharedBytes}}};
  if (kind != RegisterClass::b32) refuse(operand, "a place in shared memory must have 32 bits");
  const std::string_view which = std::string_view(operand.name).substr(kReservedShared.size());
  for (const auto& [name, offset] : kPlaces)
    if (name == which) return shared_address(static_cast<std::uint64_t>(offset), kind);
  refuse(operand, "it must end with begin, end, cap, 0 or 1");
}

Slot Decoder::preset(const PresetValue& value) {
  const auto [entry, is_new] = presets_.try_emplace(value, 0);
  if (is_new) {
    entry->second = static_cast<Slot>(program_.presets.size()) * 256;
    program_.presets.push_back({value, entry->second});
  }
  return entry->second;
}

void Decoder::source_if(Slot condition, const PtxOperand& operand) {
  (void)source(operand, RegisterClass::b32);
  state_->registers.uses.back().only_if = condition;
}

Slot Decoder::target(const PtxOperand& operand, RegisterClass kind) {
  if (operand.kind == OperandKind::sink) return temporary(kind);
  if (operand.kind != OperandKind::reg) refuse(operand, "a result must go to a register");
  if (*register_class(operand) != kind)
    refuse(operand, base::format("{} is {}; {} must stand here", operand.name,
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
Instruction& Decoder::emit() {
  Instruction& made = emit(row_->run);
  made.flow = row_->flow;
  return made;
}
Instruction& Decoder::emit_row(std::string_view name, Slot dst, std::vector<Slot> sources) {
  const LaneRow* row = table_.find(name);
  if (row == nullptr)
    refuse(base::format("{} must be an instruction that the emulator knows", name));
  Instruction& made = emit(row->run);
  made.dst = dst;
  std::copy(sources.begin(), sources.end(), made.src.begin());
  note_passing(made, name, *row);
  return made;
}

// Notes how a lane function passes bytes on that were never written, its constants known.
void Decoder::note_passing(Instruction& made, std::string_view name, const LaneRow& row) {
  made.passing = passing_of(name);
  if (!final_pass_) return;
  ConstantSources constants;
  for (size_t i = 0; i < static_cast<size_t>(row.source_count); ++i) {
    if (made.src[i] == kNoSlot || (made.src[i] & kConstantBit) == 0) continue;
    std::uint64_t bits = 0;
    std::memcpy(
        &bits, program_.constants.data() + (made.src[i] & ~kConstantBit),
        std::min<size_t>(sizeof(bits), static_cast<size_t>(lane_bytes(row.sources[i].kind))));
    constants[i] = bits;
  }
  const auto [known, is_new] = byte_passings_.try_emplace({std::string(name), constants}, 0);
  if (is_new) {
    const BytePassing passing = byte_passing(name, row, constants);
    const bool needs_width =
        made.passing == Passing::conjoins_words || made.passing == Passing::multiplies;
    if (needs_width || !passing.is_whole) {
      known->second = static_cast<std::uint32_t>(program_.byte_passings.size());
      program_.byte_passings.push_back(passing);
    }
  }
  made.extra = known->second;
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
  if (found == symbols_.end()) refuse(operand, base::format("{} must be declared", operand.name));
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
    refuse(operand, "an address in brackets must stand here");
  const PtxOperand& base = operand.items[0];
  access.offset = operand.offset;
  if (base.kind == OperandKind::integer) {
    access.offset = static_cast<Index>(base.bits);
  } else if (base.kind == OperandKind::reg) {
    const RegisterClass kind = *register_class(base);
    if (kind != RegisterClass::b32 && kind != RegisterClass::b64)
      refuse(base, "an address register must have 32 or 64 bits");
    access.base_is_64 = kind == RegisterClass::b64;
    access.base = slot_of(base.index, false);
  } else if (base.kind == OperandKind::variable || base.kind == OperandKind::symbol) {
    const SymbolAddress symbol = locate(base);
    if (access.space == Space::param && symbol.space == Space::local) access.space = Space::local;
    if (access.space == Space::generic && symbol.space == Space::shared) {
      access.space = Space::shared;
    } else if (access.space == Space::generic) {
      access.offset += static_cast<Index>(window_of(symbol.space));
    } else if (symbol.space != access.space) {
      refuse(base, base::format("{} must lie in the space that the instruction names", base.name));
    }
    access.offset += static_cast<Index>(symbol.address);
  } else {
    refuse(base, "an address must be a register, a variable or a number");
  }
}

}  // namespace jute::emulator
