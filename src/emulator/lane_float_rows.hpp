// Floating-point opcodes, one scalar function each. Semantics: PTX ISA, floating-point, half
// precision and comparison instructions. Included by the portable and the AVX2 build.
#include "emulator/lane_float_scalar.hpp"
#include "emulator/lane_kernel.hpp"

// Directed rounding: the same loop under another rounding mode of the processor. It is not inlined,
// so that no operation moves across the changes of mode.
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
/// op.rn, op.rz, op.rm, op.rp with what follows the mode in the opcode.
template <class F>
void add_rounded_rows(OpcodeTable& table, const std::string& op, const std::string& rest, F f) {
  add_row(table, op + ".rn" + rest, f);
  table.add(op + ".rz" + rest, make_rounded_row<FE_TOWARDZERO, F>(&F::operator()));
  table.add(op + ".rm" + rest, make_rounded_row<FE_DOWNWARD, F>(&F::operator()));
  table.add(op + ".rp" + rest, make_rounded_row<FE_UPWARD, F>(&F::operator()));
}

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class T, bool Ftz, bool Sat>
void add_arithmetic_rows(OpcodeTable& table, const std::string& rest) {
  const auto in = [](T x) { return flush_if<Ftz>(x); };
  using In = decltype(in);
  const auto add = [](T a, T b) { return finish<Ftz, Sat>(In{}(a) + In{}(b)); };
  const auto sub = [](T a, T b) { return finish<Ftz, Sat>(In{}(a)-In{}(b)); };
  const auto mul = [](T a, T b) { return finish<Ftz, Sat>(In{}(a)*In{}(b)); };
  const auto fma = [](T a, T b, T c) { return finish<Ftz, Sat>(fused(In{}(a), In{}(b), In{}(c))); };
  add_row(table, "add" + rest, add);
  add_row(table, "sub" + rest, sub);
  add_row(table, "mul" + rest, mul);
  add_rounded_rows(table, "add", rest, add);
  add_rounded_rows(table, "sub", rest, sub);
  add_rounded_rows(table, "mul", rest, mul);
  add_rounded_rows(table, "fma", rest, fma);
  add_rounded_rows(table, "mad", rest, fma);
}

template <class T, bool Ftz>
void add_root_rows(OpcodeTable& table, const std::string& rest) {
  const auto in = [](T x) { return flush_if<Ftz>(x); };
  using In = decltype(in);
  add_rounded_rows(table, "div", rest,
                   [](T a, T b) { return finish<Ftz, false>(In{}(a) / In{}(b)); });
  add_rounded_rows(table, "rcp", rest, [](T a) { return finish<Ftz, false>(T(1) / In{}(a)); });
  add_rounded_rows(table, "sqrt", rest, [](T a) {
    if constexpr (sizeof(T) == 4)
      return finish<Ftz, false>(__builtin_sqrtf(In{}(a)));
    else
      return __builtin_sqrt(a);
  });
}

inline bool is_negative(float x) { return (bits_of(x) >> 31) != 0; }
inline bool is_negative(double x) { return (bits_of(x) >> 63) != 0; }

/// The smaller of two, -0 below +0; a NaN loses unless it is asked for.
template <bool Nan, class T>
T smaller(T a, T b) {
  if constexpr (Nan)
    if (a != a || b != b) return canonical(a + b);
  if (a != a) return canonical(b);
  if (b != b) return a;
  if (a == b) return is_negative(a) ? a : b;
  return a < b ? a : b;
}
template <bool Nan, class T>
T larger(T a, T b) {
  const T result = -smaller<Nan>(-a, -b);
  return canonical(result);
}
inline float with_xor_sign(float a, float b, float magnitude) {
  if (magnitude != magnitude) return canonical(magnitude);
  return float_of(bits_of(magnitude) ^ ((bits_of(a) ^ bits_of(b)) & 0x80000000U));
}
template <class T>
T magnitude_of(T x) {
  if constexpr (sizeof(T) == 4)
    return float_of(bits_of(x) & 0x7FFFFFFFU);
  else
    return double_of(bits_of(x) & ~(u64{1} << 63));
}

