#pragma once
// Per-lane opcodes: full PTX spelling -> lane function and operand types.
#include <jute/base/arch.hpp>

#include <cstdint>
#include "emulator/decode/instruction.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jute::emulator {

struct OperandType {
  RegisterClass kind = RegisterClass::b32;
  bool is_f64 = false;  ///< what a literal with a point is; elsewhere it is an f32
};

struct LaneRow {
  LaneFunction run = nullptr;
  OperandType result;
  std::array<OperandType, 4> sources{};
  int source_count = 0;
};

/// A name in parts, joined by the table: concatenating strings at each of a thousand calls would be
/// most of what the rows take to compile.
using OpcodeName = std::initializer_list<std::string_view>;

/// Rows are added once, when a back end opens, and only read afterwards.
class OpcodeTable {
 public:
  /// Replaces a row of the same name.
  void add(OpcodeName name, const LaneRow& row);
  [[nodiscard]] const LaneRow* find(std::string_view name) const {
    const auto found = rows_.find(std::string(name));
    return found == rows_.end() ? nullptr : &found->second;
  }
  /// The row's own spelling of an opcode whose modifiers stand in another order; empty: no row has
  /// them. Types keep their order: `cvt.f16.rn.f32` is cvt.rn.f16.f32.
  /// Looks through all rows: few texts ask, and every back end would pay for an index.
  [[nodiscard]] std::string_view spelling_of(std::string_view opcode) const;
  [[nodiscard]] size_t size() const { return rows_.size(); }
  /// The names of all rows, in alphabetical order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::unordered_map<std::string, LaneRow> rows_;
};

// Facts that names of rows tell beside their types.

/// The first architecture that has a lane function; number 0: all.
[[nodiscard]] Arch lane_arch(std::string_view name);
/// The way of a row with values that must not be looked at.
[[nodiscard]] Passing passing_of(std::string_view name);

/// The table for this processor: frequent rows are compiled with AVX2 and FMA where it has them.
[[nodiscard]] OpcodeTable make_opcode_table();

// The rows of each family: all of them in a portable build, compiled for size, and the frequent
// ones, which replace those, in an AVX2 build of the same text.
namespace portable {
void add_integer_rows(OpcodeTable& table);
void add_float_rows(OpcodeTable& table);
void add_convert_rows(OpcodeTable& table);
}  // namespace portable
namespace avx2 {
void add_integer_rows(OpcodeTable& table);
void add_float_rows(OpcodeTable& table);
void add_convert_rows(OpcodeTable& table);
}  // namespace avx2

}  // namespace jute::emulator
