// Launches typed by hand: cooperative ones, variables of a module, addresses inside memory, and
// drafts of launch files.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// A kernel whose output tells what was given to it.
std::string typed_program(const TemporaryFolder& folder, const std::string& name = "k.cu") {
  std::ofstream(folder.file(name)) << "#include <cstdio>\n"
                                      "__constant__ float scale; __device__ int table[4];\n"
                                      "__global__ void k(const float* x, float* y, int n) {\n"
                                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "  if (i < n) y[i] = x[i] * scale + table[i % 4];\n}\n"
                                      "int main() {\n"
                                      "  float *x, *y; cudaMalloc(&x, 40); cudaMalloc(&y, 40);\n"
                                      "  cudaMemcpy(x, h, 40, cudaMemcpyHostToDevice);\n"
                                      "  cudaMemcpyToSymbol(scale, h, 4);\n"
                                      "  k<<<1, 8>>>(x + 2, y, 8);\n}\n";
  return folder.file(name);
}

}  // namespace

TEST_CASE("variables are set and addresses lie inside memory", "[cli][emulate][nvrtc]") {
  const TemporaryFolder folder;
  const std::string file = typed_program(folder), launch = folder.file("launch.json");
  const std::vector<std::string> words{"emulate",      file,
                                       "--kernel",     "k",
                                       "--block",      "8",
                                       "--arg",        "f32[10]+2=iota",
                                       "--arg",        "f32[8]",
                                       "--arg",        "8",
                                       "--global",     "scale=f32:0.5",
                                       "--global",     "table=i32[4]=iota",
                                       "--cooperative"};
  std::vector<std::string> run = words, write = words;
  run.insert(run.end(), {"-o", folder.file("y.npy")});
  const ProcessResult result = run_jute(run);
  INFO(result.err);
  CHECK(result.out == "clean\n");
  write.insert(write.end(), {"--write", launch});
  CHECK(run_jute(write).status == 0);
  nlohmann::json draft = nlohmann::json::parse(command::read_text(launch));
  CHECK(draft["launches"][0]["cooperative"] == true);
  CHECK(draft["launches"][0]["args"][0]["offset_bytes"] == 8);
  // x[2 + i] is 2 + i: y is 1, 2.5, 4, 5.5, then the table begins again.
  draft["buffers"]["arg1"]["expect"] = {{"values", {1, 2.5, 4, 5.5, 3, 4.5, 6, 7.5}}};
  std::ofstream(launch) << draft.dump();
  const ProcessResult judged = run_jute({"emulate", launch});
  INFO(judged.err);
  CHECK(judged.out == "as expected: arg1\nclean\n");
}

TEST_CASE("what is typed of variables and addresses must hold", "[cli][emulate][nvrtc][refusal]") {
  const TemporaryFolder folder;
  const std::string file = typed_program(folder);
  const auto refused = [&](const std::vector<std::string>& more, const std::string& rule) {
    std::vector<std::string> words{"emulate", file, "--kernel", "k"};
    words.insert(words.end(), more.begin(), more.end());
    require_refusal(run_jute(words), 2, rule);
  };
  refused({"--global", "scale"}, "NAME=TYPE:NUMBER");
  refused({"--global", "scale=f32[1]+1"}, "begin at its first element");
  refused({"--arg", "f32[4]+x"}, "a number of elements");
  refused({"--arg", "f32[4]", "--arg", "@0+-1"}, "a number of elements");
  refused({"--arg", "f32[10]", "--arg", "f32[10]", "--arg", "1", "--global", "other=f32:1"},
          "must be a __device__ or __constant__ variable");
}

