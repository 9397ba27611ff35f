#pragma once
// One thread's slice of a partitioned tensor.
#include <jute/atom/tiled.hpp>

namespace jute::atom {

/// slice_and_offset for a coordinate that stands for any thread: the nesting of the result is the
/// same for all of them. Where a swizzle can be unfolded, each bit whose step depends on the thread
/// keeps a mode of its own, even if for this thread it would go on where the last one ended.
[[nodiscard]] Partition thread_slice(const IntTuple& coordinate, const ComposedLayout& parts);

/// The layout of the same slice with strides to sort its modes by, when a fragment is laid out for
/// all threads at once: a stride that depends on the thread comes after all others.
[[nodiscard]] Layout thread_order(const IntTuple& coordinate, const ComposedLayout& parts);

}  // namespace jute::atom
