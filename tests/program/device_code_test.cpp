// What is left of a CUDA program for its kernels.
#include <jute/program/device_code.hpp>

#include <algorithm>
#include <map>

#include "support/catch.hpp"

using namespace jute;

namespace {

std::string left(const std::string& text) { return device_code(text, "program.cu").text; }

/// The lines of a text that hold more than blanks, without blanks at their ends.
std::vector<std::string> shown(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) lines.push_back(line.substr(line.find_first_not_of(' ')));
    at = end + 1;
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// A launch: what makes a text a program with a host.
const std::string kHost = "int main() { k<<<1, 2>>>(0); }\n";

}  // namespace

TEST_CASE("a text without host code is left as it is", "[program][device_code]") {
  const std::string text =
      "// main() and <<<1, 2>>> in a comment, \"std::vector\" in a string\n"
      "float twice(float x) { return 2 * x; }\n"
      "struct Pair { float a, b; Pair(float x) : a(x), b(x) {} };\n"
      "int counter;\n"
      "extern \"C\" __global__ void k(float* x) { *x = twice(*x); }\n";
  const DeviceCode code = device_code(text, "k.cu");
  CHECK(code.text == text);
  CHECK_FALSE(code.had_host_code);
}

TEST_CASE("what kernels need stays, line by line, and the host's is blank",
          "[program][device_code]") {
  const std::string text =
      "#include <vector>\n"
      "#define WIDTH kTile\n"
      "const int kTile = 16;\n"
      "const int kUnused = rand();\n"
      "struct Pair { float a; float sum() const; };\n"
      "struct Timer { std::vector<float> times; };\n"
      "std::vector<float> numbers;\n"
      "__device__ float twice(float x) { return 2 * x; }\n"
      "double twice(double x) {\n"
      "  return std::accumulate(numbers.begin(), numbers.end(), x);\n"
      "}\n"
      "constexpr int half(int x) { return x / 2; }\n"
      "template <class T> __global__ void k(T* x, Pair p) {\n"
      "  x[half(WIDTH)] = twice(p.a);\n"
      "}\n"
      "template __global__ void k(float*, Pair);\n"
      "template void k(int*, Pair);\n"
      "int main(int count, char** words) {\n"
      "  k<<<1, 1>>>(x, Pair{});\n"
      "}\n";
  const std::string result = left(text);
  REQUIRE(result.size() == text.size());
  CHECK(std::ranges::count(result, '\n') == std::ranges::count(text, '\n'));
  CHECK(shown(result) == Lines{"#include <vector>", "#define WIDTH kTile", "const int kTile = 16;",
                               "struct Pair { float a;                    };",
                               "__device__ float twice(float x) { return 2 * x; }",
                               "constexpr int half(int x) { return x / 2; }",
                               "template <class T> __global__ void k(T* x, Pair p) {",
                               "x[half(WIDTH)] = twice(p.a);", "}",
                               "template __global__ void k(float*, Pair);",
                               "template void k(int*, Pair);"});
  CHECK(result.find("x[half(WIDTH)]") == text.find("x[half(WIDTH)]"));
}