template <class T, bool Ftz>
void add_order_rows(OpcodeTable& table, const std::string& rest) {
  const auto in = [](T x) { return flush_if<Ftz>(x); };
  using In = decltype(in);
  add_row(table, "min" + rest, [](T a, T b) { return smaller<false>(In{}(a), In{}(b)); });
  add_row(table, "max" + rest, [](T a, T b) { return larger<false>(In{}(a), In{}(b)); });
  add_row(table, "abs" + rest, [](T a) { return magnitude_of(In{}(a)); });
  add_row(table, "neg" + rest, [](T a) { return -In{}(a); });
  if constexpr (sizeof(T) == 4) {
    add_row(table, "min.NaN" + rest, [](T a, T b) { return smaller<true>(In{}(a), In{}(b)); });
    add_row(table, "max.NaN" + rest, [](T a, T b) { return larger<true>(In{}(a), In{}(b)); });
    add_row(table, "min.xorsign.abs" + rest, [](T a, T b) {
      return with_xor_sign(a, b, smaller<false>(magnitude_of(In{}(a)), magnitude_of(In{}(b))));
    });
    add_row(table, "max.xorsign.abs" + rest, [](T a, T b) {
      return with_xor_sign(a, b, larger<false>(magnitude_of(In{}(a)), magnitude_of(In{}(b))));
    });
  }
}

// The approximate functions: correctly rounded in f32 where f64 allows it. Hardware differs from
// them within the error that the ISA states for each.
template <bool Ftz>
void add_approximate_rows(OpcodeTable& table, const std::string& rest) {
  const auto in = [](float x) { return static_cast<double>(flush_if<Ftz>(x)); };
  using In = decltype(in);
  const auto out = [](double x) { return finish<Ftz, false>(static_cast<float>(x)); };
  using Out = decltype(out);
  add_row(table, "div.approx" + rest, [](float a, float b) { return Out{}(In{}(a) / In{}(b)); });
  add_row(table, "div.full" + rest, [](float a, float b) { return Out{}(In{}(a) / In{}(b)); });
  add_row(table, "rcp.approx" + rest, [](float a) { return Out{}(1.0 / In{}(a)); });
  add_row(table, "sqrt.approx" + rest, [](float a) { return Out{}(__builtin_sqrt(In{}(a))); });
  add_row(table, "rsqrt.approx" + rest,
          [](float a) { return Out{}(1.0 / __builtin_sqrt(In{}(a))); });
  add_row(table, "ex2.approx" + rest, [](float a) { return Out{}(__builtin_exp2(In{}(a))); });
  add_row(table, "lg2.approx" + rest, [](float a) { return Out{}(__builtin_log2(In{}(a))); });
  add_row(table, "sin.approx" + rest, [](float a) { return Out{}(__builtin_sin(In{}(a))); });
  add_row(table, "cos.approx" + rest, [](float a) { return Out{}(__builtin_cos(In{}(a))); });
  add_row(table, "tanh.approx" + rest, [](float a) { return Out{}(__builtin_tanh(In{}(a))); });
}

template <class T, class Value>
void add_comparison_rows(OpcodeTable& table, const std::string& rest, Value) {
  const auto compare = [&](const char* op, auto f) {
    using F = decltype(f);
    add_row(table, std::string("setp.") + op + rest,
            [](T a, T b) { return F{}(Value{}(a), Value{}(b)); });
  };
  using V = decltype(Value{}(T{}));
  compare("eq", [](V a, V b) { return a == b; });
  compare("ne", [](V a, V b) { return a < b || a > b; });
  compare("lt", [](V a, V b) { return a < b; });
  compare("le", [](V a, V b) { return a <= b; });
  compare("gt", [](V a, V b) { return a > b; });
  compare("ge", [](V a, V b) { return a >= b; });
  compare("equ", [](V a, V b) { return !(a < b || a > b); });
  compare("neu", [](V a, V b) { return a != b; });
  compare("ltu", [](V a, V b) { return !(a >= b); });
  compare("leu", [](V a, V b) { return !(a > b); });
  compare("gtu", [](V a, V b) { return !(a <= b); });
  compare("geu", [](V a, V b) { return !(a < b); });
  compare("num", [](V a, V b) { return a == a && b == b; });
  compare("nan", [](V a, V b) { return a != a || b != b; });
}

