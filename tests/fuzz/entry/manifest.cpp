// libFuzzer entry: manifests of bundles.
#include "fuzz/targets.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jute::test::fuzz_manifest({data, size});
  return 0;
}
