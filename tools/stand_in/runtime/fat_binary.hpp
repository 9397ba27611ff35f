#pragma once
// What nvcc puts into a program beside its host code: kernels in several forms, of which PTX is
// read.
#include <string>
#include <vector>

namespace jute::stand_in {

/// The PTX texts of a fat binary, that of the newest architecture first.
///   needs   `wrapper` is what a program registers
///   lacking what of it was left out, and why; empty: nothing
[[nodiscard]] std::vector<std::string> ptx_of(const void* wrapper, std::string& lacking);

}  // namespace jute::stand_in