template <class T>
void add_class_rows(OpcodeTable& table, const std::string& rest) {
  constexpr T kLeastNormal = sizeof(T) == 4 ? T(0x1p-126F) : static_cast<T>(0x1p-1022);
  const auto finite = [](T x) { return x - x == 0; };
  using Finite = decltype(finite);
  add_row(table, "testp.finite" + rest, [](T a) { return Finite{}(a); });
  add_row(table, "testp.infinite" + rest, [](T a) { return a == a && !Finite{}(a); });
  add_row(table, "testp.number" + rest, [](T a) { return a == a; });
  add_row(table, "testp.notanumber" + rest, [](T a) { return a != a; });
  add_row(table, "testp.normal" + rest,
          [](T a) { return Finite{}(a) && magnitude_of(a) >= kLeastNormal; });
  add_row(table, "testp.subnormal" + rest,
          [](T a) { return a != 0 && magnitude_of(a) < kLeastNormal; });
  add_row(table, "copysign" + rest,
          [](T a, T b) { return is_negative(a) ? -magnitude_of(b) : magnitude_of(b); });
}

// 16-bit types. A one-value function of floats becomes a scalar row and a packed one.
template <class H>
H flush_half(H x) {
  const u16 exponent = __is_same(H, Half) ? 0x7C00 : 0x7F80;
  return {static_cast<u16>((x.bits & exponent) == 0 ? x.bits & 0x8000 : x.bits)};
}
template <class H, bool Ftz, bool Sat, bool Relu>
H finish_half(float value) {
  value = saturate_if<Sat>(value);
  if constexpr (Relu) value = value > 0 || value != value ? value : 0.0F;
  H result;
  narrow(value, result);
  return Ftz ? flush_half(result) : result;
}
template <class H, class F>
u32 by_pairs(u32 a, u32 b, u32 c, F) {
  const H low = F{}(H{static_cast<u16>(a)}, H{static_cast<u16>(b)}, H{static_cast<u16>(c)});
  const H high =
      F{}(H{static_cast<u16>(a >> 16)}, H{static_cast<u16>(b >> 16)}, H{static_cast<u16>(c >> 16)});
  return u32{low.bits} | (u32{high.bits} << 16);
}
/// Rows of 1, 2 or 3 operands for `type` and `typex2` from one function (H, H, H) -> H.
template <class H, int Count, class F>
void add_half_rows(OpcodeTable& table, const std::string& op, const std::string& type, F) {
  if constexpr (Count == 1) {
    add_row(table, op + type, [](H a) { return F{}(a, a, a); });
    add_row(table, op + type + "x2", [](u32 a) { return by_pairs<H>(a, a, a, F{}); });
  } else if constexpr (Count == 2) {
    add_row(table, op + type, [](H a, H b) { return F{}(a, b, b); });
    add_row(table, op + type + "x2", [](u32 a, u32 b) { return by_pairs<H>(a, b, b, F{}); });
  } else {
    add_row(table, op + type, [](H a, H b, H c) { return F{}(a, b, c); });
    add_row(table, op + type + "x2", [](u32 a, u32 b, u32 c) { return by_pairs<H>(a, b, c, F{}); });
  }
}
template <class H, bool Ftz, bool Sat>
void add_half_arithmetic(OpcodeTable& table, const std::string& suffix, const std::string& type) {
  const auto in = [](H x) { return to_float(Ftz ? flush_half(x) : x); };
  using In = decltype(in);
  for (const char* round : {"", ".rn"}) {
    const std::string rest = round + suffix;
    add_half_rows<H, 2>(table, "add" + rest, type, [](H a, H b, H) {
      return finish_half<H, Ftz, Sat, false>(In{}(a) + In{}(b));
    });
    add_half_rows<H, 2>(table, "sub" + rest, type, [](H a, H b, H) {
      return finish_half<H, Ftz, Sat, false>(In{}(a)-In{}(b));
    });
    add_half_rows<H, 2>(table, "mul" + rest, type, [](H a, H b, H) {
      return finish_half<H, Ftz, Sat, false>(
          round_to_odd(static_cast<double>(In{}(a)) * static_cast<double>(In{}(b))));
    });
  }
  add_half_rows<H, 3>(table, "fma.rn" + suffix, type, [](H a, H b, H c) {
    return finish_half<H, Ftz, Sat, false>(fma_to_odd(In{}(a), In{}(b), In{}(c)));
  });
  if constexpr (!Sat) {
    add_half_rows<H, 3>(table, "fma.rn" + suffix + ".relu", type, [](H a, H b, H c) {
      return finish_half<H, Ftz, false, true>(fma_to_odd(In{}(a), In{}(b), In{}(c)));
    });
  }
}
template <class H>
void add_half_order(OpcodeTable& table, const std::string& type) {
  add_half_rows<H, 2>(table, "min", type, [](H a, H b, H) {
    return finish_half<H, false, false, false>(smaller<false>(to_float(a), to_float(b)));
  });
  add_half_rows<H, 2>(table, "max", type, [](H a, H b, H) {
    return finish_half<H, false, false, false>(larger<false>(to_float(a), to_float(b)));
  });
  add_half_rows<H, 2>(table, "min.NaN", type, [](H a, H b, H) {
    return finish_half<H, false, false, false>(smaller<true>(to_float(a), to_float(b)));
  });
  add_half_rows<H, 2>(table, "max.NaN", type, [](H a, H b, H) {
    return finish_half<H, false, false, false>(larger<true>(to_float(a), to_float(b)));
  });
  add_half_rows<H, 1>(table, "neg", type,
                      [](H a, H, H) { return H{static_cast<u16>(a.bits ^ 0x8000)}; });
  add_half_rows<H, 1>(table, "abs", type,
                      [](H a, H, H) { return H{static_cast<u16>(a.bits & 0x7FFF)}; });
  add_half_rows<H, 1>(table, "tanh.approx", type, [](H a, H, H) {
    return finish_half<H, false, false, false>(static_cast<float>(__builtin_tanh(to_float(a))));
  });
  const char* ex2 = __is_same(H, Half) ? "ex2.approx" : "ex2.approx.ftz";
  add_half_rows<H, 1>(table, ex2, type, [](H a, H, H) {
    return finish_half<H, false, false, false>(static_cast<float>(__builtin_exp2(to_float(a))));
  });
  add_comparison_rows<H>(table, type, [](H x) { return to_float(x); });
}

