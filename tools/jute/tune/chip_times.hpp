#pragma once
// What of a chip shows in seconds alone: its clock, its memory, the gaps between its kernels.
#include <jute/gemm/context.hpp>

#include <vector>

namespace jute::tune {

/// Of the GPU that the Context has open: what the driver says, and what kernels take. Takes some
/// seconds of full load.
///   throws  no_gpu, driver_failed, launch_failed, out_of_memory
[[nodiscard]] std::vector<OwnFigure> figures_by_times(Context& context, const Settings& settings);

/// Bytes of memory that loops over them read in a second, by 1e9; by the back end's own events.
[[nodiscard]] double memory_read_gb_s(Backend& backend, const Settings& settings, Index bytes);

}  // namespace jute::tune