TEST_CASE("a program's first launch becomes a launch file", "[cli][emulate][program][nvrtc]") {
  const TemporaryFolder folder;
  // A header is read as CUDA, too.
  const std::string file = typed_program(folder, "k.cuh"), launch = folder.file("launch.json");
  const ProcessResult listed = run_jute({"emulate", file});
  CHECK(listed.out.find("--arg 'f32[10]+2=random:1' --arg 'f32[10]' --arg 8\n"
                        "    --arg 0: the contents are invented here") != std::string::npos);
  CHECK(run_jute({"emulate", file, "--write", launch}).status == 0);
  const nlohmann::json draft = nlohmann::json::parse(command::read_text(launch));
  CHECK(draft["launches"][0]["module"] == "k.cuh");
  CHECK(draft["buffers"]["arg0"]["shape"] == nlohmann::json{10});
  const ProcessResult result = run_jute({"emulate", launch});
  INFO(result.err);
  CHECK(result.out == "clean\n");
  std::ofstream(folder.file("unknown.cu"))
      << "__global__ void k(int n) {}\nvoid run(int n) { k<<<n, 1>>>(n); }\n";
  require_refusal(run_jute({"emulate", folder.file("unknown.cu"), "--write", launch}), 2,
                  "GRID: n in the launch");
}

TEST_CASE("what a program has that is not emulated is said", "[cli][emulate][program][nvrtc]") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& text) {
    std::ofstream(folder.file("p.cu")) << text;
    const ProcessResult result = run_jute({"emulate", folder.file("p.cu")});
    return result.out + result.err;
  };
  CHECK(said("__global__ void child(int* x) {}\n"
             "__global__ void parent(int* x) { child<<<1, 1>>>(x); }\n"
             "int main() { parent<<<1, 1>>>(0); }\n")
            .find("launches from a device are not emulated") != std::string::npos);
  CHECK(said("void elsewhere(int*);\nint main() { elsewhere<<<1, 1>>>(0); }\n")
            .find("elsewhere, launched in line 2: no kernel of this file") != std::string::npos);
  CHECK(said("template <int N> __global__ void again(int* x) { again<N><<<1, 1>>>(x); }\n"
             "int main() { again<4><<<1, 1>>>(0); }\n")
            .find("again<4>, launched in line 2: a kernel must not launch kernels") !=
        std::string::npos);
  CHECK(said("template <class T> __global__ void fill(T* x, T v) {}\n"
             "template <class T> void run(T* x) { fill<<<1, 1>>>(x, T()); }\n")
            .find("fill, launched in line 2: a template whose arguments are not known") !=
        std::string::npos);
  CHECK(said("template <class T> __global__ void fill(T* x, T v) {}\n"
             "int main() { fill<<<1, 1>>>(ask(), 2.0f); }\n")
            .find("--kernel 'fill<float>'") != std::string::npos);
  CHECK(said("#include <stdbool.h>\n#include <bitset>\n#include <cublas_v2.h>\n"
             "extern \"C\"__global__ void k(half* h, float* x) {\n"
             "  register bool b = true; h[0] = __float2half(M_PI); x[0] = b ? INFINITY : INT_MAX;\n"
             "}\nint main() { k<<<1, 1>>>(0, 0); }\n")
            .find("--kernel k --grid 1 --block 1 --arg null --arg null") != std::string::npos);
  CHECK(said("struct P { int x, y; };\n__device__ P origin = {.x = 1, .y = 2};\n"
             "__global__ void k(int* x) { x[0] = origin.y; }\nint main() { k<<<1, 1>>>(0); }\n")
            .find("--kernel k") != std::string::npos);
}

TEST_CASE("lines with bank conflicts are named with the way out", "[cli][emulate][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("t.cu"))
      << "__global__ void k(float* x) {\n  __shared__ float s[32][32];\n"
         "  s[threadIdx.x][0] = x[threadIdx.x];\n  x[threadIdx.x] = s[threadIdx.x][0];\n}\n";
  const ProcessResult result = run_jute({"emulate", folder.file("t.cu"), "--kernel", "k", "--block",
                                         "32", "--arg", "f32[32]=iota", "--profile", "text"});
  CHECK(result.out.find("bank conflicts: lanes of an access meet in a bank") != std::string::npos);
  CHECK(result.out.find("t.cu:3 takes 32 wavefronts where 1 would do") != std::string::npos);
}

TEST_CASE("a launch file's key that is nearly launches is told", "[cli][emulate][refusal]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("l.json")) << R"({"module": "k.ptx", "launch": []})";
  const ProcessResult result = run_jute({"emulate", folder.file("l.json")});
  require_refusal(result, 2, "launch");
  CHECK(result.err.find("nearest legal: launches") != std::string::npos);
}
