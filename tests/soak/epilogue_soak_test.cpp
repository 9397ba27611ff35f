// The whole product of epilogues, kernels, orders of A and B, and schedules of time.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/epilogue_cases.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

namespace {

/// 8-bit operands of the tensor cores lie along K; every other kernel takes each order.
bool takes_any_order(const EpilogueKernel& kernel) {
  return width_bits(kernel.type) > 8 && kernel.config.find("mma_atom") == std::string_view::npos;
}

Order other(Order order) { return order == Order::row ? Order::col : Order::row; }

std::string failures_under(Context& context, const EpilogueKernel& kernel, unsigned seed) {
  std::string failures;
  for (const EpilogueRow& row : kEpilogues) {
    const GemmCase gemm_case = case_of(kernel, row, seed);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    if (!outcome.failures.empty())
      failures += std::string(kernel.name) + ", " + std::string(row.text) + ": " +
                  describe(gemm_case, outcome) + "\n";
  }
  return failures;
}

}  // namespace

TEST_CASE("every epilogue is right in every kernel, each order, under random schedules",
          "[soak][epilogue]") {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = Schedule::random;
  for (options.seed = 1; options.seed <= 3; ++options.seed) {
    Context context(open_emulator(options), with_kept_kernels());
    for (EpilogueKernel kernel : kEpilogueKernels)
      for (int orders = 0; orders < (takes_any_order(kernel) ? 4 : 1); ++orders) {
        if (orders % 2 != 0) kernel.a = other(kernel.a);
        if (orders == 2) kernel.b = other(kernel.b);
        INFO(kernel.name << ", seed " << options.seed << ", orders " << orders);
        CHECK(failures_under(context, kernel, static_cast<unsigned>(options.seed) + 10) == "");
      }
  }
}
