// A kernel that some earlier process compiled is ready in a moment.
#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/temporary_folder.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>

#include <algorithm>
#include <ctime>

using namespace jute;
using namespace jute::test;

TEST_CASE("preparing a tensor-core GEMM from the disk cache takes at most 30 ms and no compiler",
          "[gemm][cache][speed]") {
  const TemporaryFolder folder;
  ContextOptions options;
  options.settings.cache = "on";
  options.settings.cache_dir = folder.file("cache");
  const Problem problem =
      problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  {
    Context filling(open_emulator(), options);
    (void)prepare(filling, problem);
    CHECK(filling.compile_count() == 1);
  }
  // Processor time: a busy machine does not count.
  double best_ms = 1e9;
  for (int i = 0; i < 5; ++i) {
    const std::clock_t start = std::clock();
    Context context(open_emulator(), options);
    (void)prepare(context, problem);
    const double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best_ms = std::min(best_ms, ms);
    CHECK(context.compile_count() == 0);
  }
  INFO(best_ms << " ms");
  CHECK(best_ms <= 30.0);
}
