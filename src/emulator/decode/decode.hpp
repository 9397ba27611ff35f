#pragma once
// From the parsed module to a Program: what every family of opcodes uses to decode itself.
#include <cstdint>
#include "emulator/decode/instruction_rows.hpp"
#include "emulator/decode/needed_bytes.hpp"
#include "emulator/decode/opcode_table.hpp"
#include "emulator/decode/program.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jute::emulator {

/// `ld.global.v4.f32` as head `ld` and suffixes; families take what they know and refuse the rest.
class Opcode {
 public:
  explicit Opcode(std::string_view text);
  [[nodiscard]] std::string_view head() const { return head_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  /// Removes one suffix if it is there.
  bool take(std::string_view suffix);
  /// Removes and returns the first of `suffixes` that is there; empty if none is.
  std::string_view take_one_of(std::initializer_list<std::string_view> suffixes);
  /// Removes every suffix that begins so.
  bool take_prefixed(std::string_view prefix);
  /// The type suffix that stands first among what is left.
  std::optional<ElementType> take_type();
  /// Removes and returns the last suffix but one; empty if there is none.
  std::string_view take_second_last();
  [[nodiscard]] bool has_prefix(std::string_view prefix) const;
  void drop_first() { suffixes_.erase(suffixes_.begin()); }
  [[nodiscard]] bool has(std::string_view suffix) const;
  [[nodiscard]] const std::vector<std::string_view>& rest() const { return suffixes_; }

 private:
  std::string text_;
  std::string_view head_;
  std::vector<std::string_view> suffixes_;
};

/// Addresses that symbols stand for; module-wide, made before any kernel is decoded.
struct SymbolAddress {
  Space space = Space::global;
  std::uint64_t address = 0;
  const Variable* shared = nullptr;  ///< placed by each kernel that names it
};
using SymbolTable = std::map<std::string, SymbolAddress, std::less<>>;

/// The register and the literals of an element.
[[nodiscard]] inline OperandType operand_type(ElementType type) {
  return {class_of_bytes(type.bytes), type.kind == 'f' && type.bytes == 8};
}
/// `b32`: how opcodes name a register's bits.
[[nodiscard]] const char* bits_name(RegisterClass kind);

/// A register that an instruction reads or writes; for the assignment of slots.
struct RegisterUse {
  std::uint32_t instruction = 0;
  int reg = 0;
  bool is_write = false;
  bool is_kill = false;    ///< writes every active lane: not under a guard
  Slot only_if = kNoSlot;  ///< a predicate that says in which lanes it is read
  bool is_echo = false;    ///< only keeps the register alive until here
};

/// Registers and temporaries of one function with what is known of their use.
struct FunctionRegisters {
  std::vector<RegisterClass> kinds;
  std::vector<RegisterUse> uses;
  std::vector<Slot> slots;
  std::vector<Slot> set_masks;  ///< kNoSlot unless a path reaches a use unset
  std::uint32_t begin = 0;      ///< instructions of the function
  std::uint32_t end = 0;
};

/// Gives every register of a function its slot, from `first_byte` on; registers that are never
/// alive together share one. Returns the first byte behind. Needs branch targets in `program`.
[[nodiscard]] std::uint32_t assign_slots(const Program& program, FunctionRegisters& registers,
                                         std::uint32_t first_byte);

/// The operands of a call beside the function: variables of .param space.
struct CallOperands {
  std::vector<const PtxOperand*> arguments;
  std::vector<const PtxOperand*> results;
};

/// %reserved_smem_offset_0 and its like: shared memory that the system has for itself, in front of
/// the kernel's own. Cooperative groups keep the barriers of tiles of several warps there.
inline constexpr std::string_view kReservedShared = "%reserved_smem_offset_";
inline constexpr Index kReservedSharedBytes = 1024;
/// The stack that a thread has for alloca.
inline constexpr Index kStackBytes = 8192;

class Decoder {
 public:
  Decoder(const PtxModule& module, const OpcodeTable& table, const SymbolTable& symbols)
      : module_(module), table_(table), symbols_(symbols) {}

