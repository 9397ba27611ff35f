// The portable build of the float opcodes.
#include "emulator/decode/opcode_table.hpp"

#include <cfenv>
#include <cstdint>
#include <string>
#include <utility>

#include "emulator/run/portable_begin.inc"
namespace jute::emulator::portable {
namespace {
#include "emulator/run/lane_float_rows.inc"
}  // namespace

void add_float_rows(OpcodeTable& table) {
  add_rare_float_rows(table);
  add_frequent_float_rows(table);
}

}  // namespace jute::emulator::portable
