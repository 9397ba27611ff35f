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
