// A kernel that some earlier process compiled is not compiled again.
#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/temporary_folder.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("preparing a tensor-core GEMM from the disk cache takes no compiler", "[gemm][cache]") {
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
  Context context(open_emulator(), options);
  (void)prepare(context, problem);
  CHECK(context.compile_count() == 0);
}
