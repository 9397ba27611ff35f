// Integer and logic opcodes, one scalar function each. Semantics: PTX ISA, integer arithmetic,
// logic and shift, comparison and selection instructions. Included by the portable and the AVX2
// build.
#include "emulator/lane_kernel.hpp"

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class T>
inline constexpr bool kIsSigned = T(-1) < T(0);
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T)) * 8;

template <size_t Bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<2> {
  using type = u16;
};
template <>
struct UnsignedOf<4> {
  using type = u32;
};
template <>
struct UnsignedOf<8> {
  using type = u64;
};
template <class T>
using Unsigned = typename UnsignedOf<sizeof(T)>::type;

template <class T>
struct WideOf;
template <>
struct WideOf<u16> {
  using type = u32;
};
template <>
struct WideOf<s16> {
  using type = s32;
};
template <>
struct WideOf<u32> {
  using type = u64;
};
template <>
struct WideOf<s32> {
  using type = s64;
};
template <>
struct WideOf<u64> {
  using type = unsigned __int128;
};
template <>
struct WideOf<s64> {
  using type = __int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

// Wrap-around arithmetic, through unsigned types wide enough that promotion cannot overflow.
template <class T>
T wrap_add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<u64>(a) + static_cast<u64>(b)));
}
template <class T>
T wrap_sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<u64>(a) - static_cast<u64>(b)));
}
template <class T>
T wrap_mul(T a, T b) {
  if constexpr (sizeof(T) <= 4) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<u32>(a) * static_cast<u32>(b)));
  } else {
    return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
  }
}
template <class T>
Wide<T> wide_mul(T a, T b) {
  return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
template <class T>
T high_mul(T a, T b) {
  return static_cast<T>(wide_mul(a, b) >> kBits<T>);
}
template <class T>
T saturate(Wide<T> value) {
  constexpr Wide<T> kMost = static_cast<Wide<T>>((Unsigned<T>(0) - 1) >> 1);
  return static_cast<T>(value > kMost ? kMost : value < -kMost - 1 ? -kMost - 1 : value);
}
// Division by zero is unspecified by the ISA; hardware gives all ones, and the dividend as
// remainder.
template <class T>
T divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (kIsSigned<T>)
    if (b == T(-1)) return wrap_sub(T(0), a);
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (kIsSigned<T>)
    if (b == T(-1)) return 0;
  return static_cast<T>(a % b);
}
template <class T>
T shift_left(T a, u32 n) {
  return n >= static_cast<u32>(kBits<T>) ? T(0) : static_cast<T>(static_cast<u64>(a) << n);
}
template <class T>
T shift_right(T a, u32 n) {
  if (n >= static_cast<u32>(kBits<T>)) n = kBits<T> - 1, a = kIsSigned<T> ? a : T(0);
  return static_cast<T>(a >> n);
}
template <class T>
T extract_field(T a, u32 at, u32 length) {
  at &= 0xFF;
  length &= 0xFF;
  constexpr u32 kMost = kBits<T> - 1;
  const u32 sign_at = at + length - 1 < kMost && length != 0 ? at + length - 1 : kMost;
  const bool sign = kIsSigned<T> && length != 0 && ((static_cast<u64>(a) >> sign_at) & 1) != 0;
  const u64 bits = at > kMost ? 0 : static_cast<u64>(static_cast<Unsigned<T>>(a)) >> at;
  const u32 kept = length < static_cast<u32>(kBits<T>) ? length : kBits<T>;
  const u32 available = at > kMost ? 0 : kMost + 1 - at;
  const u32 valid = kept < available ? kept : available;
  const u64 field_mask = valid >= 64 ? ~u64{0} : (u64{1} << valid) - 1;
  const u64 fill = sign ? ~field_mask : 0;
  return static_cast<T>((bits & field_mask) | fill);
}
template <class T>
T insert_field(T value, T into, u32 at, u32 length) {
  at &= 0xFF;
  length &= 0xFF;
  if (at >= static_cast<u32>(kBits<T>) || length == 0) return into;
  const u64 field = length >= 64 ? ~u64{0} : (u64{1} << length) - 1;
  const u64 mask = field << at;
  return static_cast<T>((into & ~mask) | ((static_cast<u64>(value) << at) & mask));
}
template <class T>
u32 leading_zeros(T a) {
  if (a == 0) return kBits<T>;
  return static_cast<u32>(__builtin_clzll(static_cast<u64>(a))) - (64 - kBits<T>);
}
template <class T>
T reverse_bits(T a) {
  u64 result = 0;
  for (int i = 0; i < kBits<T>; ++i)
    result |= ((static_cast<u64>(a) >> i) & 1) << (kBits<T> - 1 - i);
  return static_cast<T>(result);
}
template <class T>
u32 find_leading(T a) {
  const auto bits = static_cast<Unsigned<T>>(kIsSigned<T> && a < 0 ? ~a : a);
  return bits == 0 ? 0xFFFFFFFFU : static_cast<u32>(kBits<T>) - 1 - leading_zeros(bits);
}
template <class T>
u32 find_leading_shift(T a) {
  const u32 at = find_leading(a);
  return at == 0xFFFFFFFFU ? at : static_cast<u32>(kBits<T>) - 1 - at;
}
inline u32 lookup_logic(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i) {
    const u32 term = ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
    result |= ((table >> i) & 1) != 0 ? term : 0;
  }
  return result;
}
inline u32 permute_bytes(u32 a, u32 b, u32 selector) {
  const u64 both = (static_cast<u64>(b) << 32) | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 pick = selector >> (4 * i);
    const u32 byte = static_cast<u32>(both >> (8 * (pick & 7))) & 0xFF;
    const u32 sign = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= ((pick & 8) != 0 ? sign : byte) << (8 * i);
  }
  return result;
}
/// Modes of prmt as byte selectors for each value of c & 3 (PTX ISA, prmt, table of modes).
inline u32 permute_mode(const u16 (&selectors)[4], u32 a, u32 b, u32 c) {
  return permute_bytes(a, b, selectors[c & 3]);
}
template <class T>
T dot_bytes(u32 a, u32 b, T c, bool a_signed, bool b_signed) {
  s64 sum = static_cast<s64>(c);
  for (int i = 0; i < 4; ++i) {
    const u32 x = (a >> (8 * i)) & 0xFF;
    const u32 y = (b >> (8 * i)) & 0xFF;
    sum += (a_signed ? s64{static_cast<s8>(x)} : s64{x}) *
           (b_signed ? s64{static_cast<s8>(y)} : s64{y});
  }
  return static_cast<T>(sum);
}
template <class T>
T dot_halves(u32 a, u32 b, T c, bool a_signed, bool b_signed, int first_byte) {
  s64 sum = static_cast<s64>(c);
  for (int i = 0; i < 2; ++i) {
    const u32 x = (a >> (16 * i)) & 0xFFFF;
    const u32 y = (b >> (8 * (first_byte + i))) & 0xFF;
    sum += (a_signed ? s64{static_cast<s16>(x)} : s64{x}) *
           (b_signed ? s64{static_cast<s8>(y)} : s64{y});
  }
  return static_cast<T>(sum);
}
/// Two 16-bit results of a function of two 16-bit values.
template <class T, class F>
u32 by_halves(u32 a, u32 b, F f) {
  const u32 low = static_cast<u16>(f(static_cast<T>(a), static_cast<T>(b)));
  const u32 high = static_cast<u16>(f(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return low | (high << 16);
}

template <class T>
void add_arithmetic_rows(OpcodeTable& table, const std::string& type) {
  add_row(table, "add." + type, [](T a, T b) { return wrap_add(a, b); });
  add_row(table, "sub." + type, [](T a, T b) { return wrap_sub(a, b); });
  add_row(table, "mul.lo." + type, [](T a, T b) { return wrap_mul(a, b); });
  add_row(table, "mul.hi." + type, [](T a, T b) { return high_mul(a, b); });
  add_row(table, "mad.lo." + type, [](T a, T b, T c) { return wrap_add(wrap_mul(a, b), c); });
  add_row(table, "mad.hi." + type, [](T a, T b, T c) { return wrap_add(high_mul(a, b), c); });
  add_row(table, "div." + type, [](T a, T b) { return divide(a, b); });
  add_row(table, "rem." + type, [](T a, T b) { return remainder(a, b); });
  add_row(table, "min." + type, [](T a, T b) { return b < a ? b : a; });
  add_row(table, "max." + type, [](T a, T b) { return a < b ? b : a; });
  add_row(table, "sad." + type,
          [](T a, T b, T c) { return wrap_add(c, a < b ? wrap_sub(b, a) : wrap_sub(a, b)); });
  add_row(table, "shr." + type, [](T a, u32 n) { return shift_right(a, n); });
  if constexpr (kIsSigned<T>) {
    add_row(table, "neg." + type, [](T a) { return wrap_sub(T(0), a); });
    add_row(table, "abs." + type, [](T a) { return a < 0 ? wrap_sub(T(0), a) : a; });
  }
  if constexpr (sizeof(T) < 8) {
    add_row(table, "mul.wide." + type, [](T a, T b) { return wide_mul(a, b); });
    add_row(table, "mad.wide." + type,
            [](T a, T b, Wide<T> c) { return wrap_add(wide_mul(a, b), c); });
  }
  if constexpr (sizeof(T) > 2) {
    add_row(table, "bfe." + type, [](T a, u32 at, u32 n) { return extract_field(a, at, n); });
    add_row(table, "bfind." + type, [](T a) { return find_leading(a); });
    add_row(table, "bfind.shiftamt." + type, [](T a) { return find_leading_shift(a); });
    // What .cc and addc/subc/madc take and leave: the carry is one predicate a thread.
    add_row(table, "$addc." + type,
            [](T a, T b, bool in) { return wrap_add(wrap_add(a, b), T(in)); });
    add_row(table, "$carry.addc." + type, [](T a, T b, bool in) {
      using U = unsigned __int128;
      return ((static_cast<U>(static_cast<Unsigned<T>>(a)) + static_cast<Unsigned<T>>(b) + in) >>
              kBits<T>) != 0;
    });
    // The carry flag of a subtraction is its borrow.
    add_row(table, "$subc." + type,
            [](T a, T b, bool in) { return wrap_sub(wrap_sub(a, b), T(in)); });
    add_row(table, "$carry.subc." + type, [](T a, T b, bool in) {
      using U = unsigned __int128;
      return static_cast<U>(static_cast<Unsigned<T>>(a)) <
             static_cast<U>(static_cast<Unsigned<T>>(b)) + in;
    });
  }
}

template <class T>
void add_bit_rows(OpcodeTable& table, const std::string& type) {
  add_row(table, "and." + type, [](T a, T b) { return static_cast<T>(a & b); });
  add_row(table, "or." + type, [](T a, T b) { return static_cast<T>(a | b); });
  add_row(table, "xor." + type, [](T a, T b) { return static_cast<T>(a ^ b); });
  add_row(table, "not." + type, [](T a) { return static_cast<T>(~a); });
  add_row(table, "cnot." + type, [](T a) { return static_cast<T>(a == 0 ? 1 : 0); });
  add_row(table, "shl." + type, [](T a, u32 n) { return shift_left(a, n); });
  add_row(table, "shr." + type, [](T a, u32 n) { return shift_right(a, n); });
  if constexpr (sizeof(T) > 2) {
    add_row(table, "popc." + type,
            [](T a) { return static_cast<u32>(__builtin_popcountll(static_cast<u64>(a))); });
    add_row(table, "clz." + type, [](T a) { return leading_zeros(a); });
    add_row(table, "brev." + type, [](T a) { return reverse_bits(a); });
    add_row(table, "bfi." + type,
            [](T a, T b, u32 at, u32 n) { return insert_field(a, b, at, n); });
  }
}

template <class T>
void add_select_rows(OpcodeTable& table, const std::string& type) {
  add_row(table, "mov." + type, [](T a) { return a; });
  add_row(table, "selp." + type, [](T a, T b, bool p) { return p ? a : b; });
}

template <class T, class F>
void add_comparison(OpcodeTable& table, const std::string& op, const std::string& type, F f) {
  add_row(table, "setp." + op + "." + type, f);
}

template <class T>
void add_comparison_rows(OpcodeTable& table, const std::string& type) {
  add_comparison<T>(table, "eq", type, [](T a, T b) { return a == b; });
  add_comparison<T>(table, "ne", type, [](T a, T b) { return a != b; });
  add_comparison<T>(table, "lt", type, [](T a, T b) { return a < b; });
  add_comparison<T>(table, "le", type, [](T a, T b) { return a <= b; });
  add_comparison<T>(table, "gt", type, [](T a, T b) { return a > b; });
  add_comparison<T>(table, "ge", type, [](T a, T b) { return a >= b; });
  if constexpr (!kIsSigned<T>) {
    add_comparison<T>(table, "lo", type, [](T a, T b) { return a < b; });
    add_comparison<T>(table, "ls", type, [](T a, T b) { return a <= b; });
    add_comparison<T>(table, "hi", type, [](T a, T b) { return a > b; });
    add_comparison<T>(table, "hs", type, [](T a, T b) { return a >= b; });
  }
}

inline void add_predicate_rows(OpcodeTable& table) {
  add_row(table, "and.pred", [](bool a, bool b) { return a && b; });
  add_row(table, "or.pred", [](bool a, bool b) { return a || b; });
  add_row(table, "xor.pred", [](bool a, bool b) { return a != b; });
  add_row(table, "not.pred", [](bool a) { return !a; });
  add_row(table, "mov.pred", [](bool a) { return a; });
  add_row(table, "selp.pred", [](bool a, bool b, bool p) { return p ? a : b; });
}

inline void add_shuffle_bit_rows(OpcodeTable& table) {
  add_row(table, "lop3.b32",
          [](u32 a, u32 b, u32 c, u32 lut) { return lookup_logic(a, b, c, lut); });
  const auto funnel = [](u32 a, u32 b) { return (static_cast<u64>(b) << 32) | a; };
  using Funnel = decltype(funnel);
  add_row(table, "shf.l.wrap.b32",
          [](u32 a, u32 b, u32 n) { return static_cast<u32>((Funnel{}(a, b) << (n & 31)) >> 32); });
  add_row(table, "shf.l.clamp.b32", [](u32 a, u32 b, u32 n) {
    return static_cast<u32>((Funnel{}(a, b) << (n < 32 ? n : 32)) >> 32);
  });
  add_row(table, "shf.r.wrap.b32",
          [](u32 a, u32 b, u32 n) { return static_cast<u32>(Funnel{}(a, b) >> (n & 31)); });
  add_row(table, "shf.r.clamp.b32", [](u32 a, u32 b, u32 n) {
    return static_cast<u32>(Funnel{}(a, b) >> (n < 32 ? n : 32));
  });
  add_row(table, "prmt.b32", [](u32 a, u32 b, u32 c) { return permute_bytes(a, b, c); });
  add_row(table, "prmt.b32.f4e", [](u32 a, u32 b, u32 c) {
    return permute_mode({0x3210, 0x4321, 0x5432, 0x6543}, a, b, c);
  });
  add_row(table, "prmt.b32.b4e", [](u32 a, u32 b, u32 c) {
    return permute_mode({0x5670, 0x6701, 0x7012, 0x0123}, a, b, c);
  });
  add_row(table, "prmt.b32.rc8", [](u32 a, u32 b, u32 c) {
    return permute_mode({0x0000, 0x1111, 0x2222, 0x3333}, a, b, c);
  });
  add_row(table, "prmt.b32.ecl", [](u32 a, u32 b, u32 c) {
    return permute_mode({0x3210, 0x3211, 0x3222, 0x3333}, a, b, c);
  });
  add_row(table, "prmt.b32.ecr", [](u32 a, u32 b, u32 c) {
    return permute_mode({0x0000, 0x1110, 0x2210, 0x3210}, a, b, c);
  });
  add_row(table, "prmt.b32.rc16", [](u32 a, u32 b, u32 c) {
    return permute_mode({0x1010, 0x3232, 0x1010, 0x3232}, a, b, c);
  });
  add_row(table, "bmsk.clamp.b32", [](u32 at, u32 n) {
    const u64 field = n >= 32 ? 0xFFFFFFFFULL : (1ULL << n) - 1;
    return at >= 32 ? 0U : static_cast<u32>(field << at);
  });
  add_row(table, "bmsk.wrap.b32",
          [](u32 at, u32 n) { return static_cast<u32>(((1ULL << (n & 31)) - 1) << (at & 31)); });
  add_row(table, "szext.wrap.u32", [](u32 a, u32 n) { return extract_field(a, 0U, n & 31); });
  add_row(table, "szext.wrap.s32", [](s32 a, u32 n) { return extract_field(a, 0U, n & 31); });
}

inline void add_dot_rows(OpcodeTable& table) {
  add_row(table, "dp4a.u32.u32",
          [](u32 a, u32 b, u32 c) { return dot_bytes(a, b, c, false, false); });
  add_row(table, "dp4a.u32.s32",
          [](u32 a, u32 b, s32 c) { return dot_bytes(a, b, c, false, true); });
  add_row(table, "dp4a.s32.u32",
          [](u32 a, u32 b, s32 c) { return dot_bytes(a, b, c, true, false); });
  add_row(table, "dp4a.s32.s32",
          [](u32 a, u32 b, s32 c) { return dot_bytes(a, b, c, true, true); });
  add_row(table, "dp2a.lo.u32.u32",
          [](u32 a, u32 b, u32 c) { return dot_halves(a, b, c, false, false, 0); });
  add_row(table, "dp2a.lo.u32.s32",
          [](u32 a, u32 b, s32 c) { return dot_halves(a, b, c, false, true, 0); });
  add_row(table, "dp2a.lo.s32.u32",
          [](u32 a, u32 b, s32 c) { return dot_halves(a, b, c, true, false, 0); });
  add_row(table, "dp2a.lo.s32.s32",
          [](u32 a, u32 b, s32 c) { return dot_halves(a, b, c, true, true, 0); });
  add_row(table, "dp2a.hi.u32.u32",
          [](u32 a, u32 b, u32 c) { return dot_halves(a, b, c, false, false, 2); });
  add_row(table, "dp2a.hi.u32.s32",
          [](u32 a, u32 b, s32 c) { return dot_halves(a, b, c, false, true, 2); });
  add_row(table, "dp2a.hi.s32.u32",
          [](u32 a, u32 b, s32 c) { return dot_halves(a, b, c, true, false, 2); });
  add_row(table, "dp2a.hi.s32.s32",
          [](u32 a, u32 b, s32 c) { return dot_halves(a, b, c, true, true, 2); });
}

inline void add_special_integer_rows(OpcodeTable& table) {
  add_row(table, "add.sat.s32", [](s32 a, s32 b) { return saturate<s32>(s64{a} + b); });
  add_row(table, "sub.sat.s32", [](s32 a, s32 b) { return saturate<s32>(s64{a} - b); });
  add_row(table, "mad.hi.sat.s32",
          [](s32 a, s32 b, s32 c) { return saturate<s32>(s64{high_mul(a, b)} + c); });
  add_row(table, "mul24.lo.u32", [](u32 a, u32 b) { return (a & 0xFFFFFF) * (b & 0xFFFFFF); });
  add_row(table, "mul24.lo.s32", [](s32 a, s32 b) {
    return static_cast<s32>(s64{extract_field(a, 0U, 24U)} * extract_field(b, 0U, 24U));
  });
  add_row(table, "mad24.lo.u32",
          [](u32 a, u32 b, u32 c) { return (a & 0xFFFFFF) * (b & 0xFFFFFF) + c; });
  add_row(table, "mad24.lo.s32", [](s32 a, s32 b, s32 c) {
    return static_cast<s32>(s64{extract_field(a, 0U, 24U)} * extract_field(b, 0U, 24U) + c);
  });
  add_row(table, "min.relu.s32", [](s32 a, s32 b) {
    return (b < a ? b : a) < 0 ? 0 : b < a ? b : a;
  });
  add_row(table, "max.relu.s32", [](s32 a, s32 b) {
    return (a < b ? b : a) < 0 ? 0 : a < b ? b : a;
  });
  add_row(table, "add.u16x2", [](u32 a, u32 b) {
    return by_halves<u16>(a, b, [](u16 x, u16 y) { return wrap_add(x, y); });
  });
  add_row(table, "add.s16x2", [](u32 a, u32 b) {
    return by_halves<s16>(a, b, [](s16 x, s16 y) { return wrap_add(x, y); });
  });
  add_row(table, "min.u16x2", [](u32 a, u32 b) {
    return by_halves<u16>(a, b, [](u16 x, u16 y) { return y < x ? y : x; });
  });
  add_row(table, "max.u16x2", [](u32 a, u32 b) {
    return by_halves<u16>(a, b, [](u16 x, u16 y) { return x < y ? y : x; });
  });
  add_row(table, "min.s16x2", [](u32 a, u32 b) {
    return by_halves<s16>(a, b, [](s16 x, s16 y) { return y < x ? y : x; });
  });
  add_row(table, "max.s16x2", [](u32 a, u32 b) {
    return by_halves<s16>(a, b, [](s16 x, s16 y) { return x < y ? y : x; });
  });
}

// Bytes of a register taken as a narrower or wider one: how cvt, ld and st see mismatched widths.
inline void add_width_rows(OpcodeTable& table) {
  add_row(table, "$low.b16.b32", [](u32 a) { return static_cast<u16>(a); });
  add_row(table, "$low.b16.b64", [](u64 a) { return static_cast<u16>(a); });
  add_row(table, "$low.b32.b64", [](u64 a) { return static_cast<u32>(a); });
  add_row(table, "$high.b16.b32", [](u32 a) { return static_cast<u16>(a >> 16); });
  add_row(table, "$high.b32.b64", [](u64 a) { return static_cast<u32>(a >> 32); });
  add_row(table, "$byte.b16.b32",
          [](u32 a, u32 at) { return static_cast<u16>((a >> (8 * (at & 3))) & 0xFF); });
  add_row(table, "$word.b16.b64",
          [](u64 a, u32 at) { return static_cast<u16>(a >> (16 * (at & 3))); });
  add_row(table, "$join.b32.b16", [](u16 a, u16 b) { return u32{a} | (u32{b} << 16); });
  add_row(table, "$join.b64.b32", [](u32 a, u32 b) { return u64{a} | (u64{b} << 32); });
  add_row(table, "$join4.b64.b16", [](u16 a, u16 b, u16 c, u16 d) {
    return u64{a} | (u64{b} << 16) | (u64{c} << 32) | (u64{d} << 48);
  });
  add_row(table, "$join4.b32.b8", [](u16 a, u16 b, u16 c, u16 d) {
    return (u32{a} & 0xFF) | ((u32{b} & 0xFF) << 8) | ((u32{c} & 0xFF) << 16) |
           ((u32{d} & 0xFF) << 24);
  });
  add_row(table, "$widen.u.b32.b16", [](u16 a) { return u32{a}; });
  add_row(table, "$widen.u.b64.b16", [](u16 a) { return u64{a}; });
  add_row(table, "$widen.u.b64.b32", [](u32 a) { return u64{a}; });
  add_row(table, "$widen.s.b32.b16", [](s16 a) { return static_cast<u32>(s32{a}); });
  add_row(table, "$widen.s.b64.b16", [](s16 a) { return static_cast<u64>(s64{a}); });
  add_row(table, "$widen.s.b64.b32", [](s32 a) { return static_cast<u64>(s64{a}); });
}

inline void add_all_integer_rows(OpcodeTable& table) {
  add_bit_rows<u16>(table, "b16");
  add_bit_rows<u32>(table, "b32");
  add_bit_rows<u64>(table, "b64");
  add_arithmetic_rows<u16>(table, "u16");
  add_arithmetic_rows<s16>(table, "s16");
  add_arithmetic_rows<u32>(table, "u32");
  add_arithmetic_rows<s32>(table, "s32");
  add_arithmetic_rows<u64>(table, "u64");
  add_arithmetic_rows<s64>(table, "s64");
  for (const char* type : {"b16", "u16", "s16"}) add_select_rows<u16>(table, type);
  for (const char* type : {"b32", "u32", "s32"}) add_select_rows<u32>(table, type);
  for (const char* type : {"b64", "u64", "s64"}) add_select_rows<u64>(table, type);
  add_select_rows<float>(table, "f32");
  add_select_rows<double>(table, "f64");
  for (const char* type : {"b16", "u16"}) add_comparison_rows<u16>(table, type);
  for (const char* type : {"b32", "u32"}) add_comparison_rows<u32>(table, type);
  for (const char* type : {"b64", "u64"}) add_comparison_rows<u64>(table, type);
  add_comparison_rows<s16>(table, "s16");
  add_comparison_rows<s32>(table, "s32");
  add_comparison_rows<s64>(table, "s64");
  add_predicate_rows(table);
  add_shuffle_bit_rows(table);
  add_dot_rows(table);
  add_special_integer_rows(table);
  add_width_rows(table);
}