inline void add_f32_rows(OpcodeTable& table) {
  add_arithmetic_rows<float, false, false>(table, ".f32");
  add_arithmetic_rows<float, true, false>(table, ".ftz.f32");
  add_arithmetic_rows<float, false, true>(table, ".sat.f32");
  add_arithmetic_rows<float, true, true>(table, ".ftz.sat.f32");
  add_root_rows<float, false>(table, ".f32");
  add_root_rows<float, true>(table, ".ftz.f32");
  add_order_rows<float, false>(table, ".f32");
  add_order_rows<float, true>(table, ".ftz.f32");
  add_approximate_rows<false>(table, ".f32");
  add_approximate_rows<true>(table, ".ftz.f32");
  add_comparison_rows<float>(table, ".f32", [](float x) { return x; });
  add_comparison_rows<float>(table, ".ftz.f32", [](float x) { return flush(x); });
  add_class_rows<float>(table, ".f32");
}
inline void add_f64_rows(OpcodeTable& table) {
  add_arithmetic_rows<double, false, false>(table, ".f64");
  add_root_rows<double, false>(table, ".f64");
  add_order_rows<double, false>(table, ".f64");
  add_comparison_rows<double>(table, ".f64", [](double x) { return x; });
  add_class_rows<double>(table, ".f64");
  // The approximate f64 forms keep the upper half of the result only.
  const auto upper = [](double x) { return double_of(bits_of(x) & 0xFFFFFFFF00000000ULL); };
  using Upper = decltype(upper);
  add_row(table, "rcp.approx.ftz.f64", [](double a) { return Upper{}(1.0 / Upper{}(a)); });
  add_row(table, "rsqrt.approx.ftz.f64",
          [](double a) { return Upper{}(1.0 / __builtin_sqrt(Upper{}(a))); });
  add_row(table, "rsqrt.approx.f64", [](double a) { return 1.0 / __builtin_sqrt(a); });
}

inline void add_all_float_rows(OpcodeTable& table) {
  add_f32_rows(table);
  add_f64_rows(table);
  add_half_arithmetic<Half, false, false>(table, "", ".f16");
  add_half_arithmetic<Half, true, false>(table, ".ftz", ".f16");
  add_half_arithmetic<Half, false, true>(table, ".sat", ".f16");
  add_half_arithmetic<Bfloat, false, false>(table, "", ".bf16");
  add_half_order<Half>(table, ".f16");
  add_half_order<Bfloat>(table, ".bf16");
}
