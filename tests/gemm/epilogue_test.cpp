// Epilogues of every form in kernels of every kind, half of them in each: every output within its
// bound, nothing else written, and silent under every check of the emulator.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/epilogue_cases.hpp"

#include <jute/emulator/emulator.hpp>

#include <algorithm>

using namespace jute;
using namespace jute::test;

namespace {

std::string failures_of_kernel(std::string_view name) {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = Schedule::late;
  Context context(open_emulator(options), with_kept_kernels());
  const auto* const kernel = std::ranges::find(kEpilogueKernels, name, &EpilogueKernel::name);
  REQUIRE(kernel != kEpilogueKernels.end());
  std::string failures;
  // Neighbours in the table take turns; the soak tests have all of them.
  for (auto i = static_cast<size_t>(kernel - kEpilogueKernels.begin()) % 2; i < kEpilogues.size();
       i += 2) {
    const EpilogueRow& row = kEpilogues[i];
    const GemmCase gemm_case = case_of(*kernel, row, 3);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    if (!outcome.failures.empty())
      failures += std::string(row.text) + ": " + describe(gemm_case, outcome) + "\n";
  }
  return failures;
}

}  // namespace

// A test case for each kernel, so that they run beside each other.
TEST_CASE("epilogues are right in kernels: threads, rows staged", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("threads, rows staged") == "");
}
TEST_CASE("epilogues are right in kernels: threads that share out K", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("threads that share out K") == "");
}
TEST_CASE("epilogues are right in kernels: f64", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("f64") == "");
}
TEST_CASE("epilogues are right in kernels: mma.sync, direct", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("mma.sync, direct") == "");
}
TEST_CASE("epilogues are right in kernels: mma.sync, rows staged, ragged", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("mma.sync, rows staged, ragged") == "");
}
TEST_CASE("epilogues are right in kernels: D by columns", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("D by columns") == "");
}
TEST_CASE("epilogues are right in kernels: wgmma, subtiles", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("wgmma, subtiles") == "");
}
TEST_CASE("epilogues are right in kernels: wgmma, subtiles, edges by rows", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("wgmma, subtiles, edges by rows") == "");
}
TEST_CASE("epilogues are right in kernels: wgmma, threads store", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("wgmma, threads store") == "");
}
TEST_CASE("epilogues are right in kernels: wgmma, turns of subtiles", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("wgmma, turns of subtiles") == "");
}
TEST_CASE("epilogues are right in kernels: wgmma, rows anywhere", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("wgmma, rows anywhere") == "");
}
TEST_CASE("epilogues are right in kernels: slices of K", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("slices of K") == "");
}
TEST_CASE("epilogues are right in kernels: slices of K in a cluster", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("slices of K in a cluster") == "");
}
TEST_CASE("epilogues are right in kernels: in a cluster, threads store", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("in a cluster, threads store") == "");
}
TEST_CASE("epilogues are right in kernels: operands swapped", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("operands swapped") == "");
}
TEST_CASE("epilogues are right in kernels: straight from memory", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("straight from memory") == "");
}
TEST_CASE("epilogues are right in kernels: straight, one part of K", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("straight, one part of K") == "");
}
TEST_CASE("epilogues are right in kernels: 8-bit floats", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("8-bit floats") == "");
}
TEST_CASE("epilogues are right in kernels: 8-bit floats, turns of subtiles", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("8-bit floats, turns of subtiles") == "");
}
TEST_CASE("epilogues are right in kernels: integers", "[gemm][epilogue]") {
  CHECK(failures_of_kernel("integers") == "");
}
