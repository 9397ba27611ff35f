// mma, ldmatrix, stmatrix, movmatrix.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/mma_sparse.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace jute::emulator {
namespace {

struct Shape {
  std::string_view name;
  int m, n, k;
};
constexpr std::array kShapes{
    Shape{".m8n8k4", 8, 8, 4},       Shape{".m8n8k16", 8, 8, 16},    Shape{".m8n8k32", 8, 8, 32},
    Shape{".m8n8k128", 8, 8, 128},   Shape{".m16n8k4", 16, 8, 4},    Shape{".m16n8k8", 16, 8, 8},
    Shape{".m16n8k16", 16, 8, 16},   Shape{".m16n8k32", 16, 8, 32},  Shape{".m16n8k64", 16, 8, 64},
    Shape{".m16n8k128", 16, 8, 128}, Shape{".m16n8k256", 16, 8, 256}};

}  // namespace

std::optional<MmaType> find_mma_type(std::string_view suffix) {
  const auto* const row = std::ranges::find(kMmaTypes, suffix, &MmaTypeRow::name);
  if (row == std::end(kMmaTypes)) return std::nullopt;
  return static_cast<MmaType>(row - std::begin(kMmaTypes));
}

namespace {

/// Shapes of the aligned and exact forms, by operand width and depth (PTX ISA, table of mma
/// shapes).
struct LegalForm {
  int operand_bits;
  int m;
  std::array<int, 3> depths;
};
constexpr std::array kLegalForms{
    LegalForm{64, 8, {4, 0, 0}},   LegalForm{64, 16, {4, 8, 16}},  LegalForm{32, 16, {4, 8, 0}},
    LegalForm{16, 8, {4, 0, 0}},   LegalForm{16, 16, {8, 16, 0}},  LegalForm{8, 8, {16, 0, 0}},
    LegalForm{8, 16, {16, 32, 0}}, LegalForm{4, 8, {32, 0, 0}},    LegalForm{4, 16, {32, 64, 0}},
    LegalForm{1, 8, {128, 0, 0}},  LegalForm{1, 16, {128, 256, 0}}};

bool is_legal(const MmaUse& use) {
  const auto is_integer = [](MmaType type) {
    return type == MmaType::s8 || type == MmaType::u8 || type == MmaType::s4 ||
           type == MmaType::u4 || type == MmaType::b1;
  };
  const bool integer = is_integer(use.a);
  const bool f8 = use.a == MmaType::e4m3 || use.a == MmaType::e5m2;
  if (element_bits(use.a) != element_bits(use.b)) return false;
  if (integer != is_integer(use.b) || integer != (use.c == MmaType::s32)) return false;
  if ((use.a == MmaType::f64) != (use.c == MmaType::f64)) return false;
  if (!integer && !f8 && use.a != use.b) return false;
  if (use.a == MmaType::f32 || use.a == MmaType::s32) return false;
  if (use.c == MmaType::f16 && use.a != MmaType::f16 && !f8) return false;
  if (f8 && use.m != 16) return false;
  for (const auto& [bits, m, depths] : kLegalForms)
    if (bits == element_bits(use.a) && m == use.m)
      for (const int depth : depths)
        if (depth == use.k) return true;
  return false;
}

}  // namespace

MmaArithmetic arithmetic_of(const MmaUse& use, std::string_view bit_operation) {
  if (use.a == MmaType::f64) return MmaArithmetic::fused;
  if (use.a == MmaType::b1)
    return bit_operation == ".xor" ? MmaArithmetic::bits_xor : MmaArithmetic::bits_and;
  if (use.c == MmaType::s32) return MmaArithmetic::integer;
  if (use.a == MmaType::e4m3 || use.a == MmaType::e5m2) return MmaArithmetic::two_steps;
  return use.m == 8 ? MmaArithmetic::quadpair : MmaArithmetic::aligned;
}

void require_registers(const Decoder& decoder, const PtxOperand& operand, int count) {
  if (operand.listed().size() != static_cast<size_t>(count))
    decoder.refuse(operand, base::format("the fragment must have {} registers, not {}", count,
                                         operand.listed().size()));
}

