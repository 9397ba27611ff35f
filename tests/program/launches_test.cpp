// Launches as a program's text tells them.
#include <jute/program/launches.hpp>

#include "support/catch.hpp"

using namespace jute;

namespace {

const std::string kKernel =
    "template <class T> __global__ void fill(T* x, const T* y, int n, float a) {}\n"
    "__global__ void count(int n) {}\n";

/// The launches of a `main` with these statements.
std::vector<LaunchSite> sites(const std::string& statements, const std::string& before = {}) {
  auto found =
      launches_of(kKernel + before + "int main(int argc, char** argv) {\n" + statements + "\n}\n")
          .sites;
  std::erase_if(found, [](const LaunchSite& site) { return !site.is_made; });
  return found;
}

/// The first argument of `count<<<1, 1>>>(EXPRESSION)`; -1 where it is not known.
Index counted(const std::string& expression, const std::string& before = {},
              const std::string& statements = {}) {
  const auto found = sites(statements + "count<<<1, 1>>>(" + expression + ");", before);
  const auto* value = std::get_if<Index>(&found.at(0).arguments.at(0).value);
  return value == nullptr ? -1 : *value;
}

}  // namespace

TEST_CASE("expressions of host code have the values that C++ gives them", "[program][launches]") {
  CHECK(counted("2 + 3 * 4 - 1") == 13);
  CHECK(counted("(7 + 256 - 1) / 256 << 3 | 1") == 9);
  CHECK(counted("100 >> 2 > 24 ? 0x1F : 017") == 31);
  CHECK(counted("sizeof(float) * sizeof(double4) + sizeof(int*)") == 4 * 32 + 8);
  CHECK(counted("(int)ceil(1000 / 256.0f)") == 4);
  CHECK(counted("static_cast<int>(std::min(3.5, 9.0)) + max(1, 2)") == 5);
  CHECK(counted("1'000'000u") == 1000000);
  CHECK(counted("DIV(N, 3)",
                "#define N kLength\n#define DIV(a, b) (((a) + (b) - 1) / (b))\n"
                "static const int kLength = 10;\n") == 4);
  CHECK(counted("ceil_div(10, 4)", "int ceil_div(int a, int b) { return (a + b - 1) / b; }\n") ==
        3);
  CHECK(counted("1 / 0") == -1);
  CHECK(counted("9223372036854775807 + 1") == -1);
  CHECK(counted("1 << 70") == -1);
  CHECK(counted("unknown()") == -1);
  CHECK(counted("A", "#define A B + B\n#define B A\n") == -1);
}

TEST_CASE("a variable has the value of the way that is taken first", "[program][launches]") {
  CHECK(counted("n", "", "int n = argc > 1 ? atoi(argv[1]) : 64; ") == 64);
  CHECK(counted("n", "", "int n = 64; if (argc > 1) n = atoi(argv[1]); ") == 64);
  CHECK(counted("n", "", "int n = 64; if (argc > 1) { n = 7; } else { n = 8; } ") == 8);
  CHECK(counted("n", "", "int n = 64; if (n == 64) n = 7; else n = 8; ") == 7);
  CHECK(counted("n", "", "int n = 64; if (ask()) n = 7; ") == 64);
  CHECK(counted("n", "", "int n = 64; n = ask(); ") == -1);
  CHECK(counted("n", "", "int n = 64; n *= 2; n -= 1; ") == 127);
  CHECK(counted("n", "", "int m = 3, n = m * 2; ") == 6);
  CHECK(counted("n.y", "", "dim3 n(4); n.y = 5; ") == 5);
  CHECK(counted("a + b", "enum { unused }; int a = 1, b[] = {2};\nint b2; const int b = 4;\n") ==
        5);
}

TEST_CASE("grids and blocks are read as they are written", "[program][launches]") {
  const auto shape = [](const std::string& statements) { return sites(statements).at(0); };
  CHECK(shape("count<<<4, 128>>>(1);").grid == Dim3{4, 1, 1});
  CHECK(shape("dim3 b = dim3(16, 8), g{2, 3, 4}; count<<<g, b>>>(1);").grid == Dim3{2, 3, 4});
  CHECK(shape("dim3 b = {16, 8}; count<<<2, b, 64, s>>>(1);").block == Dim3{16, 8, 1});
  CHECK(shape("count<<<2, 8, 4 * sizeof(int)>>>(1);").dynamic_smem_bytes == 16);
  CHECK(shape("count<<<dim3(2, 2), 1024 >> 2>>>(1);").block == Dim3{256, 1, 1});
  CHECK(shape("count << < 4, 128 >> > (1);").block == Dim3{128, 1, 1});
  const LaunchSite unknown = shape("count<<<ask(), 0, ask(3)>>>(1);");
  CHECK_FALSE(unknown.grid);
  CHECK_FALSE(unknown.block);
  CHECK_FALSE(unknown.dynamic_smem_bytes);
  CHECK(unknown.missing == std::vector<std::string>{"ask()", "0", "ask(3)"});
  CHECK(unknown.line == 4);
}

