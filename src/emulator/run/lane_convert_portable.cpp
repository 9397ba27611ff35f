// The portable build of the convert opcodes.
#include "emulator/decode/opcode_table.hpp"

#include <cfenv>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "emulator/run/portable_begin.inc"
namespace jute::emulator::portable {
namespace {
#include "emulator/run/lane_convert_rows.inc"
}  // namespace

void add_convert_rows(OpcodeTable& table) {
  add_rare_convert_rows(table);
  add_frequent_convert_rows(table);
}

}  // namespace jute::emulator::portable
