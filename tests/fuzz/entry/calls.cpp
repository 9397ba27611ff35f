// libFuzzer entry: calls of the C interface.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_calls({data, size});
  return 0;
}
