// The cvt family, one scalar function each. Semantics: PTX ISA, cvt. 8-bit values travel in 16-bit
// registers, extended as their type says. Included by the portable and the AVX2 build.
#include "emulator/lane_float_scalar.hpp"
#include "emulator/lane_kernel.hpp"

template <LaneFunction Run, int Mode>
struct Rounded {
  static void run(LaneState& state, const Instruction& instruction, std::uint32_t mask) {
    static LaneFunction volatile opaque = Run;
    std::fesetround(Mode);
    opaque(state, instruction, mask);
    std::fesetround(FE_TONEAREST);
  }
};
template <int Mode, class F, class Result, class... Args>
LaneRow make_rounded_row(Result (F::*call)(Args...) const) {
  LaneRow row = make_row<F>(call);
  row.run = &Rounded<&LaneLoop<F, Result, Args...>::run, Mode>::run;
  return row;
}
template <class F>
void add_rounded_rows(OpcodeTable& table, const std::string& rest, F f) {
  add_row(table, "cvt.rn" + rest, f);
  table.add("cvt.rz" + rest, make_rounded_row<FE_TOWARDZERO, F>(&F::operator()));
  table.add("cvt.rm" + rest, make_rounded_row<FE_DOWNWARD, F>(&F::operator()));
  table.add("cvt.rp" + rest, make_rounded_row<FE_UPWARD, F>(&F::operator()));
}

/// The register type that carries T.
template <class T>
struct CarrierOf {
  using type = T;
};
template <>
struct CarrierOf<u8> {
  using type = u16;
};
template <>
struct CarrierOf<s8> {
  using type = s16;
};
template <class T>
using Carrier = typename CarrierOf<T>::type;
template <class T>
inline constexpr bool kIsSigned = T(-1) < T(0);
template <class T>
constexpr T most() {
  return kIsSigned<T> ? static_cast<T>((u64{1} << (sizeof(T) * 8 - 1)) - 1)
                      : static_cast<T>(~u64{0});
}
template <class T>
constexpr T least() {
  return kIsSigned<T> ? static_cast<T>(u64{1} << (sizeof(T) * 8 - 1)) : T(0);
}

template <class D, class S>
D clamp_integer(S value) {
  const auto wide = static_cast<__int128>(value);
  if (wide > static_cast<__int128>(most<D>())) return most<D>();
  if (wide < static_cast<__int128>(least<D>())) return least<D>();
  return static_cast<D>(value);
}
template <class D, class S>
void add_integer_pair(OpcodeTable& table, const std::string& types) {
  add_row(table, "cvt" + types,
          [](Carrier<S> a) { return static_cast<Carrier<D>>(static_cast<D>(static_cast<S>(a))); });
  add_row(table, "cvt.sat" + types, [](Carrier<S> a) {
    return static_cast<Carrier<D>>(clamp_integer<D>(static_cast<S>(a)));
  });
}