TEST_CASE("each way to write a declaration of the host goes as a whole", "[program][device_code]") {
  for (const std::string declaration :
       {"void run(float* x) { if (x) { delete x; } }",
        "static inline int run() try { return 1; } catch (...) { return 2; }",
        "auto run(int n) -> std::vector<int> { return {n}; }",
        "void run(int n);",
        "template <typename T, int N = (3 > 2)> T run(T x) { return x; }",
        "std::map<int, std::vector<int>> table{{1, {2}}};",
        "int a = 1, b[3] = {1, 2, 3};",
        "void (*callback)(int, char*) = nullptr;",
        "typedef std::vector<float> Floats;",
        "typedef struct node { FILE* file; } node_t, *node_p;",
        "using Floats = std::vector<float>;",
        "using std::cout;",
        "class Timer { public: Timer() : a(1), b{2} {} ~Timer() {} int a, b; };",
        "std::ostream& operator<<(std::ostream& o, int x) { return o << '{' << x; }",
        "Timer::Timer(int x) : a(x), b{x} { start(); }",
        "float3 operator()(int) const { return {}; }",
        "__host__ void run() { printf(\"} {\"); }",
        "dim3 blocks(16, 16), threads(4);",
        "enum Mode { fast, slow };",
        "extern \"C\" void run(int* x) { x[0] = '{'; }",
        "const char* text = R\"(} {)\";",
        "struct timeval now = {0, 1'000};",
        "inline void check(cudaError_t e, const char* f) noexcept { if (e != cudaSuccess) exit(1); "
        "}",
        "auto square = [](int x) { return x * x; };",
        "struct Timer { int a; }; static_assert(sizeof(Timer) == 4, \"\");",
        "namespace io { void run() {} }"}) {
    INFO(declaration);
    const std::string kernel = "__global__ void k(int* p) { *p = 1; }\n";
    const Lines lines = shown(left(declaration + "\n" + kernel + kHost));
    const Lines with_namespace{"namespace io {               }",
                               kernel.substr(0, kernel.size() - 1)};
    if (declaration.starts_with("namespace"))
      CHECK(lines == with_namespace);
    else
      CHECK(lines == Lines{kernel.substr(0, kernel.size() - 1)});
  }
}

TEST_CASE("macros may hold annotations, and write kernels", "[program][device_code]") {
  const Lines lines = shown(
      left("#ifdef __CUDACC__\n#define BOTH __host__ __device__\n#else\n#define BOTH\n#endif\n"
           "#define KERNEL(name) \\\n  __global__ void name(int* x) { *x = one(); }\n"
           "#define REGISTER(name) int name##_known = register_kernel(#name);\n"
           "BOTH int one() { return 1; }\n"
           "KERNEL(first)\n"
           "REGISTER(first)\n"
           "KERNEL(second);\n" +
           kHost));
  CHECK(std::ranges::count(lines, "BOTH int one() { return 1; }") == 1);
  CHECK(std::ranges::count(lines, "KERNEL(first)") == 1);
  CHECK(std::ranges::count(lines, "KERNEL(second);") == 1);
  CHECK(std::ranges::count(lines, "REGISTER(first)") == 0);
}

TEST_CASE("conditionals keep brackets apart, and stay", "[program][device_code]") {
  const Lines lines = shown(
      left("#if 0\nnone } of { this isn't read\n#endif\n"
           "#ifdef WIDE\n__global__ void k(long* x) {\n#else\n__global__ void k(int* x) {\n#endif\n"
           "  *x = 1;\n}\n"
           "int run(int n) {\n#ifdef FAST\n  if (n) {\n#else\n  if (!n) {\n#endif\n  }\n}\n" +
           kHost));
  CHECK(lines == Lines{"#if 0", "none } of { this isn't read", "#endif", "#ifdef WIDE",
                       "__global__ void k(long* x) {", "#else", "__global__ void k(int* x) {",
                       "#endif", "*x = 1;", "}", "#ifdef FAST", "#else", "#endif"});
}

TEST_CASE("a namespace that only the host's headers open is opened where it is used",
          "[program][device_code]") {
  const std::string kernel = "__global__ void k(int* x) { *x = 1; }\n";
  CHECK(shown(left("using namespace thrust::system;\n" + kernel + kHost)).front() ==
        "namespace thrust::system {} using namespace thrust::system;");
  CHECK(shown(left("namespace cg = cooperative_groups;\nusing namespace cg;\n" +
                   std::string("__global__ void k(int* x) { cg::sync(*x); }\n") + kHost))[1] ==
        "using namespace cg;");
}

