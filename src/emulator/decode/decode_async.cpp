// cp.async in its thread-wide forms, and mbarrier.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"

#include <array>
#include <utility>

namespace jute::emulator {

void decode_copy_arrive(Decoder& decoder, Opcode& opcode) {
  MbarrierUse use;
  use.kind = MbarrierUse::Kind::arrive_on_copies;
  use.access.is_ordered = true;
  use.is_no_increment = opcode.take(".noinc");
  use.access.space =
      opcode.take_one_of({".shared", ".shared::cta"}).empty() ? Space::generic : Space::shared;
  use.access.element_bytes = 8;
  decoder.address(decoder.operand(0), use.access);
  decoder.emit_use(use);
}

void decode_copy(Decoder& decoder, Opcode& opcode) {
  AsyncCopyUse use;
  const bool has_policy = opcode.has(".L2::cache_hint");
  use.bytes = static_cast<int>(decoder.integer(decoder.operand(2)));
  const bool legal =
      opcode.has(".cg") ? use.bytes == 16 : use.bytes == 4 || use.bytes == 8 || use.bytes == 16;
  if (!legal) decoder.refuse(decoder.operand(2), "cp.async must copy 4, 8 or 16 bytes, .cg 16");
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
  decoder.emit_use(use);
}

namespace {

using Kind = MbarrierUse::Kind;

Kind take_kind(Decoder& decoder, Opcode& opcode) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 8> kNames{
      {{".init", Kind::init},
       {".inval", Kind::invalidate},
       {".arrive_drop", Kind::arrive_drop},
       {".arrive", Kind::arrive},
       {".test_wait", Kind::test_wait},
       {".try_wait", Kind::test_wait},
       {".expect_tx", Kind::expect_tx},
       {".complete_tx", Kind::complete_tx}}};
  for (const auto& [name, kind] : kNames)
    if (opcode.take(name)) return kind;
  decoder.refuse("it must be an mbarrier operation that the emulator knows");
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
  if (at < decoder.operand_count()) decoder.refuse("it must have fewer operands");
  if (state != nullptr) use.result = decoder.target(*state, RegisterClass::b64);
}

void take_operands(Decoder& decoder, MbarrierUse& use, bool expects) {
  switch (use.kind) {
    case Kind::init:
      decoder.address(decoder.operand(0), use.access);
      use.count = decoder.source(decoder.operand(1), RegisterClass::b32);
      break;
    case Kind::invalidate:
      decoder.address(decoder.operand(0), use.access);
      break;
    case Kind::expect_tx:
    case Kind::complete_tx:
      decoder.address(decoder.operand(0), use.access);
      use.bytes = decoder.source(decoder.operand(1), RegisterClass::b32);
      break;
    case Kind::test_wait:
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

void decode_pending_count(Decoder& decoder, Opcode&) {
  MbarrierUse use;
  use.kind = Kind::pending_count;
  use.phase = decoder.source(decoder.operand(1), RegisterClass::b64);
  use.result = decoder.target(decoder.operand(0), RegisterClass::b32);
  decoder.emit_use(use);
}

void decode_mbarrier(Decoder& decoder, Opcode& opcode) {
  MbarrierUse use;
  use.polls = opcode.has(".test_wait") || opcode.has(".try_wait");
  use.kind = take_kind(decoder, opcode);
  use.drops = use.kind == Kind::arrive_drop;
  const bool expects = opcode.take(".expect_tx");
  use.has_parity = opcode.take(".parity");
  use.releases = !opcode.take(".relaxed");
  use.scope = take_scope(opcode).value_or(Scope::cta);
  use.access.makes_barrier = use.kind == Kind::init;
  use.access.is_ordered = use.kind != Kind::init && use.kind != Kind::invalidate;
  use.access.reaches_cluster = opcode.take(".shared::cluster");
  const bool is_shared =
      use.access.reaches_cluster || !opcode.take_one_of({".shared", ".shared::cta"}).empty();
  use.access.space = is_shared ? Space::shared : Space::generic;
  use.access.element_bytes = 8;
  take_operands(decoder, use, expects);
  decoder.emit_use(use);
}

}  // namespace jute::emulator
