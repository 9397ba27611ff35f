// The kernels of tests/kernels on a real GPU: what they leave is what the reference and the
// emulator say, bit for bit.
#include <jute/device/device.hpp>

#include "kernels/case_run.hpp"
#include "support/compiler.hpp"
#include "support/gpu.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Empty when GPU, emulator and reference agree.
std::string disagreement(Backend& gpu, const Compiler& compiler, const KernelCase& kernel_case) {
  const std::vector<Binary> binaries = compile(compiler, kernel_case, Output::ptx_and_cubin);
  const auto measured = run(gpu, kernel_case, binaries);
  if (const std::string wrong = first_difference(kernel_case, measured); !wrong.empty())
    return "GPU and reference: " + wrong;
  const auto emulator = open_emulator();
  return run(*emulator, kernel_case, binaries) == measured ? "" : "emulator and GPU differ";
}

}  // namespace

TEST_CASE("kernels of every Hopper feature leave the same bits on GPU, emulator and reference",
          "[gpu][kernels]") {
  for (const KernelCase& kernel_case : kernel_cases()) {
    INFO(kernel_case.name);
    CHECK(on_gpu(
              [&] {
                const auto gpu = open_device();
                return disagreement(*gpu, test_compiler(), kernel_case);
              },
              60) == "");
  }
}
