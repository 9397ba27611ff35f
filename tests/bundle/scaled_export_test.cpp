// Products of scaled operands, and quantised outputs, exported and run from their bundle.
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

namespace {

struct ScaledExport {
  const char* problem;
  std::vector<std::vector<std::string>> runs = {{}};
};

/// Exports them for the chip and runs each from the bundle; false where NVRTC is not installed.
bool exports_and_runs(const std::vector<ScaledExport>& all, const char* arch, const char* preset) {
  const TemporaryFolder folder;
  {
    std::ofstream file(folder.path() / "scaled.problems");
    for (const ScaledExport& one : all) file << one.problem << "\n";
  }
  const auto exported =
      run_jute({"export", folder.file("scaled.problems"), "-o", folder.file("scaled"), "--arch",
                arch, "--later", "none", "--max-kernels", "3"});
  if (exported.status == 3) return false;
  INFO(exported.out << exported.err);
  REQUIRE(exported.status == 0);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::vector<std::string>& words : all[i].runs) {
      std::vector<std::string> line{
          "gemm",     "--from",   folder.file("scaled"), "--product", std::to_string(i),
          "--device", "emulator", "--device-preset",     preset,      "--random",
          "1",        "--verify"};
      line.insert(line.end(), words.begin(), words.end());
      const auto run = run_jute(line);
      INFO(all[i].problem << ": " << run.out << run.err);
      CHECK(run.status == 0);
      CHECK(run.out.find("check    ok") != std::string::npos);
    }
  return true;
}

}  // namespace

TEST_CASE("scaled operands and quantised outputs are exported, and run from the bundle",
          "[bundle][scaled][nvrtc]") {
  const std::vector<ScaledExport> all{
      {"M=40 N=136 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8 D=bf16"},
      {"M=1:300 N=136 K=256 A=bf16 B=s4:col scale_b=bf16:col:block1x128 D=bf16",
       {{"--m", "1"}, {"--m", "40"}, {"--m", "300"}}},
      {"M=1:300 N=136 K=256 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 "
       "scale_b=f32:col:block128x128 D=bf16",
       {{"--m", "7"}, {"--m", "300"}}},
      {"M=1:300 N=200 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"y := acc; s := amax[1,128](y)/448; "
       "d = "
       "select(s == 0, y, y/s); scale_d = s\"",
       {{"--m", "7"}, {"--m", "300"}}},
      {"M=1:300 N=200 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"y := acc; s := amax[1,n](y)/448; d "
       "= "
       "select(s == 0, y, y/s); scale_d = s\"",
       {{"--m", "7"}, {"--m", "300"}}},
      {"M=1:300 N=64 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"e4m3(acc, seed)\"",
       {{"--m", "7"}, {"--m", "300"}}},
      {"M=70 N=40 K=128 batch=3 A=e4m3 B=s4:col scale_a=f32:block1x128 scale_b=bf16:col:block1x32 "
       "staged=bf16 D=bf16 groups=rows"},
      {"M=40 N=72 K=100 batch=3 A=s8:col B=s4:col D=s32 groups=k"},
      {"M=40 N=72 K=100 batch=3 A=bf16 B=u4:row zero_b=8 scale_b=bf16:block1x24 D=bf16 groups=k"}};
  if (!exports_and_runs(all, "sm_90a", "h200")) return skip("NVRTC is not installed");
}

TEST_CASE("sums that mma.sync's warps scale are exported, and run from the bundle",
          "[bundle][scaled][nvrtc]") {
  const std::vector<ScaledExport> all{
      {"M=1:300 N=1024 K=512 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 "
       "scale_b=f32:col:block128x128 D=bf16",
       {{"--m", "7"}, {"--m", "300"}}}};
  if (!exports_and_runs(all, "sm_89", "l40s")) return skip("NVRTC is not installed");
}
