// `jute plan`, `source`, `ptx`, `cubin`, `sass`: windows on what would be built.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "command/delivery.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::vector<std::string> problem(const std::string& command, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{command, "--m", "256", "--n", "128", "--k", "64"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const ProcessInput kNoCompiler{
    .environment = {{"JUTE_NVRTC", "/nonexistent"}, {"JUTE_CACHE", "off"}}};

}  // namespace

TEST_CASE("a plan is printed without compiler and GPU", "[cli][plan]") {
  const ProcessResult result = run_jute(problem("plan"), kNoCompiler);
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("Runs 1 kernel: "));
  CHECK(result.out.find("\nExpected to take ") != std::string::npos);
  CHECK(result.out.find("\nIt comes first of ") != std::string::npos);
  CHECK(result.out.find("\n\nproblem M=256 N=128 K=64 batch=1 A=f32:row") != std::string::npos);
  CHECK(result.out.find("\ndevice h200 sm_90a") != std::string::npos);
  const ProcessResult explained = run_jute(problem("plan", {"--explain"}));
  CHECK(explained.out.size() > result.out.size());
  CHECK(explained.out.starts_with(result.out));
}

TEST_CASE("a plan for a range of M is one of several kernels, which are listed", "[cli][plan]") {
  const std::vector<std::string> line{"plan", "--n",       "512", "--k",       "512",  "--type",
                                      "bf16", "--order-b", "col", "--m-range", "1:512"};
  const ProcessResult result = run_jute(line);
  CHECK(result.status == 0);
  const size_t list = result.out.find("\nOf the range of M:\nkernel to M=");
  REQUIRE(list != std::string::npos);
  CHECK(result.out.find("kernel to M=512 ", list) != std::string::npos);
  CHECK(result.out.find("\nrun M=512 by the kernel to M=512, tiles of ", list) !=
        std::string::npos);
  std::vector<std::string> few = line;
  few.insert(few.end(), {"--m", "40"});
  CHECK(run_jute(few).out.find("\nrun M=40 by the kernel to M=") != std::string::npos);
  std::vector<std::string> wrong = line;
  wrong.back() = "512";
  CHECK(run_jute(wrong).status == 2);
  CHECK(run_jute(wrong).err.find("--m-range") != std::string::npos);
  wrong.back() = "1:512";
  wrong.insert(wrong.end(), {"--m", "600"});
  CHECK(run_jute(wrong).err.find("nearest legal: 512") != std::string::npos);
}

TEST_CASE("a plan in JSON has the problem, the device and every step", "[cli][plan]") {
  const ProcessResult result = run_jute(problem("plan", {"--json", "--arch", "sm_80"}));
  CHECK(result.status == 0);
  for (const char* part :
       {"{\"problem\":{\"m\":256,\"n\":128,\"k\":64,\"batch\":1,", "\"device\":{\"name\":\"a100\"",
        "\"steps\":[{\"kind\":\"gemm\",\"symbol\":\"jute_sm80_f32_", "\"workspace_bytes\":",
        "\"summary\":{\"runs\":\"Runs 1 kernel: ", "\"expected_ns\":", "\"numerics\":\""})
    CHECK(result.out.find(part) != std::string::npos);
}

TEST_CASE("a chip that no kernels are made for is told on standard error", "[cli][plan]") {
  const std::vector<std::string> halves{"--m", "64",     "--n",  "64",    "--k",
                                        "64",  "--type", "bf16", "--arch"};
  for (const char* command : {"plan", "source", "ptx"})
    for (const auto& [arch, is_told] : {std::pair("sm_100a", true), std::pair("sm_120a", true),
                                        std::pair("sm_90a", false), std::pair("sm_80", false)}) {
      INFO(command << " " << arch);
      std::vector<std::string> line{command};
      line.insert(line.end(), halves.begin(), halves.end());
      line.emplace_back(arch);
      const ProcessResult result = run_jute(line);
      CHECK(result.status == 0);
      const std::string told = "jute: No kernels are made for " + std::string(arch);
      CHECK(result.err.starts_with(told) == is_told);
      CHECK(result.err.empty() != is_told);
      line.emplace_back("--quiet");
      CHECK(run_jute(line).err.empty());
    }
}

TEST_CASE("a source is the same every time and needs nothing but the plan", "[cli][source]") {
  const ProcessResult first = run_jute(problem("source"), kNoCompiler);
  CHECK(first.status == 0);
  CHECK(first.err.empty());
  CHECK(first.out.find("extern \"C\"") != std::string::npos);
  CHECK(run_jute(problem("source")).out == first.out);
  CHECK(run_jute(problem("source", {"--order-b", "col"})).out != first.out);
}

