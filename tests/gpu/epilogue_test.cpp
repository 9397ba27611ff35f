// Epilogues of every form on the GPU: within their bounds, and bit-equal to the emulator but for
// functions that are approximate.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/epilogue_cases.hpp"
#include "support/gpu.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/epilogue/operations.hpp>

#include <algorithm>

using namespace jute;
using namespace jute::test;

namespace {

bool is_approximate(const EpilogueExpression& expression) {
  return std::ranges::any_of(expression.nodes, [](const EpilogueNode& node) {
    return operation(node.op).is_approximate();
  });
}

std::string differences_of_epilogues() {
  Context gpu(open_device(), without_disk_cache());
  Context emulator(open_emulator(), without_disk_cache());
  std::string failures;
  for (const EpilogueKernel& kernel : kEpilogueKernels)
    for (const EpilogueRow& row : kEpilogues) {
      const GemmCase gemm_case = case_of(kernel, row, 5);
      const CaseData data = make_data(gemm_case);
      const CaseOutcome there = run_case(gpu, gemm_case, data);
      const CaseOutcome here = run_case(emulator, gemm_case, data);
      failures += describe(gemm_case, there) + describe(gemm_case, here);
      const bool is_equal = there.d == here.d && there.outputs == here.outputs;
      if (!is_approximate(gemm_case.problem.epilogue->expression) && !is_equal)
        failures += std::string(kernel.name) + ", " + std::string(row.text) +
                    ": other bits than the emulator's\n";
    }
  return failures;
}

}  // namespace

TEST_CASE("epilogues are right on the GPU, and those of exact functions have the emulator's bits",
          "[gpu][epilogue]") {
  CHECK(on_gpu(differences_of_epilogues, 300) == "");
}
