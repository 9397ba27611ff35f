// `jute export` and `jute gemm --from`: a bundle on disk, and its way back.
#include <jute/bundle/lz4_frame.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/command.hpp"
#include "cli/json_schema.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder with a bundle of two problems for one chip.
class ExportedFolder {
 public:
  ExportedFolder() {
    std::ofstream(folder_.path() / "two.problems")
        << "# a range of rows, and an epilogue\n"
        << "M=1:96 N=48 K=64 A=bf16 B=bf16:col D=bf16\n"
        << "M=40 N=40 K=32 A=f16 B=f16 D=f16 epilogue=\"relu(acc + bias[n])\"\n";
    result = run_jute({"export", folder_.file("two.problems"), "-o", path(), "--name", "two",
                       "--arch", "sm_90a", "--later", "none"});
  }
  [[nodiscard]] std::string path() const { return folder_.file("two"); }
  [[nodiscard]] ProcessResult run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"gemm", "--from", path(), "--device", "emulator"});
    return run_jute(words);
  }

  ProcessResult result;

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an exported bundle is run from its folder, and judged", "[bundle][nvrtc]") {
  const ExportedFolder exported;
  if (exported.result.status == 3) return skip("NVRTC is not installed");
  INFO(exported.result.out << exported.result.err);
  REQUIRE(exported.result.status == 0);
  CHECK(exported.result.out.find("2 problems in") != std::string::npos);
  for (const char* name : {"two.h", "two.c", "two.cmake", "manifest.json", "two.0.sm_90a.cubin.lz4",
                           "two.0.sm_90a.ptx"})
    CHECK(fs::exists(fs::path(exported.path()) / name));

  // Lines of text are for who looks into kernels here; with them a cubin holds its PTX.
  const std::string frame = text_of(fs::path(exported.path()) / "two.0.sm_90a.cubin.lz4");
  const std::vector<std::byte> code = jute::content_of_lz4_frame(std::as_bytes(std::span(frame)));
  const std::string cubin(reinterpret_cast<const char*>(code.data()), code.size());
  CHECK(2 * frame.size() < cubin.size());
  CHECK(cubin.find(".text.jute_") != std::string::npos);
  CHECK(cubin.find("nv_debug_ptx_txt") == std::string::npos);

  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--m", "5"}, {"--m", "96", "--beta", "0.5"}, {"--product", "1"}}) {
    std::vector<std::string> line = words;
    line.insert(line.end(), {"--random", "1", "--verify"});
    const ProcessResult run = exported.run(line);
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK(run.out.find("bundle   two, kernels of sm_90a") != std::string::npos);
    CHECK(run.out.find("check    ok") != std::string::npos);
  }
  require_refusal(exported.run({"--random", "1", "--product", "2"}), 2, "one of the bundle's 2");
  require_refusal(exported.run({"--random", "1", "--device-preset", "a100"}), 2,
                  "the chip must run kernels of sm_90a");
  require_refusal(exported.run({}), 2, "--random 1");

  const fs::path manifest = fs::path(exported.path()) / "manifest.json";
  std::string text = text_of(manifest);
  const JsonSchema schema(text_of(JUTE_SOURCE_DIR "/docs/schemas/bundle.schema.json"));
  CHECK(schema.accepts(nlohmann::json::parse(text)));

  // Another version is not guessed at.
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 2");
  std::ofstream(manifest) << text;
  require_refusal(exported.run({"--random", "1"}), 2, "nearest legal: 1");
}

TEST_CASE("an export holds as many kernels of a range as is said", "[bundle][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "one.problems") << "M=1:512 N=256 K=128 A=bf16 B=bf16:col D=bf16\n";
  for (const char* const most : {"1", "2"}) {
    const auto exported =
        run_jute({"export", folder.file("one.problems"), "-o", folder.file(most), "--arch",
                  "sm_90a", "--later", "none", "--max-loss", "0", "--max-kernels", most});
    if (exported.status == 3) return skip("NVRTC is not installed");
    INFO(exported.out << exported.err);
    CHECK(exported.out.find(std::string(most) + " kernels,") != std::string::npos);
  }
}

TEST_CASE("operands with Views are exported, and run from the bundle", "[bundle][view][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "views.problems")
      << "M=24 N=40 K=32 A=f16:view[((8,3),32):((3,4096),24)] B=f16 D=f16:view[(24,40):(1,30)]\n"
      << "M=50 N=8 K=36 A=f16:view[((5,5,2),(4,3,3)):((1@1,1@2,1@3),(1@0,1@1,1@2));"
         "box=(4,5,5,2):(1,4,20,100);origin=(0,-1,-1,0);outside=zero] B=f16:col D=f16\n";
  const auto exported =
      run_jute({"export", folder.file("views.problems"), "-o", folder.file("views"), "--name",
                "views", "--arch", "sm_90a", "--later", "none"});
  if (exported.status == 3) return skip("NVRTC is not installed");
  INFO(exported.out << exported.err);
  REQUIRE(exported.status == 0);
  for (const char* const product : {"0", "1"}) {
    const auto run = run_jute({"gemm", "--from", folder.file("views"), "--product", product,
                               "--device", "emulator", "--random", "1", "--verify"});
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK(run.out.find("check    ok") != std::string::npos);
  }
}

TEST_CASE("groups are exported, and run from the bundle", "[bundle][groups][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "experts.problems")
      << "M=200 N=64 K=48 batch=4 A=bf16 B=bf16:col D=bf16 groups=rows\n"
      << "M=40 N=64 K=48 batch=3 A=bf16 B=bf16:col D=bf16 groups=masked_rows:i64\n";
  const auto exported =
      run_jute({"export", folder.file("experts.problems"), "-o", folder.file("experts"), "--name",
                "experts", "--arch", "sm_90a", "--later", "none"});
  if (exported.status == 3) return skip("NVRTC is not installed");
  INFO(exported.out << exported.err);
  REQUIRE(exported.status == 0);
  for (const char* const product : {"0", "1"}) {
    const auto run = run_jute({"gemm", "--from", folder.file("experts"), "--product", product,
                               "--device", "emulator", "--random", "1", "--verify"});
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK(run.out.find("check    ok") != std::string::npos);
  }
}

TEST_CASE("an export that cannot be is refused before anything is compiled", "[bundle][refusal]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("one.problems");
  std::ofstream(file) << "M=16 N=16 K=16\n";
  require_refusal(run_jute({"export", file}), 2, "the folder of the bundle");
  require_refusal(run_jute({"export", "-o", folder.file("x")}), 2, "a file of problems");
  require_refusal(run_jute({"export", file, "-o", folder.file("x"), "--arch", "sm_81"}), 2, "sm_8");
  require_refusal(run_jute({"export", file, "-o", folder.file("x"), "--later", "sm_90a"}), 2,
                  "it runs on that one alone");
  require_refusal(run_jute({"export", file, "-o", folder.file("x"), "--name", "a b"}), 2,
                  "an identifier of C");
  CHECK(!fs::exists(folder.file("x")));
}
