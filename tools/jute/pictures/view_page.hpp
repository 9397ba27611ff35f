#pragma once
// The page of `jute view`: one kernel with everything that was decided about it.
#include <jute/launch/source.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <string>
#include <vector>

#include "product/product_run.hpp"

namespace jute::command {

/// For each line of a PTX text the line of the CUDA text that it comes from, by its `.loc`; 0:
/// none.
[[nodiscard]] std::vector<int> source_lines_of(const std::string& ptx);

/// One self-contained HTML page: the plan, the map of shared memory, the kernel in time, pictures
/// of the layouts, CUDA, PTX and machine code side by side with linked lines.
///   `sass` is what a disassembler says, with lines; empty: there is none
///   `first` is a run of the kernel, if there was one
[[nodiscard]] std::string view_page(const Plan& plan, size_t step, const Source& source,
                                    const Binary& binary, const std::string& sass,
                                    const std::optional<FirstLaunch>& first = std::nullopt);

}  // namespace jute::command
