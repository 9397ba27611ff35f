// The launcher of this folder's kernels: evaluates the counts of manifest.json for a run, encodes
// tensor maps, launches. Written by jute 0.1.0; C99, the CUDA driver, dlopen.
#include "kept.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -------- The driver: own declarations of what is called. Source: CUDA Driver API.

typedef unsigned long long Address;
typedef struct {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned cluster[3];
    int flag;
  } value;
} Attribute;
typedef struct {
  unsigned grid[3], block[3], smem_bytes;
  void *stream;
  Attribute *attributes;
  unsigned attribute_count;
} Launch;
enum { kCooperative = 2, kCluster = 4, kProgrammatic = 6 };  // CUlaunchAttributeID
enum { kDynamicSmem = 8 };                                    // CUfunction_attribute
enum { kMajor = 75, kMinor = 76 };                            // CUdevice_attribute

typedef struct {
  void *library;
  int (*init)(unsigned flags);
  int (*error_text)(int status, const char **text);
  int (*context_device)(int *device);
  int (*device_attribute)(int *value, int attribute, int device);
  int (*load)(void **module, const void *image, unsigned count, int *options, void **values);
  int (*unload)(void *module);
  int (*function)(void **function, void *module, const char *name);
  int (*set_attribute)(void *function, int attribute, int value);
  int (*launch)(const Launch *launch, void *function, void **parameters, void **extra);
  int (*fill)(Address target, unsigned char value, size_t bytes, void *stream);
  int (*copy_out)(void *target, Address source, size_t bytes, void *stream);
  int (*wait)(void *stream);
  int (*encode)(void *map, int type, unsigned rank, void *base, const uint64_t *dims,
                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                int swizzle, int promotion, int outside);
} Driver;

static int refuse(kept_error *error, int code, const char *format, ...) {
  if (error != NULL) {
    va_list values;
    va_start(values, format);
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
  }
  return code;
}

static int refuse_call(const Driver *driver, kept_error *error, const char *call, int status) {
  const char *text = NULL;
  if (driver->error_text(status, &text) != 0 || text == NULL) text = "unknown";
  return refuse(error, status, "kept: %s: CUDA status %d: %s", call, status, text);
}

static int load_driver(Driver *driver, kept_error *error) {
  // A function's address comes as one of data, which C has no conversion for.
  const struct {
    const char *name;
    void *slot;
  } functions[] = {{"cuInit", &driver->init},
                   {"cuGetErrorString", &driver->error_text},
                   {"cuCtxGetDevice", &driver->context_device},
                   {"cuDeviceGetAttribute", &driver->device_attribute},
                   {"cuModuleLoadDataEx", &driver->load},
                   {"cuModuleUnload", &driver->unload},
                   {"cuModuleGetFunction", &driver->function},
                   {"cuFuncSetAttribute", &driver->set_attribute},
                   {"cuLaunchKernelEx", &driver->launch},
                   {"cuMemsetD8Async", &driver->fill},
                   {"cuMemcpyDtoHAsync_v2", &driver->copy_out},
                   {"cuStreamSynchronize", &driver->wait},
                   {"cuTensorMapEncodeTiled", &driver->encode}};
  driver->library = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver->library == NULL) return refuse(error, -1, "kept: %s", dlerror());
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *const found = dlsym(driver->library, functions[i].name);
    if (found == NULL)
      return refuse(error, -1, "kept: the driver must be of CUDA 12 or later; it lacks %s",
                    functions[i].name);
    memcpy(functions[i].slot, &found, sizeof found);
  }
  const int status = driver->init(0);
  return status == 0 ? 0 : refuse_call(driver, error, "cuInit", status);
}

// -------- The kernels, as manifest.json tells them.

// A count is a list of nodes, operands before their operation.
enum { N_NUMBER, N_VALUE, N_ADD, N_SUBTRACT, N_MULTIPLY, N_CEIL_DIV, N_ROUND_UP, N_MIN, N_MAX };
typedef struct {
  int kind;
  int64_t number;  // or which value of the run
} Node;
typedef struct {
  int first, nodes;
} Count;
enum { kMostDepth = 16 };

// Values of a run: sizes, what its choice says, then ld and batch stride of every tensor, then of A,
// B, C and D the extents, what divides by them, the strides and the origin of a View of its own.
enum { V_M, V_N, V_K, V_BATCH, V_WIDTH, V_STAGES, V_SPLIT_K, V_STRIDES };
enum { kTensors = 35, V_VIEWS = V_STRIDES + 2 * kTensors, kNumbers = 4 };
enum { kModes = 8, kViewed = 0, kViewValues = 3 * kModes + 1 };
enum { kValues = V_VIEWS + kViewed * kViewValues };
enum { T_A, T_B, T_C, T_D, T_INPUTS, T_OUTPUTS = T_INPUTS + 16 };
enum { T_ENDS = T_OUTPUTS + 8, T_NUMBERS, T_ROWS_A = T_NUMBERS + 4, T_ROWS_D };

enum { P_POINTER, P_I32, P_U32, P_I64, P_U64, P_F32, P_F64, P_MAP };     // types
enum { R_TENSOR, R_REGION, R_COUNT, R_ALPHA, R_BETA, R_INPUT, R_MAP };  // what is put there
typedef struct {
  int type, role, which;
  Count count;
} Parameter;
typedef struct {
  int role, which;  // where it lies
  int type, element_bytes, swizzle;
  unsigned dimensions, boxes;  // those of which a box has more than one element come first
  int64_t offset_bytes;
  Count dims[5], strides[4], box[5];
  uint32_t steps[5];  // between a box's elements
} Map;
enum { S_OVERLAPS = 1, S_WHOLE_GRID = 2 };
typedef struct {
  int image, threads, smem_bytes, flags;
  unsigned cluster[3];
  Count grid[3];
  int first_parameter, parameters;
} Step;
typedef struct {
  int is_zeroed;
  Count bytes;
} Region;
typedef struct {
  const char *name;
  Count number;
  int64_t value;
} Literal;
typedef struct {
  const char *name;
  Count stride;
  int64_t multiple_of;
  int batch_only;
} Stride;
typedef struct {
  int first_step, steps, first_region, regions, first_literal, literals, first_stride, strides;
  int64_t workspace_offset, workspace_bytes;  // of its part of what all share
} Kernel;
typedef struct {
  int64_t last_m;
  int kernel;
  int64_t width, stages, split_k;
} Choice;
typedef struct {
  int first_kernel, kernels, first_choice, choices;
  int64_t workspace_bytes, zeroed_bytes;
  int64_t fault_place;  // in the workspace, of a wrong list's word; -1: there are no groups
} Product;
typedef struct {
  const char *name;
  int number;
  char suffix;
  int has_cubins;
} Target;
typedef struct {
  const char *file, *symbol;
  int target, smem_bytes;
} Image;
enum { C_NEVER, C_UNLESS_BETA_IS_0, C_ALWAYS };
typedef struct {
  const char *text;
  int reads_c;
  double alpha[2], beta[2];  // what they may be, where that is not free
  int is_alpha_free, is_beta_free;
  int64_t values[kValues];
  int alignment[kTensors];  // 0: the run has no such tensor, or its value is a number
  const char *inputs[16], *outputs[8];
  int modes[4][3];  // of rows, columns and the batch, of Views whose numbers are a run's
} Problem;