TEST_CASE("types of launched templates stay, and those of wanted instances",
          "[program][device_code]") {
  const std::string text =
      "struct Square { __device__ float operator()(float x) const { return x * x; } };\n"
      "struct Cube { __device__ float operator()(float x) const { return x * x * x; } };\n"
      "struct Log { std::ofstream file; };\n"
      "template <class F> __global__ void map(float* x, F f) { *x = f(*x); }\n"
      "int main() { map<Square><<<1, 2>>>(x, {}); }\n";
  CHECK(shown(left(text)).size() == 2);
  const std::vector<std::string> wanted{"map<Cube>"};
  CHECK(shown(device_code(text, "map.cu", {}, wanted).text).size() == 3);
}

TEST_CASE("a text's own headers lose their host code, too", "[program][device_code]") {
  const std::map<std::string, std::string> files{
      {"../common/book.h",
       "#include \"more.h\"\nvoid handle(int e) { exit(e); }\n#define N kSize\n"},
      {"more.h", "const int kSize = 4;\n"}};
  const HeaderReader read = [&](const std::string& name,
                                const std::string& from) -> std::optional<FoundHeader> {
    CHECK(from == (name == "more.h" ? "/x/../common/book.h" : "/x/a.cu"));
    const auto found = files.find(name);
    if (found == files.end()) return std::nullopt;
    return FoundHeader{"/x/" + name, found->second};
  };
  const DeviceCode code = device_code(
      "#include \"../common/book.h\"\n#include <cstdio>\n#include \"none.h\"\n"
      "__global__ void k(int* x) { x[0] = N; }\n" +
          kHost,
      "/x/a.cu", read);
  REQUIRE(code.headers.size() == 1);
  CHECK(code.headers[0].name == "../common/book.h");
  CHECK(code.headers[0].text.starts_with("#line 1 \"/x/../common/book.h\"\n"));
  CHECK(code.headers[0].text.find("handle") == std::string::npos);
  CHECK(code.included == Lines{"cstdio", "none.h"});
}

TEST_CASE("a computed constant is known when compiling, or the host's", "[program][device_code]") {
  const std::string text =
      "typedef float real;\n"
      "const real cutoff = 0.5f;\n"
      "const real square = cutoff * cutoff;\n"
      "const int half = sizeof(real) / 2;\n"
      "const real four = 4;\n"
      "const real sixteen = four * four;\n"
      "const real measured = sqrtf(cutoff);\n"
      "double scale = 2;\n"
      "const double scaled = scale * 2;\n"
      "__global__ void k(real* x, real measured, double scaled) { x[half] = square + sixteen; }\n" +
      kHost;
  CHECK(shown(left(text)) ==
        Lines{"typedef float real;", "constexpr real cutoff = 0.5f;",
              "constexpr real square = cutoff * cutoff;", "constexpr int half = sizeof(real) / 2;",
              "constexpr real four = 4;", "constexpr real sixteen = four * four;",
              "__global__ void k(real* x, real measured, double scaled) { x[half] = square + "
              "sixteen; }"});
}

TEST_CASE("aliases of templates stay", "[program][device_code]") {
  const std::string text =
      "template <class T> using Pointer = T*;\n"
      "template <class T> using Unused = T;\n"
      "__global__ void k(Pointer<float> x) {}\n" +
      kHost;
  CHECK(shown(left(text)) ==
        Lines{"template <class T> using Pointer = T*;", "__global__ void k(Pointer<float> x) {}"});
}

TEST_CASE("older spellings are put right where they stand", "[program][device_code]") {
  CHECK(left("\xEF\xBB\xBFint a;\n") == "   int a;\n");
  CHECK(left("extern \"C\"__global__ void k() { register int i = 0; }\n") ==
        "extern \"C\" __global__ void k() {          int i = 0; }\n");
  const DeviceCode designated =
      device_code("struct P { int x; };\n__device__ P p = {.x = 1};\n", "p.cu");
  CHECK(designated.uses_designators);
  CHECK_FALSE(
      device_code("__global__ void k(float* x) { x[0] = .5f; }\n", "k.cu").uses_designators);
}
