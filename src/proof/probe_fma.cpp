// The probe of a multiply-add in one thread: C++ where C++ has the type, f32 where it has not.

#include <jute/base/refuse.hpp>

#include <array>

#include "base/format.hpp"
#include "proof/probe_buffers.hpp"

namespace jute::proof {
namespace {

/// How a value type is stored in a probe's buffers and calculated with.
struct FmaType {
  std::string_view name;  ///< of the value type
  std::string_view word;  ///< CUDA type of one buffer word
  int word_bytes = 4;
  int words = 1;
  std::string_view compute;        ///< CUDA type of the calculation
  int exponent = 0, mantissa = 0;  ///< of a type that is calculated in f32
};
// clang-format off
constexpr std::array kTypes = {
FmaType{"f32", "float", 4, 1, "float"},
FmaType{"tf32", "float", 4, 1, "float"},
FmaType{"f64", "double", 8, 1, "double"},
FmaType{"f16", "unsigned short", 2, 1, "float", 5, 10},
FmaType{"bf16", "unsigned short", 2, 1, "float", 8, 7},
FmaType{"e4m3", "unsigned char", 1, 1, "float", 4, 3},
FmaType{"e5m2", "unsigned char", 1, 1, "float", 5, 2},
FmaType{"e2m1", "unsigned char", 1, 1, "float", 2, 1},
FmaType{"e3m2", "unsigned char", 1, 1, "float", 3, 2},
FmaType{"e2m3", "unsigned char", 1, 1, "float", 2, 3},
FmaType{"s8", "signed char", 1, 1, "signed char"},
FmaType{"u8", "unsigned char", 1, 1, "unsigned char"},
FmaType{"s16", "short", 2, 1, "short"},
FmaType{"u16", "unsigned short", 2, 1, "unsigned short"},
FmaType{"s32", "int", 4, 1, "int"},
FmaType{"u32", "unsigned", 4, 1, "unsigned"},
FmaType{"s64", "long long", 8, 1, "long long"},
FmaType{"u64", "unsigned long long", 8, 1, "unsigned long long"},
FmaType{"c32", "float", 4, 2, "Complex<float>"},
FmaType{"c64", "double", 8, 2, "Complex<double>"},
};
// clang-format on

const FmaType& type_row(const ValueType& type) {
  for (const FmaType& row : kTypes)
    if (row.name == type.name) return row;
  jute::refuse(ErrorCode::unsupported, "type", std::string(type.name),
               "a thread's multiply-add needs types of C++, their complex "
               "numbers and floats of 4 to 16 bits");
}

std::string loaded(const FmaType& type, const char* name) {
  if (type.mantissa != 0)
    return base::format("small_to_float<{}, {}>({}_reg[0])", type.exponent, type.mantissa, name);
  if (type.words == 2) return base::format("{0}({1}_reg[0], {1}_reg[1])", type.compute, name);
  return base::format("{}_reg[0]", name);
}

std::string stored(const FmaType& type) {
  if (type.mantissa != 0)
    return base::format("d_reg[0] = float_to_small<{}, {}>(d_value);\n", type.exponent,
                        type.mantissa);
  if (type.words == 2) return "d_reg[0] = d_value.re;\nd_reg[1] = d_value.im;\n";
  return "d_reg[0] = d_value;\n";
}

}  // namespace

Probe fma_probe(const MmaAtom& atom, Arch target, const TemplateSet& templates) {
  if (values_per_thread(atom, Operand::c) != 1)
    jute::refuse(ErrorCode::unsupported, "form", atom.name,
                 "a probe must execute one multiply-add of one thread");
  const FmaType &a = type_row(atom.a_type), &b = type_row(atom.b_type), &c = type_row(atom.c_type),
                &d = type_row(atom.d_type);
  ProbeText text(templates, target);
  text.add_function(Piece(templates, "probe/small_float.cu").text());
  text.add_function(Piece(templates, "probe/complex_number.cu").text());
  const std::string compute(d.compute);
  const auto operand = [&](const FmaType& type, const char* name) {
    text.read_registers(name, type.word, type.word_bytes, type.words);
    text.execute(base::format("const {0} {1}_value = static_cast<{0}>({2});\n", compute, name,
                              loaded(type, name)));
  };
  operand(a, "a");
  operand(b, "b");
  operand(c, "c");
  text.write_registers("d", d.word, d.word_bytes, d.words, ProbeText::Declared::here);
  text.execute(base::format("const {0} d_value = static_cast<{0}>(a_value * b_value + c_value);\n",
                            compute));
  text.execute(stored(d));
  return text.finish(atom.name, "A, B and C: one value of one thread", 1);
}

}  // namespace jute::proof
