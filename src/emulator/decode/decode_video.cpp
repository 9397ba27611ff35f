// Video instructions: arithmetic on bytes and halves of registers. Source: PTX ISA, scalar and SIMD
// video instructions.
#include "base/format.hpp"
#include "emulator/decode/families.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace jute::emulator {
namespace {

using VideoOperation = VideoUse::Operation;

/// `vadd4` is VideoOperation::add of four parts.
void take_operation_of(std::string_view head, VideoUse& use) {
  static constexpr std::array<std::pair<std::string_view, VideoOperation>, 10> kNames{
      {{"vadd", VideoOperation::add},
       {"vsub", VideoOperation::sub},
       {"vavrg", VideoOperation::avrg},
       {"vabsdiff", VideoOperation::absdiff},
       {"vmin", VideoOperation::min},
       {"vmax", VideoOperation::max},
       {"vshl", VideoOperation::shl},
       {"vshr", VideoOperation::shr},
       {"vmad", VideoOperation::mad},
       {"vset", VideoOperation::set}}};
  use.count = head.back() == '4' ? 4 : head.back() == '2' ? 2 : 1;
  if (use.count != 1) head.remove_suffix(1);
  for (const auto& [name, operation] : kNames)
    if (name == head) use.operation = operation;
}

void take_types(Opcode& opcode, VideoUse& use) {
  const auto is_signed = [&] {
    const auto type = opcode.take_type();
    return type && type->kind == 's';
  };
  if (use.operation != VideoOperation::set) use.d_signed = is_signed();
  use.a_signed = is_signed();
  use.b_signed = is_signed();
}

void take_modifiers(Opcode& opcode, VideoUse& use) {
  using Secondary = VideoUse::Secondary;
  using Compare = VideoUse::Compare;
  use.saturates = opcode.take(".sat");
  use.wraps = opcode.take_one_of({".wrap", ".clamp"}) == ".wrap";
  use.adds_one = opcode.take(".po");
  use.scale = opcode.take(".shr7") ? 7 : opcode.take(".shr15") ? 15 : 0;
  static constexpr std::array<std::pair<std::string_view, Compare>, 6> kCompares{
      {{".eq", Compare::eq},
       {".ne", Compare::ne},
       {".lt", Compare::lt},
       {".le", Compare::le},
       {".gt", Compare::gt},
       {".ge", Compare::ge}}};
  for (const auto& [name, compare] : kCompares)
    if (opcode.take(name)) use.compare = compare;
  if (opcode.take(".add")) use.secondary = Secondary::add;
  if (opcode.take(".min")) use.secondary = Secondary::min;
  if (opcode.take(".max")) use.secondary = Secondary::max;
}

/// `.b3`, `.h10`: the digits, the last of which names the first part. Empty: none is named.
std::string_view digits_of(const Decoder& decoder, const PtxOperand& operand, int bits) {
  std::string_view text = operand.parts;
  if (text.empty()) return text;
  const char unit = bits == 8 ? 'b' : 'h';
  if (text[1] != unit)
    decoder.refuse(operand, base::format("its parts must be named .{}…, not {}", unit, text));
  return text.substr(2);
}

/// Parts that a source of two or four takes from both registers.
VideoUse::Places places_of(const Decoder& decoder, const PtxOperand& operand, const VideoUse& use,
                           int first) {
  const int bits = 32 / use.count;
  const std::string_view digits = digits_of(decoder, operand, bits);
  if (!digits.empty() && digits.size() != static_cast<size_t>(use.count))
    decoder.refuse(operand, base::format("{} parts must be selected", use.count));
  VideoUse::Places places{};
  for (int i = 0; i < use.count; ++i) {
    const int part =
        digits.empty() ? first + i : digits[static_cast<size_t>(use.count - 1 - i)] - '0';
    if (part < 0 || part >= 2 * use.count)
      decoder.refuse(operand, base::format("a part's number must be below {}", 2 * use.count));
    places[static_cast<size_t>(i)] = static_cast<std::uint8_t>(part * bits);
  }
  return places;
}

void take_packed_parts(const Decoder& decoder, VideoUse& use) {
  const int bits = 32 / use.count;
  use.a_bits = use.b_bits = use.d_bits = bits;
  use.a_places = places_of(decoder, decoder.operand(1), use, 0);
  use.b_places = places_of(decoder, decoder.operand(2), use, use.count);
  for (int i = 0; i < use.count; ++i)
    use.d_places[static_cast<size_t>(i)] = static_cast<std::uint8_t>(i * bits);
  const std::string_view mask = digits_of(decoder, decoder.operand(0), bits);
  use.written = mask.empty() ? (1U << use.count) - 1 : 0;
  for (const char digit : mask) {
    if (digit < '0' || digit >= '0' + use.count)
      decoder.refuse(decoder.operand(0),
                     base::format("a part's number must be below {}", use.count));
    use.written |= 1U << (digit - '0');
  }
}

/// The one part of a scalar operand: all of it, a byte or a half.
void take_scalar_part(const Decoder& decoder, const PtxOperand& operand, int& bits,
                      std::uint8_t& place) {
  const std::string_view parts = operand.parts;
  if (parts.empty()) return;
  bits = parts[1] == 'b' ? 8 : 16;
  if (parts.size() != 3 || (parts[1] != 'b' && parts[1] != 'h') || parts[2] < '0' ||
      (parts[2] - '0') * bits >= 32)
    decoder.refuse(operand, "a part must be .b0 to .b3, .h0 or .h1");
  place = static_cast<std::uint8_t>(place + (parts[2] - '0') * bits);
}

}  // namespace

void decode_video(Decoder& decoder, Opcode& opcode) {
  VideoUse use;
  take_operation_of(opcode.head(), use);
  take_modifiers(opcode, use);
  take_types(opcode, use);
  decoder.finish(opcode);
  if (use.count != 1) {
    take_packed_parts(decoder, use);
  } else {
    use.b_places[0] = 32;
    take_scalar_part(decoder, decoder.operand(0), use.d_bits, use.d_places[0]);
    take_scalar_part(decoder, decoder.operand(1), use.a_bits, use.a_places[0]);
    take_scalar_part(decoder, decoder.operand(2), use.b_bits, use.b_places[0]);
  }
  const Slot a = decoder.source(decoder.operand(1), RegisterClass::b32);
  const Slot b = decoder.source(decoder.operand(2), RegisterClass::b32);
  const bool has_c = decoder.operand_count() > 3;
  const Slot c =
      has_c ? decoder.source(decoder.operand(3), RegisterClass::b32) : decoder.constant(0, 4);
  const Slot to = decoder.target(decoder.operand(0), RegisterClass::b32);
  Instruction& made = decoder.emit_use(use);
  made.src = {a, b, c, kNoSlot};
  made.dst = to;
}

}  // namespace jute::emulator
