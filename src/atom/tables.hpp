#pragma once
// All atom tables, and the proof that every built-in row covers its tile.
#include "atom/family.hpp"

#include <span>
#include <vector>

namespace jute::atom {

/// The tables in order of architecture.
[[nodiscard]] std::span<const std::span<const MmaFamily>> mma_tables();
[[nodiscard]] std::span<const CopyFamily> copy_table();

}  // namespace jute::atom
