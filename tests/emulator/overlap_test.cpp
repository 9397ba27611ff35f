// Launches that overlap: what runs before griddepcontrol.wait, and who releases the next launch.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Launches of one block each over the same buffers, every one overlapping those before it.
Report run_in_row(const std::vector<std::string>& bodies, const EmulatorOptions& options,
                  LaunchOrder order = LaunchOrder::overlap_previous) {
  Bench bench(options);
  const auto a = bench.upload(std::vector<int>(256, 1));
  const auto b = bench.upload(std::vector<int>(256, 2));
  std::vector<Kernel> kernels;
  for (const std::string& body : bodies)
    kernels.push_back(bench.backend->load(binary_from_ptx(kernel(body), "k")));
  for (size_t i = 0; i < kernels.size(); ++i)
    bench.backend->launch(kernels[i], {.block = {128, 1, 1},
                                       .arguments = ArgumentBlock().pointer(a).pointer(b),
                                       .order = i == 0 ? LaunchOrder::after_previous : order});
  return bench.backend->take_report();
}
void check_row_clean(const std::vector<std::string>& bodies) {
  for (const EmulatorOptions& options : every_schedule()) {
    const Report report = run_in_row(bodies, options);
    INFO(to_string(report));
    CHECK(report.clean());
  }
}
void check_row_named(const std::vector<std::string>& bodies, const std::string& code,
                     const std::vector<std::string>& parties) {
  for (const EmulatorOptions& options : every_schedule()) {
    const Report report = run_in_row(bodies, options);
    INFO(to_string(report));
    const Finding* const finding = find(report, code);
    REQUIRE(finding != nullptr);
    std::vector<std::string> named;
    for (const Party& party : finding->parties) named.push_back(party.text);
    CHECK(named == parties);
  }
}

const std::string kWaitForGrids = "griddepcontrol.wait;\n";
const std::string kRelease = "griddepcontrol.launch_dependents;\n";
const std::string kWrite = "st.global.u32 [%rd5], %r1;\n";
const std::string kRead = "ld.global.u32 %r20, [%rd5];\n";
const std::string kReadOther = "ld.global.u32 %r20, [%rd4];\n";

}  // namespace

TEST_CASE("what an overlapped launch wrote or read waits for griddepcontrol.wait",
          "[emulator][check][overlap]") {
  check_row_clean({kWrite, kReadOther + kWaitForGrids + kRead});
  check_row_clean({kRead, kRead + kWaitForGrids});
  check_row_named({kWrite, kRead + kWaitForGrids}, "R10", {"ld.global.u32", "st.global.u32"});
  check_row_named({kRead, kWrite + kWaitForGrids}, "R10", {"st.global.u32", "ld.global.u32"});
  CHECK(run_in_row({kWrite, kRead}, every_schedule().front(), LaunchOrder::after_previous).clean());
}

TEST_CASE("one thread's griddepcontrol.wait serves whoever synchronises with it",
          "[emulator][check][overlap]") {
  const std::string one = "@%p2 griddepcontrol.wait;\n";
  check_row_clean({kWrite, one + kBarrier + kRead});
  check_row_named({kWrite, one + kRead}, "R10", {"ld.global.u32", "st.global.u32"});
  const std::string load = kInit + kExpect +
                           "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                           "[%r2], [%rd2], 512, [%r3];\n" +
                           kAwait;
  check_row_clean({kWrite, one + load});
  check_row_named({kWrite, load + one}, "R10", {kLoadName, "st.global.u32"});
}

TEST_CASE("every block of an overlapping launch waits, or later ones begin too early",
          "[emulator][check][overlap]") {
  check_row_named({kWrite, kReadOther}, "P15", {"ret"});
  // The second released the third before the first had ended.
  check_row_clean({kWrite, kWaitForGrids + kRelease, kRead + kWaitForGrids});
  check_row_named({kWrite, kRelease + kWaitForGrids, kRead + kWaitForGrids}, "R10",
                  {"ld.global.u32", "st.global.u32"});
}

TEST_CASE("a block that waits for another one releases the next launch behind the wait",
          "[emulator][check][overlap]") {
  const auto body = [](const std::string& before, const std::string& behind) {
    return before + message("st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", behind);
  };
  const Shape two{.blocks = 2, .threads = 32};
  check_clean(body("", kRelease), two);
  check_named(body(kRelease, ""), "P15",
              {"ld.acquire.gpu.global.u32", "griddepcontrol.launch_dependents"}, two);
  check_clean(body(kRelease, ""), {.blocks = 2, .threads = 32, .is_cooperative = true});
}
