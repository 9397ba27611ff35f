#pragma once
// A B of two halves: an epilogue names the sums with one of them `gate`, those with the other
// `acc`.
#include <jute/base/export.hpp>

#include <cstdint>
#include <string_view>

namespace JUTE_API jute {

/// Which columns of B, which has 2N, are the gate's: column n of D is made of one of these and of
/// one of the others.
enum class GateColumns : std::uint8_t {
  halves,  ///< columns 0 … N-1; column N + n is what they gate
  pairs,   ///< columns 0, 2, 4, …; column 2n + 1 is what they gate
};
[[nodiscard]] std::string_view name(GateColumns columns);
/// Reads it.   throws  unknown_name
[[nodiscard]] GateColumns parse_gate_columns(std::string_view text);

}  // namespace jute
