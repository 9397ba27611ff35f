// cp.async.bulk with and without tensor maps, and what belongs to clusters.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"

#include <array>
#include <utility>

namespace jute::emulator {
namespace {

constexpr std::uint8_t kMapBytes = 128;

void read_tensor(Decoder& decoder, const PtxOperand& operand, BulkUse& use) {
  if (operand.items.size() != 2 || operand.items[1].kind != OperandKind::vector ||
      operand.items[1].items.size() != static_cast<size_t>(use.rank))
    decoder.refuse(operand, base::format("[map, {{…}}] must hold {} coordinates", use.rank));
  use.other.space = Space::generic;
  use.other.element_bytes = kMapBytes;
  decoder.address(operand, use.other);
  for (size_t i = 0; i < static_cast<size_t>(use.rank); ++i)
    use.coordinates[i] = decoder.source(operand.items[1].items[i], RegisterClass::b32);
}

/// The digit of `.3d`; 0 of plain bytes.
int rank_of(const Opcode& opcode) {
  for (const std::string_view word : opcode.rest())
    if (word.size() == 3 && word.ends_with('d')) return word[1] - '0';
  return 0;
}

/// The operation, and behind it the type of what is reduced.
void take_reduction(Decoder& decoder, Opcode& opcode, BulkUse& use) {
  use.reduction = take_operation(decoder, opcode);
  use.reduced = take_atomic_type(decoder, opcode);
}

// `[map, {…}], [src]` or `[dst], [src], size`
void read_store(Decoder& decoder, const Opcode& opcode, BulkUse& use) {
  use.rank = rank_of(opcode);
  use.shared.space = Space::shared;
  decoder.address(decoder.operand(1), use.shared);
  if (use.rank == 0) {
    use.other.space = Space::global;
    decoder.address(decoder.operand(0), use.other);
    use.bytes = decoder.source(decoder.operand(2), RegisterClass::b32);
  } else {
    read_tensor(decoder, decoder.operand(0), use);
  }
}

}  // namespace

// `[dst], [map, {…}] | [src], size, [mbar] {, ranks} {, policy}`
void decode_bulk_load(Decoder& decoder, Opcode& opcode) {
  BulkUse use;
  use.adds_to_shared = opcode.take(".reduce");
  if (use.adds_to_shared) {
    take_reduction(decoder, opcode, use);
    decoder.mark_ordered();
  }
  use.rank = rank_of(opcode);
  use.shared.reaches_cluster = opcode.has(".shared::cluster");
  const bool from_peer = !opcode.has(".global");
  use.shared.space = Space::shared;
  decoder.address(decoder.operand(0), use.shared);
  size_t at = 2;
  if (use.rank == 0) {
    use.other.space = from_peer ? Space::shared : Space::global;
    decoder.address(decoder.operand(1), use.other);
    use.bytes = decoder.source(decoder.operand(at++), RegisterClass::b32);
  } else {
    read_tensor(decoder, decoder.operand(1), use);
  }
  use.barrier.space = Space::shared;
  use.barrier.element_bytes = 8;
  decoder.address(decoder.operand(at++), use.barrier);
  if (opcode.has(".multicast::cluster"))
    use.ranks = decoder.source(decoder.operand(at++), RegisterClass::b16);
  decoder.emit_use(use);
}

void decode_bulk_store(Decoder& decoder, Opcode& opcode) {
  BulkUse use;
  use.kind = BulkUse::Kind::store;
  read_store(decoder, opcode, use);
  decoder.emit_use(use);
}

void decode_bulk_reduce(Decoder& decoder, Opcode& opcode) {
  BulkUse use;
  use.kind = BulkUse::Kind::reduce;
  use.reduction = take_operation(decoder, opcode);
  read_store(decoder, opcode, use);
  if (use.rank == 0) use.reduced = take_atomic_type(decoder, opcode);
  decoder.mark_ordered();
  decoder.emit_use(use);
}

// `[map, {…}] | [src], size {, policy}`
void decode_bulk_fetch(Decoder& decoder, Opcode& opcode) {
  BulkUse use;
  use.rank = rank_of(opcode);
  if (use.rank == 0) {
    use.other.space = Space::global;
    decoder.address(decoder.operand(0), use.other);
    use.bytes = decoder.source(decoder.operand(1), RegisterClass::b32);
  } else {
    read_tensor(decoder, decoder.operand(0), use);
  }
  decoder.emit_use(use);
}

// `[dst], value | {values}, [mbar]` of st.async and red.async
void decode_async_store(Decoder& decoder, Opcode& opcode) {
  const int count = opcode.has(".v2") ? 2 : opcode.has(".v4") ? 4 : 1;
  ElementType type;
  (void)find_element_type(opcode.rest().back(), type);
  BulkUse use;
  use.adds_to_shared = opcode.head() == "red";
  if (use.adds_to_shared) take_reduction(decoder, opcode, use);
  use.data_bytes = type.bytes;
  use.shared.reaches_cluster = true;
  use.shared.space = use.barrier.space = Space::shared;
  decoder.address(decoder.operand(0), use.shared);
  decoder.address(decoder.operand(2), use.barrier);
  const PtxOperand& values = decoder.operand(1);
  if (values.listed().size() != static_cast<size_t>(count))
    decoder.refuse(values, base::format("{} registers must be stored", count));
  for (const PtxOperand& value : values.listed())
    use.data.push_back(decoder.source(value, operand_type(type)));
  decoder.emit_use(use);
}

namespace {
RegisterClass class_of_address(const Opcode& opcode) {
  return opcode.has(".u32") ? RegisterClass::b32 : RegisterClass::b64;
}
}  // namespace

void decode_map_address(Decoder& decoder, Opcode& opcode) {
  const RegisterClass kind = class_of_address(opcode);
  const Slot address = decoder.source(decoder.operand(1), kind);
  const Slot rank = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot to = decoder.target(decoder.operand(0), kind);
  Instruction& made = decoder.emit();
  made.src[0] = address;
  made.src[1] = rank;
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(lane_bytes(kind));
}

void decode_get_rank(Decoder& decoder, Opcode& opcode) {
  const RegisterClass kind = class_of_address(opcode);
  const Slot address = decoder.source(decoder.operand(1), kind);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit();
  made.src[0] = address;
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(lane_bytes(kind));
}

void decode_cluster_barrier(Decoder& decoder, Opcode& opcode) {
  decoder.emit().bits = opcode.has(".relaxed") ? 1 : 0;
}

}  // namespace jute::emulator
