#pragma once
// Exceptions that a test still allows, by their names: from change to change they may become fewer
// and smaller only.
#include <algorithm>
#include <map>
#include <string>

namespace jute::test {

/// How many things are exceptions, and between which ratios: of what is, to what should be.
struct ExceptionsLeft {
  int count = 0;
  double lowest = 1, highest = 1;
  void add(double ratio) {
    ++count;
    lowest = std::min(lowest, ratio);
    highest = std::max(highest, ratio);
  }
};
using ExceptionsByName = std::map<std::string, ExceptionsLeft>;

/// Holds them to those that the file below tests/golden/plans allows, `NAME: COUNT LOWEST HIGHEST`
/// a line. With JUTE_UPDATE_GOLDEN set the file takes what is less than it has; a file that is not
/// there is written as it is.
///   gives  each name of which there is more than is allowed, or less, which is then to be written
///          down; empty where neither is
[[nodiscard]] std::string exceptions_beyond(const std::string& file, const ExceptionsByName& now);

}  // namespace jute::test
