#pragma once
// An NVRTC that fails where a test tells it to.
#include <map>
#include <string>
#include <vector>

#include "jit/nvrtc.hpp"

namespace jute::test {

/// What the fake functions answer. One at a time: the functions are plain pointers.
struct FakeNvrtc {
  std::map<std::string, int> status;  ///< by function name; 0 where none is given
  std::string log = "";
  std::string ptx = ".visible .entry k(\n)";
  std::string cubin = "machine code";
  int major = 13;
  int minor = 7;
  std::vector<std::string> options;  ///< of the last compilation
  bool has_error_string = true;
  int compiled = 0;
  int destroyed = 0;
  int created = 0;
};

/// The answers in use until the next call.
FakeNvrtc& fake_nvrtc();
/// A loader that opens anything and has every function but `missing`.
base::LibraryLoader fake_loader(const std::string& missing = {});

}  // namespace jute::test
