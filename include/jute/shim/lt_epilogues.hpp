#pragma once
// cuBLASLt's epilogues as rows of text. Source: cublasLt.h, cublasLtEpilogue_t.
#include <jute/base/export.hpp>

#include <array>
#include <string_view>

namespace JUTE_API jute {

/// {sum} is the scaled sum of products. In the letters of a D that is seen by rows {row} is n,
/// {rows} col_sum[n], {first_sum} and {second_sum} the sums of cuBLAS's A and B over K.
struct LtEpilogueRow {
  int value;
  std::string_view text;
};

// clang-format off
inline constexpr std::array kLtEpilogues{
    LtEpilogueRow{1,   "{sum}"},
    LtEpilogueRow{2,   "relu({sum})"},
    LtEpilogueRow{4,   "{sum} + bias[{row}]"},
    LtEpilogueRow{6,   "relu({sum} + bias[{row}])"},
    LtEpilogueRow{32,  "gelu_tanh({sum})"},
    LtEpilogueRow{36,  "gelu_tanh({sum} + bias[{row}])"},
    LtEpilogueRow{130, "y := {sum}; d = relu(y); aux = bit(y > 0)"},
    LtEpilogueRow{134, "y := {sum} + bias[{row}]; d = relu(y); aux = bit(y > 0)"},
    LtEpilogueRow{136, "select(aux[m,n], {sum}, 0)"},
    LtEpilogueRow{152, "y := select(aux[m,n], {sum}, 0); d = y; dbias = {rows}(y)"},
    LtEpilogueRow{160, "y := {sum}; d = gelu_tanh(y); aux = y"},
    LtEpilogueRow{164, "y := {sum} + bias[{row}]; d = gelu_tanh(y); aux = y"},
    LtEpilogueRow{192, "t := tanh(0.797884561*aux[m,n]*(1 + 0.044715*aux[m,n]*aux[m,n])); ({sum})*(0.5*(1 + t) + 0.5*aux[m,n]*(1 - t*t)*(0.797884561 + 0.107032224*aux[m,n]*aux[m,n]))"},
    LtEpilogueRow{208, "t := tanh(0.797884561*aux[m,n]*(1 + 0.044715*aux[m,n]*aux[m,n])); y := ({sum})*(0.5*(1 + t) + 0.5*aux[m,n]*(1 - t*t)*(0.797884561 + 0.107032224*aux[m,n]*aux[m,n])); d = y; dbias = {rows}(y)"},
    LtEpilogueRow{256, "d = {sum}; dbias = {first_sum}"},
    LtEpilogueRow{512, "d = {sum}; dbias = {second_sum}"},
};
// clang-format on

}  // namespace jute
