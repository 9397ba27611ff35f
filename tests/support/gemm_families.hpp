#pragma once
// The operand and accumulator types that whole GEMMs are tested with.
#include "support/random_problem.hpp"

#include <array>
#include <stdexcept>
#include <string_view>

namespace jute::test {

struct TypeFamily {
  std::string_view name;
  CaseTypes types;
};

// clang-format off
inline constexpr std::array<TypeFamily, 11> kTypeFamilies{{
  //                    A            B            C            D            accumulate
  {"f32",              {DType::f32,  DType::f32,  DType::f32,  DType::f32,  DType::f32}},
  {"f64",              {DType::f64,  DType::f64,  DType::f64,  DType::f64,  DType::f64}},
  {"tf32",             {DType::tf32, DType::tf32, DType::f32,  DType::f32,  DType::f32}},
  {"bf16",             {DType::bf16, DType::bf16, DType::bf16, DType::bf16, DType::f32}},
  {"bf16 to f32",      {DType::bf16, DType::bf16, DType::bf16, DType::f32,  DType::f32}},
  {"f16",              {DType::f16,  DType::f16,  DType::f16,  DType::f16,  DType::f32}},
  {"f16 in f16",       {DType::f16,  DType::f16,  DType::f16,  DType::f16,  DType::f16}},
  {"e4m3",             {DType::e4m3, DType::e4m3, DType::bf16, DType::bf16, DType::f32}},
  {"e5m2 by e4m3",     {DType::e5m2, DType::e4m3, DType::f32,  DType::f32,  DType::f32}},
  {"s8",               {DType::s8,   DType::s8,   DType::s32,  DType::s32,  DType::s32}},
  {"u8 by s8",         {DType::u8,   DType::s8,   DType::s32,  DType::s32,  DType::s32}},
}};
// clang-format on

/// By its name, which must be there.
[[nodiscard]] constexpr const TypeFamily& family_of(std::string_view name) {
  for (const TypeFamily& family : kTypeFamilies)
    if (family.name == name) return family;
  throw std::out_of_range("a family's name must be one of kTypeFamilies");
}

}  // namespace jute::test
