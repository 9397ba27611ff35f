// Loads, stores, atomics, fences and the hints that move no data.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/ptx/token_stream.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/memory_access.hpp"

#include <array>

namespace jute::emulator {
namespace {

// Cache operators and hints have no effect on values.
void take_hints(Opcode& opcode) {
  (void)opcode.take_one_of({".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt"});
  (void)opcode.take_prefixed(".L1::");
  (void)opcode.take_prefixed(".L2::");
}

void take_ordering(Opcode& opcode, MemoryAccess& access) {
  (void)opcode.take(".mmio");  // is relaxed, too
  const std::string_view order =
      opcode.take_one_of({".weak", ".volatile", ".relaxed", ".acquire", ".release", ".acq_rel"});
  access.is_ordered = !order.empty() && order != ".weak";
  access.acquires = order == ".acquire" || order == ".acq_rel";
  access.releases = order == ".release" || order == ".acq_rel";
  access.reaches_ranks = opcode.take(".sys") || order == ".volatile";
  access.scope = access.reaches_ranks ? Scope::gpu : take_scope(opcode).value_or(Scope::gpu);
}

void take_space(Opcode& opcode, MemoryAccess& access) {
  const std::string_view space =
      opcode.take_one_of({".global", ".shared::cta", ".shared::cluster", ".shared", ".local",
                          ".param", ".param::entry", ".param::func", ".const"});
  access.reaches_cluster = space == ".shared::cluster";
  access.space = space.empty()                  ? Space::generic
                 : space.starts_with(".shared") ? Space::shared
                 : space.starts_with(".param")  ? Space::param
                                                : find_space(space).value_or(Space::generic);
}

using DataOperands = std::span<const PtxOperand>;

/// The registers of `{…}` or the one register, which may be wider than the elements.
DataOperands data_operands(const Decoder& decoder, const PtxOperand& operand, int count) {
  if (operand.listed().size() != static_cast<size_t>(count))
    decoder.refuse(operand, base::format("{} registers must be moved", count));
  return operand.listed();
}

RegisterClass data_class(const Decoder& decoder, DataOperands operands, int element_bytes) {
  RegisterClass kind = class_of_bytes(element_bytes);
  for (const PtxOperand& operand : operands) {
    const auto found = decoder.register_class(operand);
    if (!found) continue;
    if (lane_bytes(*found) < element_bytes)
      decoder.refuse(operand, base::format("{} must hold an element of {} bytes", operand.name,
                                           element_bytes));
    kind = *found;
  }
  return kind;
}

/// Bytes of what is loaded that the kernel uses. A sign-extended element is used whole; a load of
/// which nothing is used is taken at its word.
std::uint16_t needed_of(const Decoder& decoder, DataOperands operands, ElementType type) {
  unsigned needed = 0;
  const unsigned whole = (1U << type.bytes) - 1;
  for (size_t i = 0; i < operands.size(); ++i) {
    const unsigned bytes = decoder.needed(operands[i]);
    const unsigned used = type.kind == 's' && bytes != 0 ? whole : bytes & whole;
    needed |= used << (i * static_cast<size_t>(type.bytes));
  }
  return static_cast<std::uint16_t>(needed == 0 ? 0xFFFF : needed);
}

struct DataType {
  ElementType type;
  int count = 1;
};
DataType take_data_type(Decoder& decoder, Opcode& opcode) {
  DataType data;
  if (opcode.take(".v2")) data.count = 2;
  if (opcode.take(".v4")) data.count = 4;
  if (opcode.take(".v8")) data.count = 8;
  const auto type = opcode.take_type();
  if (!type) decoder.finish(opcode);
  if (!type || type->bytes == 0) decoder.refuse("a load or store must end with a type");
  data.type = *type;
  if (type->bytes * data.count > 16) decoder.refuse("one access must move at most 16 bytes");
  decoder.finish(opcode);
  return data;
}

/// Where a load's elements go. One of 128 bits is two of 64, which are joined behind the load.
class LoadTarget {
 public:
  LoadTarget(Decoder& decoder, DataType& data) : decoder_(decoder) {
    if (data.type.bytes == 16) is_joined_ = true, data = {{8, 'b'}, 2};
  }
  void fill(MemoryAccess& access, ElementType type) {
    if (is_joined_) {
      access.register_bytes = 8;
      for (size_t i = 0; i < 2; ++i) {
        halves_[i] = decoder_.make_temporary(RegisterClass::b64);
        access.data[i] = decoder_.write_temporary(halves_[i]);
      }
      return;
    }
    const auto operands = data_operands(decoder_, decoder_.operand(0), access.count);
    const RegisterClass kind = data_class(decoder_, operands, type.bytes);
    access.register_bytes = static_cast<std::uint8_t>(lane_bytes(kind));
    for (size_t i = 0; i < operands.size(); ++i)
      access.data[i] =
          operands[i].kind == OperandKind::sink ? kNoSlot : decoder_.target(operands[i], kind);
    access.needed = needed_of(decoder_, operands, type);
  }
  void join() {
    if (!is_joined_) return;
    const Slot low = decoder_.read_temporary(halves_[0]);
    const Slot high = decoder_.read_temporary(halves_[1]);
    decoder_.emit_row("$join.b128.b64", decoder_.target(decoder_.operand(0), RegisterClass::b128),
                      {low, high});
  }

