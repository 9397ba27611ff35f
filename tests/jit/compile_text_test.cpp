// CUDA texts that people wrote.
#include <jute/jit/compile.hpp>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/refusal.hpp"

using namespace jute;

TEST_CASE("a text with several kernels becomes PTX that names its lines", "[jit][nvrtc]") {
  const std::string ptx =
      test::test_compiler().ptx({.text = "#include <cuda_fp16.h>\n"
                                         "template <class T>\n"
                                         "__global__ void put(T* x) { *x = N; }\n"
                                         "template __global__ void put(__half*);\n"
                                         "template __global__ void put(int*);\n",
                                 .file = "/kernels/put.cu",
                                 .arch = {90, 'a'},
                                 .options = {"-DN=4"}});
  CHECK(ptx.find(".target sm_90a") != std::string::npos);
  CHECK(ptx.find(".entry _Z3putI6__halfEvPT_") != std::string::npos);
  CHECK(ptx.find(".entry _Z3putIiEvPT_") != std::string::npos);
  CHECK(ptx.find("\"/kernels/put.cu\"") != std::string::npos);
}

TEST_CASE("a text that does not compile is a bad file, with the line", "[jit][nvrtc][refusal]") {
  const Error error = test::refusal_of([] {
    return test::test_compiler().ptx(
        {.text = "\n__global__ void k() { y = 1; }\n", .file = "/a/k.cu", .arch = {80}});
  });
  CHECK(error.code == ErrorCode::bad_file);
  CHECK(error.operand == "/a/k.cu");
  REQUIRE(error.position);
  CHECK(error.position->line == 2);
  CHECK(error.violated_rules.front().find("\"y\" is undefined") != std::string::npos);
  CHECK(test::refusal_of([] {
          return test::test_compiler().ptx({.text = std::string("a\0b", 3), .arch = {80}});
        }).code == ErrorCode::bad_file);
  CHECK(test::refusal_of([] {
          return test::test_compiler().ptx({.text = "", .arch = {12}});
        }).code == ErrorCode::unsupported);
}

TEST_CASE("kernels of templates are made where they are asked for by name", "[jit][nvrtc]") {
  const CudaText text{.text =
                          "enum Kind { one, two };\n"
                          "namespace net {\n"
                          "template <class T, Kind K> __global__ void put(T* x) { *x = K; }\n"
                          "}\n",
                      .file = "/kernels/put.cu",
                      .arch = {80},
                      .options = {},
                      .instances = {"net::put<float, two>", "net::put<int, one>"}};
  const CudaPtx made = test::test_compiler().instantiate(text);
  REQUIRE(made.symbols.size() == 2);
  for (const std::string& symbol : made.symbols)
    CHECK(made.text.find(".entry " + symbol + "(") != std::string::npos);
  CHECK(made.symbols[0] == "_ZN3net3putIfL4Kind1EEEvPT_");
}

TEST_CASE("a program with its host's includes and functions compiles for its kernels",
          "[jit][nvrtc]") {
  const std::string text =
      "#include <algorithm>\n#include <cassert>\n#include <cmath>\n#include <cstdint>\n"
      "#include <cstdio>\n#include <cuda_runtime.h>\n#include <iostream>\n#include <limits>\n"
      "#include <type_traits>\n#include <vector>\n#include <sys/time.h>\n#include <helper_cuda.h>\n"
      "using namespace std;\nusing namespace thrust;\n"
      "static_assert(is_same_v<decay_t<const int&>, int> && is_signed_v<int8_t>, \"\");\n"
      "vector<float> numbers;\n"
      "template <class T> __global__ void lowest(T* x, const uint8_t* mask, uint n) {\n"
      "  assert(n > 0);\n"
      "  T best = numeric_limits<T>::max();\n"
      "  for (uint i = 0; i < n; ++i) if (mask[i]) best = std::min(best, "
      "static_cast<T>(sqrt(x[i])));\n"
      "  if (n > INT_MAX) printf(\"%f\\n\", M_PI * std::fabs(x[0]));\n"
      "  x[0] = max(best, T(0));\n"
      "}\n"
      "void check(cudaError_t e) { if (e != cudaSuccess) { cerr << cudaGetErrorString(e); exit(1); "
      "} }\n"
      "int main() {\n"
      "  float* x;\n"
      "  check(cudaMalloc(&x, numbers.size()));\n"
      "  lowest<float><<<1, 32>>>(x, nullptr, 5);\n"
      "}\n";
  const CudaPtx made = test::test_compiler().instantiate({.text = text,
                                                          .file = "/kernels/lowest.cu",
                                                          .arch = {90, 'a'},
                                                          .instances = {"lowest<float>"}});
  CHECK(made.text.find(".entry " + made.symbols.at(0)) != std::string::npos);
  CHECK(made.text.find("/kernels/lowest.cu\"") != std::string::npos);
}

TEST_CASE("a program that does not compile is told once, and what can be done",
          "[jit][nvrtc][refusal]") {
  const auto refusal = [](const std::string& text) {
    return test::refusal_of([&] {
      return test::test_compiler().ptx({.text = text, .file = "/none/k.cu", .arch = {80}});
    });
  };
  const Error host = refusal(
      "#include <string>\nstruct Named { std::string name; };\n"
      "__global__ void k(Named n) {}\nint main() { k<<<1, 1>>>({}); }\n");
  REQUIRE(host.violated_rules.size() == 2);
  CHECK(host.violated_rules[1].find("#ifndef __CUDACC_RTC__") != std::string::npos);
  REQUIRE(host.position);
  CHECK(host.position->line == 2);
  const size_t first = host.detail.find("has no member \"string\"");
  REQUIRE(first != std::string::npos);
  CHECK(host.detail.find("has no member \"string\"", first + 1) == std::string::npos);
  const Error missing = refusal("#include \"mine.h\"\n__global__ void k() {}\n");
  REQUIRE(missing.violated_rules.size() == 2);
  CHECK(missing.violated_rules[1].starts_with("mine.h must lie beside the file"));
  CHECK(refusal("__global__ void k() { y = 1; }\n").violated_rules.size() == 1);
}