template <Rounding Mode>
double to_integral(double x) {
  if constexpr (Mode == Rounding::nearest)
    return __builtin_rint(x);
  else if constexpr (Mode == Rounding::zero)
    return __builtin_trunc(x);
  else if constexpr (Mode == Rounding::down)
    return __builtin_floor(x);
  else
    return __builtin_ceil(x);
}
/// Saturates; a NaN gives 0 from 16- and 32-bit sources into up to 32 bits, else 1 << (width-1).
template <class D, bool WideSource>
D to_integer(double integral) {
  if (integral != integral)
    return WideSource || sizeof(D) == 8 ? static_cast<D>(u64{1} << (sizeof(D) * 8 - 1)) : D(0);
  if (integral >= static_cast<double>(most<D>())) return most<D>();
  if (integral <= static_cast<double>(least<D>())) return least<D>();
  return static_cast<D>(integral);
}
template <class D, class S, Rounding Mode, bool Ftz, class Value>
void add_to_integer(OpcodeTable& table, const std::string& mode, const std::string& types, Value) {
  const auto f = [](S a) {
    return static_cast<Carrier<D>>(to_integer<D, sizeof(S) == 8>(to_integral<Mode>(Value{}(a))));
  };
  const std::string ftz = Ftz ? ".ftz" : "";
  add_row(table, "cvt" + mode + ftz + types, f);
  add_row(table, "cvt" + mode + ftz + ".sat" + types, f);
}
template <class D, class S, bool Ftz, class Value>
void add_to_integer_modes(OpcodeTable& table, const std::string& types, Value value) {
  add_to_integer<D, S, Rounding::nearest, Ftz>(table, ".rni", types, value);
  add_to_integer<D, S, Rounding::zero, Ftz>(table, ".rzi", types, value);
  add_to_integer<D, S, Rounding::down, Ftz>(table, ".rmi", types, value);
  add_to_integer<D, S, Rounding::up, Ftz>(table, ".rpi", types, value);
}
template <Rounding Mode>
void add_integral_rows(OpcodeTable& table, const std::string& mode) {
  add_row(table, "cvt" + mode + ".f32.f32",
          [](float a) { return canonical(static_cast<float>(to_integral<Mode>(a))); });
  add_row(table, "cvt" + mode + ".ftz.f32.f32",
          [](float a) { return canonical(static_cast<float>(to_integral<Mode>(flush(a)))); });
  add_row(table, "cvt" + mode + ".f64.f64", [](double a) { return to_integral<Mode>(a); });
  add_row(table, "cvt" + mode + ".f16.f16",
          [](Half a) { return to_half(static_cast<float>(to_integral<Mode>(to_float(a)))); });
}

/// An integer as a double that rounds to a narrow float as the integer itself would.
template <class S>
double sticky_double(S value) {
  const bool negative = value < S(0);
  u64 magnitude = negative ? u64{0} - static_cast<u64>(value) : static_cast<u64>(value);
  if (magnitude >> 52 != 0)
    magnitude = (magnitude >> 12 << 12) | ((magnitude & 0xFFF) != 0 ? u64{1} << 12 : 0);
  const auto result = static_cast<double>(magnitude);
  return negative ? -result : result;
}
inline Half half_of(u32 bits) { return {static_cast<u16>(bits)}; }
inline Bfloat bfloat_of(u32 bits) { return {static_cast<u16>(bits)}; }

template <class S>
void add_from_integer(OpcodeTable& table, const std::string& type) {
  using C = Carrier<S>;
  add_rounded_rows(table, ".f32" + type, [](C a) { return static_cast<float>(static_cast<S>(a)); });
  add_rounded_rows(table, ".f64" + type,
                   [](C a) { return static_cast<double>(static_cast<S>(a)); });
  const auto narrow_rows = [&](const char* mode, auto rounding) {
    using R = decltype(rounding);
    add_row(table, std::string("cvt") + mode + ".f16" + type, [](C a) {
      return half_of(round_to_format(sticky_double(static_cast<S>(a)), 5, 10, R::value));
    });
    add_row(table, std::string("cvt") + mode + ".bf16" + type, [](C a) {
      return bfloat_of(round_to_format(sticky_double(static_cast<S>(a)), 8, 7, R::value));
    });
  };
  narrow_rows(".rn", std::integral_constant<Rounding, Rounding::nearest>());
  narrow_rows(".rz", std::integral_constant<Rounding, Rounding::zero>());
  narrow_rows(".rm", std::integral_constant<Rounding, Rounding::down>());
  narrow_rows(".rp", std::integral_constant<Rounding, Rounding::up>());
}