 private:
  Decoder& decoder_;
  bool is_joined_ = false;
  std::array<int, 2> halves_{};
};

void require_wide_address(const Decoder& decoder, const PtxOperand& operand,
                          const MemoryAccess& access) {
  const bool is_wide = access.space == Space::global || access.space == Space::generic;
  if (is_wide && access.base != kNoSlot && !access.base_is_64)
    decoder.refuse(operand, "an address in global or generic memory must have 64 bits");
}

}  // namespace

void decode_load(Decoder& decoder, Opcode& opcode) {
  MemoryAccess access;
  take_ordering(opcode, access);
  take_space(opcode, access);
  access.is_read_only = opcode.take(".nc");
  take_hints(opcode);
  DataType data = take_data_type(decoder, opcode);
  LoadTarget target(decoder, data);
  access.element_bytes = static_cast<std::uint8_t>(data.type.bytes);
  access.count = static_cast<std::uint8_t>(data.count);
  access.sign_extends = data.type.kind == 's';
  decoder.address(decoder.operand(1), access);
  require_wide_address(decoder, decoder.operand(1), access);
  target.fill(access, data.type);
  const bool global = access.space == Space::global || access.space == Space::generic;
  if (access.is_ordered && global) decoder.mark_ordered();
  const bool polls = access.is_ordered;
  Instruction& made = decoder.emit_use(access);
  if (polls) made.flow = Flow::polling;
  target.join();
}

namespace {

/// The registers that a store of two halves of one of 128 bits takes its data from.
void split_data(Decoder& decoder, MemoryAccess& access) {
  access.element_bytes = access.register_bytes = 8;
  access.count = 2;
  const Slot whole = decoder.source(decoder.operand(1), RegisterClass::b128);
  std::array<int, 2> halves{};
  for (size_t i = 0; i < 2; ++i)
    halves[i] = decoder.emit_temporary(i == 0 ? "$low.b64.b128" : "$high.b64.b128",
                                       RegisterClass::b64, {whole});
  for (size_t i = 0; i < 2; ++i) access.data[i] = decoder.read_temporary(halves[i]);
}

void take_data(Decoder& decoder, MemoryAccess& access, const DataType& data) {
  const auto [type, count] = data;
  access.element_bytes = static_cast<std::uint8_t>(type.bytes);
  access.count = static_cast<std::uint8_t>(count);
  const auto operands = data_operands(decoder, decoder.operand(1), count);
  const RegisterClass kind = data_class(decoder, operands, type.bytes);
  access.register_bytes = static_cast<std::uint8_t>(lane_bytes(kind));
  for (size_t i = 0; i < operands.size(); ++i)
    access.data[i] = decoder.source(operands[i], OperandType{kind, operand_type(type).is_f64});
}

}  // namespace

void decode_store(Decoder& decoder, Opcode& opcode) {
  MemoryAccess access;
  take_ordering(opcode, access);
  take_space(opcode, access);
  take_hints(opcode);
  const DataType data = take_data_type(decoder, opcode);
  if (data.type.bytes == 16) {
    split_data(decoder, access);
  } else {
    take_data(decoder, access, data);
  }
  if (access.space == Space::constant) decoder.refuse("a store must not go to .const");
  decoder.address(decoder.operand(0), access);
  require_wide_address(decoder, decoder.operand(0), access);
  if (access.is_ordered && (access.space == Space::global || access.space == Space::generic))
    decoder.mark_ordered();
  decoder.emit_use(access);
}

AtomicUse::Operation take_operation(Decoder& decoder, Opcode& opcode) {
  using Operation = AtomicUse::Operation;
  static constexpr std::array<std::pair<std::string_view, Operation>, 10> kNames{
      {{".add", Operation::add},
       {".min", Operation::min},
       {".max", Operation::max},
       {".and", Operation::and_},
       {".or", Operation::or_},
       {".xor", Operation::xor_},
       {".exch", Operation::exch},
       {".cas", Operation::cas},
       {".inc", Operation::inc},
       {".dec", Operation::dec}}};
  for (const auto& [name, operation] : kNames)
    if (opcode.take(name)) return operation;
  decoder.refuse("atom and red must name an operation");
}

AtomicUse::Type take_atomic_type(Decoder& decoder, Opcode& opcode) {
  using Type = AtomicUse::Type;
  static constexpr std::array<std::pair<std::string_view, Type>, 14> kNames{
      {{".u32", Type::u32},
       {".s32", Type::s32},
       {".b32", Type::u32},
       {".u64", Type::u64},
       {".s64", Type::s64},
       {".b64", Type::u64},
       {".f32", Type::f32},
       {".f64", Type::f64},
       {".f16", Type::f16},
       {".bf16", Type::bf16},
       {".f16x2", Type::f16x2},
       {".bf16x2", Type::bf16x2},
       {".b16", Type::b16},
       {".b128", Type::u64}}};
  for (const auto& [name, type] : kNames)
    if (opcode.take(name)) return type;
  decoder.refuse("atom and red must end with a type");
}

void decode_atomic(Decoder& decoder, Opcode& opcode) {
  const bool has_result = opcode.head() == "atom";
  AtomicUse use;
  take_ordering(opcode, use.access);
  take_space(opcode, use.access);
  use.operation = take_operation(decoder, opcode);
  (void)opcode.take(".noftz");
  take_hints(opcode);
  const int count = opcode.take(".v2") ? 2 : opcode.take(".v4") ? 4 : opcode.take(".v8") ? 8 : 1;
  const bool is_wide = opcode.has(".b128");  // which is exchanged whole
  use.type = take_atomic_type(decoder, opcode);
  decoder.finish(opcode);
  const size_t first = has_result ? 1 : 0;
  const int bytes = is_wide ? 16 : atomic_bytes(use.type);
  use.access.element_bytes = static_cast<std::uint8_t>(bytes);
  use.access.count = static_cast<std::uint8_t>(count);
  decoder.address(decoder.operand(first), use.access);
  const OperandType kind{class_of_bytes(bytes), use.type == AtomicUse::Type::f64};
  const bool is_cas = use.operation == AtomicUse::Operation::cas;
  if (is_cas) use.comparand = decoder.source(decoder.operand(first + 1), kind);
  const auto values = data_operands(decoder, decoder.operand(first + (is_cas ? 2 : 1)), count);
  for (size_t i = 0; i < values.size(); ++i) use.operands[i] = decoder.source(values[i], kind);
  use.results.fill(kNoSlot);
  if (has_result && decoder.operand(0).kind != OperandKind::sink) {
    const auto results = data_operands(decoder, decoder.operand(0), count);
    for (size_t i = 0; i < results.size(); ++i)
      use.results[i] = decoder.target(results[i], kind.kind);
  }
  if (use.access.space != Space::shared) decoder.mark_ordered();
  decoder.emit_use(use);
}

void decode_fence(Decoder& decoder, Opcode& opcode) {
  const Scope scope = take_scope(opcode).value_or(Scope::gpu);
  Instruction& made = decoder.emit();
  made.bits = static_cast<std::uint64_t>(scope);
  if (opcode.has(".tensormap::generic")) {
    made.extra = opcode.has(".acquire") ? 1 : 0;
  } else if (opcode.has_prefix(".async")) {
    made.extra = opcode.has(".global")            ? kOnlyGlobal
                 : opcode.has(".shared::cta")     ? kOnlyBlock
                 : opcode.has(".shared::cluster") ? kOnlyCluster
                                                  : kAllMemory;
  }
}

void decode_createpolicy(Decoder& decoder, Opcode&) {
  const Slot target = decoder.target(decoder.operand(0), RegisterClass::b64);
  decoder.emit_row("mov.b64", target, {decoder.constant(0, 8)});
}

}  // namespace jute::emulator
