#pragma once
// Results as lines of a CSV file, which later runs append to.
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/results.hpp"

namespace jute::bench {

/// The cells of one line; what stands in quotes is one.
[[nodiscard]] std::vector<std::string> csv_cells(std::string_view line);
/// The names of the columns, with a line end.
[[nodiscard]] std::string csv_header();
/// One line, with its end; texts with commas are quoted, line ends in them become blanks.
[[nodiscard]] std::string to_csv(const Result& result);
/// Reads what to_csv wrote, with or without the header.
///   throws  bad_file
[[nodiscard]] std::vector<Result> results_of_csv(std::string_view text, const std::string& file);

}  // namespace jute::bench
