// Races on a GPU: whoever wins computes what is asked, and is as fast as planned at least.
#include <jute/gemm/context.hpp>
#include <jute/race/tune.hpp>

#include "support/catch.hpp"
#include "support/gemm_case.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a race on the GPU keeps a kernel that is no slower than the planned one",
          "[gpu][race]") {
  const TemporaryFolder folder;
  Settings settings = settings_from_environment();
  settings.cache = "on";
  settings.cache_dir = folder.path();
  Context context({.device = DeviceChoice::cuda, .settings = settings});
  for (const char* text : {"M=2048 N=1536 K=1024 A=bf16 B=bf16:col alpha=1 beta=0",
                           "M=4096 N=1024 K=512 batch=8 A=bf16 B=bf16:col alpha=1 beta=0 "
                           "groups=rows:i32:expected512",
                           "M=16 N=4096 K=4096 A=bf16 B=u4:col alpha=1 beta=0 "
                           "scale_b=bf16:col:block1x128 zero_b=8"}) {
    INFO(text);
    const Tuned tuned = tune(context, parse_problem(text), {.candidates = 8});
    REQUIRE(tuned.raced.size() > 1);
    REQUIRE(tuned.raced.front().us > 0);
    CHECK(tuned.best().us <= tuned.raced.front().us);
    CHECK(to_string(prepare(context, parse_problem(text)).plan()) == to_string(tuned.gemm.plan()));
  }
}
