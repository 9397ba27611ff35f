// cp.async in its thread-wide forms, and mbarrier.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/machine.hpp"

#include <array>
#include <utility>

namespace jute::emulator {
namespace {

void decode_copy_arrive(Decoder& decoder, Opcode& opcode) {
  MbarrierUse use;
  use.kind = MbarrierUse::Kind::arrive_on_copies;
  use.access.is_ordered = true;
  use.is_no_increment = opcode.take(".noinc");
  use.access.space =
      opcode.take_one_of({".shared", ".shared::cta"}).empty() ? Space::generic : Space::shared;
  use.access.element_bytes = 8;
  if (!opcode.take(".b64")) decoder.refuse("an mbarrier has 64 bits");
  decoder.finish(opcode);
  decoder.require_operands(1, 1);
  decoder.address(decoder.operand(0), use.access);
  const std::uint32_t index = decoder.add(use);
  Instruction& made = decoder.emit(&run_mbarrier);
  made.extra = index;
  made.flow = Flow::polling;
}

void decode_copy_data(Decoder& decoder, Opcode& opcode) {
  AsyncCopyUse use;
  const std::string_view cache = opcode.take_one_of({".ca", ".cg"});
  const bool to_shared = !opcode.take_one_of({".shared", ".shared::cta"}).empty();
  if (cache.empty() || !to_shared || !opcode.take(".global"))
    decoder.refuse("cp.async.{ca,cg}.shared.global is the form that the emulator knows");
  const bool has_policy = opcode.take(".L2::cache_hint");
  (void)opcode.take_prefixed(".L2::");
  decoder.finish(opcode);
  decoder.require_operands(3, has_policy ? 5 : 4);
  use.bytes = static_cast<int>(decoder.integer(decoder.operand(2)));
  const bool legal =
      cache == ".cg" ? use.bytes == 16 : use.bytes == 4 || use.bytes == 8 || use.bytes == 16;
  if (!legal) decoder.refuse(decoder.operand(2), "cp.async copies 4, 8 or 16 bytes, .cg only 16");
  use.to.space = Space::shared;
  use.from.space = Space::global;
  use.to.element_bytes = use.from.element_bytes = static_cast<std::uint8_t>(use.bytes);
  decoder.address(decoder.operand(0), use.to);
  decoder.address(decoder.operand(1), use.from);
  const size_t last = decoder.operand_count() - (has_policy ? 1 : 0);
  if (last == 4) {
    const PtxOperand& extra = decoder.operand(3);
    if (decoder.register_class(extra) == RegisterClass::pred) {
      use.ignores_source = decoder.source(extra, RegisterClass::pred);
    } else {
      use.source_bytes = decoder.source(extra, RegisterClass::b32);
    }
  }
  const std::uint32_t index = decoder.add(use);
  decoder.emit(&run_async_copy).extra = index;
}

}  // namespace

void decode_copy(Decoder& decoder, Opcode& opcode) {
  if (opcode.take(".reduce")) return decode_bulk_reduce(decoder, opcode);
  if (!opcode.take(".async")) decoder.refuse("the emulator knows this instruction");
  if (opcode.take(".bulk")) return decode_bulk(decoder, opcode);
  if (opcode.take(".commit_group")) {
    decoder.finish(opcode);
    decoder.require_operands(0, 0);
    decoder.emit(&run_commit_copies);
  } else if (opcode.take(".wait_group")) {
    decoder.finish(opcode);
    decoder.require_operands(1, 1);
    const std::int64_t newest = decoder.integer(decoder.operand(0));
    if (newest < 0) decoder.refuse(decoder.operand(0), "a count of groups is not negative");
    decoder.emit(&run_wait_copies).bits = static_cast<std::uint64_t>(newest);
  } else if (opcode.take(".wait_all")) {
    decoder.finish(opcode);
    decoder.require_operands(0, 0);
    decoder.emit(&run_wait_copies).bits = ~std::uint64_t{0};
  } else if (opcode.take(".mbarrier")) {
    if (!opcode.take(".arrive")) decoder.refuse("cp.async.mbarrier.arrive");
    decode_copy_arrive(decoder, opcode);
  } else {
    decode_copy_data(decoder, opcode);
  }
}

namespace {

using Kind = MbarrierUse::Kind;

Kind take_kind(Decoder& decoder, Opcode& opcode) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 9> kNames{
      {{".init", Kind::init},
       {".inval", Kind::invalidate},
       {".arrive_drop", Kind::arrive_drop},
       {".arrive", Kind::arrive},
       {".test_wait", Kind::test_wait},
       {".try_wait", Kind::test_wait},
       {".pending_count", Kind::pending_count},
       {".expect_tx", Kind::expect_tx},
       {".complete_tx", Kind::complete_tx}}};
  for (const auto& [name, kind] : kNames)
    if (opcode.take(name)) return kind;
  decoder.refuse("the emulator knows this mbarrier operation");
}

void decode_arrive_operands(Decoder& decoder, MbarrierUse& use, bool expects) {
  // `state, [a] {, count}`, or `[a] …` and `_, [a] …` where no state is asked for.
  size_t at = 0;
  const PtxOperand& first = decoder.operand(0);
  const PtxOperand* state = nullptr;
  if (first.kind != OperandKind::address) {
    if (first.kind != OperandKind::sink) state = &first;
    at = 1;
  }
  decoder.address(decoder.operand(at++), use.access);
  if (at < decoder.operand_count())
    (expects ? use.bytes : use.count) = decoder.source(decoder.operand(at++), RegisterClass::b32);
  if (at < decoder.operand_count()) decoder.refuse("it has fewer operands");
  if (state != nullptr) use.result = decoder.target(*state, RegisterClass::b64);
}

void decode_pending_count(Decoder& decoder, Opcode& opcode, MbarrierUse& use) {
  (void)opcode.take(".b64");
  decoder.finish(opcode);
  decoder.require_operands(2, 2);
  use.phase = decoder.source(decoder.operand(1), RegisterClass::b64);
  use.result = decoder.target(decoder.operand(0), RegisterClass::b32);
  const std::uint32_t index = decoder.add(use);
  decoder.emit(&run_mbarrier).extra = index;
}

void take_operands(Decoder& decoder, MbarrierUse& use, bool expects) {
  switch (use.kind) {
    case Kind::init:
      decoder.require_operands(2, 2);
      decoder.address(decoder.operand(0), use.access);
      use.count = decoder.source(decoder.operand(1), RegisterClass::b32);
      break;
    case Kind::invalidate:
      decoder.require_operands(1, 1);
      decoder.address(decoder.operand(0), use.access);
      break;
    case Kind::expect_tx:
    case Kind::complete_tx:
      decoder.require_operands(2, 2);
      decoder.address(decoder.operand(0), use.access);
      use.bytes = decoder.source(decoder.operand(1), RegisterClass::b32);
      break;
    case Kind::test_wait:
      decoder.require_operands(3, 4);
      decoder.address(decoder.operand(1), use.access);
      use.phase = decoder.source(decoder.operand(2),
                                 use.has_parity ? RegisterClass::b32 : RegisterClass::b64);
      use.result = decoder.target(decoder.operand(0), RegisterClass::pred);
      break;
    default:
      decode_arrive_operands(decoder, use, expects);
      break;
  }
}

}  // namespace