template <class D>
void add_destination(OpcodeTable& table, const std::string& type) {
  add_integer_pair<D, u8>(table, type + ".u8");
  add_integer_pair<D, s8>(table, type + ".s8");
  add_integer_pair<D, u16>(table, type + ".u16");
  add_integer_pair<D, s16>(table, type + ".s16");
  add_integer_pair<D, u32>(table, type + ".u32");
  add_integer_pair<D, s32>(table, type + ".s32");
  add_integer_pair<D, u64>(table, type + ".u64");
  add_integer_pair<D, s64>(table, type + ".s64");
  add_to_integer_modes<D, float, false>(table, type + ".f32", [](float x) { return double{x}; });
  add_to_integer_modes<D, float, true>(table, type + ".f32",
                                       [](float x) { return double{flush(x)}; });
  add_to_integer_modes<D, double, false>(table, type + ".f64", [](double x) { return x; });
  add_to_integer_modes<D, Half, false>(table, type + ".f16",
                                       [](Half x) { return double{to_float(x)}; });
  add_to_integer_modes<D, Bfloat, false>(table, type + ".bf16",
                                         [](Bfloat x) { return double{to_float(x)}; });
  add_from_integer<D>(table, type);
}

// Float to float.
template <bool Sat, bool Relu>
double clamp_float(double x) {
  if constexpr (Sat) return x > 0 ? (x < 1 ? x : 1.0) : 0.0;
  if constexpr (Relu) return x > 0 || x != x ? x : 0.0;
  return x;
}
template <Rounding Mode, bool Sat, bool Relu>
void add_narrowing(OpcodeTable& table, const std::string& prefix) {
  add_row(table, prefix + ".f16.f32",
          [](float a) { return half_of(round_to_format(clamp_float<Sat, Relu>(a), 5, 10, Mode)); });
  add_row(table, prefix + ".f16.f64", [](double a) {
    return half_of(round_to_format(clamp_float<Sat, Relu>(a), 5, 10, Mode));
  });
  add_row(table, prefix + ".bf16.f32", [](float a) {
    return bfloat_of(round_to_format(clamp_float<Sat, Relu>(a), 8, 7, Mode));
  });
  add_row(table, prefix + ".bf16.f64", [](double a) {
    return bfloat_of(round_to_format(clamp_float<Sat, Relu>(a), 8, 7, Mode));
  });
  // Packed: the first source becomes the high half.
  add_row(table, prefix + ".f16x2.f32", [](float a, float b) {
    return (round_to_format(clamp_float<Sat, Relu>(a), 5, 10, Mode) << 16) |
           round_to_format(clamp_float<Sat, Relu>(b), 5, 10, Mode);
  });
  add_row(table, prefix + ".bf16x2.f32", [](float a, float b) {
    return (round_to_format(clamp_float<Sat, Relu>(a), 8, 7, Mode) << 16) |
           round_to_format(clamp_float<Sat, Relu>(b), 8, 7, Mode);
  });
}

/// tf32 keeps 10 mantissa bits; the low 13 of the register are zero.
template <Rounding Mode, bool Relu>
u32 to_tf32(float x) {
  if (x != x) return 0x7FFFFFFFU;
  if (Relu && !(x > 0)) return 0;
  const u32 bits = bits_of(x);
  if ((bits & 0x7F800000U) == 0x7F800000U || Mode == Rounding::zero) return bits & 0xFFFFE000U;
  const u32 bias = Mode == Rounding::away ? 0x1000U : 0xFFFU + ((bits >> 13) & 1);
  return (bits + bias) & 0xFFFFE000U;
}