TEST_CASE("memory has its size and what the host put there", "[program][launches]") {
  const LaunchSite site =
      sites(
          "const int n = 100; float *x, *y; double* z;\n"
          "check(cudaMalloc((void**)&x, n * sizeof *x2 + n * sizeof(float)));\n"
          "cudaMalloc(&y, n * sizeof(*y2));\n"
          "cudaMalloc(&x, n * sizeof(float)); cudaMalloc<float>(&y, sizeof(float) * n);\n"
          "cudaMemset(x, 0, 400); cudaMemcpy(y, h, 400, cudaMemcpyHostToDevice);\n"
          "fill<<<1, 1>>>(x, y, n, .5f); fill<<<1, 1>>>(x, x, n, 1);")
          .at(0);
  CHECK(site.kernel == "fill<float>");
  const auto& x = std::get<LaunchMemory>(site.arguments[0].value);
  CHECK(x.bytes == 400);
  CHECK(x.contents == LaunchContents::zeros);
  const auto& y = std::get<LaunchMemory>(site.arguments[1].value);
  CHECK(y.contents == LaunchContents::copied);
  CHECK(site.arguments[1].type == "float");
  CHECK(site.arguments[1].is_constant);
  CHECK(std::get<double>(site.arguments[3].value) == 0.5);
}

TEST_CASE("a library fills what it is given, and an address inside memory is the memory's",
          "[program][launches]") {
  const LaunchSite site = sites(
                              "float *x, *y; cudaMalloc(&x, 40); cudaMalloc(&y, 80);\n"
                              "curandGenerateUniform(generator, x, 10);\n"
                              "fill<<<1, 1>>>(x, y + 4 * offset, 10, 1);")
                              .at(0);
  CHECK(std::get<LaunchMemory>(site.arguments[0].value).contents == LaunchContents::copied);
  CHECK(std::get<LaunchMemory>(site.arguments[1].value).bytes == 80);
  CHECK(std::get<LaunchMemory>(site.arguments[1].value).contents == LaunchContents::unset);
}

TEST_CASE("a structure by value is not the memory that has its name", "[program][launches]") {
  const LaunchSite site = sites("Pair p; cudaMallocManaged(&p.x, 40); take<<<1, 1>>>(p);",
                                "struct Pair { float *x, *y; };\n"
                                "__global__ void take(Pair pair) {}\n")
                              .at(0);
  CHECK(site.arguments[0].value.index() == 0);
  CHECK(site.arguments[0].type == "Pair");
}

TEST_CASE("values go with calls of the program's own functions", "[program][launches]") {
  const auto found = sites("float* d = nullptr; allocate(&d, 64); run<float, 32>(d, 64);",
                           "void allocate(float** p, int n) { cudaMalloc(p, n * sizeof(float)); }\n"
                           "template <class T, int B> void run(T* x, int n) {\n"
                           "  fill<T><<<n / B, B>>>(x, x, n, 1); }\n");
  REQUIRE(found.size() == 1);
  const LaunchSite& site = found[0];
  CHECK(site.kernel == "fill<float>");
  CHECK(site.grid == Dim3{2, 1, 1});
  CHECK(std::get<LaunchMemory>(site.arguments[0].value).bytes == 256);
  CHECK(std::get<LaunchMemory>(site.arguments[1].value).again == 0u);
  CHECK(sites("again(1);", "void again(int n) { again(n); count<<<n, 1>>>(n); }\n")[0].grid ==
        Dim3{1, 1, 1});
}

TEST_CASE("a kernel that nothing launches is told with its parameters", "[program][launches]") {
  const auto found = launches_of(
      "namespace a { extern \"C\" __global__ void k(const float* __restrict__ x, unsigned int n, "
      "half h[], uchar4 *p) {} }\n"
      "__constant__ float c[4]; void f() { cudaMemcpyToSymbol(c, h, 16); }");
  REQUIRE(found.sites.size() == 1);
  const LaunchSite& site = found.sites[0];
  CHECK_FALSE(site.is_made);
  CHECK(site.kernel == "a::k");
  REQUIRE(site.arguments.size() == 4);
  CHECK(site.arguments[0].type == "float");
  CHECK(site.arguments[0].is_constant);
  CHECK(site.arguments[1].type == "unsigned int");
  CHECK(site.arguments[2].is_pointer);
  CHECK(site.arguments[3].type == "uchar4");
  CHECK(found.constants == std::vector<std::string>{"c"});
}