void decode_mbarrier(Decoder& decoder, Opcode& opcode) {
  MbarrierUse use;
  use.polls = opcode.has(".test_wait") || opcode.has(".try_wait");
  use.kind = take_kind(decoder, opcode);
  if (use.kind == Kind::pending_count) return decode_pending_count(decoder, opcode, use);
  use.drops = use.kind == Kind::arrive_drop;
  const bool expects = opcode.take(".expect_tx");
  (void)opcode.take(".noComplete");
  use.has_parity = opcode.take(".parity");
  use.releases = !opcode.take(".relaxed");
  (void)opcode.take_one_of({".release", ".acquire"});
  use.scope = take_scope(opcode).value_or(Scope::cta);
  use.access.makes_barrier = use.kind == Kind::init;
  use.access.is_ordered = use.kind != Kind::init && use.kind != Kind::invalidate;
  use.access.reaches_cluster = opcode.take(".shared::cluster");
  const bool is_shared =
      use.access.reaches_cluster || !opcode.take_one_of({".shared", ".shared::cta"}).empty();
  use.access.space = is_shared ? Space::shared : Space::generic;
  use.access.element_bytes = 8;
  if (!opcode.take(".b64")) decoder.refuse("an mbarrier has 64 bits");
  decoder.finish(opcode);
  take_operands(decoder, use, expects);
  const std::uint32_t index = decoder.add(use);
  Instruction& made = decoder.emit(&run_mbarrier);
  made.extra = index;
  made.flow = Flow::polling;
}

}  // namespace jute::emulator
