#pragma once
// A picture of what the device would allow, and what was reached.
#include <jute/base/types.hpp>

#include <optional>
#include <span>
#include <string>

#include "bench/results/results.hpp"

namespace jute::bench {

/// What the chip's units for operands of a type do at most, at the highest clock, dense, with the
/// usual accumulator: its tensor cores, else its threads. Nothing where no clock is known.
[[nodiscard]] std::optional<double> peak_tflops(const Machine& machine, DType operand);

/// SVG: TFLOP/s over operations a byte of the least traffic, both axes logarithmic, below the roof
/// of the device's memory and those of its units for `types`. Dots are jute's contestants in the
/// cool mode, rings their fastest peers.
[[nodiscard]] std::string roofline_chart(const Machine& machine, std::span<const Result> results,
                                         std::span<const DType> types);

}  // namespace jute::bench
