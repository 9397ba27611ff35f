// The order of a kernel's text, and what is left out of it.
#include <jute/emit/kernel_first.hpp>

#include "support/catch.hpp"

using namespace jute;

namespace {

constexpr const char* kText = R"(// a sum
//   of two

// convert/f32.cu
typedef float f32;
__device__ __forceinline__ float to_compute(f32 x) { return x; }
typedef double Nobody;

// The block: its threads.
constexpr int kThreads = 32;  // threads
constexpr int kUnused = 8;    // nobody's
// Of nobody.
constexpr int kAlone = kUnused;

// prelude/pair.cu: two at a time.
// Both.
template <class Elem>
__device__ __forceinline__ Elem both(Elem left, Elem right) {
  return half(left) + right;
}
__device__ __forceinline__ float lost(float x) { return x * kAlone; }

// ---- D: how it leaves ----
// half: what both calls.
__device__ __forceinline__ float half(float x) {
  return to_compute(x) / 2;
}

// kernel/sum.cu: adds.
extern "C" __global__ void __launch_bounds__(kThreads)
sum(f32* d) {
  d[0] = both(d[0], d[1]);  // lost
}
)";

}  // namespace

TEST_CASE("the kernel stands between the signatures of what it calls and all functions",
          "[emit][text]") {
  CHECK(kernel_first(kText) == R"(// a sum
//   of two

// convert/f32.cu
typedef float f32;

// The block: its threads.
constexpr int kThreads = 32;  // threads

// ---- What the kernel calls ----
template <class Elem>
__device__ __forceinline__ Elem both(Elem left, Elem right);

// kernel/sum.cu: adds.
extern "C" __global__ void __launch_bounds__(kThreads)
sum(f32* d) {
  d[0] = both(d[0], d[1]);  // lost
}

// ---- How it is done ----
// convert/f32.cu
__device__ __forceinline__ float to_compute(f32 x) { return x; }

// prelude/pair.cu: two at a time.
// Both.
template <class Elem>
__device__ __forceinline__ Elem both(Elem left, Elem right) {
  return half(left) + right;
}

// ---- D: how it leaves ----
// half: what both calls.
__device__ __forceinline__ float half(float x) {
  return to_compute(x) / 2;
}
)");
}

TEST_CASE("a function that a type calls stands ahead of it", "[emit][text]") {
  const std::string text = kernel_first(R"(__device__ int next(int x) { return x + 1; }
struct Count {
  int value;
  __device__ void step() { value = next(value); }
};
extern "C" __global__ void count(Count c) {
  c.step();
}
)");
  CHECK(text.find("int next(int x) { return x + 1; }") < text.find("struct Count"));
  CHECK(text.find("int next(int x);") == std::string::npos);
}

TEST_CASE("a function keeps its condition, and so does its signature", "[emit][text]") {
  const std::string condition = "#if __CUDA_ARCH__ >= 800\n";
  const std::string text = kernel_first(condition + R"(__device__ int wide(int x) {
  return x;
}
#endif
struct Both {
  __device__ int first() {
#if __CUDA_ARCH__ >= 800
    return 1;
#else
    return 2;
#endif
  }
};
extern "C" __global__ void use(Both both, int* x) {
  x[0] = wide(both.first());
}
)");
  CHECK(text.find(condition + "__device__ int wide(int x);\n#endif\n") != std::string::npos);
  CHECK(text.ends_with(condition + "__device__ int wide(int x) {\n  return x;\n}\n#endif\n"));
}

TEST_CASE("a text without one kernel, or cut off, is left as it is", "[emit][text]") {
  for (const std::string text :
       {"", "// nothing\n", "typedef float f32;\n", "extern \"C\" __global__ void cut(int m) {\n",
        "__global__ void one() {}\n__global__ void two() {}\n"})
    CHECK(kernel_first(text) == text);
}
