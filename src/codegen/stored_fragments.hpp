#pragma once
// Fragments of A that threads make of what TMA has brought as it is stored.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// The piece of who says that a stage is read, and to whom. Words of it warps read one by one.
[[nodiscard]] const char* path_of_release(const GemmStep& step);
/// Parts of a k-tile, and a thread's rows, words and numbers in each.
[[nodiscard]] std::string stored_constants(const GemmStep& step, const OperandSide& side);
/// Where a thread's words lie, computed once.
[[nodiscard]] std::string stored_places(const Kernel& kernel);
/// All k-tiles of a tile; `meanwhile` behind the products of each.
[[nodiscard]] std::string stored_products(const Kernel& kernel, const std::string& meanwhile);

}  // namespace jute::codegen