enum { kImageCount = 2, kTargetCount = 1, kMostParameters = 10, kMostMaps = 3 };
static const Node kNodes[] = {
    {N_NUMBER, INT64_C(64)},
    {N_NUMBER, INT64_C(64)},
    {N_VALUE, V_STRIDES + 0},
    {N_VALUE, V_STRIDES + 1},
    {N_VALUE, V_K},
    {N_VALUE, V_M},
    {N_VALUE, V_BATCH},
    {N_NUMBER, INT64_C(64)},
    {N_NUMBER, INT64_C(8)},
    {N_VALUE, V_STRIDES + 2},
    {N_VALUE, V_STRIDES + 3},
    {N_VALUE, V_K},
    {N_VALUE, V_N},
    {N_VALUE, V_BATCH},
    {N_NUMBER, INT64_C(8)},
    {N_NUMBER, INT64_C(64)},
    {N_VALUE, V_STRIDES + 6},
    {N_VALUE, V_STRIDES + 7},
    {N_VALUE, V_N},
    {N_VALUE, V_M},
    {N_VALUE, V_BATCH},
    {N_VALUE, V_M},
    {N_NUMBER, INT64_C(32)},
    {N_VALUE, V_M},
    {N_NUMBER, INT64_C(64)},
    {N_CEIL_DIV, 0},
    {N_VALUE, V_BATCH},
    {N_VALUE, V_N},
    {N_VALUE, V_K},
    {N_VALUE, V_STRIDES + 2},
    {N_VALUE, V_STRIDES + 0},
    {N_VALUE, V_STRIDES + 1},
    {N_VALUE, V_STRIDES + 3},
    {N_VALUE, V_STRIDES + 6},
    {N_VALUE, V_STRIDES + 7},
    {N_VALUE, V_M},
    {N_VALUE, V_STRIDES + 0},
    {N_VALUE, V_STRIDES + 6},
    {N_VALUE, V_STRIDES + 1},
    {N_VALUE, V_STRIDES + 3},
    {N_VALUE, V_STRIDES + 7},
    {N_VALUE, V_M},
    {N_NUMBER, INT64_C(16)},
    {N_CEIL_DIV, 0},
    {N_NUMBER, INT64_C(5)},
    {N_VALUE, V_BATCH},
    {N_VALUE, V_N},
    {N_VALUE, V_K},
    {N_VALUE, V_STRIDES + 2},
    {N_VALUE, V_STRIDES + 9},
    {N_VALUE, V_STRIDES + 0},
    {N_VALUE, V_STRIDES + 1},
    {N_VALUE, V_STRIDES + 6},
    {N_VALUE, V_STRIDES + 7},
};
static const Parameter kParameters[] = {
    {P_MAP, R_MAP, 0, {0, 0}},
    {P_MAP, R_MAP, 1, {0, 0}},
    {P_MAP, R_MAP, 2, {0, 0}},
    {P_I32, R_COUNT, 0, {21, 1}},
    {P_POINTER, R_TENSOR, 0, {0, 0}},
    {P_POINTER, R_TENSOR, 1, {0, 0}},
    {P_POINTER, R_TENSOR, 3, {0, 0}},
    {P_POINTER, R_TENSOR, 4, {0, 0}},
    {P_I32, R_COUNT, 0, {35, 1}},
    {P_I64, R_COUNT, 0, {36, 1}},
    {P_I64, R_COUNT, 0, {37, 1}},
    {P_I64, R_COUNT, 0, {38, 1}},
    {P_I64, R_COUNT, 0, {39, 1}},
    {P_I64, R_COUNT, 0, {40, 1}},
};
static const Map kMaps[] = {
    {R_TENSOR, 0, 9, 2, 3, 3, 2, INT64_C(0), {{4, 1}, {5, 1}, {6, 1}}, {{2, 1}, {3, 1}}, {{0, 1}, {1, 1}}, {1, 1, 1}},
    {R_TENSOR, 1, 9, 2, 3, 3, 2, INT64_C(0), {{11, 1}, {12, 1}, {13, 1}}, {{9, 1}, {10, 1}}, {{7, 1}, {8, 1}}, {1, 1, 1}},
    {R_TENSOR, 3, 9, 2, 0, 3, 2, INT64_C(0), {{18, 1}, {19, 1}, {20, 1}}, {{16, 1}, {17, 1}}, {{14, 1}, {15, 1}}, {1, 1, 1}},
};
static const Step kSteps[] = {
    {0, 256, 110784, S_OVERLAPS, {1, 1, 1}, {{22, 1}, {23, 3}, {26, 1}}, 0, 4},
    {1, 64, 512, S_OVERLAPS, {1, 1, 1}, {{41, 3}, {44, 1}, {45, 1}}, 4, 10},
};
static const Region kRegions[] = {
    {0},
};
static const Literal kLiterals[] = {
    {"n", {27, 1}, INT64_C(256)},
    {"k", {28, 1}, INT64_C(1024)},
    {"ldb", {29, 1}, INT64_C(1024)},
    {"n", {46, 1}, INT64_C(40)},
    {"k", {47, 1}, INT64_C(32)},
    {"ldb", {48, 1}, INT64_C(40)},
    {"batch_stride_in0", {49, 1}, INT64_C(0)},
};
static const Stride kStrides[] = {
    {"lda", {30, 1}, 8, 0},
    {"batch_stride_a", {31, 1}, 8, 1},
    {"batch_stride_b", {32, 1}, 8, 1},
    {"ldd", {33, 1}, 8, 0},
    {"batch_stride_d", {34, 1}, 8, 1},
    {"lda", {50, 1}, 2, 0},
    {"batch_stride_a", {51, 1}, 2, 1},
    {"ldd", {52, 1}, 2, 0},
    {"batch_stride_d", {53, 1}, 2, 1},
};
static const Kernel kKernels[] = {
    {0, 1, 0, 0, 0, 3, 0, 5, 0, 0},
    {1, 1, 0, 0, 3, 4, 5, 4, 0, 0},
};
static const Choice kChoices[] = {
    {INT64_C(128), 0, 0, 0, 1},
    {INT64_C(40), 0, 0, 0, 1},
};
static const Product kProducts[] = {
    {0, 1, 0, 1, 0, 0, -1},
    {1, 1, 1, 1, 0, 0, -1},
};
static const Target kTargets[] = {
    {"sm_90a", 90, 97, 1},
};
static const Image kImages[] = {
    {"kept.0.sm_90a", "jute_sm90a_bf16_64x8x64_s12_3d4d4988", 0, 110784},
    {"kept.1.sm_90a", "jute_sm90a_f16_16x8x32_straight_3d9ebde6", 0, 512},
};
static const Problem kProblems[] = {
    {"M=128 N=256 K=1024 batch=1 A=bf16:row:ld1024:batch131072:align16 B=bf16:col:ld1024:batch262144:align16 D=bf16:row:ld256:batch32768:align16 accumulate=f32 alpha=1 beta=0", C_NEVER, {1, 1}, {0, 0}, 0, 0,
     {INT64_C(128), INT64_C(256), INT64_C(1024), INT64_C(1), 0, 0, 1, INT64_C(1024), INT64_C(131072), INT64_C(1024), INT64_C(262144), INT64_C(256), INT64_C(32768), INT64_C(256), INT64_C(32768), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0)},
     {16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
     {NULL}, {NULL}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
    {"M=40 N=40 K=32 batch=1 A=f16:row:ld32:batch1280:align16 B=f16:row:ld40:batch1280:align16 D=f16:row:ld40:batch1600:align16 accumulate=f32 alpha=1 beta=0 m_range=1:40 epilogue=\"relu(acc + bias[n])\" bias=f16:row:ld40:broadcast:align16", C_NEVER, {1, 1}, {0, 0}, 0, 0,
     {INT64_C(40), INT64_C(40), INT64_C(32), INT64_C(1), 0, 0, 1, INT64_C(32), INT64_C(1280), INT64_C(40), INT64_C(1280), INT64_C(40), INT64_C(1600), INT64_C(40), INT64_C(1600), INT64_C(40), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(40), INT64_C(1600), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0), INT64_C(0)},
     {16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
     {"bias"}, {"d"}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
};

// -------- Counts

static int64_t times(int64_t left, int64_t right, int *is_beyond) {
  if (left == 0 || right == 0) return 0;
  const int fits = left > 0 ? (right > 0 ? left <= INT64_MAX / right : right >= INT64_MIN / left)
                            : (right > 0 ? left >= INT64_MIN / right : right >= INT64_MAX / left);
  if (fits) return left * right;
  *is_beyond = 1;
  return 0;
}

static int64_t plus(int64_t left, int64_t right, int *is_beyond) {
  const int fits = right > 0 ? left <= INT64_MAX - right : left >= INT64_MIN - right;
  if (fits) return left + right;
  *is_beyond = 1;
  return 0;
}

static int64_t quotient(int64_t left, int64_t right, int *is_beyond) {
  if (right < 1) {
    *is_beyond = 1;
    return 0;
  }
  return left > 0 ? (left - 1) / right + 1 : left / right;
}

static int64_t apply(int kind, int64_t left, int64_t right, int *is_beyond) {
  switch (kind) {
    case N_ADD:
      return plus(left, right, is_beyond);
    case N_SUBTRACT:
      return plus(left, -right, is_beyond);
    case N_MULTIPLY:
      return times(left, right, is_beyond);
    case N_CEIL_DIV:
      return quotient(left, right, is_beyond);
    case N_ROUND_UP:
      return times(quotient(left, right, is_beyond), right, is_beyond);
    case N_MIN:
      return left < right ? left : right;
    default:
      return left > right ? left : right;
  }
}

// Whatever leaves 64 bits sets the flag.
static int64_t evaluate(Count count, const int64_t *values, int *is_beyond) {
  int64_t results[kMostDepth] = {0};
  int depth = 0;
  for (int i = 0; i < count.nodes; ++i) {
    const Node *const node = &kNodes[count.first + i];
    if (node->kind == N_NUMBER) {
      results[depth++] = node->number;
    } else if (node->kind == N_VALUE) {
      results[depth++] = values[node->number];
    } else {
      --depth;
      results[depth - 1] = apply(node->kind, results[depth - 1], results[depth], is_beyond);
    }
  }
  return results[0];
}

// -------- A run

typedef struct {
  const kept_bundle *bundle;
  const Kernel *kernel;
  const kept_args *args;
  int64_t values[kValues];
  uint64_t tensors[kTensors];
  uint64_t workspace;
  int is_beyond;  // a count was
} Run;

struct kept_bundle {
  Driver driver;
  int target;
  void *modules[kImageCount], *functions[kImageCount];
};

static void set_tensor(Run *run, int tensor, uint64_t address, int64_t ld, int64_t batch_stride) {
  run->tensors[tensor] = address;
  run->values[V_STRIDES + 2 * tensor] = ld;
  run->values[V_STRIDES + 2 * tensor + 1] = batch_stride;
}

static void set_values(Run *run, const kept_args *args) {
  run->args = args;
  run->values[V_M] = args->m;
  run->values[V_N] = args->n;
  run->values[V_K] = args->k;
  run->values[V_BATCH] = args->batch;
  set_tensor(run, T_A, args->a, args->lda, args->batch_stride_a);
  set_tensor(run, T_B, args->b, args->ldb, args->batch_stride_b);
  set_tensor(run, T_C, args->c, args->ldc, args->batch_stride_c);
  set_tensor(run, T_D, args->d, args->ldd, args->batch_stride_d);
  for (int i = 0; i < kept_most_inputs; ++i)
    set_tensor(run, T_INPUTS + i, args->inputs[i].address, args->inputs[i].ld,
               args->inputs[i].batch_stride);
  for (int i = 0; i < kept_most_outputs; ++i)
    set_tensor(run, T_OUTPUTS + i, args->outputs[i].address, args->outputs[i].ld,
               args->outputs[i].batch_stride);
  set_tensor(run, T_ENDS, args->ends, 0, 0);
  set_tensor(run, T_ROWS_A, args->rows_a, 0, 0);
  set_tensor(run, T_ROWS_D, args->rows_d, 0, 0);
  for (int i = 0; i < kNumbers; ++i)
    set_tensor(run, T_NUMBERS + i, args->numbers[i].address, args->numbers[i].ld,
               args->numbers[i].batch_stride);
}

// What a 32-bit number is multiplied with for its quotient, in the upper half of the product.
static int64_t magic_of(int64_t extent) {
  return extent <= 1 ? 0 : (int64_t)(UINT64_MAX / (uint64_t)extent + 1);
}

static void set_views(Run *run) {
  for (int tensor = 0; tensor < kViewed; ++tensor) {
    const kept_view *const view = &run->args->views[tensor];
    int64_t *const values = run->values + V_VIEWS + tensor * kViewValues;
    for (int i = 0; i < kModes; ++i) {
      values[i] = view->extents[i];
      values[kModes + i] = magic_of(view->extents[i]);
      values[2 * kModes + i] = view->strides[i];
    }
    values[3 * kModes] = view->origin;
  }
}

static const Choice *choice_for(const Product *product, int64_t m) {
  const Choice *choice = &kChoices[product->first_choice];
  const Choice *const last = choice + product->choices - 1;
  while (choice < last && m > choice->last_m) ++choice;
  return choice;
}

// -------- Rules of a run

static const char *const kTensorNames[] = {"a", "b", "c", "d"};
static const char *const kNumberNames[] = {"scale_a", "scale_b", "zero_a",
                                          "zero_b",  "rows_a",  "rows_d"};

static int check_address(const Problem *problem, const Run *run, int tensor,
                         kept_error *error) {
  const int alignment = problem->alignment[tensor];
  const uint64_t address = run->tensors[tensor];
  const char *name = tensor < T_INPUTS    ? kTensorNames[tensor]
                     : tensor < T_OUTPUTS ? problem->inputs[tensor - T_INPUTS]
                     : tensor < T_ENDS    ? problem->outputs[tensor - T_OUTPUTS]
                     : tensor < T_NUMBERS ? "ends"
                                          : kNumberNames[tensor - T_NUMBERS];
  if (alignment == 0) return 0;
  if (address == 0) return refuse(error, -1, "kept: %s must have an address", name);
  if (address % (uint64_t)alignment != 0)
    return refuse(error, -1, "kept: %s = %#llx must be a multiple of %d bytes", name,
                  (unsigned long long)address, alignment);
  return 0;
}

static int check_addresses(const Problem *problem, const Run *run, kept_error *error) {
  const kept_args *const args = run->args;
  const int reads_c = problem->reads_c == C_ALWAYS ||
                      (problem->reads_c == C_UNLESS_BETA_IS_0 && args->beta != 0);
  for (int tensor = 0; tensor < kTensors; ++tensor) {
    if ((tensor <= T_B || (tensor >= T_NUMBERS && tensor < T_ROWS_A)) && args->k == 0) continue;
    if (tensor == T_C && !reads_c) continue;
    const int code = check_address(problem, run, tensor, error);
    if (code != 0) return code;
  }
  return 0;
}

static int check_numbers(Run *run, kept_error *error) {
  const Kernel *const kernel = run->kernel;
  for (int i = 0; i < kernel->literals; ++i) {
    const Literal *const rule = &kLiterals[kernel->first_literal + i];
    const int64_t value = evaluate(rule->number, run->values, &run->is_beyond);
    if (value != rule->value)
      return refuse(error, -1, "kept: %s = %lld must be %lld, which the kernel holds as a literal",
                    rule->name, (long long)value, (long long)rule->value);
  }
  for (int i = 0; i < kernel->strides; ++i) {
    const Stride *const rule = &kStrides[kernel->first_stride + i];
    const int64_t value = evaluate(rule->stride, run->values, &run->is_beyond);
    if (value % rule->multiple_of != 0 && !(rule->batch_only && run->args->batch <= 1))
      return refuse(error, -1, "kept: %s = %lld must be a multiple of %lld", rule->name,
                    (long long)value, (long long)rule->multiple_of);
  }
  return 0;
}

static int check_scale(int is_free, const double *legal, double value, const char *name,
                       kept_error *error) {
  if (is_free || value == legal[0] || value == legal[1]) return 0;
  return refuse(error, -1, "kept: %s = %g must be %g", name, value, legal[0]);
}

static int check_workspace(Run *run, kept_error *error) {
  const Kernel *const kernel = run->kernel;
  int64_t bytes = 0;
  if (kernel->regions == 0) return 0;
  for (int i = 0; i < kernel->regions; ++i) {
    const Region *const region = &kRegions[kernel->first_region + i];
    bytes = plus(bytes, evaluate(region->bytes, run->values, &run->is_beyond), &run->is_beyond);
  }
  if (run->is_beyond || bytes > kernel->workspace_bytes)
    return refuse(error, -1,
                  "kept: the run needs %lld bytes of workspace and must need no more than the "
                  "%lld that were exported for",
                  (long long)bytes, (long long)kernel->workspace_bytes);
  if (run->args->workspace == 0 || run->args->workspace % 256 != 0)
    return refuse(error, -1, "kept: workspace = %#llx must be an address, a multiple of 256",
                  (unsigned long long)run->args->workspace);
  return 0;
}

// A mode of a View, and how far those of smaller strides reach at most.
typedef struct {
  int64_t extent, stride, rest;
} ViewStep;
enum { kMostTries = 1 << 20 };

// Do steps from this one on lead back to where they began? The largest strides come first, whose sum
// the smaller ones must take back.
static int leads_back(const ViewStep *step, const ViewStep *end, int64_t sum, int is_moved,
                      int *tries) {
  if (step == end) return sum == 0 && is_moved;
  if (step->stride == 0 || ++*tries > kMostTries) return 1;
  for (int64_t d = step->extent - 1; d > -step->extent; --d) {
    const int64_t next = sum + d * step->stride;
    if (next > step->rest) continue;
    if (next < -step->rest) break;
    if (leads_back(step + 1, end, next, is_moved || d != 0, tries)) return 1;
  }
  return 0;
}

static int has_colliding_elements(const kept_view *view, int modes) {
  ViewStep steps[kModes];
  int count = 0, tries = 0;
  int64_t rest = 0;
  for (int i = 0; i < modes; ++i) {
    const int64_t stride = view->strides[i] < 0 ? -view->strides[i] : view->strides[i];
    int at = count;
    if (view->extents[i] == 1) continue;
    for (; at > 0 && steps[at - 1].stride < stride; --at) steps[at] = steps[at - 1];
    steps[at].extent = view->extents[i];
    steps[at].stride = stride;
    ++count;
  }
  for (int i = count - 1; i >= 0; --i) {
    steps[i].rest = rest;
    rest += (steps[i].extent - 1) * steps[i].stride;
  }
  return leads_back(steps, steps + count, 0, 0, &tries);
}

static int check_view(const int *modes, Run *run, int tensor, kept_error *error) {
  const kept_args *const args = run->args;
  const kept_view *const view = &args->views[tensor];
  const int64_t sizes[3] = {tensor == T_B ? args->n : args->m, tensor <= T_B ? args->k : args->n,
                            args->batch};
  int64_t lowest = view->origin, reach = 0;
  int place = 0;
  for (int side = 0; side < 3; ++side) {
    int64_t count = 1;
    for (int i = 0; i < modes[side]; ++i, ++place) {
      const int64_t extent = view->extents[place];
      const int64_t far = times(extent - 1, view->strides[place], &run->is_beyond);
      if (extent < 1)
        return refuse(error, -1, "kept: views[%d].extents[%d] = %lld must be 1 or more", tensor,
                      place, (long long)extent);
      count = times(count, extent, &run->is_beyond);
      reach = plus(reach, far < 0 ? -far : far, &run->is_beyond);
      if (far < 0) lowest = plus(lowest, far, &run->is_beyond);
    }
    const int may_be_more = side == 0 && tensor != T_B;
    if (modes[side] == 0 && (side < 2 || tensor != T_D)) continue;
    if (count != sizes[side] && !(may_be_more && count > sizes[side]))
      return refuse(error, -1, "kept: the extents of views[%d] must count %lld %s, not %lld", tensor,
                    (long long)sizes[side],
                    side == 0 ? "rows" : side == 1 ? "columns" : "matrices", (long long)count);
  }
  if (run->is_beyond || lowest < 0)
    return refuse(error, -1, "kept: views[%d] must reach no element below its address: origin = "
                  "%lld is not enough", tensor, (long long)view->origin);
  if (tensor == T_D && has_colliding_elements(view, place))
    return refuse(error, -1, "kept: views[%d] must have a place of its own for each element of d",
                  tensor);
  return 0;
}

static int check_views(const Problem *problem, Run *run, kept_error *error) {
  for (int tensor = 0; tensor < kViewed; ++tensor) {
    const int *const modes = problem->modes[tensor];
    if (modes[0] + modes[1] + modes[2] == 0 || (tensor <= T_B && run->args->k == 0)) continue;
    const int code = check_view(modes, run, tensor, error);
    if (code != 0) return code;
  }
  return 0;
}

static int check_run(const Problem *problem, Run *run, kept_error *error) {
  const kept_args *const args = run->args;
  int code = check_numbers(run, error);
  if (code == 0) code = check_views(problem, run, error);
  if (code == 0)
    code = check_scale(problem->is_alpha_free, problem->alpha, args->alpha, "alpha", error);
  if (code == 0)
    code = check_scale(problem->is_beta_free, problem->beta, args->beta, "beta", error);
  if (code == 0) code = check_addresses(problem, run, error);
  return code != 0 ? code : check_workspace(run, error);
}

// -------- Parameters

typedef union {
  uint64_t u64;
  int64_t i64;
  uint32_t u32;
  int32_t i32;
  float f32;
  double f64;
} Value;
// A tensor map begins at a multiple of 64 bytes.
typedef struct {
  Value values[kMostParameters];
  char maps[128 * (kMostMaps + 1)];
  void *pointers[kMostParameters];
} Parameters;

static uint64_t address_of(Run *run, int role, int which) {
  uint64_t address = run->workspace;
  if (role == R_TENSOR) return run->tensors[which];
  for (int i = 0; i < which; ++i) {
    const Region *const region = &kRegions[run->kernel->first_region + i];
    address += (uint64_t)evaluate(region->bytes, run->values, &run->is_beyond);
  }
  return address;
}

static int set_number(const Parameter *parameter, int64_t number, Value *value,
                      kept_error *error) {
  const int is_narrow = parameter->type == P_I32 || parameter->type == P_U32;
  if (is_narrow && (number < 0 || number > INT32_MAX))
    return refuse(error, -1, "kept: %lld must fit a kernel's 32-bit parameter",
                  (long long)number);
  if (is_narrow)
    value->u32 = (uint32_t)number;
  else
    value->i64 = number;
  return 0;
}

static int set_factor(const Parameter *parameter, double factor, Value *value,
                      kept_error *error) {
  if (parameter->type == P_F32) {
    value->f32 = (float)factor;
  } else if (parameter->type == P_F64) {
    value->f64 = factor;
  } else {
    if (!(factor >= INT32_MIN && factor <= INT32_MAX) || factor != (double)(int32_t)factor)
      return refuse(error, -1, "kept: %g must be an integer of 32 bits", factor);
    value->i32 = (int32_t)factor;
  }
  return 0;
}

// A dimension of one element may have any stride, and a map has at least one of each.
static int encode_map(Run *run, const Map *map, void *encoded, kept_error *error) {
  uint64_t dims[5], strides[4];
  uint32_t box[5];
  uint64_t base = address_of(run, map->role, map->which);
  if (base == 0) base = 256;  // of what a run leaves out; nothing reads it
  for (unsigned i = 0; i < map->dimensions; ++i) {
    const int64_t extent = evaluate(map->dims[i], run->values, &run->is_beyond);
    dims[i] = extent < 1 ? 1 : (uint64_t)extent;
    box[i] = i < map->boxes ? (uint32_t)evaluate(map->box[i], run->values, &run->is_beyond) : 1;
  }
  for (unsigned i = 0; i + 1 < map->dimensions; ++i) {
    const int64_t stride = evaluate(map->strides[i], run->values, &run->is_beyond);
    strides[i] = dims[i + 1] > 1 ? (uint64_t)(stride * map->element_bytes) : 16;
  }
  const Driver *const driver = &run->bundle->driver;
  const int promotion = 3, no_interleave = 0, zeros = 0;  // 256 bytes of L2
  const int status = driver->encode(
      encoded, map->type, map->dimensions, (void *)(uintptr_t)(base + (uint64_t)map->offset_bytes),
      dims, strides, box, map->steps, no_interleave, map->swizzle, promotion, zeros);
  return status == 0 ? 0 : refuse_call(driver, error, "cuTensorMapEncodeTiled", status);
}

static int set_parameter(Run *run, const Parameter *parameter, Value *value, void *map,
                         kept_error *error) {
  switch (parameter->role) {
    case R_TENSOR:
    case R_REGION:
      value->u64 = address_of(run, parameter->role, parameter->which);
      return 0;
    case R_COUNT:
      return set_number(parameter, evaluate(parameter->count, run->values, &run->is_beyond), value,
                        error);
    case R_ALPHA:
      return set_factor(parameter, run->args->alpha, value, error);
    case R_BETA:
      return set_factor(parameter, run->args->beta, value, error);
    case R_INPUT:
      return set_factor(parameter, run->args->inputs[parameter->which].value, value, error);
    default:
      return encode_map(run, &kMaps[parameter->which], map, error);
  }
}

static int set_parameters(Run *run, const Step *step, Parameters *into, kept_error *error) {
  char *map = into->maps + (64 - (uintptr_t)into->maps % 64) % 64;
  for (int i = 0; i < step->parameters; ++i) {
    const Parameter *const parameter = &kParameters[step->first_parameter + i];
    const int code = set_parameter(run, parameter, &into->values[i], map, error);
    if (code != 0) return code;
    into->pointers[i] = parameter->role == R_MAP ? (void *)map : (void *)&into->values[i];
    if (parameter->role == R_MAP) map += 128;
  }
  if (run->is_beyond) return refuse(error, -1, "kept: the sizes must fit 64-bit numbers");
  return 0;
}

// -------- Launches

static unsigned set_attributes(const Step *step, Attribute *attributes) {
  unsigned count = 0;
  memset(attributes, 0, 3 * sizeof *attributes);
  if (step->cluster[0] * step->cluster[1] * step->cluster[2] > 1) {
    memcpy(attributes[count].value.cluster, step->cluster, sizeof step->cluster);
    attributes[count++].id = kCluster;
  }
  if (step->flags & S_OVERLAPS) {
    attributes[count].value.flag = 1;
    attributes[count++].id = kProgrammatic;
  }
  if (step->flags & S_WHOLE_GRID) {
    attributes[count].value.flag = 1;
    attributes[count++].id = kCooperative;
  }
  return count;
}

static int launch_step(Run *run, const Step *step, void *stream, kept_error *error) {
  static const int64_t most[3] = {INT32_MAX, 65535, 65535};
  Launch launch = {{0, 0, 0}, {1, 1, 1}, 0, NULL, NULL, 0};
  Attribute attributes[3];
  Parameters parameters;
  for (int i = 0; i < 3; ++i) {
    const int64_t blocks = evaluate(step->grid[i], run->values, &run->is_beyond);
    if (blocks == 0) return 0;
    if (run->is_beyond || blocks < 0 || blocks > most[i])
      return refuse(error, -1, "kept: a grid must have at most %lld blocks along dimension %d",
                    (long long)most[i], i);
    launch.grid[i] = (unsigned)blocks;
  }
  const int code = set_parameters(run, step, &parameters, error);
  if (code != 0) return code;
  launch.block[0] = (unsigned)step->threads;
  launch.smem_bytes = (unsigned)step->smem_bytes;
  launch.stream = stream;
  launch.attributes = attributes;
  launch.attribute_count = set_attributes(step, attributes);
  const Driver *const driver = &run->bundle->driver;
  const int status = driver->launch(&launch, run->bundle->functions[step->image],
                                    parameters.pointers, NULL);
  return status == 0 ? 0 : refuse_call(driver, error, "cuLaunchKernelEx", status);
}

static const Product *product_of(const kept_bundle *bundle, int problem) {
  return &kProducts[bundle->target * kept_problems + problem];
}

static int check_problem(const kept_bundle *bundle, int problem, kept_error *error) {
  if (bundle == NULL || problem < 0 || problem >= kept_problems)
    return refuse(error, -1, "kept: problem = %d must be 0 to %d, of an open bundle", problem,
                  kept_problems - 1);
  if (product_of(bundle, problem)->kernels > 0) return 0;
  return refuse(error, -1, "kept: problem %d has no kernels for %s", problem,
                kTargets[bundle->target].name);
}

int kept_run(const kept_bundle *bundle, int problem, const kept_args *args, void *stream,
                kept_error *error) {
  Run run;
  int code = check_problem(bundle, problem, error);
  if (code != 0) return code;
  if (args == NULL || args->m < 0 || args->n < 0 || args->k < 0 || args->batch < 0)
    return refuse(error, -1, "kept: sizes must be 0 or more");
  if (args->m == 0 || args->n == 0 || args->batch == 0) return 0;
  const Product *const product = product_of(bundle, problem);
  const Choice *const choice = choice_for(product, args->m);
  memset(&run, 0, sizeof run);
  run.bundle = bundle;
  run.kernel = &kKernels[product->first_kernel + choice->kernel];
  set_values(&run, args);
  set_views(&run);
  run.values[V_WIDTH] = choice->width;
  run.values[V_STAGES] = choice->stages;
  run.values[V_SPLIT_K] = choice->split_k;
  code = check_run(&kProblems[problem], &run, error);
  run.workspace = args->workspace + (uint64_t)run.kernel->workspace_offset;
  for (int i = 0; i < run.kernel->steps && code == 0; ++i)
    code = launch_step(&run, &kSteps[run.kernel->first_step + i], stream, error);
  return code;
}

// -------- Opening

// How well a target's kernels suit a device: its own, then machine code of its generation, then the
// newest text that the driver compiles. 0: they do not run there.
static int suitability(const Target *target, int device) {
  if (target->suffix != 0) return target->number == device ? 3000 : 0;
  if (target->number > device) return 0;
  const int is_own = target->has_cubins && target->number / 10 == device / 10;
  return (is_own ? 2000 : 1000) + target->number;
}

static int choose_target(kept_bundle *bundle, kept_error *error) {
  const Driver *const driver = &bundle->driver;
  int device = 0, major = 0, minor = 0, best = 0;
  int status = driver->context_device(&device);
  if (status == 0) status = driver->device_attribute(&major, kMajor, device);
  if (status == 0) status = driver->device_attribute(&minor, kMinor, device);
  if (status != 0) return refuse_call(driver, error, "the current context", status);
  for (int i = 0; i < kTargetCount; ++i) {
    const int suits = suitability(&kTargets[i], 10 * major + minor);
    if (suits <= best) continue;
    best = suits;
    bundle->target = i;
  }
  if (best > 0) return 0;
  return refuse(error, -1, "kept: no kernels for a device of compute capability %d.%d", major,
                minor);
}

// The bytes of a file and a zero behind them; null where it cannot be read.
static char *read_file(const char *folder, const char *stem, const char *suffix, size_t *length_of) {
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s/%s%s", folder, stem, suffix);
  *length_of = 0;
  FILE *const file = length > 0 && (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
  char *bytes = NULL;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    const long size = ftell(file);
    rewind(file);
    bytes = size < 0 ? NULL : malloc((size_t)size + 1);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
      free(bytes);
      bytes = NULL;
    } else if (bytes != NULL) {
      bytes[size] = 0;
      *length_of = (size_t)size;
    }
  }
  fclose(file);
  return bytes;
}

// A length of LZ4's: what a token has no room for stands behind it.
static size_t unpack_length(const unsigned char *in, size_t size, size_t *at, size_t length) {
  int is_last = length != 15;
  while (!is_last && *at < size) {
    is_last = in[*at] != 255;
    length += in[(*at)++];
  }
  return length;
}

// A block of LZ4's, put behind the `done` bytes that are there; 0 where it is none.
static int unpack_block(const unsigned char *in, size_t size, unsigned char *out, size_t room,
                        size_t *done) {
  size_t at = 0, to = *done;
  while (at < size) {
    const unsigned token = in[at++];
    const size_t literals = unpack_length(in, size, &at, token >> 4);
    if (literals > size - at || literals > room - to) return 0;
    memcpy(out + to, in + at, literals);
    at += literals;
    to += literals;
    if (at == size) break;
    if (size - at < 2) return 0;
    const size_t back = in[at] | (size_t)in[at + 1] << 8;
    at += 2;
    const size_t length = unpack_length(in, size, &at, token & 15) + 4;
    if (back == 0 || back > to || length > room - to) return 0;
    for (size_t i = 0; i < length; ++i, ++to) out[to] = out[to - back];
  }
  *done = to;
  return 1;
}

static size_t little_endian(const unsigned char *at, int bytes) {
  size_t number = 0;
  while (bytes-- > 0) number = number << 8 | at[bytes];
  return number;
}

// What a frame of LZ4's holds, as jute writes them: independent blocks, the content's size and
// checksum. Null where it is none; `frame` may be null.
static char *unpack_frame(const char *frame, size_t size) {
  static const unsigned char kHead[] = {4, 34, 77, 24, 0x6C};
  const unsigned char *const in = (const unsigned char *)frame;
  if (frame == NULL || size < 15 || memcmp(in, kHead, sizeof kHead) != 0) return NULL;
  const size_t room = little_endian(in + 6, 8);
  size_t at = 15, done = 0;
  unsigned char *const out = room / 255 > size ? NULL : malloc(room + 1);
  while (out != NULL && size - at >= 4) {
    const size_t word = little_endian(in + at, 4), bytes = word & 0x7FFFFFFF;
    at += 4;
    if (word == 0 && done == room) return (char *)out;
    if (word == 0 || bytes > size - at) break;
    if (word == bytes && !unpack_block(in + at, bytes, out, room, &done)) break;
    if (word != bytes) {
      if (bytes > room - done) break;
      memcpy(out + done, in + at, bytes);
      done += bytes;
    }
    at += bytes;
  }
  free(out);
  return NULL;
}

// A kernel's machine code; null where it cannot be read.
static char *read_code(const char *folder, const char *stem) {
  size_t size;
  char *const frame = read_file(folder, stem, ".cubin.lz4", &size);
  char *const code = unpack_frame(frame, size);
  free(frame);
  return code;
}

// Machine code, else the text beside it, which the driver compiles.
static int load_module(kept_bundle *bundle, const char *folder, int image,
                       kept_error *error) {
  const char *const stem = kImages[image].file;
  int status = -1;
  if (kTargets[bundle->target].has_cubins) {
    char *const cubin = read_code(folder, stem);
    if (cubin != NULL) status = bundle->driver.load(&bundle->modules[image], cubin, 0, NULL, NULL);
    free(cubin);
  }
  if (status == 0) return 0;
  size_t size;
  char *const ptx = read_file(folder, stem, ".ptx", &size);
  if (ptx == NULL) return refuse(error, -1, "kept: %s/%s.ptx must be readable", folder, stem);
  status = bundle->driver.load(&bundle->modules[image], ptx, 0, NULL, NULL);
  free(ptx);
  return status == 0 ? 0 : refuse_call(&bundle->driver, error, stem, status);
}

static int load_image(kept_bundle *bundle, const char *folder, int image,
                      kept_error *error) {
  const Driver *const driver = &bundle->driver;
  void **const function = &bundle->functions[image];
  const int code = load_module(bundle, folder, image, error);
  if (code != 0) return code;
  int status = driver->function(function, bundle->modules[image], kImages[image].symbol);
  if (status == 0 && kImages[image].smem_bytes > 0)
    status = driver->set_attribute(*function, kDynamicSmem, kImages[image].smem_bytes);
  return status == 0 ? 0 : refuse_call(driver, error, kImages[image].symbol, status);
}

void kept_close(kept_bundle *bundle) {
  if (bundle == NULL) return;
  for (int i = 0; i < kImageCount; ++i)
    if (bundle->modules[i] != NULL) bundle->driver.unload(bundle->modules[i]);
  if (bundle->driver.library != NULL) dlclose(bundle->driver.library);
  free(bundle);
}

kept_bundle *kept_open(const char *folder, kept_error *error) {
  kept_bundle *const bundle = calloc(1, sizeof *bundle);
  if (bundle == NULL) {
    refuse(error, -1, "kept: no memory");
    return NULL;
  }
  int code = load_driver(&bundle->driver, error);
  if (code == 0) code = choose_target(bundle, error);
  for (int i = 0; i < kImageCount && code == 0; ++i)
    if (kImages[i].target == bundle->target) code = load_image(bundle, folder, i, error);
  if (code == 0) return bundle;
  kept_close(bundle);
  return NULL;
}

// -------- What a bundle says of itself

static int is_problem(int problem) { return problem >= 0 && problem < kept_problems; }

const char *kept_target(const kept_bundle *bundle) { return kTargets[bundle->target].name; }
const char *kept_problem(int problem) {
  return is_problem(problem) ? kProblems[problem].text : NULL;
}

static void set_strides(const int64_t *values, int tensor, int64_t *ld, int64_t *batch_stride) {
  *ld = values[V_STRIDES + 2 * tensor];
  *batch_stride = values[V_STRIDES + 2 * tensor + 1];
}

void kept_defaults(int problem, kept_args *args) {
  memset(args, 0, sizeof *args);
  if (!is_problem(problem)) return;
  const int64_t *const values = kProblems[problem].values;
  args->alpha = kProblems[problem].is_alpha_free ? 1 : kProblems[problem].alpha[0];
  args->beta = kProblems[problem].is_beta_free ? 0 : kProblems[problem].beta[0];
  args->m = values[V_M];
  args->n = values[V_N];
  args->k = values[V_K];
  args->batch = values[V_BATCH];
  set_strides(values, T_A, &args->lda, &args->batch_stride_a);
  set_strides(values, T_B, &args->ldb, &args->batch_stride_b);
  set_strides(values, T_C, &args->ldc, &args->batch_stride_c);
  set_strides(values, T_D, &args->ldd, &args->batch_stride_d);
  for (int i = 0; i < kept_most_inputs; ++i)
    set_strides(values, T_INPUTS + i, &args->inputs[i].ld, &args->inputs[i].batch_stride);
  for (int i = 0; i < kept_most_outputs; ++i)
    set_strides(values, T_OUTPUTS + i, &args->outputs[i].ld, &args->outputs[i].batch_stride);
  for (int i = 0; i < kNumbers; ++i)
    set_strides(values, T_NUMBERS + i, &args->numbers[i].ld, &args->numbers[i].batch_stride);
  for (int tensor = 0; tensor < kViewed; ++tensor) {
    const int64_t *const numbers = values + V_VIEWS + tensor * kViewValues;
    memcpy(args->views[tensor].extents, numbers, sizeof args->views[tensor].extents);
    memcpy(args->views[tensor].strides, numbers + 2 * kModes, sizeof args->views[tensor].strides);
    args->views[tensor].origin = numbers[3 * kModes];
  }
}

static int place_of(const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; ++i)
    if (names[i] != NULL && strcmp(names[i], name) == 0) return i;
  return -1;
}
int kept_input(int problem, const char *name) {
  return is_problem(problem)
             ? place_of(kProblems[problem].inputs, kept_most_inputs, name)
             : -1;
}
int kept_output(int problem, const char *name) {
  return is_problem(problem)
             ? place_of(kProblems[problem].outputs, kept_most_outputs, name)
             : -1;
}

