// What `jute tune` kept under the names that choices had before is planned with.
#include "gemm/recording_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/problem_of.hpp"
#include "support/temporary_folder.hpp"

#include <jute/gemm/gemm.hpp>
#include <jute/jit/tuned_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem_class.hpp>

namespace jute::test {

TEST_CASE("choices kept under the names of before are planned with", "[gemm][tuned][names]") {
  const TemporaryFolder folder;
  const ContextOptions options = with_tuning_in(folder.file("cache"));
  const DeviceInfo device = device_preset("h200");
  const Problem problem =
      problem_of(64, 256, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  TunedFile(options.settings, device)
      .keep(problem_class(problem), "slices=4 meeting=all_add raster_group=4 teams=1");
  Context context(std::make_unique<RecordingBackend>(), options);
  const Plan today = make_plan(
      problem, device, parse_config("split_k=4 reduction=all_add raster_width=4 ping_pong=1"));
  CHECK(prepare(context, problem).plan() == today);
  REQUIRE(today != make_plan(problem, device));
}

}  // namespace jute::test
