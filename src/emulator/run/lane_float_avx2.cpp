// The AVX2 build of the frequent float opcodes.
#include "emulator/decode/opcode_table.hpp"

#include <cfenv>
#include <cstdint>
#include <string>
#include <utility>

#include "emulator/run/avx2_begin.inc"
namespace jute::emulator::avx2 {
namespace {
#include "emulator/run/lane_float_rows.inc"
}  // namespace

void add_float_rows(OpcodeTable& table) { add_frequent_float_rows(table); }

}  // namespace jute::emulator::avx2
#include "emulator/run/avx2_end.inc"