/// The 8-bit formats: e4m3 has no infinity and NaN 0x7f, e5m2 is the upper byte of f16.
template <bool E4m3, bool Relu>
u32 to_fp8(double x) {
  constexpr int kMantissa = E4m3 ? 3 : 2;
  constexpr int kLeast = E4m3 ? -6 : -14;
  constexpr u32 kLargest = E4m3 ? 0x7E : 0x7B;
  if (x != x) return 0x7F;
  if (Relu && !(x > 0)) return 0;
  const u32 sign = static_cast<u32>(bits_of(x) >> 63) << 7;
  const double magnitude = double_of(bits_of(x) & ~(u64{1} << 63));
  if (magnitude >= (E4m3 ? 448.0 : 57344.0)) return sign | kLargest;
  int exponent = static_cast<int>(bits_of(magnitude) >> 52) - 1023;
  if (exponent < kLeast) exponent = kLeast;
  const double quantum = double_of(static_cast<u64>(exponent - kMantissa + 1023) << 52);
  const auto steps = static_cast<u32>(__builtin_rint(magnitude / quantum));
  return sign | ((static_cast<u32>(exponent - kLeast) << kMantissa) + steps);
}
inline Half from_e4m3(u32 byte) {
  const u32 magnitude = byte & 0x7F;
  if (magnitude == 0x7F) return {0x7FFF};
  const u32 exponent = magnitude >> 3;
  const double value = exponent == 0 ? (magnitude & 7) * 0x1p-9
                                     : static_cast<double>(8 + (magnitude & 7)) *
                                           double_of(static_cast<u64>(exponent - 10 + 1023) << 52);
  const u32 bits = round_to_format(value, 5, 10, Rounding::nearest);
  return half_of(bits | ((byte & 0x80) << 8));
}
inline Half from_e5m2(u32 byte) { return half_of((byte & 0x7F) > 0x7C ? 0x7FFF : byte << 8); }

template <bool E4m3, bool Relu>
void add_to_fp8_rows(OpcodeTable& table, const std::string& type) {
  const std::string prefix = std::string("cvt.rn.satfinite") + (Relu ? ".relu" : "") + type;
  add_row(table, prefix + ".f32", [](float a, float b) {
    return static_cast<u16>((to_fp8<E4m3, Relu>(a) << 8) | to_fp8<E4m3, Relu>(b));
  });
  add_row(table, prefix + ".f16x2", [](u32 a) {
    const double high = to_float(half_of(a >> 16));
    const double low = to_float(half_of(a));
    return static_cast<u16>((to_fp8<E4m3, Relu>(high) << 8) | to_fp8<E4m3, Relu>(low));
  });
}
template <bool E4m3, bool Relu>
void add_from_fp8_rows(OpcodeTable& table, const std::string& type) {
  add_row(table, std::string("cvt.rn") + (Relu ? ".relu" : "") + ".f16x2" + type, [](u16 a) {
    u32 low = E4m3 ? from_e4m3(a & 0xFFU).bits : from_e5m2(a & 0xFFU).bits;
    u32 high = E4m3 ? from_e4m3(a >> 8).bits : from_e5m2(a >> 8).bits;
    if (Relu && (low & 0x8000U) != 0) low = 0;
    if (Relu && (high & 0x8000U) != 0) high = 0;
    return (high << 16) | low;
  });
}

