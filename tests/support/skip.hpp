#pragma once
// Tests that need what not every machine has.
#include <iostream>
#include <string>

#include "support/catch.hpp"

namespace jute::test {

/// Says what is missing, and the test is over: ctest lists it as skipped, not as passed (the text
/// is in tests/CMakeLists.txt), and .ci/run takes only the reasons that it knows.
///   example  if (!has_program("fish")) return skip("fish is not installed");
inline void skip(const std::string& reason) {
  std::cout << "SKIPPED: " << reason << std::endl;
  SUCCEED(reason);
}

}  // namespace jute::test
