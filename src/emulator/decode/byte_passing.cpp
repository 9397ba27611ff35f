// A table of opcodes that move bytes or treat them one by one; all others depend on whole
// registers.
#include "emulator/decode/byte_passing.hpp"

#include "emulator/ptx/token_stream.hpp"

#include <algorithm>

namespace jute::emulator {
namespace {

/// One opcode with what is known of its operands.
struct PassedCall {
  std::string_view name;
  size_t source_bytes = 0;
  size_t result_bytes = 0;
  size_t source_count = 0;
  const ConstantSources& constants;
  BytePassing& passing;

  void pass(size_t source, size_t byte, size_t to) const {
    if (byte < kMostLaneBytes && to < result_bytes)
      passing.results[source][byte] |= static_cast<LaneBytes>(1U << to);
  }
  /// The bits of the last modifier: 32 of `$join.b64.b32`.
  [[nodiscard]] ElementType last_type() const {
    ElementType type;
    (void)find_element_type(name.substr(name.rfind('.')), type);
    return type;
  }
};
/// False: this call depends on whole registers after all.
using Route = bool (*)(const PassedCall& call);

bool pass_low(const PassedCall& call) {
  for (size_t i = 0; i < call.result_bytes; ++i) call.pass(0, i, i);
  return true;
}
bool pass_high(const PassedCall& call) {
  for (size_t i = 0; i < call.result_bytes; ++i) call.pass(0, call.result_bytes + i, i);
  return true;
}
bool pass_parts(const PassedCall& call) {
  const auto part = static_cast<size_t>(call.last_type().bytes);
  for (size_t source = 0; source < call.source_count; ++source)
    for (size_t i = 0; i < part; ++i) call.pass(source, i, source * part + i);
  return true;
}
bool pick(const PassedCall& call, size_t unit) {
  if (!call.constants[1]) return false;
  for (size_t i = 0; i < unit; ++i) call.pass(0, *call.constants[1] * unit + i, i);
  return true;
}
bool pick_byte(const PassedCall& call) { return pick(call, 1); }
bool pick_word(const PassedCall& call) { return pick(call, 2); }

bool pass_bytewise(const PassedCall& call) {
  for (size_t source = 0; source < call.source_count; ++source)
    for (size_t i = 0; i < call.result_bytes; ++i) call.pass(source, i, i);
  return true;
}
/// A byte of a constant that is `decisive` decides alone.
bool pass_undecided(const PassedCall& call, unsigned decisive) {
  LaneBytes decided = 0;
  for (const auto& constant : call.constants)
    for (size_t i = 0; constant && i < call.result_bytes && i < sizeof(*constant); ++i)
      if ((*constant >> (8 * i) & 0xFF) == decisive) decided |= static_cast<LaneBytes>(1U << i);
  (void)pass_bytewise(call);
  for (auto& source : call.passing.results)
    for (LaneBytes& bytes : source) bytes &= static_cast<LaneBytes>(~decided);
  return true;
}
bool pass_and(const PassedCall& call) { return pass_undecided(call, 0); }
bool pass_or(const PassedCall& call) { return pass_undecided(call, 0xFF); }

bool pass_left(const PassedCall& call) {
  if (!call.constants[1]) return false;
  const std::uint64_t count = *call.constants[1];
  for (size_t i = 0; i < call.source_bytes; ++i)
    for (size_t bit = 8 * i; bit < 8 * i + 8; ++bit) call.pass(0, i, (bit + count) / 8);
  return true;
}
bool pass_right(const PassedCall& call) {
  if (!call.constants[1]) return false;
  const std::uint64_t count = *call.constants[1];
  const bool keeps_sign = call.last_type().kind == 's';
  for (size_t i = 0; i < call.source_bytes; ++i)
    for (size_t bit = 8 * i; bit < 8 * i + 8; ++bit)
      if (bit >= count) call.pass(0, i, (bit - count) / 8);
  const size_t top = call.source_bytes - 1;
  const std::uint64_t kept =
      8 * call.source_bytes - std::min<std::uint64_t>(count, 8 * call.source_bytes);
  for (size_t to = kept / 8; keeps_sign && to < call.result_bytes; ++to) call.pass(0, top, to);
  return true;
}

/// Each nibble of the selector names one byte of the pair {b, a}.
bool pass_permuted(const PassedCall& call) {
  if (!call.constants[2]) return false;
  for (size_t to = 0; to < call.result_bytes; ++to) {
    const auto chosen = static_cast<size_t>(*call.constants[2] >> (4 * to) & 7);
    call.pass(chosen / 4, chosen % 4, to);
  }
  return true;
}

/// `bfe`: bits from a place on, so many; a sign reaches all above them.
bool pass_field(const PassedCall& call) {
  if (!call.constants[1] || !call.constants[2]) return false;
  const size_t bits = 8 * call.source_bytes, start = *call.constants[1] & 0xFF,
               count = *call.constants[2] & 0xFF;
  const size_t end = std::min(start + count, bits);
  for (size_t bit = start; bit < end; ++bit) call.pass(0, bit / 8, (bit - start) / 8);
  const bool has_sign = call.last_type().kind == 's' && count > 0;
  const size_t sign = std::min(start + count - 1, bits - 1) / 8;
  const size_t field = end > start ? end - start : 0;
  for (size_t to = field / 8; has_sign && to < call.result_bytes; ++to) call.pass(0, sign, to);
  return true;
}
/// `bfi`: the second source, but for bits from a place on, so many, which are the first's lowest.
bool pass_inserted(const PassedCall& call) {
  if (!call.constants[2] || !call.constants[3]) return false;
  const size_t bits = 8 * call.source_bytes, start = *call.constants[2] & 0xFF,
               end = std::min(start + (*call.constants[3] & 0xFF), bits);
  for (size_t bit = 0; bit < bits; ++bit) {
    const bool is_inserted = bit >= start && bit < end;
    call.pass(is_inserted ? 0 : 1, (is_inserted ? bit - start : bit) / 8, bit / 8);
  }
  return true;
}
/// `shf.l.wrap.b32`: 32 bits of the pair {b, a}, from a constant's place on.
bool pass_funnel(const PassedCall& call) {
  constexpr size_t kWord = 32;
  if (!call.constants[2]) return false;
  const bool is_left = call.name.starts_with("shf.l");
  const std::uint64_t asked = *call.constants[2];
  const size_t count = call.name.find("wrap") != std::string_view::npos
                           ? asked % kWord
                           : std::min<std::uint64_t>(asked, kWord);
  const size_t first = is_left ? kWord - count : count;
  for (size_t bit = 0; bit < kWord; ++bit) {
    const size_t from = first + bit;
    call.pass(from / kWord, from % kWord / 8, bit / 8);
  }
  return true;
}

/// `dp4a`, `dp2a.lo`: a sum of products of parts; what a constant's zero multiplies decides
/// nothing.
bool pass_dot(const PassedCall& call) {
  const bool is_of_bytes = call.name.starts_with("dp4a");
  const size_t first = call.name.starts_with("dp2a.hi") ? 2 : 0;  // byte of the second source
  const auto is_zero = [&](size_t source, size_t byte, std::uint64_t bits) {
    return call.constants[source] && (*call.constants[source] >> (8 * byte) & bits) == 0;
  };
  const auto pass_to_all = [&](size_t source, size_t byte) {
    for (size_t to = 0; to < call.result_bytes; ++to) call.pass(source, byte, to);
  };
  for (size_t i = 0; i < 4; ++i) {
    pass_to_all(2, i);
    if (!is_zero(1, is_of_bytes ? i : first + i / 2, 0xFF)) pass_to_all(0, i);
    const bool is_taken = is_of_bytes || i / 2 == first / 2;
    const bool counts = is_of_bytes ? !is_zero(0, i, 0xFF) : !is_zero(0, i % 2 * 2, 0xFFFF);
    if (is_taken && counts) pass_to_all(1, i);
  }
  return true;
}
bool pass_halves(const PassedCall& call) {
  if (!call.name.ends_with("x2")) return false;
  for (size_t source = 0; source < call.source_count; ++source)
    for (size_t i = 0; i < 4; ++i)
      for (size_t to = i / 2 * 2; to < i / 2 * 2 + 2; ++to) call.pass(source, i, to);
  return true;
}

/// `cvt.u32.u8`: the two types of integers, low bytes first; a sign reaches all above it.
bool pass_widened(const PassedCall& call, ElementType to, ElementType from) {
  for (int i = 0; i < std::min(to.bytes, from.bytes); ++i)
    call.pass(0, static_cast<size_t>(i), static_cast<size_t>(i));
  const int kept = std::min(to.bytes, from.bytes);
  const bool has_sign = from.bytes < to.bytes ? from.kind == 's' : to.kind == 's';
  for (size_t i = static_cast<size_t>(kept); has_sign && i < call.result_bytes; ++i)
    call.pass(0, static_cast<size_t>(kept) - 1, i);
  return true;
}
bool pass_wide(const PassedCall& call) {
  const bool is_signed = call.name.starts_with("$widen.s");
  return pass_widened(call, {static_cast<int>(call.result_bytes), is_signed ? 's' : 'u'},
                      {static_cast<int>(call.source_bytes), is_signed ? 's' : 'u'});
}
/// Two numbers side by side: the first source, or the high half, is the high one.
bool pass_pair(const PassedCall& call) {
  const size_t half = call.result_bytes / 2;
  const bool from_two = call.source_count == 2;
  for (size_t source = 0; source < call.source_count; ++source)
    for (size_t i = 0; i < call.source_bytes; ++i) {
      const bool is_high = from_two ? source == 0 : i >= call.source_bytes / 2;
      for (size_t to = 0; to < half; ++to) call.pass(source, i, is_high ? half + to : to);
    }
  return true;
}
bool pass_converted(const PassedCall& call) {
  const size_t last = call.name.rfind('.');
  const size_t before = call.name.rfind('.', last - 1);
  const std::string_view to_name = call.name.substr(before, last - before);
  if (to_name.ends_with("x2") || call.name.ends_with("x2")) return pass_pair(call);
  ElementType to, from;
  const bool are_integers = find_element_type(to_name, to) &&
                            find_element_type(call.name.substr(last), from) && to.kind != 'f' &&
                            from.kind != 'f';
  return are_integers && call.name.find(".sat") == std::string_view::npos &&
         call.source_count == 1 && pass_widened(call, to, from);
}

struct RoutedHead {
  std::string_view head;
  Route route;
};
constexpr std::array kRouted{
    RoutedHead{"$low", &pass_low},      RoutedHead{"$high", &pass_high},
    RoutedHead{"$join", &pass_parts},   RoutedHead{"$join4", &pass_parts},
    RoutedHead{"$byte", &pick_byte},    RoutedHead{"$word", &pick_word},
    RoutedHead{"$widen", &pass_wide},   RoutedHead{"cvt", &pass_converted},
    RoutedHead{"and", &pass_and},       RoutedHead{"or", &pass_or},
    RoutedHead{"xor", &pass_bytewise},  RoutedHead{"not", &pass_bytewise},
    RoutedHead{"lop3", &pass_bytewise}, RoutedHead{"shl", &pass_left},
    RoutedHead{"shr", &pass_right},     RoutedHead{"add", &pass_halves},
    RoutedHead{"sub", &pass_halves},    RoutedHead{"mul", &pass_halves},
    RoutedHead{"fma", &pass_halves},    RoutedHead{"min", &pass_halves},
    RoutedHead{"max", &pass_halves},    RoutedHead{"neg", &pass_halves},
    RoutedHead{"abs", &pass_halves},    RoutedHead{"ex2", &pass_halves},
    RoutedHead{"tanh", &pass_halves},   RoutedHead{"bfe", &pass_field},
    RoutedHead{"bfi", &pass_inserted},  RoutedHead{"shf", &pass_funnel},
    RoutedHead{"dp2a", &pass_dot},      RoutedHead{"dp4a", &pass_dot},
};

}  // namespace

LaneBytes BytePassing::of(size_t source, LaneBytes bytes) const {
  if (is_whole) return bytes == 0 ? LaneBytes{0} : kWholeLane;
  LaneBytes result = 0;
  for (size_t i = 0; i < kMostLaneBytes; ++i)
    if ((bytes >> i & 1) != 0) result |= results[source][i];
  return result;
}

BytePassing byte_passing(std::string_view name, const LaneRow& row,
                         const ConstantSources& constants) {
  BytePassing passing;
  passing.source_bytes = lane_bytes(row.sources[0].kind);
  if (row.result.kind == RegisterClass::pred) return passing;
  const std::string_view head = name.substr(0, name.find('.'));
  const auto* const routed = std::ranges::find(kRouted, head, &RoutedHead::head);
  Route route = routed == kRouted.end() ? nullptr : routed->route;
  if (name == "prmt.b32") route = &pass_permuted;
  if (route == nullptr) return passing;
  const PassedCall call{.name = name,
                        .source_bytes = static_cast<size_t>(passing.source_bytes),
                        .result_bytes = static_cast<size_t>(lane_bytes(row.result.kind)),
                        .source_count = static_cast<size_t>(row.source_count),
                        .constants = constants,
                        .passing = passing};
  passing.is_whole = !route(call);
  if (passing.is_whole) passing.results = {};
  return passing;
}

}  // namespace jute::emulator
