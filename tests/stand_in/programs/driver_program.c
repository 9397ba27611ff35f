/* A program of the driver API as people write them: `driver_program CASE` runs one case, and says
   on which line a call did not return what it must. */
#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kOk = 0, kInvalidValue = 1, kNotInitialized = 3, kInvalidContext = 201, kNoBinary = 209,
       kInvalidPtx = 218, kInvalidHandle = 400, kNotFound = 500, kIllegalAddress = 700,
       kNotSupported = 801 };

#define EXPECT(status, call)                                                                  \
  do {                                                                                        \
    const Status got_ = (call);                                                               \
    if (got_ != (status)) {                                                                   \
      const char *name_ = "?";                                                                \
      cuGetErrorName(got_, &name_);                                                           \
      printf("line %d: %s: %d, %s\n", __LINE__, #call, got_, name_);                          \
      exit(9);                                                                                \
    }                                                                                         \
  } while (0)
#define OK(call) EXPECT(kOk, call)
#define CHECK(truth)                                           \
  do {                                                         \
    if (!(truth)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #truth); \
      exit(9);                                                 \
    }                                                          \
  } while (0)

/* x[i] *= factor, a thread an element; x[n] = 1; a variable of the module that kernels count in. */
static const char kPtx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 launches = 5;\n"
    ".visible .entry scale(.param .u64 x, .param .f32 factor, .param .u32 n)\n{\n"
    "  .reg .pred %p;\n  .reg .b32 %r<5>;\n  .reg .f32 %f<3>;\n  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.f32 %f1, [factor];\n  ld.param.u32 %r1, [n];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r2, %r2, %r3, %r4;\n  setp.ge.u32 %p, %r2, %r1;\n  @%p bra DONE;\n"
    "  mul.wide.u32 %rd2, %r2, 4;\n  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.f32 %f2, [%rd3];\n  mul.f32 %f2, %f2, %f1;\n  st.global.f32 [%rd3], %f2;\n"
    "DONE:\n  ret;\n}\n"
    ".visible .entry beyond(.param .u64 x, .param .u32 n)\n{\n"
    "  .reg .b32 %r<2>;\n  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.u32 %r1, [n];\n  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  st.global.u32 [%rd3], 1;\n"
    "  ret;\n}\n"
    ".visible .entry count()\n{\n  .reg .b32 %r<2>;\n  .reg .b64 %rd<2>;\n"
    "  mov.u64 %rd1, launches;\n  ld.global.u32 %r1, [%rd1];\n  add.u32 %r1, %r1, 1;\n"
    "  st.global.u32 [%rd1], %r1;\n  ret;\n}\n"
    ".visible .entry large()\n{\n  ret;\n}\n";

/* x[block] = its rank in its cluster. */
static const char kClusterPtx[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry ranks(.param .u64 x)\n{\n  .reg .b32 %r<3>;\n  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [x];\n  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %cluster_ctarank;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  st.global.u32 [%rd3], %r2;\n"
    "  ret;\n}\n";

enum { kCount = 100 };

static Context begin(void) {
  Context context;
  OK(cuInit(0));
  OK(cuCtxCreate_v2(&context, 0, 0));
  return context;
}

static Function function_of(const char *ptx, const char *name) {
  Module module;
  Function function;
  OK(cuModuleLoadData(&module, ptx));
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

static Address numbers_on_device(float *numbers) {
  Address x;
  for (int i = 0; i < kCount; ++i) numbers[i] = (float)i;
  OK(cuMemAlloc_v2(&x, kCount * sizeof(float)));
  OK(cuMemcpyHtoD_v2(x, numbers, kCount * sizeof(float)));
  return x;
}

static void launch_scale(Function scale, Address x, float factor, Stream stream) {
  unsigned n = kCount;
  void *parameters[] = {&x, &factor, &n};
  OK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
}

static void expect_scaled(Address x, float factor) {
  float numbers[kCount];
  OK(cuMemcpyDtoH_v2(numbers, x, sizeof numbers));
  for (int i = 0; i < kCount; ++i) CHECK(numbers[i] == factor * (float)i);
}

static void run_scale(void) {
  float numbers[kCount];
  int count = 0, threads = 0;
  char name[64];
  begin();
  OK(cuDeviceGetCount(&count));
  CHECK(count == 1);
  OK(cuDeviceGetName(name, sizeof name, 0));
  Function scale = function_of(kPtx, "scale");
  OK(cuFuncGetAttribute(&threads, 0, scale));
  CHECK(threads == 1024);
  Address x = numbers_on_device(numbers);
  launch_scale(scale, x, 2.0F, NULL);
  /* The other way to hand over parameters: one buffer, laid out as the kernel has it. */
  struct {
    Address x;
    float factor;
    unsigned n;
  } buffer = {x, 3.0F, kCount};
  size_t bytes = sizeof buffer;
  void *extra[] = {(void *)1, &buffer, (void *)2, &bytes, NULL};
  OK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
  OK(cuCtxSynchronize());
  expect_scaled(x, 6.0F);
  printf("%s\n", name);
}

static void add_one(void *count) { ++*(int *)count; }

static void run_streams(void) {
  float numbers[kCount], milliseconds = -1;
  int called = 0;
  Stream first, second;
  Event start, end;
  begin();
  Function scale = function_of(kPtx, "scale");
  Address x = numbers_on_device(numbers);
  OK(cuStreamCreate(&first, 1));
  OK(cuStreamCreate(&second, 1));
  OK(cuEventCreate(&start, 0));
  OK(cuEventCreate(&end, 0));
  OK(cuEventRecord(start, first));
  launch_scale(scale, x, 2.0F, first);
  OK(cuEventRecord(end, first));
  OK(cuStreamWaitEvent(second, end, 0));
  launch_scale(scale, x, 5.0F, second);
  OK(cuLaunchHostFunc(second, add_one, &called));
  OK(cuStreamSynchronize(second));
  CHECK(called == 1);
  OK(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  expect_scaled(x, 10.0F);
  OK(cuEventDestroy_v2(start));
  EXPECT(kInvalidHandle, cuEventSynchronize(start));
  OK(cuStreamDestroy_v2(first));
  EXPECT(kInvalidHandle, cuStreamSynchronize(first));
}

/* A capture that a second stream joins: nothing runs before the graph is launched, then all. */
static void run_graphs(void) {
  float numbers[kCount];
  Stream first, second;
  Event fork, join;
  Graph graph;
  GraphExec exec;
  begin();
  Function scale = function_of(kPtx, "scale");
  Address x = numbers_on_device(numbers);
  OK(cuStreamCreate(&first, 1));
  OK(cuStreamCreate(&second, 1));
  OK(cuEventCreate(&fork, 0));
  OK(cuEventCreate(&join, 0));
  OK(cuStreamBeginCapture_v2(first, 0));
  launch_scale(scale, x, 2.0F, first);
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  launch_scale(scale, x, 3.0F, second);
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  EXPECT(900, cuStreamSynchronize(second));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuStreamSynchronize(second));
  expect_scaled(x, 1.0F);
  OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cuGraphDestroy(graph));
  OK(cuGraphLaunch(exec, second));
  expect_scaled(x, 6.0F);
  OK(cuGraphLaunch(exec, NULL));
  expect_scaled(x, 36.0F);
  OK(cuGraphExecDestroy(exec));
  EXPECT(kInvalidHandle, cuGraphLaunch(exec, NULL));
}

static Context shared_context;
static Function shared_scale;

static void *work_in_thread(void *unused) {
  float numbers[kCount];
  Stream stream;
  (void)unused;
  EXPECT(kInvalidContext, cuCtxSynchronize()); /* a new thread has none */
  OK(cuCtxSetCurrent(shared_context));
  OK(cuStreamCreate(&stream, 1));
  for (int round = 0; round < 8; ++round) {
    Address x = numbers_on_device(numbers);
    launch_scale(shared_scale, x, 3.0F, stream);
    OK(cuStreamSynchronize(stream));
    expect_scaled(x, 3.0F);
    OK(cuMemFree_v2(x));
  }
  return NULL;
}

static void run_threads(void) {
  pthread_t threads[4];
  shared_context = begin();
  shared_scale = function_of(kPtx, "scale");
  for (int i = 0; i < 4; ++i) CHECK(pthread_create(&threads[i], NULL, work_in_thread, NULL) == 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

static void run_errors(void) {
  Address x;
  Module module;
  Function function;
  Context context, current;
  int device;
  char log[256] = "";
  int options[] = {5, 6};
  void *values[] = {log, (void *)sizeof log};
  EXPECT(kNotInitialized, cuDeviceGet(&device, 0));
  OK(cuInit(0));
  EXPECT(101, cuDeviceGet(&device, 1));
  EXPECT(kInvalidContext, cuMemAlloc_v2(&x, 4));
  OK(cuCtxCreate_v2(&context, 0, 0));
  EXPECT(kInvalidValue, cuMemAlloc_v2(&x, 0));
  EXPECT(2, cuMemAlloc_v2(&x, (size_t)1 << 50));
  EXPECT(kInvalidPtx, cuModuleLoadDataEx(&module, ".version 7.0\nnonsense", 2, options, values));
  CHECK(strlen(log) > 10);
  // An unknown opcode, a register that nobody declared, a wrong width, a label that is not there.
  const char *wrong[] = {"frobnicate.u32 %r1, 0;", "mov.u32 %r1, %r9;", "mov.u64 %r1, 0;", "bra NOWHERE;"};
  for (int i = 0; i < 4; ++i) {
    char ptx[256];
    snprintf(ptx, sizeof ptx,
             ".version 7.0\n.target sm_80\n.address_size 64\n.entry k()\n{ .reg .b32 %%r<3>; %s ret; }\n", wrong[i]);
    log[0] = 0;
    EXPECT(kInvalidPtx, cuModuleLoadDataEx(&module, ptx, 2, options, values));
    CHECK(strlen(log) > 10);
    EXPECT(kInvalidPtx, cuModuleLoadData(&module, ptx));
  }
  EXPECT(kNoBinary, cuModuleLoadData(&module, "\177ELF..............."));
  OK(cuModuleLoadData(&module, kPtx));
  EXPECT(kNotFound, cuModuleGetFunction(&function, module, "no_such_kernel"));
  OK(cuModuleGetFunction(&function, module, "large"));
  EXPECT(kInvalidValue, cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL));
  EXPECT(kInvalidValue, cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 100000, NULL, NULL, NULL));
  OK(cuFuncSetAttribute(function, 8, 100000));
  OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 100000, NULL, NULL, NULL));
  OK(cuMemAlloc_v2(&x, 16));
  EXPECT(kInvalidValue, cuMemcpyHtoD_v2(x, "seventeen letters", 17));
  OK(cuMemFree_v2(x));
  EXPECT(kInvalidValue, cuMemFree_v2(x));
  OK(cuModuleUnload(module));
  EXPECT(kInvalidHandle, cuModuleUnload(module));
  EXPECT(kInvalidHandle, cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
  EXPECT(kNotSupported, cuMemAllocManaged(&x, 4, 1));
  OK(cuCtxDestroy_v2(context));
  OK(cuCtxGetCurrent(&current));
  CHECK(current == NULL);
  EXPECT(kInvalidContext, cuCtxSetCurrent(context));
}

static void run_beyond(void) {
  float numbers[kCount];
  begin();
  Function beyond = function_of(kPtx, "beyond");
  Address x = numbers_on_device(numbers);
  unsigned n = kCount;
  void *parameters[] = {&x, &n};
  OK(cuLaunchKernel(beyond, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  EXPECT(kIllegalAddress, cuCtxSynchronize());
  EXPECT(kIllegalAddress, cuMemFree_v2(x));
}

/* Nothing that a GPU would notice: memory that was never written is read, also through a copy. */
static void run_unset(void) {
  Address x, y;
  begin();
  Function scale = function_of(kPtx, "scale");
  OK(cuMemAlloc_v2(&x, kCount * sizeof(float)));
  OK(cuMemAlloc_v2(&y, kCount * sizeof(float)));
  OK(cuMemsetD8_v2(y, 0, kCount * sizeof(float)));
  OK(cuMemcpyDtoD_v2(y, x, kCount * sizeof(float)));
  launch_scale(scale, y, 2.0F, NULL);
  launch_scale(scale, y, 2.0F, NULL);
  OK(cuCtxSynchronize());
}

static void run_memory(void) {
  float numbers[kCount], back[kCount];
  unsigned words[4];
  size_t before, after, all;
  Address x, y, variable, other;
  size_t bytes;
  Module first, second;
  Function count;
  Context context = begin();
  OK(cuMemGetInfo_v2(&before, &all));
  x = numbers_on_device(numbers);
  OK(cuMemAlloc_v2(&y, sizeof numbers));
  OK(cuMemcpyDtoD_v2(y, x, sizeof numbers));
  OK(cuMemcpy((Address)(size_t)back, y, sizeof back));
  CHECK(memcmp(back, numbers, sizeof back) == 0);
  OK(cuMemsetD32_v2(y + 4, 0x01020304, 2));
  OK(cuMemcpyDtoH_v2(words, y, sizeof words));
  CHECK(words[0] == 0 && words[1] == 0x01020304 && words[2] == 0x01020304);
  /* Two modules of one text have a variable each. */
  OK(cuModuleLoadData(&first, kPtx));
  OK(cuModuleLoadData(&second, kPtx));
  OK(cuModuleGetGlobal_v2(&variable, &bytes, first, "launches"));
  OK(cuModuleGetGlobal_v2(&other, &bytes, second, "launches"));
  CHECK(variable != other && bytes == 4);
  OK(cuModuleGetFunction(&count, first, "count"));
  OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  OK(cuMemcpyDtoH_v2(words, variable, 4));
  OK(cuMemcpyDtoH_v2(words + 1, other, 4));
  CHECK(words[0] == 6 && words[1] == 5);
  /* A context takes its memory with it. */
  OK(cuCtxDestroy_v2(context));
  OK(cuCtxCreate_v2(&context, 0, 0));
  OK(cuMemGetInfo_v2(&after, &all));
  CHECK(after == before);
}

static void run_cluster(void) {
  unsigned ranks[8];
  Address x;
  begin();
  Function function = function_of(kClusterPtx, "ranks");
  OK(cuMemAlloc_v2(&x, sizeof ranks));
  Attribute cluster;
  memset(&cluster, 0, sizeof cluster);
  cluster.id = 4;
  cluster.value.cluster.x = 4;
  cluster.value.cluster.y = cluster.value.cluster.z = 1;
  Launch launch = {{8, 1, 1}, {1, 1, 1}, 0, NULL, &cluster, 1};
  void *parameters[] = {&x};
  OK(cuLaunchKernelEx(&launch, function, parameters, NULL));
  OK(cuMemcpyDtoH_v2(ranks, x, sizeof ranks));
  for (unsigned i = 0; i < 8; ++i) CHECK(ranks[i] == i % 4);
}

static void run_names(void) {
  Status (*init)(unsigned) = NULL;
  void *function = NULL;
  int result = -1;
  OK(cuGetProcAddress_v2("cuInit", (void **)&init, 12000, 0, &result));
  CHECK(result == 0);
  OK(init(0));
  OK(cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, &result));
  CHECK(function == (void *)cuMemAlloc_v2);
  OK(cuGetProcAddress_v2("cuCtxCreate", &function, 11000, 0, NULL));
  CHECK(function == (void *)cuCtxCreate_v2);
  EXPECT(kNotFound, cuGetProcAddress_v2("cuNoSuchFunction", &function, 12000, 0, &result));
  CHECK(result == 1);
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"scale", run_scale},     {"streams", run_streams}, {"graphs", run_graphs},
               {"threads", run_threads}, {"errors", run_errors},   {"beyond", run_beyond},
               {"unset", run_unset},     {"memory", run_memory},   {"cluster", run_cluster},
               {"names", run_names}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (count == 2 && strcmp(cases[i].name, arguments[1]) == 0) {
      cases[i].run();
      return 0;
    }
  return 2;
}
