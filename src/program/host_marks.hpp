#pragma once
// What tells a program that has a host, and a text in an older spelling than compilers take.
#include <string>
#include <vector>

#include "program/declaration.hpp"

namespace jute::program {

/// A launch, `main`, a call of the runtime, or a name of the standard library that only a host has.
[[nodiscard]] bool has_host_code(CudaTokens tokens);
/// A function marked `__host__` alone.
[[nodiscard]] bool has_host_function(const std::vector<CudaDeclaration>& declarations);

/// A text as compilers of device code take it, its lines kept: without the mark of UTF-8 and
/// `register`, and with a blank behind a string that a word follows.
[[nodiscard]] std::string in_newer_spelling(std::string text);
/// `{.x = 1}` stands somewhere.
[[nodiscard]] bool has_designator(CudaTokens tokens);

}  // namespace jute::program
