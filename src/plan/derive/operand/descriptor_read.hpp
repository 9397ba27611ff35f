#pragma once
// How wgmma finds an operand in shared memory.
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace jute::plan {

/// Descriptors of every block of an operand that an instruction reads; nothing where the layout has
/// none, or the blocks differ in more than where they begin.
[[nodiscard]] std::optional<DescriptorRead> descriptor_read(const TiledMma& mma, Operand operand,
                                                            const Fragment& fragment,
                                                            const ComposedLayout& smem);

}  // namespace jute::plan
