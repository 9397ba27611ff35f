// libFuzzer entry: chains of layout operations.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_operations({data, size});
  return 0;
}
