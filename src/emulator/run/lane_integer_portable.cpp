// The portable build of the integer opcodes.
#include "emulator/decode/opcode_table.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "emulator/run/portable_begin.inc"
namespace jute::emulator::portable {
namespace {
#include "emulator/run/lane_integer_rows.inc"
}  // namespace

void add_integer_rows(OpcodeTable& table) {
  add_rare_integer_rows(table);
  add_frequent_integer_rows(table);
}

}  // namespace jute::emulator::portable
