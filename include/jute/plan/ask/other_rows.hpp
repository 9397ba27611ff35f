#pragma once
// A problem for other rows, whose strides follow M.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cstdint>

namespace JUTE_API jute {

/// The treatment of strides that are too short for other rows.
enum class ShortStrides : std::uint8_t {
  aligned,  ///< the shortest that are not, as aligned as they were: plans then hold for both
  packed,   ///< as its strides say, but what is packed is packed for the other rows
};
/// A completed problem for so many rows alone. Strides that fit the last rows of its range stay.
///   throws  illegal_problem: a View has other rows; what completed() throws
[[nodiscard]] Problem for_rows(const Problem& problem, Index m,
                               ShortStrides strides = ShortStrides::aligned);

}  // namespace jute
