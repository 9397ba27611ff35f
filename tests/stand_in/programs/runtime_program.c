/* A program of the runtime API as nvcc writes one: `runtime_program CASE` runs one case, and says on which
   line a call did not return what it must. */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kOk = 0, kInvalidValue = 1, kInvalidSymbol = 13, kInvalidFunction = 98, kInvalidDevice = 101,
       kNoKernelImage = 209, kIllegalAddress = 700, kNotSupported = 801 };
enum { kToDevice = 1, kToHost = 2, kOnDevice = 3, kByAddress = 4 };

#define EXPECT(status, call)                                                           \
  do {                                                                                 \
    const Status got_ = (call);                                                        \
    if (got_ != (status)) {                                                            \
      printf("line %d: %s: %d, %s\n", __LINE__, #call, got_, cudaGetErrorName(got_)); \
      exit(9);                                                                         \
    }                                                                                  \
  } while (0)
#define OK(call) EXPECT(kOk, call)
#define CHECK(truth)                                           \
  do {                                                         \
    if (!(truth)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #truth); \
      exit(9);                                                 \
    }                                                          \
  } while (0)

/* x[i] *= factor, a thread an element, and each counts in a variable; x[n] = 1. */
static const char kPtx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 threads = 5;\n"
    ".visible .entry scale(.param .u64 x, .param .f32 factor, .param .u32 n)\n{\n"
    "  .reg .pred %p;\n  .reg .b32 %r<6>;\n  .reg .f32 %f<3>;\n  .reg .b64 %rd<5>;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.f32 %f1, [factor];\n  ld.param.u32 %r1, [n];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r2, %r2, %r3, %r4;\n  setp.ge.u32 %p, %r2, %r1;\n  @%p bra DONE;\n"
    "  mul.wide.u32 %rd2, %r2, 4;\n  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.f32 %f2, [%rd3];\n  mul.f32 %f2, %f2, %f1;\n  st.global.f32 [%rd3], %f2;\n"
    "  mov.u64 %rd4, threads;\n  atom.global.add.u32 %r5, [%rd4], 1;\n"
    "DONE:\n  ret;\n}\n"
    ".visible .entry beyond(.param .u64 x, .param .u32 n)\n{\n"
    "  .reg .b32 %r<2>;\n  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.u32 %r1, [n];\n  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  st.global.u32 [%rd3], 1;\n"
    "  ret;\n}\n";

enum { kCount = 100, kLz4 = 0x2000, kZstd = 0x8000 };

/* What stands for kernels and a variable on the host. */
static char scale, beyond, elsewhere;
static unsigned threads;

/* A fat binary of one entry, as nvcc lays it out. */
static struct {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes;
  struct {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes;
    uint32_t packed_bytes, options;
    uint16_t minor, major;
    uint32_t arch, name_at, name_bytes;
    uint64_t flags, reserved, whole_bytes;
  } entry;
  unsigned char text[sizeof kPtx + 64];
} binary;
static struct {
  uint32_t magic, version;
  const void *data, *file;
} wrapper;

/* Packed, the text is one run of literals: LZ4's length in bytes of 255, or a frame of zstd with a raw block. */
static size_t packed(uint64_t flags) {
  unsigned char *at = binary.text;
  size_t size = sizeof kPtx;
  if (flags == kLz4) {
    *at++ = 0xF0;
    for (size -= 15; size >= 255; size -= 255) *at++ = 255;
    *at++ = (unsigned char)size;
  } else if (flags == kZstd) {
    const uint32_t magic = 0xFD2FB528, whole = sizeof kPtx, block = 1 | whole << 3;
    memcpy(at, &magic, 4), at[4] = 0xA0, memcpy(at + 5, &whole, 4), memcpy(at + 9, &block, 3);
    at += 12;
  }
  memcpy(at, kPtx, sizeof kPtx);
  return (size_t)(at - binary.text) + sizeof kPtx;
}

static void **registered(int kind, uint64_t flags) {
  const size_t bytes = packed(flags);
  binary.magic = 0xBA55ED50, binary.version = 1, binary.header_bytes = 16;
  binary.bytes = sizeof binary.entry + sizeof binary.text;
  binary.entry.kind = (uint16_t)kind, binary.entry.header_bytes = sizeof binary.entry;
  binary.entry.bytes = sizeof binary.text, binary.entry.packed_bytes = (uint32_t)bytes;
  binary.entry.arch = 70, binary.entry.flags = flags, binary.entry.whole_bytes = sizeof kPtx;
  wrapper.magic = 0x466243B1, wrapper.version = 1, wrapper.data = &binary;
  void **unit = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(unit, &scale, "scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(unit, &beyond, "beyond", "beyond", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(unit, &threads, "threads", "threads", 0, sizeof threads, 0, 1);
  __cudaRegisterFatBinaryEnd(unit);
  return unit;
}

/* scale<<<2, 64, 0, stream>>>(x, factor, kCount), as its host stub has it. */
static Status launch(const void *kernel, float *x, float factor, Stream stream) {
  unsigned n = kCount;
  void *parameters[] = {&x, &factor, &n};
  Shape grid = {2, 1, 1}, block = {64, 1, 1};
  size_t smem_bytes = 0;
  CHECK(__cudaPushCallConfiguration(grid, block, smem_bytes, stream) == 0);
  OK(__cudaPopCallConfiguration(&grid, &block, &smem_bytes, &stream));
  return cudaLaunchKernel(kernel, grid, block, parameters, smem_bytes, stream);
}

static float *numbers(float *host) {
  float *x;
  for (int i = 0; i < kCount; ++i) host[i] = (float)i;
  OK(cudaMalloc((void **)&x, kCount * sizeof(float)));
  OK(cudaMemcpy(x, host, kCount * sizeof(float), kToDevice));
  return x;
}

static void run_scale(uint64_t flags) {
  void **unit = registered(1, flags);
  float host[kCount], *x = numbers(host);
  unsigned counted = 0, begun = 7;
  size_t bytes = 0;
  OK(launch(&scale, x, 2, NULL));
  OK(cudaMemcpy(host, x, sizeof host, kToHost));
  for (int i = 0; i < kCount; ++i) CHECK(host[i] == 2 * (float)i);
  OK(cudaMemcpyFromSymbol(&counted, &threads, sizeof counted, 0, kToHost));
  CHECK(counted == 5 + kCount);
  OK(cudaMemcpyToSymbol(&threads, &begun, sizeof begun, 0, kToDevice));
  OK(launch(&scale, x, 2, NULL));
  OK(cudaMemcpyFromSymbol(&counted, &threads, sizeof counted, 0, kToHost));
  CHECK(counted == 7 + kCount);
  OK(cudaGetSymbolSize(&bytes, &threads));
  CHECK(bytes == sizeof threads);
  OK(cudaFree(x));
  __cudaUnregisterFatBinary(unit);
}

static void run_streams(void) {
  registered(1, 0);
  Stream one, other;
  Event begun, ended;
  float ms = -1, *host, unused[kCount], *x = numbers(unused);
  OK(cudaMallocHost((void **)&host, kCount * sizeof(float)));
  OK(cudaStreamCreate(&one));
  OK(cudaStreamCreate(&other));
  OK(cudaEventCreate(&begun));
  OK(cudaEventCreate(&ended));
  OK(cudaEventRecord(begun, one));
  OK(launch(&scale, x, 3, one));
  OK(cudaEventRecord(ended, one));
  OK(cudaStreamWaitEvent(other, ended, 0));
  OK(cudaMemcpyAsync(host, x, kCount * sizeof(float), kToHost, other));
  OK(cudaStreamSynchronize(other));
  CHECK(host[99] == 297);
  OK(cudaEventSynchronize(ended));
  OK(cudaEventElapsedTime(&ms, begun, ended));
  CHECK(ms >= 0);
  OK(cudaMemset(x, 0, 40));
  OK(cudaMemcpy2D(host, 40, x, 40, 40, 2, kByAddress));
  CHECK(host[9] == 0 && host[10] == 30);
  OK(cudaEventDestroy(begun));
  OK(cudaStreamDestroy(one));
  OK(cudaFreeHost(host));
  OK(cudaDeviceSynchronize());
}

static void tell(Stream stream, Status status, void *user) {
  (void)stream;
  *(Status *)user = status;
}

static void run_graphs(void) {
  registered(1, 0);
  Stream stream;
  Graph graph;
  GraphExec executable;
  Status told = -1;
  float host[kCount], *x = numbers(host);
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, 0));
  OK(launch(&scale, x, 2, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamAddCallback(stream, tell, &told, 0));
  OK(cudaStreamSynchronize(stream));
  CHECK(told == kOk);
  OK(cudaMemcpy(host, x, sizeof host, kToHost));
  CHECK(host[5] == 40);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
}

static void run_device(void) {
  registered(1, 0);
  int count = 0, value = 0, blocks = 0;
  union {
    char bytes[1008];
    int numbers[252];
    size_t sizes[126];
  } properties, attributes;
  size_t free_bytes = 0, all_bytes = 0;
  OK(cudaGetDeviceCount(&count));
  CHECK(count == 1);
  OK(cudaGetDeviceProperties(&properties, 0));
  OK(cudaMemGetInfo(&free_bytes, &all_bytes));
  CHECK(properties.sizes[36] == all_bytes && properties.numbers[77] == 32);
  OK(cudaDeviceGetAttribute(&value, 16, 0));
  CHECK(properties.numbers[96] == value && value > 0);
  OK(cudaFuncGetAttributes(&attributes, &scale));
  CHECK(attributes.numbers[6] == 1024);
  OK(cudaFuncSetAttribute(&scale, 8, 65536));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale, 64, 0));
  CHECK(blocks > 1);
  printf("%s\n", properties.bytes);
}

