// What CUDA's run time gives to kernels, as nvcc 13 spells it. Compiled by
//   nvcc -std=c++17 -arch=sm_90a -ptx ordinary.cu
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__constant__ int scale[4];
__device__ int seen;

extern "C" __global__ void asserts(const int* values, int most) {
  assert(values[threadIdx.x] < most);
}

extern "C" __global__ void prints(int value, double number) {
  if (threadIdx.x % 2 == 0)
    printf("thread %d of %u: %5d|%-5d|%05d %x %s %c %.2f %5.1e %lld %%\n", threadIdx.x, blockDim.x,
           value, value, value, value, "text", 'c', number, number, 1LL << 40);
}

extern "C" __global__ void variables(int* out) {
  out[threadIdx.x] = scale[threadIdx.x % 4] * static_cast<int>(threadIdx.x);
  atomicAdd(&seen, 1);
}

extern "C" __global__ void heap(int* out, int count) {
  int* values = static_cast<int*>(malloc(count * sizeof(int)));
  for (int i = 0; i < count; ++i) values[i] = i * static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  out[threadIdx.x] = sum;
  free(values);
}

extern "C" __global__ void frees_twice(int* out) {
  void* memory = malloc(16);
  out[0] = memory != nullptr;
  free(memory);
  free(memory);
}

extern "C" __global__ void grid_sync(int* out) {
  const auto grid = cg::this_grid();
  out[grid.thread_rank()] = static_cast<int>(grid.thread_rank());
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (unsigned i = 0; i < grid.size(); ++i) sum += out[i];
    out[grid.size()] = sum;
  }
}

extern "C" __global__ void wide_tiles(const int* in, int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

struct Shape {
  __device__ virtual int area(int) const = 0;
};
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
};
struct Strip : Shape {
  int width;
  __device__ explicit Strip(int w) : width(w) {}
  __device__ int area(int x) const override { return x * width; }
};
extern "C" __global__ void virtual_calls(int* values, int width) {
  const Square square;
  const Strip strip(width);
  const Shape* shape = threadIdx.x % 2 == 0 ? static_cast<const Shape*>(&square) : &strip;
  values[threadIdx.x] = shape->area(values[threadIdx.x]);
}

using Step = int (*)(int);
__device__ int next(int x) { return x + 1; }
__device__ int triple(int x) { return x * 3; }
__device__ Step steps[2] = {next, triple};
extern "C" __global__ void function_table(int* values) {
  values[threadIdx.x] = steps[threadIdx.x & 1](values[threadIdx.x]);
}
extern "C" __global__ void wrong_pointer(int* values, Step step) {
  values[threadIdx.x] = step(values[threadIdx.x]);
}

extern "C" __global__ void stack(const int* in, int* out, int count) {
  int* copy = static_cast<int*>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) copy[i] = in[i] * static_cast<int>(threadIdx.x);
  int last = 0;
  for (int i = count; i-- > 0;) last = last * 10 + copy[i];
  out[threadIdx.x] = last;
}