TEST_CASE("PTX and machine code come out for the architecture that is asked for", "[cli][ptx]") {
  const TemporaryFolder folder;
  const ProcessInput input{.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}};
  const ProcessResult ptx = run_jute(problem("ptx", {"--arch", "sm_80"}), input);
  INFO(ptx.err);
  REQUIRE(ptx.status == 0);
  CHECK(ptx.out.find(".target sm_80") != std::string::npos);
  const std::string file = folder.file("kernel.cubin");
  const ProcessResult cubin = run_jute(problem("cubin", {"--arch", "sm_80", "-o", file}), input);
  REQUIRE(cubin.status == 0);
  CHECK(cubin.out.find(" registers, ") != std::string::npos);
  CHECK(
      command::read_text(file).starts_with("\x7f"
                                           "ELF"));
  CHECK(run_jute({"cache", "list"}, input).out.find("jute_sm80_f32_") != std::string::npos);
}

TEST_CASE("without a compiler there is no PTX, and no file", "[cli][ptx][refusal]") {
  const TemporaryFolder folder;
  const ProcessResult result =
      run_jute(problem("ptx", {"-o", folder.file("kernel.ptx")}), kNoCompiler);
  require_refusal(result, 3, "no_nvrtc");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("an illegal problem or choice is refused with its rules", "[cli][plan][refusal]") {
  require_refusal(run_jute({"plan", "--m", "256"}), 2, "--n: it must be given");
  require_refusal(run_jute(problem("plan", {"--type", "f31"})), 2, "--type = f31");
  require_refusal(run_jute(problem("plan", {"--arch", "sm_12"})), 2, "--arch = sm_12");
  require_refusal(run_jute(problem("plan", {"--device-preset", "h20"})), 2, "h200");
  require_refusal(run_jute(problem("plan", {"--lda", "3"})), 2, "illegal_problem");
  require_refusal(run_jute(problem("plan", {"--align-a", "3"})), 2, "illegal_problem");
  require_refusal(run_jute(problem("plan", {"--m", "-1"})), 2, "");
  require_refusal(run_jute(problem("source", {"--step", "7"})), 2, "--step = 7");
  require_refusal(run_jute(problem("source", {"--stages", "1000"})), 2, "stages");
  require_refusal(run_jute(problem("source", {"--templates", "/none"})), 2, "/none");
  require_refusal(run_jute(problem("source", {"--atoms", "/none.json"})), 2, "/none.json");
  require_refusal(run_jute(problem("source", {"-o", "/none/kernel.cu"})), 3, "unwritable");
}

TEST_CASE("one step of a plan is shown alone", "[cli][plan]") {
  const std::vector<std::string> odd{"--type", "bf16", "--m", "65", "--k", "67", "--n", "61"};
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"plan"};
    arguments.insert(arguments.end(), odd.begin(), odd.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_jute(arguments);
  };
  const auto steps = [](const ProcessResult& result) {
    int count = 0;
    for (size_t at = 0; (at = result.out.find("\nstep ", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const int all = steps(plan({"--pad", "on"}));
  REQUIRE(all > 1);
  for (int step = 0; step < all; ++step)
    CHECK(steps(plan({"--pad", "on", "--step", std::to_string(step)})) == 1);
  require_refusal(plan({"--pad", "on", "--step", std::to_string(all)}), 2,
                  "(nearest legal: " + std::to_string(all - 1) + ")");
  require_refusal(plan({"--step", "-1"}), 2, "--step = -1");
}

TEST_CASE("every flag of the choices reaches the plan", "[cli][plan]") {
  const ProcessResult result =
      run_jute(problem("plan", {"--json", "--specialize", "all", "--tile", "64x64x8", "--stages",
                                "2", "--raster", "4"}));
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("\"tile\":[64,64,8]") != std::string::npos);
  CHECK(result.out.find("\"m\":{\"value\":256,\"baked\":true,") != std::string::npos);
  CHECK(result.out.find("\"raster_width\":4") != std::string::npos);
}

TEST_CASE("each kernel of a plan has a file of its own", "[cli][source]") {
  const TemporaryFolder folder;
  const std::vector<std::string> odd{
      "source", "--type",           "bf16", "--m", "65", "--k", "67", "--n", "61", "--pad", "on",
      "-o",     folder.file("k.cu")};
  const ProcessResult result = run_jute(odd);
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err ==
        "jute: a kernel a file: " + folder.file("k.0.cu") + ", " + folder.file("k.1.cu") + "\n");
  for (const char* name : {"k.0.cu", "k.1.cu"}) {
    const std::string text = command::read_text(folder.file(name));
    CHECK(text.find("__global__") == text.rfind("__global__"));
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("k.cu")));
  CHECK(command::step_path("a.b/kernel", 2) == "a.b/kernel.2");
}

TEST_CASE("a range of M alone means all its kernels, --m the one that serves it", "[cli][source]") {
  const TemporaryFolder folder;
  const auto run = [](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> words =
        command_words(command + " --n 512 --k 512 --type bf16 --order-b col --m-range 1:512");
    words.insert(words.end(), more.begin(), more.end());
    return run_jute(words);
  };
  const auto lines_with = [](const std::string& text, const std::string& part) {
    int count = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const int kernels = lines_with(run("plan", {}).out, "\nkernel to M=");
  REQUIRE(kernels > 1);
  REQUIRE(run("source", {"-o", folder.file("k.cu")}).status == 0);
  for (int i = 0; i < kernels; ++i)
    CHECK(std::filesystem::exists(folder.file("k." + std::to_string(i) + ".cu")));
  CHECK_FALSE(std::filesystem::exists(folder.file("k." + std::to_string(kernels) + ".cu")));
  const std::string json = run("source", {"--json"}).out;
  CHECK(lines_with(json, "\n") == kernels);
  CHECK(lines_with(json, "\"greatest_m\":") == kernels);
  CHECK(json.find("\"greatest_m\":512") != std::string::npos);
  const std::string one = run("source", {"--json", "--m", "40"}).out;
  CHECK(lines_with(one, "\n") == 1);
  CHECK(one.find("greatest_m") == std::string::npos);
  CHECK(lines_with(run("source", {"--step", "1"}).out, "__global__") == 1);
  require_refusal(run("source", {"--step", std::to_string(kernels)}), 2,
                  "(nearest legal: " + std::to_string(kernels - 1) + ")");
  // A plan is one kernel's, and its names are.
  const std::string plan = run("plan", {"--json"}).out;
  const size_t names = plan.find("\"symbols\":[");
  CHECK(lines_with(plan.substr(names, plan.find(']', names) - names), "jute_") == 1);
}

TEST_CASE("JSON tells all that a launch needs", "[cli][source]") {
  const ProcessResult source = run_jute(problem("source", {"--json"}));
  REQUIRE(source.status == 0);
  for (const char* part : {"\"launch\":{\"kind\":\"gemm\"", "\"parameters\":[", "\"grid\":[",
                           "\"threads\":", "\"cluster\":[", "\"dynamic_smem_bytes\":"})
    CHECK(source.out.find(part) != std::string::npos);
  const size_t at = source.out.find("\"symbol\":\"") + 10;
  const std::string symbol = source.out.substr(at, source.out.find('"', at) - at);
  const ProcessResult plan = run_jute(problem("plan", {"--json"}));
  CHECK(plan.out.find("\"symbols\":[\"" + symbol + "\"]") != std::string::npos);
}

TEST_CASE("a lone dash is standard output", "[cli][source]") {
  CHECK(run_jute(problem("source", {"-o", "-"})).out == run_jute(problem("source", {})).out);
}

TEST_CASE("a template file that replaces none is refused with the nearest", "[cli][refusal]") {
  const TemporaryFolder folder;
  require_refusal(run_jute(problem("source", {"--templates", folder.path().string()})), 2,
                  "it must hold a template");
  std::filesystem::create_directory(folder.path() / "epilogue");
  std::ofstream(folder.file("epilogue/direkt.cu")) << "int x;\n";
  require_refusal(run_jute(problem("source", {"--templates", folder.path().string()})), 2,
                  "it must be the path of a built-in template");
}

TEST_CASE("a template that does not compile is bad input, told with its line", "[cli][refusal]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "mma");
  std::ofstream(folder.file("mma/fma.cu"))
      << "// mma/fma.cu: ${atom}.\n"
         "//   needs: type RegisterA, RegisterB, RegisterC\n"
         "//   gives: void mma(RegisterC*, const RegisterA*, const RegisterB*)\n"
         "__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* "
         "b) {\n"
         "  unheard_of = ${multiply_add};\n"
         "}\n";
  for (const char* command : {"ptx", "cubin"}) {
    const std::vector<std::string> line = problem(command, {"--templates", folder.path().string()});
    require_refusal(run_jute(line), 2, "identifier \"unheard_of\" is undefined");
  }
}

TEST_CASE("every architecture that a refusal offers is planned as itself", "[cli][plan]") {
  const std::string refusal = run_jute(problem("plan", {"--arch", "sm_1"})).err;
  const size_t list = refusal.find("one of ");
  REQUIRE(list != std::string::npos);
  std::istringstream names(refusal.substr(list + 7, refusal.find(" (nearest", list) - list - 7));
  std::set<std::string> seen;
  for (std::string name; std::getline(names >> std::ws, name, ',');) {
    INFO(name);
    CHECK(seen.insert(name).second);
    const ProcessResult plan = run_jute(problem("plan", {"--arch", name}));
    CHECK(plan.status == 0);
    CHECK(plan.out.find(" " + name + " ") != std::string::npos);
    CHECK(plan.out.find("\n  arch " + name + "\n") != std::string::npos);
  }
  CHECK(seen.size() >= 10);
}