static void run_errors(void) {
  registered(1, 0);
  void *memory = NULL;
  EXPECT(kInvalidFunction, launch(&elsewhere, NULL, 1, NULL));
  EXPECT(kInvalidFunction, cudaPeekAtLastError());
  EXPECT(kInvalidFunction, cudaGetLastError());
  OK(cudaGetLastError());
  EXPECT(kInvalidSymbol, cudaMemcpyToSymbol(&elsewhere, &memory, 1, 0, kToDevice));
  EXPECT(kInvalidValue, cudaMemcpyToSymbol(&threads, &memory, 8, 0, kToDevice));
  EXPECT(kInvalidDevice, cudaSetDevice(3));
  EXPECT(kNotSupported, cudaMallocManaged(&memory, 16, 1));
  CHECK(strcmp(cudaGetErrorName(kInvalidValue), "cudaErrorInvalidValue") == 0);
  CHECK(strcmp(cudaGetErrorName(kInvalidFunction), "cudaErrorInvalidDeviceFunction") == 0);
  CHECK(strcmp(cudaGetErrorName(kOk), "cudaSuccess") == 0 && strlen(cudaGetErrorString(kInvalidValue)) > 5);
}

static void run_beyond(void) {
  registered(1, 0);
  float host[kCount], *x = numbers(host);
  unsigned n = kCount;
  void *parameters[] = {&x, &n};
  const Shape one = {1, 1, 1};
  cudaLaunchKernel(&beyond, one, one, parameters, 0, NULL);
  EXPECT(kIllegalAddress, cudaDeviceSynchronize());
  EXPECT(kIllegalAddress, cudaGetLastError());
}

static void run_machine_code(void) {
  registered(2, 0);
  EXPECT(kNoKernelImage, launch(&scale, NULL, 1, NULL));
}

int main(int count, char **words) {
  const char *name = count > 1 ? words[1] : "";
  if (strcmp(name, "scale") == 0) run_scale(0);
  if (strcmp(name, "lz4") == 0) run_scale(kLz4);
  if (strcmp(name, "zstd") == 0) run_scale(kZstd);
  if (strcmp(name, "streams") == 0) run_streams();
  if (strcmp(name, "graphs") == 0) run_graphs();
  if (strcmp(name, "device") == 0) run_device();
  if (strcmp(name, "errors") == 0) run_errors();
  if (strcmp(name, "beyond") == 0) run_beyond();
  if (strcmp(name, "machine_code") == 0) run_machine_code();
  return 0;
}
