// The AVX2 build of the frequent integer opcodes.
#include "emulator/decode/opcode_table.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "emulator/run/avx2_begin.inc"
namespace jute::emulator::avx2 {
namespace {
#include "emulator/run/lane_integer_rows.inc"
}  // namespace

void add_integer_rows(OpcodeTable& table) { add_frequent_integer_rows(table); }

}  // namespace jute::emulator::avx2
#include "emulator/run/avx2_end.inc"
