#pragma once
// A kernel's work in the law's units, as columns that coefficients are fitted to.
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The rates of the chip that the law weighs by: sms, issue_slots, load_latency, launch_gap,
/// block_start, of_fastest_clock, seen_mhz; clocks, but for the last two and those of a count.
[[nodiscard]] Fields law_rates(const DeviceInfo& device);

/// family, width, slices, tiles, resident, k_tiles, products, reads, copies, warps, ahead,
/// elements, parts, memory: what bench/fit.py solves from; clocks, what the law says now. Nothing
/// of a kernel that the law does not speak of, or of which whole tiles stand beside cut ones.
[[nodiscard]] std::optional<Fields> law_columns(const GemmStep& step, const DeviceInfo& device);
/// The same names, without values.
[[nodiscard]] std::vector<std::string> law_column_names();

}  // namespace jute
