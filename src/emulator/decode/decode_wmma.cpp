// wmma: fragments are tiles of mma's operands, and a product is one mma a tile.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/tensor/mma.hpp"

#include <array>

namespace jute::emulator {
namespace {

/// How a wmma shape is made of mma's: `rows` x 8 x `k`, `tiles` of them. Source: PTX ISA, matrix
/// fragments for wmma (numbers of registers); SASS of such kernels (one HMMA or IMMA a tile).
struct WmmaShape {
  std::string_view name;
  int rows;
  int k;
  int tiles;
  enum class Tiles : std::uint8_t { columns_of_b, rows_of_a, transposed } by;
};
using Tiles = WmmaShape::Tiles;
constexpr std::array kWmmaShapes{WmmaShape{".m16n16k16", 16, 16, 2, Tiles::columns_of_b},
                                 WmmaShape{".m16n16k8", 16, 8, 2, Tiles::columns_of_b},
                                 WmmaShape{".m32n8k16", 16, 16, 2, Tiles::rows_of_a},
                                 WmmaShape{".m8n32k16", 16, 16, 2, Tiles::transposed},
                                 WmmaShape{".m8n8k4", 8, 4, 1, Tiles::rows_of_a},
                                 WmmaShape{".m8n8k32", 8, 32, 1, Tiles::rows_of_a},
                                 WmmaShape{".m8n8k128", 8, 128, 1, Tiles::rows_of_a}};

const WmmaShape& take_shape(Decoder& decoder, Opcode& opcode) {
  for (const WmmaShape& shape : kWmmaShapes)
    if (opcode.take(shape.name)) return shape;
  decoder.refuse(
      "the shape of wmma must be one of m16n16k16, m16n16k8, m32n8k16, m8n32k16 and "
      "m8n8k{4,32,128}");
}

bool is_legal_type(const WmmaShape& shape, MmaType type) {
  switch (shape.k) {
    case 16:
      return element_bits(type) == 16 || type == MmaType::s8 || type == MmaType::u8;
    case 8:
      return type == MmaType::tf32;
    case 4:
      return type == MmaType::f64;
    case 32:
      return type == MmaType::s4 || type == MmaType::u4;
    default:
      return type == MmaType::b1;
  }
}

/// Registers of one tile's operand that has this many values, over the warp.
int registers_of(int values, MmaType type) {
  return values * element_bits(type) / (kWarpLanes * (type == MmaType::f64 ? 64 : 32));
}
RegisterClass class_of(MmaType type) {
  return type == MmaType::f64 ? RegisterClass::b64 : RegisterClass::b32;
}

struct Fragment {
  int tiles = 1;
  int tile_registers = 1;
  int registers = 1;  ///< those beyond the tiles' repeat the first
};
Fragment fragment_of(const WmmaShape& shape, WmmaAccess::Matrix matrix, MmaType type) {
  using Matrix = WmmaAccess::Matrix;
  constexpr int kHalfRegisters = 8;
  // Which of the two has as many tiles as there are products.
  const bool is_many = matrix == Matrix::c || (matrix == Matrix::a ? shape.by == Tiles::rows_of_a
                                                                   : shape.by != Tiles::rows_of_a);
  const bool is_mma_a = (matrix == Matrix::a) != (shape.by == Tiles::transposed);
  const int rows = matrix == Matrix::c || is_mma_a ? shape.rows : 8;
  Fragment result;
  result.tiles = is_many ? shape.tiles : 1;
  result.tile_registers = registers_of(rows * (matrix == Matrix::c ? 8 : shape.k), type);
  result.registers = result.tiles * result.tile_registers;
  if (matrix != Matrix::c && type == MmaType::f16) result.registers = kHalfRegisters;
  return result;
}

void take_sync(Opcode& opcode) {
  for (const std::string_view word : {".load", ".store", ".mma", ".sync", ".aligned"})
    (void)opcode.take(word);
}

}  // namespace

void decode_wmma_access(Decoder& decoder, Opcode& opcode) {
  using Matrix = WmmaAccess::Matrix;
  const bool is_store = opcode.has(".store");
  WmmaAccess use;
  use.is_store = is_store;
  const std::string_view matrix = opcode.take_one_of({".a", ".b", ".c", ".d"});
  use.matrix = matrix == ".a" ? Matrix::a : matrix == ".b" ? Matrix::b : Matrix::c;
  take_sync(opcode);
  const std::string_view major = opcode.take_one_of({".row", ".col"});
  use.is_column_major = major == ".col";
  const WmmaShape& shape = take_shape(decoder, opcode);
  const std::string_view space =
      opcode.take_one_of({".global", ".shared", ".shared::cta", ".shared::cluster"});
  use.access.space = space.empty()        ? Space::generic
                     : space == ".global" ? Space::global
                                          : Space::shared;
  use.access.reaches_cluster = space == ".shared::cluster";
  const auto type = opcode.rest().empty() ? std::nullopt : find_mma_type(opcode.rest().front());
  if (!type) decoder.refuse("wmma must end with a type");
  opcode.drop_first();
  decoder.finish(opcode);
  use.type = *type;
  const Fragment fragment = fragment_of(shape, use.matrix, use.type);
  use.is_transposed = shape.by == Tiles::transposed;
  use.has_16_rows = shape.rows == 16;
  use.tile_registers = fragment.tile_registers;
  use.distinct = static_cast<size_t>(fragment.tiles * fragment.tile_registers);
  use.tiles_are_rows = shape.by == Tiles::rows_of_a;
  use.tile_extent = shape.by == Tiles::columns_of_b ? 8 : 16;
  use.access.element_bytes = static_cast<std::uint8_t>(element_bits(use.type) / 8);
  decoder.address(decoder.operand(is_store ? 0 : 1), use.access);
  const PtxOperand& registers = decoder.operand(is_store ? 1 : 0);
  require_registers(decoder, registers, fragment.registers);
  use.stride = decoder.source(decoder.operand(2), RegisterClass::b32);
  for (const PtxOperand& item : registers.listed())
    use.registers.push_back(is_store ? decoder.source(item, class_of(use.type))
                                     : decoder.target(item, class_of(use.type)));
  decoder.emit_use(std::move(use));
}

namespace {

/// Types of D, A, B and C; of halves D and C alone are named.
std::array<MmaType, 4> take_types(Decoder& decoder, Opcode& opcode) {
  std::vector<MmaType> types;
  while (!opcode.rest().empty()) {
    const auto type = find_mma_type(opcode.rest().front());
    if (!type) decoder.finish(opcode);
    types.push_back(*type);
    opcode.drop_first();
  }
  if (types.size() == 2) return {types[0], MmaType::f16, MmaType::f16, types[1]};
  if (types.size() != 4) decoder.refuse("wmma.mma must name the types of D and C, or of all four");
  return {types[0], types[1], types[2], types[3]};
}

/// One tile's product: the registers of A, B, C and D from where the tile begins.
void emit_tile(Decoder& decoder, const WmmaShape& shape, MmaUse use, int tile) {
  using Matrix = WmmaAccess::Matrix;
  const bool swaps = shape.by == Tiles::transposed;
  const auto read = [&](size_t operand, Matrix matrix, MmaType type, auto& slots) {
    const Fragment fragment = fragment_of(shape, matrix, type);
    const auto first =
        static_cast<size_t>(fragment.tiles == 1 ? 0 : tile * fragment.tile_registers);
    for (size_t i = 0; i < static_cast<size_t>(fragment.tile_registers); ++i)
      slots[i] = decoder.source(decoder.operand(operand).listed()[first + i], class_of(type));
  };
  const MmaType a = use.a, b = use.b;
  if (swaps) std::swap(use.a, use.b);
  if (swaps) {
    read(1, Matrix::a, a, use.b_slots);
    read(2, Matrix::b, b, use.a_slots);
  } else {
    read(1, Matrix::a, a, use.a_slots);
    read(2, Matrix::b, b, use.b_slots);
  }
  read(3, Matrix::c, use.c, use.c_slots);
  const Fragment d = fragment_of(shape, Matrix::c, use.c);
  const auto first = static_cast<size_t>(tile * d.tile_registers);
  for (size_t i = 0; i < static_cast<size_t>(d.tile_registers); ++i)
    use.d_slots[i] = decoder.target(decoder.operand(0).listed()[first + i], class_of(use.c));
  decoder.emit_use(use);
}

}  // namespace

void decode_wmma_product(Decoder& decoder, Opcode& opcode) {
  using Matrix = WmmaAccess::Matrix;
  const std::string_view bit_operation = opcode.take_one_of({".xor", ".and"});
  (void)opcode.take(".popc");
  take_sync(opcode);
  // The fragments do not depend on the majors: the load has brought them in.
  while (!opcode.take_one_of({".row", ".col"}).empty()) {
  }
  const WmmaShape& shape = take_shape(decoder, opcode);
  MmaUse use;
  use.saturates = opcode.take(".satfinite");
  (void)opcode.take(".rn");
  const auto [d, a, b, c] = take_types(decoder, opcode);
  use.m = shape.rows;
  use.k = shape.k;
  use.a = a;
  use.b = b;
  use.c = c;
  const bool is_integer = c == MmaType::s32;
  const bool is_double = c == MmaType::f64;
  const bool c_fits = is_integer ? element_bits(a) <= 8
                      : is_double
                          ? a == MmaType::f64
                          : element_bits(a) >= 16 && a != MmaType::f64 &&
                                (c == MmaType::f32 || (c == MmaType::f16 && a == MmaType::f16));
  const bool b_fits = a == b || (is_integer && element_bits(a) == element_bits(b));
  if (!is_legal_type(shape, a) || !b_fits || !c_fits || element_bits(d) > element_bits(c))
    decoder.refuse("the shape must be one that the PTX ISA has for these types");
  if (d != c) decoder.refuse("the types of D and C must be the same");
  use.arithmetic = arithmetic_of(use, bit_operation);
  require_registers(decoder, decoder.operand(0), fragment_of(shape, Matrix::c, d).registers);
  require_registers(decoder, decoder.operand(1), fragment_of(shape, Matrix::a, a).registers);
  require_registers(decoder, decoder.operand(2), fragment_of(shape, Matrix::b, b).registers);
  require_registers(decoder, decoder.operand(3), fragment_of(shape, Matrix::c, c).registers);
  for (int tile = 0; tile < shape.tiles; ++tile) emit_tile(decoder, shape, use, tile);
}

}  // namespace jute::emulator
