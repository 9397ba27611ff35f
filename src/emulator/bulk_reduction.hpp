#pragma once
// What cp.reduce.async.bulk does to one element.
#include "emulator/program.hpp"

#include <jute/base/types.hpp>

#include <cstddef>

namespace jute::emulator {

/// Combines the element at `from` into the one at `to`.
void reduce_element(BulkUse::Reduction reduction, DType type, std::byte* to, const std::byte* from);

}  // namespace jute::emulator
