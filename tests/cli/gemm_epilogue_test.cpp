// `jute gemm --epilogue`: inputs from files and from the line, outputs into files.
#include "cli/command.hpp"
#include "npy.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

ProcessResult gemm(const std::vector<std::string>& more) {
  std::vector<std::string> words =
      command_words("gemm --m 20 --n 12 --k 8 --random 1 --type f32 --device emulator --verify");
  words.insert(words.end(), more.begin(), more.end());
  return run_jute(words);
}

}  // namespace

TEST_CASE("inputs of an epilogue come from files, outputs go into files", "[cli][gemm][epilogue]") {
  const TemporaryFolder folder;
  const std::string d = folder.file("d.npy"), g = folder.file("g.npy"), r = folder.file("r.npy");
  REQUIRE(gemm({"-o", d}).status == 0);
  const ProcessResult result =
      gemm({"--epilogue", "d = acc + x[m,n]*s; g = relu(acc); r = row_sum[m](acc)", "--input",
            "x=" + d, "--input", "s=-1", "--output", "g=" + g, "--output-type", "g=bf16",
            "--output", folder.file("zeros.npy"), "--output", "r=" + r});
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.out.find("check    g ok") != std::string::npos);
  CHECK(result.out.find("check    r ok") != std::string::npos);
  // The same product less itself.
  const command::NpyArray zeros = command::read_npy(folder.file("zeros.npy"));
  CHECK(zeros.shape == std::vector<Index>{20, 12});
  for (const double value : decode(DType::f32, zeros.bytes)) CHECK(value == 0);
  CHECK(command::read_npy(g).descr == command::npy_descr(DType::bf16));
  CHECK(command::read_npy(r).shape == std::vector<Index>{20});
}

TEST_CASE("what does not fit an epilogue is refused by its name",
          "[cli][gemm][epilogue][refusal]") {
  const TemporaryFolder folder;
  const std::string d = folder.file("d.npy");
  REQUIRE(gemm({"-o", d}).status == 0);
  const auto refused = [](const std::vector<std::string>& more) { return gemm(more).err; };
  CHECK(refused({"--epilogue", "acc + bias[n]", "--input", "bais=" + d})
            .find("nearest legal: bias") != std::string::npos);
  CHECK(refused({"--epilogue", "acc + bias[n]", "--input", "bias=" + d})
            .find("bias must have the shape (12)") != std::string::npos);
  CHECK(refused({"--epilogue", "acc + bias[n]", "--input", "bias=2"})
            .find("only a scalar must be passed by value") != std::string::npos);
  CHECK(refused({"--epilogue", "acc + bias[n]", "-o", "g=" + d}).find("it has d") !=
        std::string::npos);
  CHECK(refused({"--epilogue", "gleu(acc) + 1"}).find("--epilogue 'gelu(acc) + 1'") !=
        std::string::npos);
  CHECK(refused({"--epilogue", "d = acc; r = row_sum(acc)"})
            .find("--epilogue 'd = acc; r = row_sum[m](acc)'") != std::string::npos);
  CHECK(refused({"--input", "x=" + d}).find("it has none") != std::string::npos);
}