size_t kept_workspace_bytes(const kept_bundle *bundle, int problem) {
  return check_problem(bundle, problem, NULL) != 0
             ? 0
             : (size_t)product_of(bundle, problem)->workspace_bytes;
}

enum { kFaultBytes = 4, kFaultWords = 3 };

int kept_clear_workspace(const kept_bundle *bundle, int problem, uint64_t workspace,
                            void *stream, kept_error *error) {
  const int code = check_problem(bundle, problem, error);
  if (code != 0) return code;
  const Product *const product = product_of(bundle, problem);
  int status = 0;
  if (product->zeroed_bytes > 0)
    status = bundle->driver.fill(workspace, 0, (size_t)product->zeroed_bytes, stream);
  if (status == 0 && product->fault_place >= 0)
    status = bundle->driver.fill(workspace + (uint64_t)product->fault_place, 0,
                                 kFaultWords * kFaultBytes, stream);
  return status == 0 ? 0 : refuse_call(&bundle->driver, error, "cuMemsetD8Async", status);
}

// Of lists of groups, of A's table of rows, of D's.
static int read_fault(const kept_bundle *bundle, int problem, int word, uint64_t workspace,
                      void *stream, int64_t *entry, kept_error *error) {
  uint32_t faults[kFaultWords] = {0};
  const int code = check_problem(bundle, problem, error);
  if (code != 0) return code;
  *entry = -1;
  const Product *const product = product_of(bundle, problem);
  if (product->fault_place < 0) return 0;
  const Driver *const driver = &bundle->driver;
  int status = driver->copy_out(faults, workspace + (uint64_t)product->fault_place,
                                kFaultWords * kFaultBytes, stream);
  if (status == 0) status = driver->wait(stream);
  if (status != 0) return refuse_call(driver, error, "cuMemcpyDtoHAsync", status);
  *entry = (int64_t)faults[word] - 1;
  return 0;
}

int kept_group_fault(const kept_bundle *bundle, int problem, uint64_t workspace, void *stream,
                        int64_t *entry, kept_error *error) {
  return read_fault(bundle, problem, 0, workspace, stream, entry, error);
}

int kept_row_fault(const kept_bundle *bundle, int problem, int of_d, uint64_t workspace,
                      void *stream, int64_t *entry, kept_error *error) {
  return read_fault(bundle, problem, of_d ? 2 : 1, workspace, stream, entry, error);
}
