// Kernels that the assembler finds too large for their registers give way to the next candidate.
#include "gemm/spills.hpp"

#include <jute/gemm/gemm.hpp>
#include <jute/plan/choose/considered.hpp>

#include "gemm/assembling_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("what the assembler says of a kernel is read", "[gemm][spills]") {
  Binary fine{.symbol = "jute_fine", .log = "ptxas info    : Used 255 registers"};
  CHECK(gemm::fault_of_assembly({fine}).empty());
  fine.resources.emplace();
  CHECK(gemm::fault_of_assembly({fine, fine}).empty());
  fine.log += "\nkernel.cu(3): warning #177-D: variable \"i\" was declared but never referenced";
  CHECK(gemm::fault_of_assembly({fine}).empty());
  Binary spilled = fine;
  spilled.symbol = "jute_large";
  spilled.resources->spill_store_bytes = 92;
  CHECK(gemm::fault_of_assembly({fine, spilled}) == "jute_large spills 92 bytes");
  Binary waits = fine;
  waits.log += "\nptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async";
  CHECK(gemm::fault_of_assembly({waits}).starts_with("jute_fine: ptxas info"));
}

TEST_CASE("a prepared kernel keeps to its registers where a candidate does", "[gemm][spills]") {
  constexpr std::pair<const char*, const char*> kProblems[] = {
      {"a100", "M=48 N=6144 K=7168 A=f16 B=s8:row D=bf16 scale_b=f16:block128x128"},
      // What a load brings becomes 32 bytes, by no instruction for pairs.
      {"a100", "M=16 N=1000 K=4096 A=bf16 B=e4m3:col D=bf16 scale_b=f32:block1xall"},
      {"h200", "M=4096 N=4096 K=4096 A=bf16 B=bf16:col D=bf16"},
  };
  for (const auto& [preset, text] : kProblems) {
    INFO(preset << " " << text);
    Context context(std::make_unique<AssemblingBackend>(preset), without_disk_cache());
    const Gemm gemm = prepare(context, parse_problem(text));
    CHECK(gemm::fault_of_assembly(gemm.binaries()) == "");
    for (const std::string& passed : gemm.passed_over())
      CHECK(passed.find("spills") != std::string::npos);
  }
}

TEST_CASE("sums of slices find registers beside all that a thread has of a tile",
          "[gemm][spills]") {
  struct Cut {
    const char *preset, *problem, *choices;
  };
  constexpr Cut kCuts[] = {
      {"a100", "M=2304 N=2304 K=4096 A=bf16 B=bf16:col D=bf16",
       "tile=128x128x32 atom_layout=(2,2,1):(1,2,0) stages=4 split_k=2 main_loop=multistage"},
      {"a100", "M=2304 N=2304 K=4096 A=bf16 B=bf16:col D=bf16",
       "tile=128x128x32 atom_layout=(2,2,1):(1,2,0) stages=4 split_k=4 whole_tiles=264 "
       "main_loop=multistage"},
      {"a100", "M=512 N=768 K=16384 A=bf16:col B=bf16 D=bf16",
       "tile=128x128x64 atom_layout=(2,2,2):(1,2,4) stages=4 split_k=5 main_loop=multistage"},
      {"h200", "M=760 N=3040 K=2488 A=f64:col B=f64:col D=f64",
       "tile=128x64x16 atom_layout=(4,1,1):(1,0,0) stages=4 split_k=3 main_loop=multistage"},
  };
  for (const Cut& cut : kCuts) {
    INFO(cut.problem << " " << cut.choices);
    Context context(std::make_unique<AssemblingBackend>(cut.preset), without_disk_cache());
    const Gemm gemm = prepare(context, parse_problem(cut.problem), parse_config(cut.choices));
    CHECK(gemm::fault_of_assembly(gemm.binaries()) == "");
    CHECK(gemm.passed_over().empty());
  }
}

TEST_CASE("few bytes in memory are better than a kernel that is expected to take far more",
          "[gemm][spills]") {
  // A tile for every twenty-seventh SM, if K is not cut.
  const Problem problem = parse_problem("M=256 N=256 K=65536 A=bf16 B=bf16:col D=bf16");
  Context context(std::make_unique<AssemblingBackend>("a100"), without_disk_cache());
  const auto planned = prediction_of(make_plan(problem, context.device_info()));
  const auto taken = prediction_of(prepare(context, problem).plan());
  REQUIRE((planned && taken));
  CHECK(taken->clocks <= 4 * planned->clocks);
}