  /// throws  bad_file: names the opcode or operand, with line and column
  [[nodiscard]] Program decode(const PtxFunction& entry);

  // For the families.
  [[nodiscard]] const PtxInstruction& current() const { return *current_; }
  [[nodiscard]] const PtxOperand& operand(size_t index) const;
  [[nodiscard]] size_t operand_count() const { return current_->operands.size(); }
  [[noreturn]] void refuse(std::string rule) const;
  [[noreturn]] void refuse(const PtxOperand& operand, std::string rule) const;
  /// Refuses suffixes that a decoder did not take.
  void finish(const Opcode& opcode) const;
  void require_operands(OperandCount allowed) const;

  /// A register, an immediate or a constant address as a source of this type.
  Slot source(const PtxOperand& operand, OperandType type);
  Slot source(const PtxOperand& operand, RegisterClass kind) {
    return source(operand, OperandType{kind});
  }
  /// A 32-bit register that is read in those lanes only where the predicate `condition` holds.
  void source_if(Slot condition, const PtxOperand& operand);
  /// Where a result goes; a sink gets a temporary.
  Slot target(const PtxOperand& operand, RegisterClass kind);
  Slot temporary(RegisterClass kind);
  /// A temporary that an earlier instruction made, read or written again.
  Slot read_temporary(int reg);
  Slot write_temporary(int reg);
  int make_temporary(RegisterClass kind);
  /// A row's result as a new temporary.
  int emit_temporary(std::string_view row, RegisterClass kind, std::vector<Slot> sources);
  Slot constant(std::uint64_t bits, int lane_bytes);
  Slot constant_predicate(bool value);
  /// A special register.
  Slot preset(const PresetValue& value);
  /// The address of an offset in the block's own shared memory.
  Slot shared_address(std::uint64_t offset, RegisterClass kind) {
    return preset({nullptr, kind, offset});
  }
  /// The class of a register operand; nothing for anything else.
  [[nodiscard]] std::optional<RegisterClass> register_class(const PtxOperand& operand) const;
  /// The bytes of a register that decide anything; none of a sink.
  [[nodiscard]] ByteMask needed(const PtxOperand& operand) const;
  /// The value of an operand that must be a plain integer.
  [[nodiscard]] std::int64_t integer(const PtxOperand& operand) const;
  /// Appends what the current row does, under the current guard.
  Instruction& emit();
  /// The same, with operands of its kind.
  template <class Use>
  Instruction& emit_use(Use use) {
    Instruction& made = emit();
    made.extra = add(std::move(use));
    return made;
  }
  /// Appends another function, as one step of several; with operands of its kind.
  Instruction& emit(LaneFunction run);
  template <class Use>
  Instruction& emit_use(LaneFunction run, Use use) {
    Instruction& made = emit(run);
    made.extra = add(std::move(use));
    return made;
  }
  /// Appends a row of the table with these slots.
  Instruction& emit_row(std::string_view name, Slot dst, std::vector<Slot> sources);
  /// Fills base and offset of a memory access from `[…]`.
  void address(const PtxOperand& operand, MemoryAccess& access);
  /// Space and address of a variable or symbol.
  [[nodiscard]] SymbolAddress locate(const PtxOperand& operand);
  /// Puts what an instruction uses into the list of its kind; its place there.
  template <class Use>
  std::uint32_t add(Use use) {
    auto& list = std::get<std::vector<Use>>(program_.uses);
    list.push_back(std::move(use));
    return static_cast<std::uint32_t>(list.size()) - 1;
  }
  /// A label's instruction, once its function is decoded: patched later.
  void branch_to(Instruction& instruction, const PtxOperand& label);
  void branch_table(Instruction& instruction, const PtxOperand& label);
  void call(const PtxOperand& callee, const CallOperands& operands);
  /// Calls whichever function of the module the register `callee` points to.
  void call_pointer(const PtxOperand& callee, const CallOperands& operands,
                    const PtxOperand& prototype);
  void mark_stack() { uses_stack_ = true; }
  void mark_ordered() { program_.orders_blocks = true; }
  [[nodiscard]] Arch arch() const { return module_.target; }
  /// The predicate register `name` that lives beside the declared ones: one a function.
  int hidden_predicate();

