#pragma once
// Kernels that multiply operands as they lie, or behind copies of them.
#include "plan/choose/planning.hpp"

#include <optional>

namespace jute::plan {

/// Of few rows, which a tile covers, so that weights are read once: kernels that load stored
/// elements straight from memory and convert them in registers.
[[nodiscard]] std::optional<Options> straight_from_memory(const Planning& planning);

/// Of more rows: kernels that convert what is stored on the way to where instructions find it: in
/// registers, or else in shared memory.
[[nodiscard]] std::optional<Options> converted_by_threads(const Planning& planning);

/// Whatever multiplies whole operands: as they lie, copied, converted by copies, by Views.
///   gives  `most` candidates at least, if there are as many
[[nodiscard]] Options whole_options(const Planning& planning, size_t most);

/// What is packed and unpacked around the product, and what that takes then.
[[nodiscard]] double clocks_behind_copies(const Options& options, const Planning& planning);

}  // namespace jute::plan
