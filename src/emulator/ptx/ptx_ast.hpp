#pragma once
// A PTX module as read: names resolved to registers, variables and labels, opcodes still text.
#include <cstdint>
#include "emulator/decode/instruction.hpp"
#include "emulator/ptx/ptx_token.hpp"

#include <jute/base/arch.hpp>
#include <jute/base/types.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jute::emulator {

enum class Space : std::uint8_t { generic, global, shared, local, param, constant };

struct RegisterName {
  std::string name;
  RegisterClass kind = RegisterClass::b32;
};

/// A fundamental type as declared: its bytes and what kind of number it is.
struct ElementType {
  int bytes = 0;    ///< 0 for .pred
  char kind = 'b';  ///< b, u, s or f
};
[[nodiscard]] bool find_element_type(std::string_view dotted, ElementType& type);

/// A pointer inside initial data: the address of `symbol` is written at byte `offset`, or of it the
/// bits of a mask, as the lowest: `0xFF00(generic(symbol))` is its second byte.
struct Relocation {
  Index offset = 0;
  std::string symbol;
  Index addend = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  int bytes = 8;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  ElementType type;
  int align = 1;
  Index bytes = 0;
  bool is_extern = false;
  bool is_array = false;
  bool is_pointer = false;   ///< a parameter declared .ptr
  bool is_register = false;  ///< a function's parameter declared .reg: a register has its name
  std::vector<std::byte> initial;
  std::vector<Relocation> relocations;
  SourcePosition position;
};

enum class OperandKind : std::uint8_t {
  none,
  sink,      ///< `_`
  reg,       ///< index: into PtxFunction::registers
  special,   ///< name: `%tid.x`
  integer,   ///< bits
  float32,   ///< bits of an f32
  float64,   ///< bits of an f64, also decimal literals
  variable,  ///< index: into PtxFunction::variables; offset
  symbol,    ///< name: of the module, or a label; offset
  label,     ///< index: into PtxFunction::labels
  vector,    ///< items
  address,   ///< items[0] is the base, offset; items[1] coordinates where given
  pair,      ///< items: `p|q`
  group,     ///< items: `(a, b)`
};

struct PtxOperand {
  OperandKind kind = OperandKind::none;
  bool negated = false;  ///< `!p`
  int index = -1;
  std::uint64_t bits = 0;
  Index offset = 0;
  std::string name;
  std::string
      parts;  ///< `.b3`, `.h10`: which bytes or halves of the register; of video instructions
  std::vector<PtxOperand> items;
  SourcePosition position;
  /// The operands of `{a, b}`; of any other operand itself.
  [[nodiscard]] std::span<const PtxOperand> listed() const {
    return kind == OperandKind::vector ? std::span<const PtxOperand>(items) : std::span(this, 1);
  }
};

struct PtxInstruction {
  std::string opcode;  ///< with its suffixes: `ld.global.v4.f32`
  int guard = -1;      ///< predicate register
  bool guard_negated = false;
  std::vector<PtxOperand> operands;
  SourcePosition position;
  int source_file = 0;  ///< of the last .loc; 0 none
  int source_line = 0;
};

/// A label and the instruction before which it stands; a branch table holds labels instead, a
/// prototype of calls through pointers types.
struct PtxLabel {
  std::string name;
  int instruction = -1;
  std::vector<int> targets;
  /// .callprototype: what a function called through a pointer takes and gives, in bytes.
  struct Prototype {
    std::vector<Index> parameters;
    std::vector<Index> results;
  };
  std::optional<Prototype> prototype;
  std::vector<std::string> callees;  ///< .calltargets: the functions that a pointer may mean
  SourcePosition position;
};

struct PtxFunction {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  std::vector<int> parameters;  ///< into variables or, `.reg` ones of device functions, unsupported
  std::vector<int> results;
  std::vector<RegisterName> registers;
  std::vector<Variable> variables;
  std::vector<PtxLabel> labels;
  std::vector<PtxInstruction> instructions;
  std::array<int, 3> max_threads{0, 0, 0};  ///< .maxntid; 0 not given
  std::array<int, 3> required_threads{0, 0, 0};
  std::array<int, 3> required_cluster{0, 0, 0};
  bool blocks_are_clusters = false;  ///< the grid of a launch counts clusters
  int min_blocks = 0;
  int max_registers = 0;
  SourcePosition position;
};

struct PtxModule {
  std::unique_ptr<const std::string> text;
  int version_major = 0;
  int version_minor = 0;
  Arch target;
  std::vector<Variable> variables;
  std::vector<Variable> locals;  ///< .local outside of functions
  std::vector<PtxFunction> functions;
  std::map<int, std::string> files;
  std::map<std::string, std::string, std::less<>> aliases;  ///< functions by their other names

  /// The definition where there is one.
  [[nodiscard]] const PtxFunction* find_function(std::string_view name) const;
};

/// Reads a whole module. Opcodes are only split from their operands.
///   throws  bad_file with line and column
[[nodiscard]] PtxModule parse_ptx(std::string_view text);

}  // namespace jute::emulator
