// Runs vadd, vadd2, vadd4 and their like. Source: PTX ISA, video instructions.
#include "emulator/run/collectives.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>

namespace jute::emulator {
namespace {

using Operation = VideoUse::Operation;
using Wide = __int128;

std::int64_t part_of(std::uint64_t registers, int place, int bits, bool is_signed) {
  const std::uint64_t value = registers >> place & ((std::uint64_t{1} << bits) - 1);
  const bool is_negative = is_signed && (value >> (bits - 1) & 1) != 0;
  return static_cast<std::int64_t>(value) -
         (is_negative ? std::int64_t{1} << bits : std::int64_t{0});
}

bool holds(VideoUse::Compare compare, std::int64_t a, std::int64_t b) {
  using Compare = VideoUse::Compare;
  switch (compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
  }
  return false;
}

Wide shifted(const VideoUse& use, std::int64_t a, std::int64_t b) {
  const auto given = static_cast<std::uint64_t>(b);
  const int by = static_cast<int>(use.wraps ? given & 31 : std::min<std::uint64_t>(given, 32));
  return use.operation == Operation::shl ? Wide{a} * (Wide{1} << by) : Wide{a >> by};
}

Wide result_of(const VideoUse& use, std::int64_t a, std::int64_t b, std::uint32_t c) {
  switch (use.operation) {
    case Operation::add:
      return a + b;
    case Operation::sub:
      return a - b;
    case Operation::avrg:  // rounded away from zero
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Operation::absdiff:
      return a < b ? b - a : a - b;
    case Operation::min:
      return std::min(a, b);
    case Operation::max:
      return std::max(a, b);
    case Operation::shl:
    case Operation::shr:
      return shifted(use, a, b);
    case Operation::mad: {
      const bool is_signed = use.a_signed || use.b_signed;
      const Wide addend = is_signed ? Wide{static_cast<std::int32_t>(c)} : Wide{c};
      return (Wide{a} * b + addend + (use.adds_one ? 1 : 0)) >> use.scale;
    }
    case Operation::set:
      return holds(use.compare, a, b) ? 1 : 0;
  }
  return 0;
}

Wide clamped(const VideoUse& use, Wide value) {
  const Wide most = (Wide{1} << (use.d_bits - (use.d_signed ? 1 : 0))) - 1;
  const Wide least = use.d_signed ? -most - 1 : 0;
  return std::clamp(value, least, most);
}

std::uint32_t combined(const VideoUse& use, std::uint32_t result, std::uint32_t c) {
  using Secondary = VideoUse::Secondary;
  const auto x = static_cast<std::int32_t>(result), y = static_cast<std::int32_t>(c);
  if (use.secondary == Secondary::add) return result + c;
  const bool takes_less = use.secondary == Secondary::min;
  const bool is_less = use.d_signed ? x < y : result < c;
  return is_less == takes_less ? result : c;
}

std::uint32_t run_lane(const VideoUse& use, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint64_t registers = std::uint64_t{b} << 32 | a;
  const bool merges = use.secondary == VideoUse::Secondary::merge;
  std::uint32_t result = c;
  for (int i = 0; i < use.count; ++i) {
    if ((use.written >> i & 1) == 0) continue;
    const auto part = static_cast<size_t>(i);
    Wide value = result_of(use, part_of(registers, use.a_places[part], use.a_bits, use.a_signed),
                           part_of(registers, use.b_places[part], use.b_bits, use.b_signed), c);
    if (use.saturates) value = clamped(use, value);
    const auto bits = static_cast<std::uint32_t>(value);
    if (merges) {
      const auto field = static_cast<std::uint32_t>((std::uint64_t{1} << use.d_bits) - 1);
      const int place = use.d_places[part];
      result = (result & ~(field << place)) | (bits & field) << place;
    } else {
      result = combined(use, bits, result);
    }
  }
  return result;
}

}  // namespace

void run_video(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const VideoUse& use = static_cast<Warp&>(lanes).block->program.use_of<VideoUse>(instruction);
  for (const int lane : lanes_of(mask))
    write_word(lanes, instruction.dst, lane,
               run_lane(use, read_word(lanes, instruction.src[0], lane),
                        read_word(lanes, instruction.src[1], lane),
                        read_word(lanes, instruction.src[2], lane)));
}

}  // namespace jute::emulator
