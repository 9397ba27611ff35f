// wgmma: shapes, operand types and the order of its many operands.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/mma_sparse.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace jute::emulator {
namespace {

MmaType take_type_name(Decoder& decoder, Opcode& opcode) {
  const auto type = opcode.rest().empty() ? std::nullopt : find_mma_type(opcode.rest().front());
  if (!type) decoder.refuse("wgmma must name types of D, A and B that the emulator knows");
  opcode.drop_first();
  return *type;
}

/// `.m64n128k16`; M is always 64.
void take_shape(Decoder& decoder, Opcode& opcode, WgmmaUse& use) {
  for (const std::string_view suffix : opcode.rest()) {
    if (!suffix.starts_with(".m64n")) continue;
    const size_t k_at = suffix.find('k');
    if (k_at == std::string_view::npos) break;
    const char* const n_begin = suffix.data() + 5;
    const char* const n_end = suffix.data() + k_at;
    const char* const end = suffix.data() + suffix.size();
    const bool read = std::from_chars(n_begin, n_end, use.n).ptr == n_end &&
                      std::from_chars(n_end + 1, end, use.k).ptr == end;
    if (!read || use.n < 8 || use.n > 256 || use.n % 8 != 0) break;
    const std::string copy(suffix);
    (void)opcode.take(copy);
    return;
  }
  decoder.refuse("wgmma must have a shape m64nNkK with N a multiple of 8 up to 256");
}

bool is_integer(MmaType type) { return type == MmaType::s8 || type == MmaType::u8; }
bool is_fp8(MmaType type) { return type == MmaType::e4m3 || type == MmaType::e5m2; }

void check_types(Decoder& decoder, const WgmmaUse& use) {
  const int depth = (use.is_sparse ? 512 : 256) / element_bits(use.a);
  const bool same = use.a == use.b || (is_integer(use.a) && is_integer(use.b)) ||
                    (is_fp8(use.a) && is_fp8(use.b));
  const bool sums = is_integer(use.a)
                        ? use.d == MmaType::s32
                        : use.d == MmaType::f32 ||
                              (use.d == MmaType::f16 && (use.a == MmaType::f16 || is_fp8(use.a)));
  const bool operands = use.a != MmaType::f32 && use.a != MmaType::s32;
  if (!same || !sums || !operands || use.k != depth)
    decoder.refuse("the shape must be one that the PTX ISA has for these types");
}

/// Metadata and selector of sparse A lie between B and scale-d.
void take_metadata(Decoder& decoder, WgmmaUse& use) {
  use.metadata = decoder.source(decoder.operand(3), RegisterClass::b32);
  const std::int64_t selector = decoder.integer(decoder.operand(4));
  const int selectors = sparse_selectors(use.a, use.k);
  if (selector < 0 || selector >= selectors)
    decoder.refuse(decoder.operand(4),
                   base::format("the sparsity selector must lie in 0..{}", selectors - 1));
  use.selector = static_cast<int>(selector);
}

}  // namespace

void decode_wgmma(Decoder& decoder, Opcode& opcode) {
  WgmmaUse use;
  use.is_sparse = opcode.take(".sp");
  for (const std::string_view word : {".mma_async", ".sync", ".aligned"}) (void)opcode.take(word);
  take_shape(decoder, opcode, use);
  use.saturates = opcode.take(".satfinite");
  use.d = take_type_name(decoder, opcode);
  use.a = take_type_name(decoder, opcode);
  use.b = take_type_name(decoder, opcode);
  use.saturates |= opcode.take(".satfinite");
  decoder.finish(opcode);
  check_types(decoder, use);
  size_t at = use.is_sparse ? 5 : 3;
  const PtxOperand& d = decoder.operand(0);
  const PtxOperand& a = decoder.operand(1);
  const size_t d_count = static_cast<size_t>(use.n) * 16 / 32 / (use.d == MmaType::f16 ? 2 : 1);
  if (d.listed().size() != d_count)
    decoder.refuse(d, base::format("D must have {} registers", d_count));
  const bool a_in_registers = a.kind == OperandKind::vector;
  if (a_in_registers) {
    if (a.items.size() != 4) decoder.refuse(a, "A must have 4 registers");
    for (size_t i = 0; i < 4; ++i) use.a_slots[i] = decoder.source(a.items[i], RegisterClass::b32);
  } else {
    use.a_descriptor = decoder.source(a, RegisterClass::b64);
  }
  use.b_descriptor = decoder.source(decoder.operand(2), RegisterClass::b64);
  if (use.is_sparse) take_metadata(decoder, use);
  use.scale_d = decoder.source(decoder.operand(at++), RegisterClass::pred);
  const auto next = [&](std::int64_t absent) {
    return at < decoder.operand_count() ? decoder.integer(decoder.operand(at++)) : absent;
  };
  if (!is_integer(use.a)) {
    use.negates_a = next(1) == -1;
    use.negates_b = next(1) == -1;
    if (!a_in_registers) use.transposes_a = next(0) == 1;
    use.transposes_b = next(0) == 1;
  }
  if (at < decoder.operand_count()) decoder.refuse("it must have fewer operands");
  if ((use.transposes_a || use.transposes_b) && element_bits(use.a) != 16)
    decoder.refuse("operands that are contiguous along M or N must have 16 bits");
  // D is read as well as written, unless scale-d says no.
  for (const PtxOperand& item : d.items) decoder.source_if(use.scale_d, item);
  for (const PtxOperand& item : d.items)
    use.d_slots.push_back(decoder.target(item, RegisterClass::b32));
  decoder.emit_use(use);
}

}  // namespace jute::emulator
