// docs/epilogues.md: every line of its lists runs.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/epilogue_cases.hpp"

#include <jute/emulator/emulator.hpp>

#include <fstream>
#include <regex>

using namespace jute;
using namespace jute::test;

namespace {

/// The expressions of the page's lists.
std::vector<std::string> recipes() {
  std::ifstream page(JUTE_SOURCE_DIR "/docs/epilogues.md");
  const std::regex recipe(R"(^\|.*\| `([^`]*)` \|$)");
  std::vector<std::string> found;
  bool is_recipe = false;
  for (std::string line; std::getline(page, line);) {
    is_recipe = is_recipe || line.starts_with("## What other libraries have");
    if (std::smatch match; is_recipe && std::regex_match(line, match, recipe))
      found.push_back(match[1]);
  }
  return found;
}

}  // namespace

TEST_CASE("every line of the page on epilogues runs in a kernel", "[gemm][epilogue][docs]") {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = Schedule::late;
  Context context(open_emulator(options), with_kept_kernels());
  // cuBLASLt's D is column-major, and has one bias a row; the others' is row-major.
  const EpilogueKernel kernel{.name = "mma.sync, direct",
                              .config = "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN",
                              .type = DType::bf16,
                              .out = DType::bf16,
                              .a = Order::row,
                              .b = Order::col,
                              .c = Order::row,
                              .m = 40,
                              .n = 24,
                              .k = 32,
                              .batch = 1};
  int run = 0;
  for (const std::string& text : recipes()) {
    INFO(text);
    const GemmCase gemm_case = case_of(kernel, {text, ""}, 7);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    CHECK(describe(gemm_case, outcome) == "");
    ++run;
  }
  CHECK(run == 37);
}
