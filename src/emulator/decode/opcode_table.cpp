// Chooses the build of the lane functions that this processor runs.
#include "emulator/decode/opcode_table.hpp"

#include "emulator/ptx/token_stream.hpp"

#include <algorithm>
#include <array>

namespace jute::emulator {

namespace {

bool is_type(std::string_view modifier) {
  ElementType type;
  return find_element_type(modifier, type) || modifier == ".tf32" || modifier.ends_with("x2");
}

/// Head, modifiers in alphabetical order, types in their own.
std::string sorted_spelling(std::string_view opcode) {
  size_t at = std::min(opcode.find('.'), opcode.size());
  std::string result(opcode.substr(0, at));
  std::vector<std::string_view> modifiers;
  std::string types;
  while (at < opcode.size()) {
    const size_t end = std::min(opcode.find('.', at + 1), opcode.size());
    const std::string_view modifier = opcode.substr(at, end - at);
    if (is_type(modifier)) {
      types += modifier;
    } else {
      modifiers.push_back(modifier);
    }
    at = end;
  }
  std::ranges::sort(modifiers);
  for (const std::string_view modifier : modifiers) result += modifier;
  return result + types;
}

}  // namespace

void OpcodeTable::add(OpcodeName name, const LaneRow& row) {
  std::string joined;
  for (const std::string_view part : name) joined += part;
  rows_.insert_or_assign(std::move(joined), row);
}

std::string_view OpcodeTable::spelling_of(std::string_view opcode) const {
  const std::string_view head = opcode.substr(0, opcode.find('.'));
  const std::string sorted = sorted_spelling(opcode);
  std::string_view spelling;
  for (const auto& [name, row] : rows_) {
    // Few rows have as many letters and the head: all others take a comparison of numbers.
    if (name.size() != opcode.size() || !name.starts_with(head) || name.starts_with('$')) continue;
    const bool comes_first = spelling.empty() || name < spelling;
    if (comes_first && sorted_spelling(name) == sorted) spelling = name;
  }
  return spelling;
}

std::vector<std::string> OpcodeTable::names() const {
  std::vector<std::string> result;
  for (const auto& [name, row] : rows_) result.push_back(name);
  std::ranges::sort(result);
  return result;
}

namespace {

/// A name that begins with `begin`, to its end or a dot, and holds `part`.
struct NameOf {
  std::string_view begin;
  std::string_view part;
  [[nodiscard]] bool matches(std::string_view name) const {
    return name.starts_with(begin) && (name.size() == begin.size() || name[begin.size()] == '.') &&
           name.find(part) != std::string_view::npos;
  }
};
struct NeededArch {
  NameOf name;
  Arch arch;
};
// Source: PTX ISA, target ISA notes. The first row that fits counts.
constexpr std::array kArchs{
    NeededArch{{"cvt", "e4m3"}, {89}},      NeededArch{{"cvt", "e5m2"}, {89}},
    NeededArch{{"cvt.pack", "4"}, {75}},    NeededArch{{"cvt.pack", "2.s32"}, {75}},
    NeededArch{{"cvt.pack", ""}, {72}},     NeededArch{{"cvt.f32.bf16", ""}, {80}},
    NeededArch{{"cvt", ".bf16.f32"}, {80}}, NeededArch{{"cvt", ".bf16x2.f32"}, {80}},
    NeededArch{{"cvt", "bf16"}, {90}},      NeededArch{{"cvt.rna", ".tf32"}, {80}},
    NeededArch{{"cvt", "tf32"}, {90}},      NeededArch{{"cvt", ".f16x2.f32"}, {80}},
    NeededArch{{"cvt", "relu"}, {80}},      NeededArch{{"cvt", "satfinite"}, {80}},
    NeededArch{{"fma", "bf16"}, {80}},      NeededArch{{"fma", "relu"}, {80}},
    NeededArch{{"add", "bf16"}, {90}},      NeededArch{{"sub", "bf16"}, {90}},
    NeededArch{{"mul", "bf16"}, {90}},      NeededArch{{"setp", "bf16"}, {90}},
    NeededArch{{"neg", "bf16"}, {80}},      NeededArch{{"abs", "bf16"}, {80}},
    NeededArch{{"tanh", "bf16"}, {90}},     NeededArch{{"ex2", "bf16"}, {90}},
    NeededArch{{"tanh", ""}, {75}},         NeededArch{{"ex2", "f16"}, {75}},
    NeededArch{{"add.u16x2", ""}, {90}},    NeededArch{{"add.s16x2", ""}, {90}},
    NeededArch{{"min", "relu"}, {90}},      NeededArch{{"max", "relu"}, {90}},
    NeededArch{{"min.u16x2", ""}, {90}},    NeededArch{{"max.u16x2", ""}, {90}},
    NeededArch{{"min.s16x2", ""}, {90}},    NeededArch{{"max.s16x2", ""}, {90}},
    NeededArch{{"min", "xorsign"}, {86}},   NeededArch{{"max", "xorsign"}, {86}},
    NeededArch{{"min", "f16"}, {80}},       NeededArch{{"max", "f16"}, {80}},
    NeededArch{{"min", ".NaN"}, {80}},      NeededArch{{"max", ".NaN"}, {80}},
};
struct NamedPassing {
  NameOf name;
  Passing passing;
};
constexpr std::array kPassings{
    NamedPassing{{"mov", ""}, Passing::moves},
    NamedPassing{{"selp", ""}, Passing::selects},
    NamedPassing{{"and.pred", ""}, Passing::conjoins},
    NamedPassing{{"and", ".b"}, Passing::conjoins_words},
    NamedPassing{{"or.pred", ""}, Passing::disjoins},
    NamedPassing{{"mul", ".u"}, Passing::multiplies},
    NamedPassing{{"mul", ".s16"}, Passing::multiplies},
    NamedPassing{{"mul", ".s32"}, Passing::multiplies},
    NamedPassing{{"mul", ".s64"}, Passing::multiplies},
    NamedPassing{{"mul24", ""}, Passing::multiplies},
    NamedPassing{{"mad", ".u"}, Passing::multiplies},
    NamedPassing{{"mad", ".s16"}, Passing::multiplies},
    NamedPassing{{"mad", ".s32"}, Passing::multiplies},
    NamedPassing{{"mad", ".s64"}, Passing::multiplies},
    NamedPassing{{"mad24", ""}, Passing::multiplies},
    NamedPassing{{"xor", ""}, Passing::cancels},
    NamedPassing{{"sub", ".u"}, Passing::cancels},
    NamedPassing{{"sub", ".s16"}, Passing::cancels},
    NamedPassing{{"sub", ".s32"}, Passing::cancels},
    NamedPassing{{"sub", ".s64"}, Passing::cancels},
};

}  // namespace

Arch lane_arch(std::string_view name) {
  for (const NeededArch& row : kArchs)
    if (row.name.matches(name)) return row.arch;
  return {};
}
Passing passing_of(std::string_view name) {
  for (const NamedPassing& row : kPassings)
    if (row.name.matches(name)) return row.passing;
  return Passing::computes;
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
