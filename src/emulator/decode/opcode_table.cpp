// Chooses the build of the lane functions that this processor runs.
#include "emulator/decode/opcode_table.hpp"

#include <algorithm>

namespace jute::emulator {

void OpcodeTable::add(OpcodeName name, const LaneRow& row) {
  std::string joined;
  for (const std::string_view part : name) joined += part;
  rows_.insert_or_assign(std::move(joined), row);
}

std::vector<std::string> OpcodeTable::names() const {
  std::vector<std::string> result;
  for (const auto& [name, row] : rows_) result.push_back(name);
  std::ranges::sort(result);
  return result;
}

OpcodeTable make_opcode_table() {
  OpcodeTable table;
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                        __builtin_cpu_supports("bmi2") != 0;
#else
  const bool has_avx2 = false;
#endif
  portable::add_integer_rows(table);
  portable::add_float_rows(table);
  portable::add_convert_rows(table);
  if (has_avx2) {
    avx2::add_integer_rows(table);
    avx2::add_float_rows(table);
    avx2::add_convert_rows(table);
  }
  return table;
}

}  // namespace jute::emulator
