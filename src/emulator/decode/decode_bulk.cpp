// cp.async.bulk with and without tensor maps, and what belongs to clusters.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/machine.hpp"

#include <array>
#include <utility>

namespace jute::emulator {
namespace {

constexpr std::uint8_t kMapBytes = 128;

void emit_bulk(Decoder& decoder, const BulkUse& use) {
  const std::uint32_t index = decoder.add(use);
  Instruction& made = decoder.emit(&run_bulk);
  made.extra = index;
  made.flow = Flow::polling;
}

void read_tensor(Decoder& decoder, const PtxOperand& operand, BulkUse& use) {
  if (operand.items.size() != 2 || operand.items[1].kind != OperandKind::vector ||
      operand.items[1].items.size() != static_cast<size_t>(use.rank))
    decoder.refuse(operand, base::format("[map, {{…}}] holds {} coordinates", use.rank));
  use.other.space = Space::generic;
  use.other.element_bytes = kMapBytes;
  decoder.address(operand, use.other);
  for (size_t i = 0; i < static_cast<size_t>(use.rank); ++i)
    use.coordinates[i] = decoder.source(operand.items[1].items[i], RegisterClass::b32);
}

void take_cache_hints(Opcode& opcode) {
  (void)opcode.take_prefixed(".L2::");
  (void)opcode.take_one_of({".tile"});
  (void)opcode.take_prefixed(".cta_group");
}

// `[dst], [map, {…}] | [src], size, [mbar] {, ranks} {, policy}`
void decode_bulk_load(Decoder& decoder, Opcode& opcode, BulkUse use) {
  const bool from_peer = use.rank == 0 && opcode.take(".shared::cta");
  if (!from_peer && !opcode.take(".global")) decoder.refuse("a bulk load reads .global");
  if (!opcode.take(".mbarrier::complete_tx::bytes"))
    decoder.refuse("a bulk load completes on an mbarrier");
  const bool multicast = opcode.take(".multicast::cluster");
  take_cache_hints(opcode);
  decoder.finish(opcode);
  const size_t least = use.rank == 0 ? 4 : 3;
  decoder.require_operands(least, least + 2);
  use.kind = BulkUse::Kind::load;
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
  if (multicast) use.ranks = decoder.source(decoder.operand(at++), RegisterClass::b16);
  emit_bulk(decoder, use);
}

// `[map, {…}], [src]` or `[dst], [src], size`
void decode_bulk_store(Decoder& decoder, Opcode& opcode, BulkUse use) {
  if (!opcode.take(".shared::cta") || !opcode.take(".bulk_group"))
    decoder.refuse("a bulk store goes from .shared::cta and is waited for by .bulk_group");
  take_cache_hints(opcode);
  decoder.finish(opcode);
  const size_t least = use.rank == 0 ? 3 : 2;
  decoder.require_operands(least, least + 1);
  use.shared.space = Space::shared;
  decoder.address(decoder.operand(1), use.shared);
  if (use.rank == 0) {
    use.other.space = Space::global;
    decoder.address(decoder.operand(0), use.other);
    use.bytes = decoder.source(decoder.operand(2), RegisterClass::b32);
  } else {
    read_tensor(decoder, decoder.operand(0), use);
  }
  emit_bulk(decoder, use);
}

int take_rank(Decoder& decoder, Opcode& opcode) {
  if (!opcode.take(".tensor")) return 0;
  const std::string_view rank = opcode.take_one_of({".1d", ".2d", ".3d", ".4d", ".5d"});
  if (rank.empty()) decoder.refuse("a tensor copy has .1d to .5d");
  if (opcode.has(".im2col")) decoder.refuse("the emulator knows the .tile mode");
  return rank[1] - '0';
}

}  // namespace

void decode_bulk(Decoder& decoder, Opcode& opcode) {
  if (opcode.take(".commit_group")) {
    decoder.finish(opcode);
    decoder.emit(&run_commit_bulk);
    return;
  }
  if (opcode.take(".wait_group")) {
    const bool reads_only = opcode.take(".read");
    decoder.finish(opcode);
    const std::int64_t newest = decoder.integer(decoder.operand(0));
    if (newest < 0) decoder.refuse(decoder.operand(0), "a count of groups must not be negative");
    Instruction& made = decoder.emit(&run_wait_bulk);
    made.bits = static_cast<std::uint64_t>(newest);
    made.target = reads_only ? 1 : 0;
    return;
  }
  if (opcode.take(".prefetch")) {
    decoder.emit(&run_nothing);
    return;
  }
  BulkUse use;
  use.rank = take_rank(decoder, opcode);
  if (!opcode.rest().empty() && opcode.rest().front() == ".global") {
    (void)opcode.take(".global");
    use.kind = BulkUse::Kind::store;
    return decode_bulk_store(decoder, opcode, use);
  }
  use.shared.reaches_cluster = opcode.take(".shared::cluster");
  if (!use.shared.reaches_cluster && !opcode.take(".shared::cta"))
    decoder.refuse("a bulk copy goes to shared or global memory");
  decode_bulk_load(decoder, opcode, use);
}

void decode_bulk_reduce(Decoder& decoder, Opcode& opcode) {
  BulkUse use;
  if (!opcode.take(".async") || !opcode.take(".bulk")) decoder.refuse("cp.reduce.async.bulk");
  use.rank = take_rank(decoder, opcode);
  if (!opcode.take(".global")) decoder.refuse("a bulk reduction goes to .global");
  use.kind = BulkUse::Kind::reduce;
  use.reduction = take_operation(decoder, opcode);
  (void)opcode.take(".noftz");
  if (use.rank == 0) use.reduced = take_atomic_type(decoder, opcode);
  decoder.mark_ordered();
  decode_bulk_store(decoder, opcode, use);
}

// `[dst], value | {values}, [mbar]`
void decode_async_store(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".async");
  (void)opcode.take(".weak");
  if (!opcode.take(".shared::cluster") || !opcode.take(".mbarrier::complete_tx::bytes"))
    decoder.refuse("st.async goes to .shared::cluster and completes on an mbarrier");
  const int count = opcode.take(".v2") ? 2 : opcode.take(".v4") ? 4 : 1;
  const auto type = opcode.take_type();
  if (!type || (type->bytes != 4 && type->bytes != 8))
    decoder.refuse("st.async stores elements of 32 or 64 bits");
  decoder.finish(opcode);
  decoder.require_operands(3, 3);
  BulkUse use;
  use.data_bytes = type->bytes;
  use.shared.reaches_cluster = true;
  use.shared.space = use.barrier.space = Space::shared;
  decoder.address(decoder.operand(0), use.shared);
  decoder.address(decoder.operand(2), use.barrier);
  const PtxOperand& values = decoder.operand(1);
  const OperandType kind{type->bytes == 4 ? RegisterClass::b32 : RegisterClass::b64,
                         type->kind != 'f'  ? ImmediateKind::integer
                         : type->bytes == 4 ? ImmediateKind::f32
                                            : ImmediateKind::f64};
  const bool is_vector = values.kind == OperandKind::vector;
  if (is_vector ? values.items.size() != static_cast<size_t>(count) : count != 1)
    decoder.refuse(values, base::format("{} registers are stored", count));
  for (int i = 0; i < count; ++i)
    use.data.push_back(
        decoder.source(is_vector ? values.items[static_cast<size_t>(i)] : values, kind));
  const std::uint32_t index = decoder.add(use);
  Instruction& made = decoder.emit(&run_async_store);
  made.extra = index;
  made.flow = Flow::polling;
}

