// Follows needed bytes backwards through the instructions that only move them, until nothing
// changes.
#include "emulator/decode/needed_bytes.hpp"

#include "emulator/decode/decode.hpp"

#include <array>
#include <optional>

namespace jute::emulator {
namespace {

constexpr int kMostNeededBytes =
    8;  // of what instructions compute with; registers may have twice as many

ByteMask low_bytes(int count) { return static_cast<ByteMask>((1U << count) - 1); }

class NeededBytes {
 public:
  explicit NeededBytes(const PtxFunction& function)
      : function_(function), needed_(function.registers.size(), 0) {
    do {
      changed_ = false;
      for (const PtxInstruction& instruction : function.instructions) visit(instruction);
    } while (changed_);
  }
  [[nodiscard]] std::vector<ByteMask> take() { return std::move(needed_); }

 private:
  using Operands = std::vector<PtxOperand>;

  // Marks bytes of whatever registers an operand names.
  void need(const PtxOperand& operand, ByteMask bytes) {
    if (operand.kind == OperandKind::reg) {
      ByteMask& now = needed_[static_cast<size_t>(operand.index)];
      changed_ |= (now | bytes) != now;
      now |= bytes;
    }
    for (const PtxOperand& item : operand.items) need(item, bytes);
  }
  void need_all(const Operands& operands, size_t first) {
    for (size_t i = first; i < operands.size(); ++i) need(operands[i], kEveryByte);
  }
  [[nodiscard]] ByteMask of(const PtxOperand& operand) const {
    if (operand.kind == OperandKind::sink) return 0;
    return operand.kind == OperandKind::reg ? needed_[static_cast<size_t>(operand.index)]
                                            : kEveryByte;
  }
  [[nodiscard]] int bytes_of(const PtxOperand& operand) const {
    if (operand.kind != OperandKind::reg) return kMostNeededBytes;
    return lane_bytes(function_.registers[static_cast<size_t>(operand.index)].kind);
  }

  void visit(const PtxInstruction& instruction) {
    const Operands& operands = instruction.operands;
    const Opcode opcode(instruction.opcode);
    if (operands.size() >= 2 && passes_on(opcode, operands)) return;
    need_all(operands, 0);
  }

  bool passes_on(const Opcode& opcode, const Operands& operands) {
    const std::string_view head = opcode.head();
    if (head == "ld") {
      need_all(operands, 1);
      return true;
    }
    if (head == "mov") return move(operands);
    if (head == "cvt") return convert(opcode, operands);
    if (head == "prmt") return permute(opcode, operands);
    if (operands.size() != 3) return false;
    if (head == "shr" || head == "shl") return shift(opcode, operands);
    if (head == "and" || head == "or" || head == "xor") return bitwise(head, operands);
    return false;
  }

  /// Plain, packing `mov.b32 r, {a,b}` and unpacking `mov.b32 {a,b}, r`.
  bool move(const Operands& operands) {
    const PtxOperand& target = operands[0];
    const PtxOperand& source = operands[1];
    if (target.kind == OperandKind::vector) {
      const int part = part_bytes(target);
      ByteMask bytes = 0;
      for (size_t i = 0; i < target.items.size(); ++i)
        bytes |= static_cast<ByteMask>((of(target.items[i]) & low_bytes(part))
                                       << (static_cast<int>(i) * part));
      need(source, bytes);
    } else if (source.kind == OperandKind::vector) {
      const int part = part_bytes(source);
      for (size_t i = 0; i < source.items.size(); ++i)
        need(source.items[i],
             static_cast<ByteMask>((of(target) >> (static_cast<int>(i) * part)) & low_bytes(part)));
    } else {
      need(source, of(target));
    }
    return true;
  }
  [[nodiscard]] int part_bytes(const PtxOperand& vector) const {
    for (const PtxOperand& item : vector.items)
      if (item.kind == OperandKind::reg) return bytes_of(item);
    return kMostNeededBytes;
  }

  /// Integers to narrower ones, and to wider ones that are not negative.
  bool convert(const Opcode& opcode, const Operands& operands) {
    if (opcode.rest().size() != 2 || operands.size() != 2) return false;
    ElementType to, from;
    if (!find_element_type(opcode.rest()[0], to) || !find_element_type(opcode.rest()[1], from))
      return false;
    const bool is_unsigned = from.kind == 'u' || (from.kind == 's' && to.bytes <= from.bytes);
    if (!is_unsigned || to.kind == 'f') return false;
    need(operands[1], of(operands[0]) & low_bytes(std::min(to.bytes, from.bytes)));
    return true;
  }

  bool shift(const Opcode& opcode, const Operands& operands) {
    const PtxOperand& count = operands[2];
    const bool keeps_sign =
        opcode.head() == "shr" && !opcode.rest().empty() && opcode.rest().back().starts_with(".s");
    if (count.kind != OperandKind::integer || count.bits % 8 != 0 || keeps_sign) return false;
    const int bytes = count.bits >= 64 ? kMostNeededBytes : static_cast<int>(count.bits / 8);
    const ByteMask result = of(operands[0]) & low_bytes(bytes_of(operands[0]));
    need(operands[1],
         static_cast<ByteMask>(opcode.head() == "shr" ? result << bytes : result >> bytes));
    return true;
  }

  bool bitwise(std::string_view head, const Operands& operands) {
    ByteMask passed = of(operands[0]);
    for (size_t i = 1; i < 3; ++i)
      if (head == "and" && operands[i].kind == OperandKind::integer)
        for (int byte = 0; byte < kMostNeededBytes; ++byte)
          if (((operands[i].bits >> (8 * byte)) & 0xFF) == 0)
            passed &= static_cast<ByteMask>(~(1 << byte));
    need(operands[1], passed);
    need(operands[2], passed);
    return true;
  }

  /// Each nibble of the selector names one byte of the pair {b, a}; its top bit asks for the sign.
  bool permute(const Opcode& opcode, const Operands& operands) {
    const bool is_plain = operands.size() == 4 && opcode.rest().size() == 1;
    if (!is_plain || operands[3].kind != OperandKind::integer) return false;
    std::array<ByteMask, 2> bytes{};
    for (int byte = 0; byte < 4; ++byte) {
      if ((of(operands[0]) >> byte & 1) == 0) continue;
      const auto chosen = static_cast<unsigned>(operands[3].bits >> (4 * byte)) & 7U;
      bytes[chosen / 4] |= static_cast<ByteMask>(1U << (chosen % 4));
    }
    need(operands[1], bytes[0]);
    need(operands[2], bytes[1]);
    return true;
  }

  const PtxFunction& function_;
  std::vector<ByteMask> needed_;
  bool changed_ = false;
};

}  // namespace

std::vector<ByteMask> needed_bytes(const PtxFunction& function) {
  return NeededBytes(function).take();
}

}  // namespace jute::emulator
