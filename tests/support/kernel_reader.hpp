#pragma once
// Reads a generated kernel for what compilers let pass and readers stumble over.
#include <string>
#include <vector>

namespace jute::test {

/// What is wrong, a line each, with the line's number:
///   branch    a condition that has one value whatever a launch says
///   zero      a product with a factor that is always zero
///   shadowed  a variable whose name a variable around it has
///   unread    a value that is put into a variable and that nothing reads
[[nodiscard]] std::vector<std::string> text_faults(const std::string& kernel);

}  // namespace jute::test
