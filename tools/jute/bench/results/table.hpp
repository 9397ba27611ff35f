#pragma once
// Results for people, and for programs that read JSON.
#include <string>
#include <vector>

#include "bench/results/results.hpp"
#include "files/json_writer.hpp"

namespace jute::bench {

/// What stands beside a figure whose jute launches overlap.
inline constexpr std::string_view kOverlapNote =
    "jute's launches overlap (programmatic dependent launch), which cuBLASLt cannot be given; "
    "\"pdl off\" has neither side overlap";

/// The machine in one line, and the heads of the columns.
[[nodiscard]] std::string table_header(const Machine& machine);
/// A line for the case, one for each contestant and mode, and what is to be known beside them.
[[nodiscard]] std::string to_table(const CaseReport& report);

/// {"machine": {…}, "cases": [{"case", "problem", "results": [{…}]}]}
[[nodiscard]] Json to_json(const Machine& machine, const std::vector<CaseReport>& reports);

}  // namespace jute::bench
