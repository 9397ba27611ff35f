#pragma once
// What a race has shown, as a table, JSON and pictures.
#include <jute/base/types.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/json_writer.hpp"
#include "race/results/results.hpp"

namespace jute::bench {

/// The mark of a figure whose jute launches overlap.
inline constexpr std::string_view kOverlapNote =
    "jute's launches overlap (programmatic dependent launch), which cuBLASLt cannot be given; "
    "\"pdl off\" has neither side overlap";

/// The machine in one line, and the heads of the columns.
[[nodiscard]] std::string table_header(const Machine& machine);
/// A line for the case, one for each contestant and mode, and what is to be known beside them.
[[nodiscard]] std::string to_table(const CaseReport& report);

/// {"machine": {…}, "cases": [{"case", "problem", "results": [{…}]}]}
[[nodiscard]] Json to_json(const Machine& machine, const std::vector<CaseReport>& reports);

/// SVG: a bar for each of jute's contestants in each mode, as long as the fastest peer's time over
/// its own, the best first; a line marks the peer, 1. What has no ratio, or a wrong result, is left
/// out.
[[nodiscard]] std::string ratio_chart(const Machine& machine, std::span<const Result> results);

/// The most that a chip's units for operands of a type do, at the highest clock, dense, with the
/// usual accumulator: its tensor cores, else its threads. Nothing where no clock is known.
[[nodiscard]] std::optional<double> peak_tflops(const Machine& machine, DType operand);

/// SVG: TFLOP/s over operations a byte of the least traffic, both axes logarithmic, below the roof
/// of the device's memory and those of its units for `types`. Dots are jute's contestants in the
/// cool mode, rings their fastest peers.
[[nodiscard]] std::string roofline_chart(const Machine& machine, std::span<const Result> results,
                                         std::span<const DType> types);

}  // namespace jute::bench
