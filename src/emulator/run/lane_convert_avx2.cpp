// The AVX2 build of the frequent convert opcodes.
#include "emulator/decode/opcode_table.hpp"

#include <cfenv>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "emulator/run/avx2_begin.inc"
namespace jute::emulator::avx2 {
namespace {
#include "emulator/run/lane_convert_rows.inc"
}  // namespace

void add_convert_rows(OpcodeTable& table) { add_frequent_convert_rows(table); }

}  // namespace jute::emulator::avx2
#include "emulator/run/avx2_end.inc"