inline void add_widening_rows(OpcodeTable& table) {
  add_row(table, "cvt.f32.f16", [](Half a) { return to_float(a); });
  add_row(table, "cvt.ftz.f32.f16", [](Half a) { return to_float(a); });
  add_row(table, "cvt.f64.f16", [](Half a) { return static_cast<double>(to_float(a)); });
  add_row(table, "cvt.f32.bf16", [](Bfloat a) { return to_float(a); });
  add_row(table, "cvt.ftz.f32.bf16", [](Bfloat a) { return flush(to_float(a)); });
  add_row(table, "cvt.f64.bf16", [](Bfloat a) { return static_cast<double>(to_float(a)); });
  add_row(table, "cvt.f64.f32", [](float a) { return static_cast<double>(a); });
  add_row(table, "cvt.ftz.f64.f32", [](float a) { return static_cast<double>(flush(a)); });
  add_row(table, "cvt.f32.f32", [](float a) { return a; });
  add_row(table, "cvt.ftz.f32.f32", [](float a) { return flush(a); });
  add_row(table, "cvt.sat.f32.f32", [](float a) { return saturate_if<true>(a); });
  add_row(table, "cvt.ftz.sat.f32.f32", [](float a) { return saturate_if<true>(flush(a)); });
  add_row(table, "cvt.sat.f64.f64", [](double a) { return saturate_if<true>(a); });
  add_rounded_rows(table, ".f32.f64", [](double a) { return canonical(static_cast<float>(a)); });
  add_rounded_rows(table, ".ftz.f32.f64",
                   [](double a) { return flush(canonical(static_cast<float>(a))); });
  add_rounded_rows(table, ".sat.f32.f64",
                   [](double a) { return saturate_if<true>(static_cast<float>(a)); });
}
inline void add_narrowing_rows(OpcodeTable& table) {
  add_narrowing<Rounding::nearest, false, false>(table, "cvt.rn");
  add_narrowing<Rounding::nearest, true, false>(table, "cvt.rn.sat");
  add_narrowing<Rounding::nearest, false, true>(table, "cvt.rn.relu");
  add_narrowing<Rounding::zero, false, false>(table, "cvt.rz");
  add_narrowing<Rounding::zero, false, true>(table, "cvt.rz.relu");
  add_narrowing<Rounding::down, false, false>(table, "cvt.rm");
  add_narrowing<Rounding::up, false, false>(table, "cvt.rp");
  // Round to nearest has faster texts for the frequent ones.
  add_row(table, "cvt.rn.f16.f32", [](float a) { return to_half(a); });
  add_row(table, "cvt.rn.bf16.f32", [](float a) { return to_bfloat(a); });
  add_row(table, "cvt.rn.f16x2.f32",
          [](float a, float b) { return (u32{to_half(a).bits} << 16) | to_half(b).bits; });
  add_row(table, "cvt.rn.bf16x2.f32",
          [](float a, float b) { return (u32{to_bfloat(a).bits} << 16) | to_bfloat(b).bits; });
  add_row(table, "cvt.rna.tf32.f32", [](float a) { return to_tf32<Rounding::away, false>(a); });
  add_row(table, "cvt.rn.tf32.f32", [](float a) { return to_tf32<Rounding::nearest, false>(a); });
  add_row(table, "cvt.rz.tf32.f32", [](float a) { return to_tf32<Rounding::zero, false>(a); });
  add_row(table, "cvt.rn.relu.tf32.f32",
          [](float a) { return to_tf32<Rounding::nearest, true>(a); });
  add_row(table, "cvt.rz.relu.tf32.f32", [](float a) { return to_tf32<Rounding::zero, true>(a); });
}

inline void add_all_convert_rows(OpcodeTable& table) {
  add_destination<u8>(table, ".u8");
  add_destination<s8>(table, ".s8");
  add_destination<u16>(table, ".u16");
  add_destination<s16>(table, ".s16");
  add_destination<u32>(table, ".u32");
  add_destination<s32>(table, ".s32");
  add_destination<u64>(table, ".u64");
  add_destination<s64>(table, ".s64");
  add_widening_rows(table);
  add_narrowing_rows(table);
  add_integral_rows<Rounding::nearest>(table, ".rni");
  add_integral_rows<Rounding::zero>(table, ".rzi");
  add_integral_rows<Rounding::down>(table, ".rmi");
  add_integral_rows<Rounding::up>(table, ".rpi");
  add_to_fp8_rows<true, false>(table, ".e4m3x2");
  add_to_fp8_rows<true, true>(table, ".e4m3x2");
  add_to_fp8_rows<false, false>(table, ".e5m2x2");
  add_to_fp8_rows<false, true>(table, ".e5m2x2");
  add_from_fp8_rows<true, false>(table, ".e4m3x2");
  add_from_fp8_rows<true, true>(table, ".e4m3x2");
  add_from_fp8_rows<false, false>(table, ".e5m2x2");
  add_from_fp8_rows<false, true>(table, ".e5m2x2");
}
