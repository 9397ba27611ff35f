// libFuzzer entry: texts of problems.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_problem({data, size});
  return 0;
}
