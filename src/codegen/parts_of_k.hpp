#pragma once
// Sums of threads that share out K, on their way to those that drain.
#include "codegen/kernel.hpp"

namespace jute::codegen {

[[nodiscard]] std::string parts_of_k_constants(const Kernel& kernel);

/// `drain` by those who hold sums of all of K: every thread, where none shares K with another.
[[nodiscard]] std::string drained_by_first(const Kernel& kernel, std::string drain);

}  // namespace jute::codegen