namespace {

template <size_t Size>
void read_fragment(Decoder& decoder, const PtxOperand& operand, int count, RegisterClass kind,
                   std::array<Slot, Size>& slots) {
  require_registers(decoder, operand, count);
  for (size_t i = 0; i < operand.listed().size(); ++i)
    slots[i] = decoder.source(operand.listed()[i], kind);
}

/// Shape, majors and types, wherever they stand in the mnemonic.
void take_form(Decoder& decoder, Opcode& opcode, MmaUse& use) {
  use.is_sparse = !opcode.take_one_of({".sp", ".sp::ordered_metadata"}).empty();
  for (const std::string_view word : {".sync", ".aligned"}) (void)opcode.take(word);
  for (const Shape& shape : kShapes) {
    if (!opcode.take(shape.name)) continue;
    use.m = shape.m;
    use.n = shape.n;
    use.k = shape.k;
  }
  use.saturates = opcode.take(".satfinite");
  const std::string_view bit_operation = opcode.take_one_of({".xor", ".and"});
  (void)opcode.take(".popc");
  std::vector<std::string_view> majors;
  std::vector<MmaType> types;
  while (!opcode.rest().empty()) {
    const std::string_view next = opcode.rest().front();
    if (const auto type = find_mma_type(next)) {
      types.push_back(*type);
    } else if (next == ".row" || next == ".col") {
      majors.push_back(next);
    } else {
      decoder.finish(opcode);
    }
    opcode.drop_first();
  }
  if (types.size() != 4 || majors.size() != 2)
    decoder.refuse("mma must name two majors and the types of D, A, B and C");
  use.a = types[1];
  use.b = types[2];
  use.c = types[3];
  use.a_is_column = majors[0] == ".col";
  use.b_is_row = majors[1] == ".row";
  // A sparse shape is a dense one of which half is stored.
  MmaUse stored = use;
  if (use.is_sparse) stored.k /= 2;
  const bool legal_sparse =
      !use.is_sparse || (use.m == 16 && use.a != MmaType::f64 && use.a != MmaType::b1);
  if (types[0] != types[3] || !legal_sparse || !is_legal(stored))
    decoder.refuse("the shape must be one that the PTX ISA has for these types");
  use.arithmetic = arithmetic_of(use, bit_operation);
}

void read_metadata(Decoder& decoder, MmaUse& use) {
  use.metadata_slot = decoder.source(decoder.operand(4), RegisterClass::b32);
  const std::int64_t selector = decoder.integer(decoder.operand(5));
  const int selectors = sparse_selectors(use.a, use.k);
  if (selector < 0 || selector >= selectors)
    decoder.refuse(
        decoder.operand(5),
        base::format("the sparsity selector of this shape must lie in 0..{}", selectors - 1));
  use.selector = static_cast<int>(selector);
}

void read_fragments(Decoder& decoder, MmaUse& use) {
  const bool quadpair = use.arithmetic == MmaArithmetic::quadpair;
  const bool wide = use.a == MmaType::f64;
  const RegisterClass kind = wide ? RegisterClass::b64 : RegisterClass::b32;
  const auto count = [&](int elements, MmaType type) {
    return elements * element_bits(type) / (32 * (wide ? 64 : 32));
  };
  const int a_depth = use.is_sparse ? use.k / 2 : use.k;
  const int a_count = quadpair ? 2 : count(use.m * a_depth, use.a);
  const int b_count = quadpair ? 2 : count(use.n * use.k, use.b);
  const int c_count = quadpair ? (use.c == MmaType::f16 ? 4 : 8) : count(use.m * use.n, use.c);
  read_fragment(decoder, decoder.operand(1), a_count, kind, use.a_slots);
  read_fragment(decoder, decoder.operand(2), b_count, kind, use.b_slots);
  read_fragment(decoder, decoder.operand(3), c_count, kind, use.c_slots);
  if (use.is_sparse) read_metadata(decoder, use);
  const PtxOperand& d = decoder.operand(0);
  require_registers(decoder, d, c_count);
  for (size_t i = 0; i < d.listed().size(); ++i)
    use.d_slots[i] = decoder.target(d.listed()[i], kind);
}

}  // namespace

void decode_mma(Decoder& decoder, Opcode& opcode) {
  MmaUse use;
  take_form(decoder, opcode, use);
  read_fragments(decoder, use);
  decoder.emit_use(use);
}

void decode_matrix_access(Decoder& decoder, Opcode& opcode) {
  const bool is_load = opcode.head() == "ldmatrix";
  MatrixUse use;
  use.count = opcode.take_one_of({".x1", ".x2", ".x4"})[2] - '0';
  use.transposes = opcode.take(".trans");
  const bool shared = !opcode.take_one_of({".shared", ".shared::cta"}).empty();
  use.access.space = shared ? Space::shared : Space::generic;
  decoder.address(decoder.operand(is_load ? 1 : 0), use.access);
  const PtxOperand& data = decoder.operand(is_load ? 0 : 1);
  if (data.listed().size() != static_cast<size_t>(use.count))
    decoder.refuse(data, base::format("{} matrices need {} registers", use.count, use.count));
  for (size_t i = 0; i < static_cast<size_t>(use.count); ++i) {
    const PtxOperand& item = data.listed()[i];
    use.slots[i] = is_load ? decoder.target(item, RegisterClass::b32)
                           : decoder.source(item, RegisterClass::b32);
  }
  decoder.emit_use(use);
}

void decode_move_matrix(Decoder& decoder, Opcode&) {
  const Slot from = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit();
  made.src[0] = from;
  made.dst = to;
}

}  // namespace jute::emulator
