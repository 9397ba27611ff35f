// libFuzzer entry: epilogues.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_epilogue({data, size});
  return 0;
}
