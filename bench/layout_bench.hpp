#pragma once
// The parts of layout_bench.

namespace jute::bench {

/// Registers each operation on layouts of up to 10000 leaves.
void register_wide_benchmarks();

}  // namespace jute::bench
