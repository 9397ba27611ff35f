// What is kept of a chip is what a Context plans for.
#include "gemm/recording_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/problem_of.hpp"
#include "support/temporary_folder.hpp"

#include <jute/gemm/gemm.hpp>
#include <jute/jit/device_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/cost/chip_tables.hpp>

using namespace jute;
using namespace jute::test;

namespace {

Context context_with(const ContextOptions& options) {
  return Context(std::make_unique<RecordingBackend>(), options);
}

void keep(const ContextOptions& options, const std::string& text) {
  DeviceFile(options.settings, kChipFolder, device_preset("h200"))
      .update([&](const KeptText& /*before*/) { return text; });
}

}  // namespace

TEST_CASE("a chip's kept row is planned for like a built-in one", "[gemm][chip]") {
  const TemporaryFolder folder;
  ContextOptions options = with_tuning_in(folder.file("cache"));
  const DeviceInfo h200 = device_preset("h200");
  CHECK(context_with(options).device_info() == h200);
  const ChipTables tables{{{"memory_gb_s", 480, "data sheet"},
                           {"memory_seen_gb_s", 415, "measured 2026-11-29: by hand"}},
                          {}};
  keep(options, to_string(tables, h200));
  Context context = context_with(options);
  CHECK(context.chip_fault().empty());
  CHECK(context.device_info() == with_tables(h200, tables));
  // A tenth of the bandwidth: what memory bounds is expected to take nine times as long at least.
  const Problem problem =
      problem_of(16, 8192, 8192, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  const Gemm gemm = prepare(context, problem);
  CHECK(gemm.plan().device == context.device_info());
  CHECK(prediction_of(gemm.plan()).value().clocks >
        8 * prediction_of(make_plan(problem, h200)).value().clocks);
  options.settings.tuned = "off";
  CHECK(context_with(options).device_info() == h200);
}

TEST_CASE("a chip's row with a fault is not used, and the fault names its line and field",
          "[gemm][chip][refusal]") {
  const TemporaryFolder folder;
  const ContextOptions options = with_tuning_in(folder.file("cache"));
  const DeviceInfo h200 = device_preset("h200");
  const std::string head = to_string(ChipTables{}, h200);
  keep(options, head + "figure\tmemory_gb_s\t-1\tmeasured\n");
  CHECK(context_with(options).device_info() == h200);
  CHECK(context_with(options).chip_fault() ==
        "line 3: memory_gb_s must be a finite number above 0, not '-1'");
  keep(options, "");
  CHECK(context_with(options).chip_fault() == "its first line must be 'jute-chip 1'");
}
