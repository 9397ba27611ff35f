// Epilogues of every form on the GPU: within their bounds, and bit-equal to the emulator but for
// functions that are approximate.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/epilogue_cases.hpp"
#include "support/gpu.hpp"
#include "support/temporary_folder.hpp"

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

/// Kernels are many to compile, so that they come in parts that run side by side.
constexpr std::size_t kParts = 8;

/// Of the kernels of a part; each is compiled once, as both contexts keep what they compile in one
/// folder.
std::string differences(std::size_t part, const std::string& folder) {
  const ContextOptions options = with_cache_in(folder);
  Context gpu(open_device(), options), emulator(open_emulator(), options);
  std::string failures;
  for (std::size_t i = part; i < kEpilogueKernels.size(); i += kParts)
    for (const EpilogueRow& row : kEpilogues) {
      const EpilogueKernel& kernel = kEpilogueKernels[i];
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

void expect_right(std::size_t part) {
  const TemporaryFolder folder;
  CHECK(on_gpu([&] { return differences(part, folder.path().string()); }, 300) == "");
}

}  // namespace

// Those of exact functions have the emulator's bits.
TEST_CASE("epilogues are right on the GPU: an eighth of the kernels", "[gpu][epilogue]") {
  expect_right(0);
}
TEST_CASE("epilogues are right on the GPU: a second eighth", "[gpu][epilogue]") { expect_right(1); }
TEST_CASE("epilogues are right on the GPU: a third eighth", "[gpu][epilogue]") { expect_right(2); }
TEST_CASE("epilogues are right on the GPU: a fourth eighth", "[gpu][epilogue]") { expect_right(3); }
TEST_CASE("epilogues are right on the GPU: a fifth eighth", "[gpu][epilogue]") { expect_right(4); }
TEST_CASE("epilogues are right on the GPU: a sixth eighth", "[gpu][epilogue]") { expect_right(5); }
TEST_CASE("epilogues are right on the GPU: a seventh eighth", "[gpu][epilogue]") {
  expect_right(6);
}
TEST_CASE("epilogues are right on the GPU: the last eighth", "[gpu][epilogue]") { expect_right(7); }