 private:
  struct FunctionState {
    const PtxFunction* function = nullptr;
    FunctionRegisters registers;
    std::vector<ByteMask> needed;
    std::vector<Index> variable_offsets;
    std::vector<std::uint32_t> label_pcs;
    int temporaries = 0;
    int hidden_predicate = -1;
  };
  struct Patch {
    std::uint32_t instruction = 0;
    int label = 0;
  };

  struct PointerPatch {
    std::uint32_t call = 0;  ///< a PointerCall of the program
    std::uint64_t address = 0;
    size_t function = 0;
  };

  void find_addressed_functions();
  [[nodiscard]] bool uses_reserved_shared() const;
  Slot reserved_shared(const PtxOperand& operand, RegisterClass kind);
  Slot displaced(const PtxOperand& operand, RegisterClass kind);
  Slot low_half(Slot word);
  void move_argument(const PtxOperand& actual, const FunctionState& callee, int formal,
                     LaneFunction run);
  void collect(const PtxFunction& function, int depth);
  void collect_pointees(const PtxFunction& caller, const PtxOperand& label, int depth);
  /// The functions that a call through a pointer may mean, by its list or prototype.
  [[nodiscard]] std::vector<const PtxFunction*> pointees(const PtxLabel& label) const;
  std::uint32_t add_call(size_t callee, const CallOperands& operands);
  void call_system(const PtxOperand& callee, const CallOperands& operands);
  [[nodiscard]] Index frame_offset(const PtxOperand& actual, Index bytes);
  void layout_variables(FunctionState& state);
  void decode_pass();
  void decode_function(FunctionState& state);
  void keep_sources_alive(FunctionRegisters& registers, size_t first_use, size_t first) const;
  void decode_instruction();
  void require_arch(Arch needed) const;
  [[nodiscard]] const std::string& spelled(const std::string& opcode);
  void decode_lane_row(std::string_view name, const LaneRow& row);
  void note_passing(Instruction& made, std::string_view name, const LaneRow& row);
  void record(int reg, bool is_write);
  Slot slot_of(int reg, bool is_write);
  void assign_all_slots();
  void track_unset();
  void list_operands();
  void describe_kernel(const PtxFunction& entry);

  const PtxModule& module_;
  const OpcodeTable& table_;
  const SymbolTable& symbols_;
  Program program_;
  std::vector<FunctionState> functions_;
  std::map<const PtxFunction*, size_t> function_index_;
  FunctionState* state_ = nullptr;
  const PtxInstruction* current_ = nullptr;
  const InstructionRow* row_ = nullptr;  ///< of the current instruction
  std::unordered_map<std::string, RowMatch> matches_;
  std::unordered_map<std::string, std::string> spellings_;  ///< of rows, by those of the text
  std::map<std::pair<std::uint64_t, int>, Slot> constants_;
  std::map<PresetValue, Slot> presets_;
  std::map<std::pair<std::string, ConstantSources>, std::uint32_t> byte_passings_;
  std::vector<Patch> patches_;
  std::vector<Patch> table_patches_;
  std::vector<std::pair<std::uint32_t, size_t>> call_patches_;
  std::vector<PointerPatch> pointer_patches_;
  std::vector<const PtxFunction*> addressed_;  ///< that a pointer may mean
  std::vector<const PtxFunction*> call_path_;
  Index static_shared_ = 0;
  Index dynamic_shared_ = -1;  ///< where it begins; -1: not used
  int dynamic_align_ = 16;
  std::map<const Variable*, Index> placed_shared_;
  Index local_bytes_ = 0;
  bool uses_stack_ = false;
  bool final_pass_ = false;
};

/// Does the driver provide a function of this name: printf, malloc, …?
[[nodiscard]] bool is_system_function(std::string_view name);
/// Removes the suffix that says how far an ordered access or a fence reaches.
[[nodiscard]] std::optional<Scope> take_scope(Opcode& opcode);

}  // namespace jute::emulator