TEST_CASE("sizes go by aliases, macros and structures", "[program][launches]") {
  const auto bytes = [](const std::string& type, const std::string& before) -> Index {
    const auto found =
        sites(type + "* x; cudaMalloc(&x, 10 * sizeof(" + type + ")); fill<<<1, 1>>>(x, x, 1, 1);",
              before);
    const auto& memory = std::get<LaunchMemory>(found.at(0).arguments.at(0).value);
    return memory.bytes ? *memory.bytes : -1;
  };
  CHECK(bytes("real", "typedef double real;\n") == 80);
  CHECK(bytes("real", "using real = float;\n") == 40);
  CHECK(bytes("REAL", "#define REAL double\n") == 80);
  CHECK(bytes("Pair", "struct Pair { char tag; double x; int n[3]; };\n") == 320);
  CHECK(bytes("Pair", "typedef struct { float x, y; Other* next; } Pair;\n") == 160);
  CHECK(bytes("Whole", "struct Part { float4 a; };\nstruct Whole { Part part[2]; char c; };\n") ==
        480);
  CHECK(bytes("Odd", "struct Odd { Unknown a; };\n") == -1);
  CHECK(bytes("Made", "struct Base {};\nstruct Made { virtual void f() = 0; };\n") == -1);
  CHECK(counted("sizeof(real) + ::N", "typedef short real;\nconst int N = 5;\n") == 7);
  CHECK(counted("sizeof(real)", "", "typedef double real; ") == 8);
}

TEST_CASE("a byte order mark is no part of the first word", "[program][launches]") {
  const auto found = launches_of(
                         "\xEF\xBB\xBF#define N 3\n__global__ void count(int n) {}\n"
                         "int main() { count<<<1, 1>>>(N); }\n")
                         .sites;
  CHECK(std::get<Index>(found.at(0).arguments.at(0).value) == 3);
}

TEST_CASE("an address inside memory has its place", "[program][launches]") {
  const auto offset = [](const std::string& argument, const std::string& type = "float") {
    const auto found = sites("int R = 3; " + type + "* x; cudaMalloc(&x, 800); fill<<<1, 1>>>(" +
                             argument + ", x, 1, 1);");
    return std::get<LaunchMemory>(found.at(0).arguments.at(0).value).offset_bytes;
  };
  CHECK(offset("x") == 0);
  CHECK(offset("x + R") == 12);
  CHECK(offset("R + x") == 12);
  CHECK(offset("&x[R + 1]") == 16);
  CHECK(offset("&x[8] - 2", "double") == 48);
  CHECK(offset("(float*)((char*)x + 5)") == 5);
  CHECK_FALSE(offset("x + unknown"));
}

TEST_CASE("launches by calls of the runtime and by macros are launches", "[program][launches]") {
  const std::string memory = "float* x; float a = 2.5f; int n = 7; cudaMalloc(&x, 40);\n";
  const std::string list = memory + "void* list[] = {&x, (void*)&x, &n, &a};\n";
  for (const char* call :
       {"cudaLaunchKernel((void*)fill<float>, dim3(2), dim3(4), list, 8, 0);",
        "cudaLaunchCooperativeKernel((const void*)(fill<float>), 2, 4, &list[0], 8, stream);",
        "cudaLaunchConfig_t c = {0}; c.gridDim = 2; c.blockDim = dim3(4); c.dynamicSmemBytes = 8; "
        "cudaLaunchKernelEx(&c, fill<float>, x, x, n, a);",
        "cudaLaunchConfig_t c{2, 4, 8}; cudaLaunchKernelEx(&c, fill<float>, x, x, n, a);"}) {
    INFO(call);
    const auto found = sites(list + call);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kernel == "fill<float>");
    CHECK(found[0].grid == Dim3{2, 1, 1});
    CHECK(found[0].block == Dim3{4, 1, 1});
    CHECK(found[0].dynamic_smem_bytes == 8);
    REQUIRE(found[0].arguments.size() == 4);
    CHECK(std::get<LaunchMemory>(found[0].arguments[0].value).bytes == 40);
    CHECK(std::get<LaunchMemory>(found[0].arguments[1].value).again == 0u);
    CHECK(std::get<Index>(found[0].arguments[2].value) == 7);
    CHECK(std::get<double>(found[0].arguments[3].value) == 2.5);
    CHECK(found[0].is_cooperative == (std::string(call).find("Coop") != std::string::npos));
  }
  const auto found = sites("RUN(count, 2, 64, 7); RUN(count, 3, 1, 8);",
                           "#define RUN(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].block == Dim3{64, 1, 1});
  CHECK(std::get<Index>(found[1].arguments[0].value) == 8);
}

TEST_CASE("a template of the host launches once for each of its instances", "[program][launches]") {
  const auto found =
      sites("run<float>(); run<double>(); run<float>();",
            "template <class T> void run() {\n"
            "  T* x; cudaMalloc(&x, 8 * sizeof(T)); fill<T><<<1, 8>>>(x, x, 1, T(3));\n"
            "}\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].kernel == "fill<double>");
  CHECK(found[1].kernel == "fill<float>");
  CHECK(std::get<LaunchMemory>(found[0].arguments[0].value).bytes == 64);
  CHECK(std::get<LaunchMemory>(found[1].arguments[0].value).bytes == 32);
}
