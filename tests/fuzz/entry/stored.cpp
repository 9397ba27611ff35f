// libFuzzer entry: what other processes say, or have left on disk.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_stored({data, size});
  return 0;
}
