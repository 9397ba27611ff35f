#pragma once
// Where the headers of CUDA lie that kernels include.
#include <string>
#include <vector>

#include "jit/cuda_places.hpp"

namespace jute::jit {

/// The folders in which a compiler finds `<cuda_fp16.h>`, `<cooperative_groups.h>`, `<mma.h>`,
/// `<cuda/std/…>` and `<cub/…>`: those beside `library`, else of the first place that has
/// them, in the order of NVRTC's own search. Toolkits older than 12.8 are passed over. Fewer
/// folders, or none, where headers are missing.
[[nodiscard]] std::vector<std::string> find_headers(const NvrtcPlaces& places,
                                                    const std::string& library);

}  // namespace jute::jit
