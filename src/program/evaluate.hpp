#pragma once
// Values of expressions that need no run.
#include <jute/program/number_type.hpp>

#include <functional>
#include <optional>

#include "program/host_value.hpp"
#include "program/macros.hpp"
#include "program/token.hpp"

namespace jute::program {

/// The function that a call names, by its arguments' values.
using CallValue =
    std::function<HostValue(std::string_view name, const std::vector<HostValue>& arguments)>;
/// The answer to `name.size()` and `sizeof(name)`: bytes of memory, then elements.
using MemorySize = std::function<HostValue(MemoryName memory, bool in_elements)>;

struct EvaluationContext {
  const Macros& macros;
  CallValue call = {};
  MemorySize size = {};
  /// The expressions that may still be looked at: macros can grow without bound.
  mutable std::int64_t steps = 100000;
};

/// Numbers, `dim3`, memory; nothing where a part is not known. Integers are of 64 bits, and what
/// leaves them is not known.
[[nodiscard]] HostValue evaluated(CudaTokens tokens, const HostScope& scope,
                                  const EvaluationContext& context, int depth = 0);
/// The type of numbers that a spelling, an alias, a macro or a template's parameter means; of a
/// structure, its bytes: as many of its alignment as it has.
[[nodiscard]] std::optional<NumberType> number_type(std::string_view spelling,
                                                    const HostScope& scope, const Macros& macros);
/// Bytes of one: 16 of a float4.
[[nodiscard]] inline std::int64_t bytes_of(const NumberType& type) {
  return std::int64_t{type.count} * std::int64_t{type.element_bytes};
}
/// Where an expression ends: at a comma, a semicolon or a bracket that closes one before it.
[[nodiscard]] std::size_t expression_end(CudaTokens tokens, std::size_t at);
/// `a, b(c, d), e` cut at its commas, which brackets hide.
[[nodiscard]] std::vector<CudaTokens> listed(CudaTokens tokens);

}  // namespace jute::program
