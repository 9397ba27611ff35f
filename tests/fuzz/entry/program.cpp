// libFuzzer entry: CUDA programs.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_program({data, size});
  return 0;
}