void decode_map_address(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".shared::cluster");
  const auto type = opcode.take_type();
  if (!type || (type->bytes != 4 && type->bytes != 8)) decoder.refuse("mapa maps .u32 or .u64");
  decoder.finish(opcode);
  decoder.require_operands(3, 3);
  const RegisterClass kind = type->bytes == 4 ? RegisterClass::b32 : RegisterClass::b64;
  const Slot address = decoder.source(decoder.operand(1), kind);
  const Slot rank = decoder.source(decoder.operand(2), RegisterClass::b32);
  const Slot to = decoder.target(decoder.operand(0), kind);
  Instruction& made = decoder.emit(&run_map_address);
  made.src[0] = address;
  made.src[1] = rank;
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(type->bytes);
}

void decode_get_rank(Decoder& decoder, Opcode& opcode) {
  (void)opcode.take(".shared::cluster");
  const auto type = opcode.take_type();
  if (!type || (type->bytes != 4 && type->bytes != 8))
    decoder.refuse("getctarank reads .u32 or .u64");
  decoder.finish(opcode);
  decoder.require_operands(2, 2);
  const Slot address = decoder.source(decoder.operand(1),
                                      type->bytes == 4 ? RegisterClass::b32 : RegisterClass::b64);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit(&run_get_rank);
  made.src[0] = address;
  made.dst = to;
  made.bits = static_cast<std::uint64_t>(type->bytes);
}

void decode_cluster_barrier(Decoder& decoder, Opcode& opcode) {
  const bool arrives = opcode.take(".arrive");
  if (!arrives && !opcode.take(".wait")) decoder.refuse("barrier.cluster arrives or waits");
  const bool is_relaxed = opcode.take(".relaxed");
  (void)opcode.take_one_of({".release", ".acquire"});
  (void)opcode.take(".aligned");
  decoder.finish(opcode);
  decoder.require_operands(0, 0);
  Instruction& made = decoder.emit(arrives ? &run_cluster_arrive : nullptr);
  made.flow = arrives ? Flow::plain : Flow::cluster_wait;
  made.bits = is_relaxed ? 1 : 0;
}

}  // namespace jute::emulator
